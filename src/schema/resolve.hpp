#pragma once

#include <cstdint>
#include <map>
#include <sluice/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "schema/program.hpp"

namespace sluice::schema {

/// The names under which a document's schemas can be referred to: URIs of resources, anchors in
/// them, and JSON Pointers.
class Names {
 public:
  explicit Names(Program& program) noexcept : program_(program) {}

  /// Adds a resource of that URI; nullopt where there is one already.
  [[nodiscard]] std::optional<std::uint32_t> add_resource(std::string uri, Json root,
                                                          Dialect dialect);
  void add_schema(const Subschema& schema) { by_node_.emplace(schema.source.node(), &schema); }
  [[nodiscard]] const Subschema* schema_at(Json source) const noexcept;

  /// What a reference leads to: a compiled schema, or a place in the document that has not been
  /// compiled, being below no keyword that holds schemas.
  struct Target {
    const Subschema* schema = nullptr;
    Json place;
    std::uint32_t resource = 0;
    std::string_view dynamic_anchor;  ///< Where that is what the fragment named.
  };
  /// Resolves `reference` as written in a schema of that resource; the string says what is wrong.
  [[nodiscard]] std::variant<Target, std::string> resolve(std::uint32_t resource,
                                                          std::string_view reference) const;

 private:
  [[nodiscard]] std::variant<Target, std::string> follow(Target target,
                                                         std::string_view pointer) const;

  Program& program_;
  std::map<std::string, std::uint32_t, std::less<>> by_uri_;
  std::map<const JsonNode*, const Subschema*> by_node_;
};

}  // namespace sluice::schema
