#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/call_context.hpp"
#include "mcp/call_stop.hpp"
#include "mcp/caller.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"
#include "mcp/outcome.hpp"
#include "mcp/task_run.hpp"
#include "mcp/task_store.hpp"
#include "mcp/task_text.hpp"

namespace sluice::mcp {

/// A tools/call whose answer may be a task. The writer of its response has been started.
///
/// Ownership: lives in the coroutine that answers the request; borrows all it is given.
/// Threads:   the call's loop.
class TaskCall {
 public:
  TaskCall(Exchange& exchange, const Envelope& message, const Caller& caller,
           CallServices& services, TaskStore& store, std::string_view server_info);

  /// `ttl`: what the client asks for; none: as long as there is.
  [[nodiscard]] Awaitable<Outcome> answer_with_task(TaskRun::Options options,
                                                    std::optional<std::chrono::milliseconds> ttl);
  /// An ordinary answer, or a task where nothing of the result has left by the entry's `task_after`.
  [[nodiscard]] Awaitable<Outcome> answer(TaskRun::Options options);

 private:
  [[nodiscard]] Awaitable<TaskStore::Made> make_task(const ToolEntry& entry,
                                                     std::optional<std::chrono::milliseconds> ttl);
  /// Answers with the task.
  [[nodiscard]] Awaitable<void> send(const TaskRecord& record);
  /// The result, which is whole and in the queue.
  [[nodiscard]] Awaitable<void> send_broken();
  [[nodiscard]] Awaitable<void> send_whole(TaskRun& run);
  /// The result as it comes.
  [[nodiscard]] Awaitable<Outcome> copy(TaskRun& run, const CallStop& stop);

  Exchange& exchange_;
  const Envelope& message_;
  const Caller& caller_;
  CallServices& services_;
  TaskStore& store_;
  const std::string_view server_info_;
};

}  // namespace sluice::mcp
