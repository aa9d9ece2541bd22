#pragma once

#include <boost/system/error_code.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "mcp/exchange.hpp"
#include "mcp/revision.hpp"
#include "mcp/stopper.hpp"

namespace sluice::mcp {

/// What can end a call from outside: its client, its session, its deadline, the end of the server.
///
/// Threads: the call's loop.
class CallStop final : public Stopper::Target, public Exchange::Listener {
 public:
  /// `stopped` is called with the first reason there is, and at the deadline and the end of the
  /// server in any case.
  CallStop(Exchange& exchange, const Revision& revision, TimePoint deadline,
           std::function<void(boost::system::error_code why)> stopped);
  CallStop(const CallStop&) = delete;
  CallStop& operator=(const CallStop&) = delete;
  ~CallStop() { end(); }

  /// What comes from now on is too late.
  void end();
  void on_stop(boost::system::error_code why) override;
  void on_peer_gone() override;
  void on_shutdown() override;
  void on_deadline() override;
  /// Told where the client has gone for good and the call goes on.
  void when_left(std::function<void()> left) { left_ = std::move(left); }

  /// Why nobody waits for the result any more, or that the server ends. A deadline is none: it is
  /// for the handler, and its client is told.
  [[nodiscard]] boost::system::error_code why() const noexcept { return why_; }
  [[nodiscard]] const std::shared_ptr<Stopper>& stopper() const noexcept { return stopper_; }

 private:
  Exchange& exchange_;
  const Revision& revision_;
  std::function<void(boost::system::error_code)> stopped_;
  std::function<void()> left_;
  std::shared_ptr<Stopper> stopper_;
  boost::system::error_code why_;
  bool over_ = false;
};

/// How a call that was cancelled is answered where it is alone: with nothing (2025-11-25,
/// Cancellation), in what form nothing can have by then.
[[nodiscard]] Awaitable<void> end_cancelled(Exchange& exchange);

}  // namespace sluice::mcp
