#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice {

/// What a variable of a URI template stands for: text, a list, or pairs.
using UriValue = std::variant<std::string, std::vector<std::string>,
                              std::vector<std::pair<std::string, std::string>>>;

struct UriVariable {
  std::string name;
  UriValue value;
};

/// A URI template (RFC 6570, all four levels).
///
/// Threads: immutable, any.
class UriTemplate {
 public:
  /// Section 3.2.2 to 3.2.9; the character is what stands behind the brace.
  enum class Operator : char {
    simple = 0,
    reserved = '+',
    fragment = '#',
    label = '.',
    path = '/',
    parameter = ';',
    query = '?',
    continuation = '&'
  };
  struct Variable {
    std::string name;
    std::uint32_t prefix = 0;  ///< Characters of the value that are used; 0: all.
    bool is_exploded = false;
  };
  /// Literal text, encoded as far as a URI asks for, or an expression.
  struct Part {
    std::string literal;
    Operator op = Operator::simple;
    std::vector<Variable> variables;  ///< Empty: literal.
  };
  /// What an operator does (appendix A).
  struct Rules {
    std::string_view first;
    std::string_view separator;
    bool is_named;
    bool has_equals_if_empty;
    bool keeps_reserved;
  };

  /// nullopt, and `problem` says what is wrong and where.
  [[nodiscard]] static std::optional<UriTemplate> parse(std::string_view text,
                                                        std::string& problem);

  /// Variables that are not among `values`, and lists without elements, leave nothing. nullopt
  /// where a prefix is asked of a list or of pairs (section 2.4.1).
  [[nodiscard]] std::optional<std::string> expand(const std::vector<UriVariable>& values) const;

  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }
  /// Each variable once, in the order in which they first stand.
  [[nodiscard]] std::vector<std::string_view> names() const;
  [[nodiscard]] static Rules rules(Operator op) noexcept;

 private:
  std::vector<Part> parts_;
};

}  // namespace sluice
