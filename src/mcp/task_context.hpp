#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.hpp"
#include "mcp/asking.hpp"
#include "mcp/call_context.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/client_capabilities.hpp"
#include "mcp/exchange.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/outcome.hpp"
#include "mcp/sessions.hpp"
#include "mcp/task.hpp"

namespace sluice::mcp {

/// The Call that a handler sees whose call may become a task: it speaks on the response of its
/// request while there is one, and of its task after that. What was asked is copied, since it
/// outlives the request.
///
/// Ownership: of the run.
/// Threads:   the call's loop; cancelled() any.
class TaskContext final : public InnerCall {
 public:
  struct Options {
    const ToolEntry* entry = nullptr;
    Json arguments;  ///< Are copied, and so is `meta`.
    Json meta;
    const Revision* revision = nullptr;
    std::optional<LogLevel> log_level;
    std::chrono::steady_clock::time_point deadline;
    std::shared_ptr<Session> session;   ///< Null: there is none.
    ClientCapabilities capabilities;    ///< Of the caller.
    const AskedIn* asked_in = nullptr;  ///< The request; as long as the response is not over.
  };

  /// `exchange` is that of the request; `run` has the context.
  TaskContext(Exchange& exchange, CallServices& services, const Options& options, AskingCall& run);

  /// The response is over.
  void detach() noexcept;
  /// The same, and what is said now goes to the task.
  void become(std::shared_ptr<Task> task) noexcept;
  void set_deadline(std::chrono::steady_clock::time_point deadline) noexcept {
    deadline_ = deadline;
  }
  /// What the request is answered with in the place of a result, where its caller is asked first.
  [[nodiscard]] std::optional<Outcome> instead() const;
  /// The same where the handler has given up, since the caller cannot be asked.
  [[nodiscard]] std::optional<Outcome> refusal() const;

  [[nodiscard]] std::string_view tool() const noexcept override { return entry_.tool.name; }
  [[nodiscard]] Json arguments() const noexcept override { return arguments_; }
  [[nodiscard]] Json meta() const noexcept override { return meta_; }
  [[nodiscard]] std::chrono::steady_clock::time_point deadline() const noexcept override {
    return deadline_;
  }
  [[nodiscard]] bool cancelled() const noexcept override { return cancelled_.load(); }
  [[nodiscard]] boost::asio::any_io_executor executor() const override { return executor_; }
  [[nodiscard]] Awaitable<Result<>> progress(double done, std::optional<double> total,
                                             std::string_view message) override;
  [[nodiscard]] Awaitable<Result<>> log(LogLevel level, std::string_view text) override;
  /// A task is not waited for on a connection, and what is answered soon needs none of it.
  [[nodiscard]] Awaitable<Result<>> hang_up() override { co_return Result<>{}; }
  [[nodiscard]] bool has_capability(std::string_view name) const noexcept override {
    return capabilities_.has(name);
  }
  using Call::ask;
  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Question> questions) override;
  [[nodiscard]] std::span<const std::string> missing() const noexcept override { return missing_; }

  [[nodiscard]] FramePool& frames() noexcept override { return *loop_.frames; }
  [[nodiscard]] std::size_t loop() const noexcept override { return loop_.index; }
  [[nodiscard]] WorkerPool& workers() noexcept override { return *services_.workers; }
  /// A task that looks for it may come at any time.
  [[nodiscard]] bool wants_progress() const noexcept override { return true; }
  void tell_bytes(std::uint64_t bytes, std::optional<std::uint64_t> total) override;
  [[nodiscard]] std::uint64_t max_result() const noexcept override { return entry_.max_result; }
  [[nodiscard]] std::uint32_t max_nesting() const noexcept override {
    return services_.config->limits.nesting;
  }
  [[nodiscard]] const std::string& spool_directory() const noexcept override {
    return services_.spool_directory;
  }
  [[nodiscard]] ParkedResults* parked() noexcept override { return services_.parked; }
  [[nodiscard]] std::string caller() const override { return caller_; }
  [[nodiscard]] const Sealer& sealer() const noexcept override { return *services_.sealer; }
  [[nodiscard]] Notifier& notifier() noexcept override { return *services_.notifier; }
  void set_cancelled(boost::system::error_code why) noexcept override {
    why_ = why;
    cancelled_ = true;
  }
  [[nodiscard]] boost::system::error_code stopped_by() const noexcept override { return why_; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Awaitable<void> run_on_workers(std::function<void()> work) override;
  /// Whether the task's message is to change now; then it counts as changed.
  [[nodiscard]] bool is_due(double done);

  LoopServices& loop_;
  CallServices& services_;
  const boost::asio::any_io_executor executor_;
  const ToolEntry& entry_;
  const std::string caller_;
  AskingCall& run_;
  const std::shared_ptr<Session> session_;
  const ClientCapabilities capabilities_;
  const AskedIn* asked_in_;
  Clock::time_point deadline_;
  json::Document arguments_document_;
  json::Document meta_document_;
  Json arguments_;
  Json meta_;
  /// Speaks on the response. None of its operations is waited for: it may go at any time.
  std::optional<CallContext> attached_;
  CallContext::Run attached_run_;
  std::shared_ptr<Task> task_;
  std::optional<double> last_progress_;
  Clock::time_point next_progress_{};
  boost::system::error_code why_;
  std::atomic<bool> cancelled_{false};
  std::vector<std::string> missing_;
  std::unique_ptr<Asking> asking_;  // of the task, from its first question on
};

}  // namespace sluice::mcp
