#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/await.hpp"

namespace sluice {

/// Lets one coroutine wait until another part of the same loop calls notify().
///
/// A notify() without a waiter is not remembered: test the condition, then wait.
/// Threads:   one loop.
class Signal {
 public:
  explicit Signal(const boost::asio::any_io_executor& executor)
      : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

  /// Returns after a notify(), or when the waiting coroutine is cancelled.
  [[nodiscard]] boost::asio::awaitable<void> wait() {
    const auto result = co_await timer_.async_wait(kAwaitTuple);
    static_cast<void>(result);
  }
  /// The same, but not beyond `end`.
  [[nodiscard]] boost::asio::awaitable<void> wait_until(boost::asio::steady_timer::time_point end) {
    timer_.expires_at(end);
    co_await wait();
    timer_.expires_at(boost::asio::steady_timer::time_point::max());
  }
  void notify() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
};

}  // namespace sluice
