#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>
#include <exception>
#include <string>

#include <sluice/error.hpp>
#include <sluice/result_writer.hpp>

#include "mcp/inner_call.hpp"

namespace sluice::mcp {

/// One run of code that others wrote, a handler of whatever kind: stopped when told to, and kept
/// from throwing.
///
/// Ownership: lives in the coroutine that awaits run(), and whose cancellation it borrows.
/// Threads:   the call's loop.
class GuardedRun {
 public:
  GuardedRun(InnerCall& context, boost::asio::cancellation_signal& cancellation)
      : context_(context), cancellation_(cancellation) {}
  GuardedRun(const GuardedRun&) = delete;
  GuardedRun& operator=(const GuardedRun&) = delete;

  /// Runs `work`. Returns when it has ended, or at once where stop() came before. A cancellation
  /// ends with it.
  [[nodiscard]] Awaitable<void> run(Awaitable<Result<>> work);
  /// In the place of run(), for code that threw before its coroutine began.
  void threw(std::exception_ptr thrown) noexcept;
  void stop(boost::system::error_code why);

  /// Why it was stopped; none: it was not.
  [[nodiscard]] boost::system::error_code why() const noexcept { return why_; }
  /// What it returned; success where it threw.
  [[nodiscard]] const Result<>& returned() const noexcept { return returned_; }
  [[nodiscard]] bool has_thrown() const noexcept { return thrown_ != nullptr; }
  /// What was thrown, for the log.
  [[nodiscard]] std::string thrown_text() const;
  /// True where it has done what it was meant to.
  [[nodiscard]] bool is_good() const noexcept { return !why_ && !thrown_ && returned_; }

 private:
  InnerCall& context_;
  boost::asio::cancellation_signal& cancellation_;
  std::exception_ptr thrown_;
  Result<> returned_;
  boost::system::error_code why_;
  bool running_ = false;
  bool over_ = false;
};

}  // namespace sluice::mcp
