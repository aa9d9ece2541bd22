#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/uri_matcher.hpp"
#include "schema/schema.hpp"

namespace sluice::mcp {

/// The variables of a resource template: found in a URI, turned into a JSON object, and held against
/// their schema.
///
/// Threads: immutable, any.
class TemplateVariables {
 public:
  /// `schema` as in Resource::parameters. nullopt, and `problem` says what is wrong.
  [[nodiscard]] static std::optional<TemplateVariables> make(std::string_view uri_template,
                                                             std::string_view schema,
                                                             std::string& problem);

  [[nodiscard]] bool has(std::string_view name) const noexcept { return variables_.contains(name); }
  /// The texts that the schema allows for a variable and no others; empty where it does not say.
  [[nodiscard]] const std::vector<std::string>& allowed(std::string_view name) const noexcept;
  /// What the URIs begin with, in normal form.
  [[nodiscard]] const std::string& beginning() const noexcept { return beginning_; }
  /// All of them.
  [[nodiscard]] std::vector<std::string_view> names() const;

  struct Values {
    std::string json;     ///< An object that fits the schema, with its defaults.
    std::string problem;  ///< What does not fit; empty: all does.
  };
  /// nullopt where the URI is none of the template's.
  [[nodiscard]] std::optional<Values> find(std::string_view uri, std::uint64_t max_steps) const;

 private:
  enum class Type : std::uint8_t { text, number, boolean };
  struct Variable {
    Type type = Type::text;  ///< Of the elements, where it is a list.
    bool is_list = false;
    std::vector<std::string> allowed;
  };

  TemplateVariables() = default;
  [[nodiscard]] std::string object_of(const std::vector<UriMatcher::Binding>& found) const;

  std::map<std::string, Variable, std::less<>> variables_;
  std::string beginning_;
  std::optional<UriMatcher> matcher_;
  std::unique_ptr<const schema::Schema> schema_;
};

}  // namespace sluice::mcp
