#include "mcp/call_stop.hpp"

#include <utility>

namespace sluice::mcp {

CallStop::CallStop(Exchange& exchange, const Revision& revision, TimePoint until,
                   std::function<void(boost::system::error_code)> stopped)
    : exchange_(exchange),
      revision_(revision),
      stopped_(std::move(stopped)),
      stopper_(std::make_shared<Stopper>(exchange.executor(), *this)) {
  deadline = until;
  exchange_.listen(this);
}

void CallStop::end() {
  if (over_) return;
  over_ = true;
  stopper_->detach();
  exchange_.listen(nullptr);
}

void CallStop::on_stop(boost::system::error_code why) {
  if (why_ || over_) return;
  why_ = why;
  stopped_(why);
}

void CallStop::on_peer_gone() {
  // 2026-07-28: closing the stream is the cancellation. Before, a lost connection is not to be
  // taken for one.
  if (revision_.is_modern) {
    on_stop(Errc::peer_gone);
    return;
  }
  exchange_.writer().discard();
  if (left_ && !over_ && !exchange_.writer().is_resumable()) left_();
}

void CallStop::on_shutdown() {
  if (over_) return;
  if (!why_) why_ = Errc::shutting_down;
  stopped_(Errc::shutting_down);
}

void CallStop::on_deadline() {
  if (!over_) stopped_(Errc::deadline);
}

Awaitable<void> end_cancelled(Exchange& exchange) {
  FrameWriter& frames = exchange.writer();
  if (!frames.is_committed()) {
    frames.abort();
    co_await exchange.reply_empty_stream();
    co_return;
  }
  if (frames.ends_without_result()) {
    const auto finished = co_await frames.finish();
    static_cast<void>(finished);
    co_return;
  }
  frames.abort();
}

}  // namespace sluice::mcp
