#pragma once

#include <boost/asio/cancellation_signal.hpp>

#include "mcp/call_context.hpp"
#include "mcp/guarded_run.hpp"
#include "mcp/handler_entry.hpp"
#include "mcp/response_writer.hpp"

namespace sluice::mcp {

/// One run of a handler: stopped when told to, and ended with a text that says what went wrong.
///
/// Ownership: lives in the coroutine that awaits run(), and whose cancellation it borrows.
/// Threads:   the call's loop.
class HandlerRun {
 public:
  HandlerRun(const HandlerEntry& entry, CallContext& context, ResponseWriter& out,
             boost::asio::cancellation_signal& cancellation)
      : entry_(entry), context_(context), out_(out), run_(context, cancellation) {}

  /// Runs the handler. Returns when it has ended, or at once where stop() came before. A
  /// cancellation ends with it.
  [[nodiscard]] Awaitable<void> run();
  void stop(boost::system::error_code why) { run_.stop(why); }
  /// Adds to the result what went wrong, if anything has. `gone` is why nobody reads it.
  [[nodiscard]] Awaitable<void> explain(boost::system::error_code gone);
  /// What the handler said in the end.
  [[nodiscard]] const Result<>& returned() const noexcept { return run_.returned(); }
  /// Why it was stopped; none: it was not.
  [[nodiscard]] boost::system::error_code why() const noexcept { return run_.why(); }

 private:
  const HandlerEntry& entry_;
  CallContext& context_;
  ResponseWriter& out_;
  GuardedRun run_;
};

}  // namespace sluice::mcp
