#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sealer.hpp"
#include "config/config.hpp"
#include "mcp/asking.hpp"
#include "mcp/exchange.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/permit.hpp"
#include "mcp/revision.hpp"

namespace sluice::mcp {

/// What every call of the process shares.
struct CallServices {
  const config::Config* config = nullptr;
  WorkerPool* workers = nullptr;
  const Sealer* sealer = nullptr;
  std::string spool_directory;
  Notifier* notifier = nullptr;
  ParkedResults* parked = nullptr;
  std::atomic<std::uint32_t>* asking = nullptr;  ///< Calls that wait for an answer.
};

/// The Call that handlers see.
///
/// Ownership: lives in the coroutine that runs the call.
/// Threads:   the call's loop; cancelled() any.
class CallContext final : public InnerCall, private AskingCall {
 public:
  struct Options {
    std::string_view name;      ///< Of the tool or prompt; outlives the call.
    std::string_view uri = {};  ///< Of the resource that is read; outlives the call.
    std::uint64_t max_result = 0;
    Json arguments;
    Json meta;
    const Revision* revision = nullptr;
    std::optional<LogLevel> log_level;  ///< What the caller wants to hear; none: nothing.
    std::chrono::steady_clock::time_point deadline;
    const AskedIn* asked_in = nullptr;  ///< Null: nobody can be asked.
  };

  CallContext(Exchange& exchange, CallServices& services, const Options& options);

  [[nodiscard]] std::string_view tool() const noexcept override { return options_.name; }
  [[nodiscard]] std::string_view uri() const noexcept override { return options_.uri; }
  [[nodiscard]] Json arguments() const noexcept override { return options_.arguments; }
  [[nodiscard]] Json meta() const noexcept override { return options_.meta; }
  [[nodiscard]] std::chrono::steady_clock::time_point deadline() const noexcept override {
    return options_.deadline;
  }
  [[nodiscard]] bool cancelled() const noexcept override { return cancelled_.load(); }
  [[nodiscard]] boost::asio::any_io_executor executor() const override { return executor_; }
  [[nodiscard]] Awaitable<Result<>> progress(double done, std::optional<double> total,
                                             std::string_view message) override;
  [[nodiscard]] Awaitable<Result<>> log(LogLevel level, std::string_view text) override;
  /// The same without waiting: false where the client has to take something first.
  [[nodiscard]] bool try_log(LogLevel level, std::string_view text);
  [[nodiscard]] Awaitable<Result<>> hang_up() override;
  [[nodiscard]] Notifier& notifier() noexcept override { return *services_.notifier; }

  [[nodiscard]] bool wants_progress() const noexcept override {
    return !progress_token_.empty() && !progress_is_over_;
  }
  void tell_bytes(std::uint64_t bytes, std::optional<std::uint64_t> total) override;
  [[nodiscard]] bool has_capability(std::string_view name) const noexcept override;
  using Call::ask;
  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Question> questions) override;

  [[nodiscard]] FramePool& frames() noexcept override { return *exchange_.loop().frames; }
  [[nodiscard]] std::size_t loop() const noexcept override { return exchange_.loop().index; }
  [[nodiscard]] WorkerPool& workers() noexcept override { return *services_.workers; }
  [[nodiscard]] std::uint64_t max_result() const noexcept override { return options_.max_result; }
  [[nodiscard]] std::uint32_t max_nesting() const noexcept override {
    return services_.config->limits.nesting;
  }
  [[nodiscard]] const std::string& spool_directory() const noexcept override {
    return services_.spool_directory;
  }
  [[nodiscard]] ParkedResults* parked() noexcept override {
    return options_.asked_in != nullptr ? services_.parked : nullptr;
  }
  [[nodiscard]] std::string caller() const override;
  [[nodiscard]] const Sealer& sealer() const noexcept override { return *services_.sealer; }

  void set_cancelled(boost::system::error_code why) noexcept override {
    why_ = why;
    cancelled_ = true;
  }
  [[nodiscard]] boost::system::error_code stopped_by() const noexcept override { return why_; }
  void set_arguments(Json arguments) noexcept { options_.arguments = arguments; }
  /// What asking needs of the run.
  struct Run {
    Exchange::Listener* watch;         ///< Of the deadline; null: it is watched elsewhere.
    std::function<void()> stop;        ///< Unwinds the handler.
    std::array<Permit*, 2> permits{};  ///< That it holds; null: none.
  };
  /// REQUIRES: `run` lives until the handler has returned.
  void runs_as(Run& run) noexcept { run_ = &run; }
  void on_peer_gone();
  /// What the request is answered with in the place of a result, where its caller is asked first.
  [[nodiscard]] std::optional<Outcome> instead() const;
  [[nodiscard]] std::span<const std::string> missing() const noexcept override { return missing_; }

 private:
  [[nodiscard]] Awaitable<void> run_on_workers(std::function<void()> work) override;
  void pause() override;
  [[nodiscard]] bool resume() override;
  void stop_handler() override { run_->stop(); }

  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool may_become_event(std::uint64_t bytes, std::optional<std::uint64_t> total,
                                      Clock::time_point now) const;
  /// REQUIRES: it is due.
  void send_progress(double done, std::optional<double> total, std::string_view message,
                     Clock::time_point now);

  Exchange& exchange_;
  CallServices& services_;
  Options options_;
  boost::asio::any_io_executor executor_;
  std::string progress_token_;  // the bytes that came; empty: none
  std::optional<double> last_progress_;
  Clock::time_point next_progress_{};
  Clock::time_point started_{};
  Clock::time_point first_bytes_{};  // when tell_bytes() may begin
  bool progress_is_over_ = false;    // nothing goes ahead of the result any more
  boost::system::error_code why_;
  std::atomic<bool> cancelled_{false};
  Run* run_ = nullptr;
  std::chrono::steady_clock::time_point paused_{};
  std::vector<std::string> missing_;
  std::unique_ptr<Asking> asking_;  // from the first question on
};

[[nodiscard]] std::string_view name_of(LogLevel level) noexcept;
[[nodiscard]] std::optional<LogLevel> parse_log_level(std::string_view name) noexcept;

}  // namespace sluice::mcp
