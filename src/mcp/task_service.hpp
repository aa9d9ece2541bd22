#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "mcp/call_context.hpp"
#include "mcp/caller.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"
#include "mcp/outcome.hpp"
#include "mcp/task_run.hpp"
#include "mcp/task_store.hpp"
#include "mcp/task_text.hpp"

namespace sluice::mcp {

/// Everything about tasks that clients can ask for: calls that become tasks, and the requests about
/// them (2026-07-28: the extension io.modelcontextprotocol/tasks; 2025-11-25, Tasks).
///
/// Ownership: the service's; borrows what it is given.
/// Threads:   any loop.
class TaskService {
 public:
  TaskService(const config::Config& config, CallServices& services, std::string_view server_info);

  /// Opens the directory. Blocks; once, before anything else.
  [[nodiscard]] bool open(std::string& problem) { return store_.open(problem); }

  /// How a call of a tool is answered.
  enum class Answer : std::uint8_t { ordinary, task_if_long, task };
  [[nodiscard]] static Answer answer_to(const ToolEntry& entry, const Envelope& message,
                                        const Caller& caller);
  /// Why a call is refused that would have to be a task and cannot, or the other way round.
  [[nodiscard]] static std::optional<Failure> refusal_of(const ToolEntry& entry,
                                                         const Envelope& message,
                                                         const Caller& caller);
  /// Answers a call that is not ordinary. The writer of its response has been started.
  [[nodiscard]] Awaitable<Outcome> call(Exchange& exchange, const Envelope& message,
                                        const Caller& caller, TaskRun::Options options);

  /// Those of the tasks that the caller has and this process runs, or that are over. A failure
  /// where the caller cannot have tasks.
  struct Found {
    std::vector<std::shared_ptr<Task>> tasks;
    std::optional<Failure> failure;
  };
  [[nodiscard]] Awaitable<Found> find(Exchange& exchange, const Caller& caller,
                                      std::span<const std::string_view> ids);

  /// Whether there is such a method about tasks in the revision.
  [[nodiscard]] static bool has_method(std::string_view method, const Revision& revision);
  /// REQUIRES: has_method().
  [[nodiscard]] Awaitable<Outcome> handle(Exchange& exchange, const Envelope& message,
                                          const Caller& caller);

  [[nodiscard]] TaskStore& store() noexcept { return store_; }
  [[nodiscard]] TaskTerms terms(const Revision& revision) const noexcept {
    return {revision, server_info_, config_.tasks.poll_interval};
  }

 private:
  using TaskPointer = std::shared_ptr<Task>;

  /// Begins an answer that streams.
  [[nodiscard]] bool start(Exchange& exchange);
  [[nodiscard]] Awaitable<Outcome> get(Exchange& exchange, const Envelope& message,
                                       const Caller& caller, TaskPointer task);
  [[nodiscard]] Outcome update(const Envelope& message, const Caller& caller, TaskPointer task);
  [[nodiscard]] Awaitable<Outcome> cancel(Exchange& exchange, const Envelope& message,
                                          const Caller& caller, TaskPointer task);
  [[nodiscard]] Awaitable<Outcome> result(Exchange& exchange, const Envelope& message,
                                          const Caller& caller, TaskPointer task);
  [[nodiscard]] Outcome list(const Envelope& message, const Caller& caller,
                             std::string_view owner) const;
  /// A result that is on the disk, between two texts. The writer has been started.
  [[nodiscard]] Awaitable<void> send_result(Exchange& exchange, const Envelope& message,
                                            TaskRecord record, std::string front,
                                            std::string_view back);
  [[nodiscard]] Outcome acknowledged(const Envelope& message, const Caller& caller) const;

  const config::Config& config_;
  CallServices& services_;
  const std::string_view server_info_;
  TaskStore store_;
};

}  // namespace sluice::mcp
