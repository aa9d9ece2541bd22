#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/call_context.hpp"
#include "mcp/caller.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"
#include "mcp/guarded_run.hpp"
#include "mcp/outcome.hpp"

namespace sluice::mcp {

/// A request other than tools/call that code of others answers, with one message made in memory:
/// a prompt, a completion. That code has a Call like a tool's handler has; what it sends meanwhile
/// (progress, log messages, questions) goes ahead of the message as events.
///
/// Ownership: lives in the coroutine that answers the request; borrows all it is given.
/// Threads:   the call's loop.
class MessageCall {
 public:
  struct Options {
    std::string_view name;  ///< What Call::tool() gives; outlives the call.
    Json arguments;
    std::chrono::milliseconds timeout{};
    std::uint64_t max_bytes = 0;        ///< Of the message.
    EventLog* log = nullptr;            ///< See FrameWriter::Options.
    const AskedIn* asked_in = nullptr;  ///< Null: nobody can be asked.
    Permit* permit = nullptr;           ///< Held for it, but not while somebody is asked.
  };
  /// The message, from how the run ended. Not called where nobody is to be answered.
  using Answer = std::function<Outcome(const GuardedRun& run)>;

  MessageCall(Exchange& exchange, const Envelope& message, const Caller& caller,
              CallServices& services, Place place, const Options& options);
  MessageCall(const MessageCall&) = delete;
  MessageCall& operator=(const MessageCall&) = delete;

  /// What the code is given.
  [[nodiscard]] CallContext& context() noexcept { return context_; }
  /// Runs `work` to its end, its deadline or the client's, and answers.
  [[nodiscard]] Awaitable<Outcome> run(Awaitable<Result<>> work, const Answer& answer);

 private:
  /// What takes the place of an answer: a question, or that it cannot be asked.
  [[nodiscard]] std::optional<Outcome> instead(const GuardedRun& run) const;

  Exchange& exchange_;
  const Envelope& message_;
  const Caller& caller_;
  CallServices& services_;
  EventLog* const log_;
  const Place place_;
  Permit* const permit_;
  CallContext context_;
};

/// How a request is answered whose run did not end well; `what` is what failed ("prompt x") and
/// `timeout_name` the limit on its time. What was thrown goes to the log.
/// REQUIRES: it was stopped, threw or returned an error.
[[nodiscard]] Failure failure_of(const GuardedRun& run, std::string_view what,
                                 std::string_view timeout_name);

}  // namespace sluice::mcp
