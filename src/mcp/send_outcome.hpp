#pragma once

#include "mcp/exchange.hpp"
#include "mcp/outcome.hpp"

namespace sluice::mcp {

/// Answers a request whose writer was started with a message that is no part of what was written:
/// that is taken back. The message goes out as it is given where nothing has been sent, else in the
/// stream that is open, where its status means nothing any more.
///
/// Gives what is still to be sent. Where some of what was written has left, the connection is
/// aborted.
[[nodiscard]] Awaitable<Outcome> send_outcome(Exchange& exchange, Outcome outcome);

}  // namespace sluice::mcp
