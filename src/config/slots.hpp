#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "config/field.hpp"

namespace sluice::config {

/// Reads `{name}`, `{{` and `}}`. Complains about braces that are neither. Text that a variable put
/// in is taken as it is.
[[nodiscard]] std::optional<Template> read_template(const Field& field);
/// The same for a part of a field's text, which is given in pieces.
[[nodiscard]] std::optional<Template> read_template(const Field& field,
                                                    std::span<const Segment> segments);

/// The same for the content of a file that the field names; complaints say in which line of it.
[[nodiscard]] std::optional<Template> read_template(const Field& field, std::string_view content,
                                                    std::string_view file);

/// Complains about slots that name no parameter.
void check_slots(const Field& field, const Template& text, std::span<const Parameter> parameters);
void check_slots(const Field& field, const JsonTemplate& value,
                 std::span<const Parameter> parameters);

[[nodiscard]] const Parameter* find_parameter(std::span<const Parameter> parameters,
                                              std::string_view name);

}  // namespace sluice::config
