#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "mcp/subscription.hpp"

namespace sluice::mcp {

/// The notification that tells of a change. `meta` is `_meta` of its params, JSON text; empty: none.
[[nodiscard]] std::string change_text(const Change& change, std::string_view meta);

/// Appends a JSON message, on one line, as a server-sent event. `fields` are lines that stand in
/// front of its data.
void append_event(std::string& out, std::string_view json, std::string_view fields = {});

/// The rest of an event without data, behind its id: with that id the client comes back where it
/// loses the connection, and not before `retry`.
void append_priming(std::string& out, std::chrono::milliseconds retry);

}  // namespace sluice::mcp
