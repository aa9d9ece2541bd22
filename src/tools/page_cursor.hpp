#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <sluice/error.hpp>

#include "mcp/inner_call.hpp"

namespace sluice::tools {

/// The argument that a tool with pages takes.
inline constexpr std::string_view kCursor = "cursor";

/// Where the next page of a result begins, as the client is given it: sealed, and good for this
/// caller, this tool and these arguments alone, for `ttl`.
[[nodiscard]] std::string seal_cursor(const mcp::InnerCall& call, std::string_view place,
                                      std::chrono::milliseconds ttl);
/// The place that the call's cursor names; empty where it has none.
/// Errors: Errc::forged, Errc::expired.
[[nodiscard]] Result<std::string> open_cursor(const mcp::InnerCall& call);
/// What the caller is told of such an error.
[[nodiscard]] std::string_view cursor_problem(boost::system::error_code why) noexcept;

/// A tool's input schema with the argument in it. Empty, and `problem` says why, where it has a property
/// of that name already.
[[nodiscard]] std::string schema_with_cursor(std::string_view schema, std::string& problem);

}  // namespace sluice::tools
