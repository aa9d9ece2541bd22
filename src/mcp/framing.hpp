#pragma once

#include <sluice/tool.hpp>

#include "buffer/frame_writer.hpp"
#include "config/config.hpp"
#include "mcp/exchange.hpp"
#include "mcp/handler_entry.hpp"

namespace sluice::mcp {

/// How an answer is to be framed: by what the client takes, then `framing`, then the server's.
[[nodiscard]] FrameWriter::Options frame_options(const Exchange& exchange, Framing framing,
                                                 const config::Server& server);
/// The same for the result of a handler, with its compression.
[[nodiscard]] FrameWriter::Options frame_options(Exchange& exchange, const HandlerEntry& entry,
                                                 const config::Server& server);

}  // namespace sluice::mcp
