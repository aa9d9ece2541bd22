#pragma once

#include <optional>
#include <sluice/json.hpp>
#include <string>
#include <string_view>

#include "config/config.hpp"

namespace sluice::tools {

/// The text of one argument: a string's value, any other value's JSON text (digits as they came);
/// nullopt where it is not there or null.
[[nodiscard]] std::optional<std::string_view> argument_text(Json arguments,
                                                            std::string_view name) noexcept;

/// The template with the arguments put in; nullopt where a slot has no value.
[[nodiscard]] std::optional<std::string> expand(const config::Template& text, Json arguments);

/// The JSON text of a body; members and elements whose slot has no value are left out. A null that
/// the caller gave is a value where the string is exactly one slot. Empty where the whole body is a
/// slot without a value.
[[nodiscard]] std::string expand(const config::JsonTemplate& body, Json arguments);

}  // namespace sluice::tools
