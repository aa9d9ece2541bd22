#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

namespace sluice::http {

/// Stops what one exchange is waiting for when its time is up: closes the connection, or wakes the
/// wait for one.
///
/// Not a cancellation of the coroutine: the operation that is stopped ends with an error, and
/// is_expired() says why.
/// Ownership: part of the exchange.
/// Threads:   one loop.
class UpstreamWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit UpstreamWatch(const boost::asio::any_io_executor& executor);
  UpstreamWatch(const UpstreamWatch&) = delete;
  UpstreamWatch& operator=(const UpstreamWatch&) = delete;
  ~UpstreamWatch();

  /// From now on the time is up at `when`.
  void arm(Clock::time_point when);
  /// What to stop; nothing where empty. Called at once where the time already is up.
  void guard(std::function<void()> stop);
  [[nodiscard]] bool is_expired() const noexcept { return expired_; }

 private:
  struct State {
    UpstreamWatch* owner;
  };
  void on_timer();

  boost::asio::steady_timer timer_;
  std::shared_ptr<State> state_;
  std::function<void()> stop_;
  bool expired_ = false;
};

}  // namespace sluice::http
