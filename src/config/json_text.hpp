#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/field.hpp"

/// YAML to JSON by the core schema of YAML 1.2: plain scalars may be null, booleans and numbers,
/// all else is a string. Numbers keep their digits, mappings the order of their keys.
namespace sluice::config {

/// Members of the outermost mapping that are left out.
[[nodiscard]] std::optional<std::string> to_json(const Field& field,
                                                 std::span<const std::string_view> without = {});
/// The same for what must be an object.
[[nodiscard]] std::optional<std::string> to_json_object(const Field& field);
/// With slots in its strings; keys are as written.
[[nodiscard]] std::optional<JsonTemplate> to_json_template(const Field& field);

[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace sluice::config
