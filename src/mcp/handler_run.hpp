#pragma once

#include <boost/asio/cancellation_signal.hpp>

#include <string>
#include <vector>

#include "mcp/guarded_run.hpp"
#include "mcp/handler_entry.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/response_writer.hpp"

namespace sluice::mcp {

/// One run of a handler: stopped when told to, and ended with a text that says what went wrong.
///
/// Ownership: lives in the coroutine that awaits run(), and whose cancellation it borrows.
/// Threads:   the call's loop.
class HandlerRun {
 public:
  HandlerRun(const HandlerEntry& entry, InnerCall& context, ResponseWriter& out,
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
  [[nodiscard]] bool has_thrown() const noexcept { return run_.has_thrown(); }
  /// What was thrown, for the log.
  [[nodiscard]] std::string thrown_text() const { return run_.thrown_text(); }

 private:
  const HandlerEntry& entry_;
  InnerCall& context_;
  ResponseWriter& out_;
  GuardedRun run_;
};

}  // namespace sluice::mcp
