#include "mcp/handler_run.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>
#include <utility>

namespace sluice::mcp {
namespace {

namespace asio = boost::asio;

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

void CallStop::on_deadline() {
  if (!over_) stopped_(Errc::deadline);
}

HandlerRun::HandlerRun(const ToolEntry& entry, CallContext& context, JsonResultWriter& out,
                       asio::cancellation_signal& cancellation)
    : entry_(entry), context_(context), out_(out), cancellation_(cancellation) {}

Awaitable<void> HandlerRun::run() {
  if (why_) {
    over_ = true;
    co_return;
  }
  try {
    const auto returned = co_await entry_.handler->run(context_, out_);
    returned_ = returned;
  } catch (...) {
    thrown_ = std::current_exception();
  }
  over_ = true;
  if (!why_) co_return;
  // co_spawn may hand an emission on by a post of its own: what it cancels must not be more than
  // the handler.
  co_await asio::this_coro::throw_if_cancelled(false);
  const auto executor = context_.executor();
  co_await asio::post(executor, asio::use_awaitable);
  co_await asio::this_coro::reset_cancellation_state();
  co_await asio::this_coro::throw_if_cancelled(true);
}

void HandlerRun::stop(boost::system::error_code why) {
  if (why_ || over_) return;
  why_ = why;
  context_.set_cancelled();
  cancellation_.emit(asio::cancellation_type::terminal);
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
