#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.hpp"

/// What names and addresses may look like. Each check gives what is wrong, or nothing.
namespace sluice::config {

/// MCP: 1 to 128 characters; blanks, controls and braces are refused, letters of any language are
/// not. `what` is how a complaint names it.
[[nodiscard]] std::string wrong_name(std::string_view name,
                                     std::string_view what = "a tool's name");
/// RFC 9110, section 5.6.2, in capitals; CONNECT and TRACE make no call.
[[nodiscard]] std::string wrong_method(std::string_view method);
/// RFC 9110, section 5.1; the fields that frame a message are ours.
[[nodiscard]] std::string wrong_header_name(std::string_view name);
/// No line breaks and no NUL.
[[nodiscard]] std::string wrong_header_value(std::string_view value);
[[nodiscard]] std::string wrong_base_url(std::string_view url);
[[nodiscard]] std::string wrong_variable_name(std::string_view name);
/// RFC 3986: something with a scheme.
[[nodiscard]] std::string wrong_uri(std::string_view uri);

/// "host:port" or "[v6]:port".
[[nodiscard]] std::optional<Endpoint> parse_endpoint(std::string_view text);

}  // namespace sluice::config
