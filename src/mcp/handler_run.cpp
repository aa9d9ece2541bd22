#include "mcp/handler_run.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <utility>

namespace sluice::mcp {
namespace {

namespace asio = boost::asio;

/// Also what run() throws before its coroutine begins ends up in the result of this one.
Awaitable<Result<>> run_handler(ToolHandler& handler, Call& call, ResultWriter& out) {
  const auto done = co_await handler.run(call, out);
  co_return done;
}

std::string text_of(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

}  // namespace

CallStop::CallStop(Exchange& exchange, const Revision& revision,
                   std::function<void(boost::system::error_code)> stopped)
    : exchange_(exchange),
      revision_(revision),
      stopped_(std::move(stopped)),
      stopper_(std::make_shared<Stopper>(exchange.executor(), *this)) {
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
  if (revision_.is_modern)
    on_stop(Errc::peer_gone);
  else
    exchange_.writer().discard();
}

void CallStop::on_shutdown() {
  if (over_) return;
  if (!why_) why_ = Errc::shutting_down;
  stopped_(Errc::shutting_down);
}

HandlerRun::HandlerRun(const ToolEntry& entry, CallContext& context, JsonResultWriter& out)
    : entry_(entry), context_(context), out_(out), shared_(std::make_shared<Shared>()) {
  shared_->run = this;
}

Awaitable<void> HandlerRun::run() {
  if (why_) {
    over_ = true;
    co_return;
  }
  asio::steady_timer timer(context_.executor(), context_.deadline());
  timer.async_wait([shared = shared_](boost::system::error_code ec) {
    if (!ec && shared->run != nullptr) shared->run->stop(Errc::deadline);
  });
  Signal ended(context_.executor());
  const auto on_end = [&](std::exception_ptr thrown, Result<> returned) {
    thrown_ = std::move(thrown);
    returned_ = returned;
    over_ = true;
    ended.notify();
  };
  asio::co_spawn(context_.executor(), run_handler(*entry_.handler, context_, out_),
                 asio::bind_cancellation_slot(shared_->signal.slot(), on_end));
  while (!over_) {
    co_await ended.wait();
  }
  // co_spawn hands an emission on by a post of its own, which still uses the signal.
  if (why_) asio::post(context_.executor(), [keep = shared_] {});
}

void HandlerRun::stop(boost::system::error_code why) {
  if (why_ || over_) return;
  why_ = why;
  context_.set_cancelled();
  shared_->signal.emit(asio::cancellation_type::terminal);
}

Awaitable<void> HandlerRun::explain(boost::system::error_code gone) {
  const auto why = why_ ? why_ : gone;
  std::string text;
  if (why == Errc::deadline) {
    text = entry_.timeout_name + " passed after " + std::to_string(out_.bytes()) +
           " bytes of its result.";
  } else if (why == Errc::shutting_down) {
    text = "The server is shutting down; the result ends after " + std::to_string(out_.bytes()) +
           " bytes.";
  } else if (!why && thrown_) {
    spdlog::error("tool {}: {}", entry_.tool.name, text_of(thrown_));
    text = "The tool failed unexpectedly.";
  } else if (!why && !returned_ && returned_.error() != Errc::result_too_large) {
    text = "The tool failed: " + returned_.error().message() + ".";
  }
  if (text.empty() || (out_.is_error() && !why)) co_return;
  const auto told = co_await out_.fail(text);
  static_cast<void>(told);
}

}  // namespace sluice::mcp
