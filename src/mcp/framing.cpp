#include "mcp/framing.hpp"

namespace sluice::mcp {

FrameWriter::Options frame_options(const Exchange& exchange, Framing framing,
                                   const config::Server& server) {
  const config::Tool::Framing preferred = server.framing;
  using Prefer = FrameWriter::Options::Prefer;
  Prefer prefer = Prefer::automatic;
  if (framing == Framing::json ||
      (framing == Framing::automatic && preferred == config::Tool::Framing::json))
    prefer = Prefer::json;
  if (framing == Framing::sse ||
      (framing == Framing::automatic && preferred == config::Tool::Framing::sse))
    prefer = Prefer::events;
  FrameWriter::Options options;
  options.takes_json = exchange.takes_json();
  options.takes_events = exchange.takes_events();
  options.prefer = prefer;
  // JSON that is asked for stays JSON, unless somebody has to be asked.
  options.quiet = prefer == Prefer::json && exchange.takes_json();
  options.chunked = exchange.takes_chunks();
  return options;
}

FrameWriter::Options frame_options(Exchange& exchange, const HandlerEntry& entry,
                                   const config::Server& server) {
  FrameWriter::Options options = frame_options(exchange, entry.framing, server);
  if (entry.compression == Compression::automatic) {
    options.coding = exchange.accepted_coding();
    options.encoders = exchange.loop().encoders;
    options.min_encoded = server.compression_min;
    options.varies = true;
  }
  return options;
}

}  // namespace sluice::mcp
