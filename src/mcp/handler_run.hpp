#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>

#include "mcp/call_context.hpp"
#include "mcp/exchange.hpp"
#include "mcp/json_result_writer.hpp"
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

  /// Why nobody waits for the result any more, or that the server ends. A deadline is none: it is
  /// for the handler, and its client is told.
  [[nodiscard]] boost::system::error_code why() const noexcept { return why_; }
  [[nodiscard]] const std::shared_ptr<Stopper>& stopper() const noexcept { return stopper_; }

 private:
  Exchange& exchange_;
  const Revision& revision_;
  std::function<void(boost::system::error_code)> stopped_;
  std::shared_ptr<Stopper> stopper_;
  boost::system::error_code why_;
  bool over_ = false;
};

/// One run of a tool's handler: stopped when told to, and ended with a text that says what went
/// wrong.
///
/// Ownership: lives in the coroutine that awaits run(), and whose cancellation it borrows.
/// Threads:   the call's loop.
class HandlerRun {
 public:
  HandlerRun(const ToolEntry& entry, CallContext& context, JsonResultWriter& out,
             boost::asio::cancellation_signal& cancellation);
  HandlerRun(const HandlerRun&) = delete;
  HandlerRun& operator=(const HandlerRun&) = delete;

  /// Runs the handler. Returns when it has ended, or at once where stop() came before. A
  /// cancellation ends with it.
  [[nodiscard]] Awaitable<void> run();
  void stop(boost::system::error_code why);
  /// Adds to the result what went wrong, if anything has. `gone` is why nobody reads it.
  [[nodiscard]] Awaitable<void> explain(boost::system::error_code gone);
  /// Why it was stopped; none: it was not.
  [[nodiscard]] boost::system::error_code why() const noexcept { return why_; }

 private:
  const ToolEntry& entry_;
  CallContext& context_;
  JsonResultWriter& out_;
  boost::asio::cancellation_signal& cancellation_;
  std::exception_ptr thrown_;
  Result<> returned_;
  boost::system::error_code why_;
  bool over_ = false;
};

}  // namespace sluice::mcp
