#pragma once

#include <sluice/asio_config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <sluice/answer.hpp>
#include <sluice/error.hpp>
#include <sluice/json.hpp>
#include <sluice/notifier.hpp>
#include <sluice/question.hpp>
#include <sluice/result_writer.hpp>

namespace sluice {

/// RFC 5424 severities as MCP names them.
enum class LogLevel : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency
};

/// One tools/call or resources/read while it runs: what was asked, by when, and the ways to talk to
/// the caller meanwhile.
///
/// Ownership: belongs to the connection; valid until the handler has returned.
/// Threads:   the call's loop only; cancelled() may be asked from anywhere.
/// Cancellation: when the client goes away, cancels, or the deadline passes, the handler's pending
///            Asio operation ends with operation_aborted and each later co_await throws it. So
///            handlers clean up in destructors.
class Call {
 public:
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  virtual ~Call() = default;

  /// The name of the tool or resource.
  [[nodiscard]] virtual std::string_view tool() const noexcept = 0;
  /// The resource that is read, as the client names it; empty where a tool is called.
  [[nodiscard]] virtual std::string_view uri() const noexcept { return {}; }
  /// The arguments: an object that has passed the tool's schema, defaults filled in. For a resource
  /// template the values of its variables.
  [[nodiscard]] virtual Json arguments() const noexcept = 0;
  /// One argument; not there where the caller left it out and it has no default.
  [[nodiscard]] Json argument(std::string_view name) const noexcept {
    return arguments().find(name);
  }
  /// `params._meta`, or not there.
  [[nodiscard]] virtual Json meta() const noexcept = 0;

  [[nodiscard]] virtual std::chrono::steady_clock::time_point deadline() const noexcept = 0;
  [[nodiscard]] virtual bool cancelled() const noexcept = 0;
  [[nodiscard]] virtual boost::asio::any_io_executor executor() const = 0;

  /// notifications/progress. Does nothing where the caller sent no token, where `done` has not
  /// grown, or where the result has begun to leave. Goes out at most every `progress_interval`.
  [[nodiscard]] virtual Awaitable<Result<>> progress(double done, std::optional<double> total = {},
                                                     std::string_view message = {}) = 0;
  /// notifications/message with `text` as its data, where the caller asked for that level.
  [[nodiscard]] virtual Awaitable<Result<>> log(LogLevel level, std::string_view text) = 0;
  /// Lets the client wait for the rest without a connection: the stream ends here, and the client
  /// asks for it again after `server.retry`. Does nothing where the client does not know how to
  /// (2025-11-25 does), or where the result has begun.
  [[nodiscard]] virtual Awaitable<Result<>> hang_up() = 0;
  /// Where to say that the call has changed something that the server offers.
  [[nodiscard]] virtual Notifier& notifier() noexcept = 0;

  /// Whether the client has declared that it can do something: "elicitation.form",
  /// "elicitation.url", "sampling", "sampling.tools", "roots", ...
  [[nodiscard]] virtual bool has_capability(std::string_view name) const noexcept = 0;

  /// Asks the caller, several things at once; the answers come in the order of the questions.
  ///
  /// In a session (up to 2025-11-25) the questions go out ahead of the result, and the handler
  /// waits here. In 2026-07-28 the questions are the result: the handler is unwound here, as by a
  /// cancellation, and when the caller comes back with the answers it runs again from its
  /// beginning, to find them here. So a handler asks before it does anything that must not be done
  /// twice, and asks the same things in the same order each time; an answer counts for the question
  /// that it was given to, and what is asked in other words is asked anew. What it has written
  /// before it asks is taken back.
  ///
  /// A call that has become a task waits here in every revision, and its questions are part of the
  /// task.
  ///
  /// Waiting is bounded by `timeouts.ask` and does not count: deadline() moves on by it, and others
  /// may run in the place of the call meanwhile. When the call is cancelled, this throws like any
  /// other wait. A handler asks in one place at a time.
  ///
  /// Errors: Errc::missing_capability where the client cannot be asked that; a handler that has no
  ///         other way returns it, and the client is told which capability is missing.
  ///         Errc::cannot_ask where the result has begun to leave, or is shared with others (a
  ///         cached tool), or the client takes no messages ahead of it. Errc::peer_gone,
  ///         Errc::no_answer, Errc::bad_answer, Errc::busy (there is no place to go on), Errc::too_many_questions, Errc::state_too_large,
  ///         and Errc::misuse for a question that is not valid itself.
  [[nodiscard]] virtual Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Question> questions) = 0;
  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> ask(
      std::initializer_list<Question> questions);
  /// The same for one question.
  [[nodiscard]] Awaitable<Result<Answer>> elicit(Form form);
  [[nodiscard]] Awaitable<Result<Answer>> elicit_url(Page page);
  [[nodiscard]] Awaitable<Result<Answer>> sample(Sampling sampling);
  [[nodiscard]] Awaitable<Result<Answer>> list_roots(Roots roots = {});

  /// Runs `work` on the worker pool and comes back to the loop with what it returned; an exception
  /// comes back too. The handler does not move on before `work` has ended, cancelled or not; work
  /// that has not begun by then is dropped.
  template <class F>
  [[nodiscard]] Awaitable<std::invoke_result_t<F&>> offload(F work);
  /// Waits.
  [[nodiscard]] Awaitable<void> sleep(std::chrono::steady_clock::duration time);

 protected:
  Call() = default;

 private:
  [[nodiscard]] virtual Awaitable<void> run_on_workers(std::function<void()> work) = 0;
};

template <class F>
Awaitable<std::invoke_result_t<F&>> Call::offload(F work) {
  using R = std::invoke_result_t<F&>;
  std::exception_ptr thrown;
  if constexpr (std::is_void_v<R>) {
    std::function<void()> job = [&work, &thrown] {
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
    };
    co_await run_on_workers(std::move(job));
    if (thrown) std::rethrow_exception(thrown);
  } else {
    std::optional<R> value;
    std::function<void()> job = [&work, &value, &thrown] {
      try {
        value.emplace(work());
      } catch (...) {
        thrown = std::current_exception();
      }
    };
    co_await run_on_workers(std::move(job));
    if (thrown) std::rethrow_exception(thrown);
    co_return std::move(*value);
  }
}

}  // namespace sluice
