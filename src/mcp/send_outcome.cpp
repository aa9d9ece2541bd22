#include "mcp/send_outcome.hpp"

namespace sluice::mcp {

Awaitable<Outcome> send_outcome(Exchange& exchange, Outcome outcome) {
  FrameWriter& frames = exchange.writer();
  const bool is_alone = frames.take_back();
  if (is_alone && !frames.is_committed()) {
    frames.abort();
    co_return outcome;
  }
  if (is_alone) {
    const BodyPiece message{outcome.message};
    const auto put = co_await frames.put_pieces({&message, 1});
    if (put) {
      const auto finished = co_await frames.finish();
      static_cast<void>(finished);  // the connection sees the writer's error
      co_return Outcome{200, {}, true};
    }
  }
  frames.abort();
  co_return Outcome{200, {}, true};
}

}  // namespace sluice::mcp
