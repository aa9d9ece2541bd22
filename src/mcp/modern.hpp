#pragma once

#include <optional>

#include "mcp/caller.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"

/// The rules of 2026-07-28: every request says for itself which version it speaks, in header and
/// body alike.
namespace sluice::mcp::modern {

/// A message is modern when its `_meta` names a protocol version, or its header names a modern one.
[[nodiscard]] bool is_modern(const Envelope& message,
                             std::optional<std::string_view> version_header);

/// Checks `_meta` and the headers that mirror the body (Streamable HTTP, Request Metadata), all but
/// `Mcp-Param-*`, in the order: fields of `_meta` that are missing, version header, version,
/// Mcp-Method. Fills `caller`.
[[nodiscard]] std::optional<Failure> check(const Envelope& message, Exchange& exchange,
                                           Caller& caller);

/// `Mcp-Name` against `params.name`.
[[nodiscard]] std::optional<Failure> check_name(std::string_view name, Exchange& exchange);
/// `Mcp-Param-*` against the arguments as the caller sent them.
[[nodiscard]] std::optional<Failure> check_parameters(const ToolEntry& tool, Json arguments,
                                                      Exchange& exchange);

}  // namespace sluice::mcp::modern
