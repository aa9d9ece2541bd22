#pragma once

#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/uri_template.hpp"

namespace sluice {

/// Finds the values that a URI template was expanded with, given the URI.
///
/// Only templates for which there is one answer are taken: a prefix without the whole value, two
/// parts that may both hold what stands between them, and pairs are refused. Beyond what an
/// expansion gives, values may hold reserved characters that the template itself does not use,
/// parameters of a query may come in any order, and URIs are compared in their normal form
/// (uri::normalize).
///
/// Threads: immutable, any.
/// Bounds:  a match does at most kMaxSteps of work; a URI that asks for more does not match.
class UriMatcher {
 public:
  static constexpr std::size_t kMaxSteps = 100'000;

  /// Text, or the elements of a list; what the URI leaves out is not there.
  struct Binding {
    std::string name;
    std::vector<std::string> values;  ///< Percent-decoded.
    bool is_list = false;
  };

  /// `lists` are the variables that hold lists, besides the exploded ones. nullopt, and `problem`
  /// says what cannot be taken apart.
  [[nodiscard]] static std::optional<UriMatcher> make(const UriTemplate& text,
                                                      std::span<const std::string_view> lists,
                                                      std::string& problem);

  /// nullopt where the URI is none of the template's.
  [[nodiscard]] std::optional<std::vector<Binding>> match(std::string_view uri) const;

 private:
  using Characters = std::bitset<256>;
  /// Literal text, or what one expression can stand for.
  struct Piece {
    enum class Kind : std::uint8_t {
      literal,
      row,   ///< Values by their order.
      list,  ///< One variable, whose elements are separated.
      pairs  ///< Values by their names.
    };
    Kind kind = Kind::literal;
    std::string literal;
    char lead = 0;  ///< Stands in front where there is a value; 0: nothing does.
    char separator = ',';
    std::vector<UriTemplate::Variable> variables;
    std::vector<bool> is_list;  ///< Of each variable.
    bool is_open = false;       ///< The value may hold anything.
    Characters characters;      ///< Of values and the separators between them.
  };
  class Attempt;

  [[nodiscard]] std::string add(const UriTemplate::Part& part,
                                std::span<const std::string_view> lists);
  void choose_characters();
  [[nodiscard]] std::string find_ambiguity() const;
  [[nodiscard]] std::string find_lost_value() const;

  std::vector<Piece> pieces_;
};

}  // namespace sluice
