#include "mcp/guarded_run.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace sluice::mcp {

namespace asio = boost::asio;

Awaitable<void> GuardedRun::run(Awaitable<Result<>> work) {
  if (why_) {
    over_ = true;
    co_return;
  }
  running_ = true;
  try {
    const auto returned = co_await std::move(work);
    returned_ = returned;
  } catch (...) {
    thrown_ = std::current_exception();
  }
  running_ = false;
  over_ = true;
  if (!why_) co_return;
  // co_spawn may hand an emission on by a post of its own: what it cancels must not be more than
  // the work.
  co_await asio::this_coro::throw_if_cancelled(false);
  const auto executor = context_.executor();
  co_await asio::post(executor, asio::use_awaitable);
  co_await asio::this_coro::reset_cancellation_state();
  co_await asio::this_coro::throw_if_cancelled(true);
}

void GuardedRun::threw(std::exception_ptr thrown) noexcept {
  thrown_ = std::move(thrown);
  over_ = true;
}

void GuardedRun::stop(boost::system::error_code why) {
  if (why_ || over_) return;
  why_ = why;
  context_.set_cancelled(why);
  // Before the work begins there is nothing to cancel but the coroutine that would wait for it.
  if (running_) cancellation_.emit(asio::cancellation_type::terminal);
}

std::string GuardedRun::thrown_text() const {
  try {
    if (thrown_) std::rethrow_exception(thrown_);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
  return {};
}

}  // namespace sluice::mcp
