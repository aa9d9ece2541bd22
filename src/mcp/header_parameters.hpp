#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/json.hpp>

#include "mcp/catalogue.hpp"

namespace sluice::mcp {

/// The `x-mcp-header` annotations of an input schema (2026-07-28, Streamable HTTP, Custom Headers
/// from Tool Parameters). Fills `problem` where one breaks the rules: a token, unique without
/// regard to case, on a string, integer or boolean, reachable through `properties` alone.
[[nodiscard]] std::vector<HeaderParameter> find_header_parameters(Json schema,
                                                                  std::string& problem);

/// The value of an `Mcp-Name` or `Mcp-Param-*` field: blanks around it gone, `=?base64?...?=`
/// decoded. nullopt where it holds other characters than visible ASCII, space and tab, or an
/// encoding that is none.
[[nodiscard]] std::optional<std::string> decode_header_value(std::string_view value);

/// True where a decoded field value says the same as the argument: strings by their characters,
/// integers by value, booleans by name.
[[nodiscard]] bool header_matches(std::string_view decoded, Json value);

}  // namespace sluice::mcp
