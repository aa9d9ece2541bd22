#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "mcp/revision.hpp"
#include "mcp/task.hpp"
#include "mcp/task_record.hpp"

/// Tasks as the revisions write them: 2026-07-28 with its extension, and 2025-11-25.
namespace sluice::mcp {

/// What a client is told, beside what the record holds.
struct TaskTerms {
  const Revision& revision;
  std::string_view server_info;
  std::chrono::milliseconds poll_interval;
};

/// The members of a Task, behind what `out` has: an object that is open.
void append_task(std::string& out, const TaskRecord& record, const TaskTerms& terms);
/// The same with what a task of 2026-07-28 has by its status, but for a result.
void append_details(std::string& out, const TaskRecord& record,
                    std::span<const TaskQuestion> questions, const TaskTerms& terms);
/// The result of the request that a task was made of.
[[nodiscard]] std::string created_result(const TaskRecord& record, const TaskTerms& terms);
/// The result of tasks/get, whole; for 2026-07-28 REQUIRES: it has not completed.
[[nodiscard]] std::string task_result(const TaskRecord& record,
                                      std::span<const TaskQuestion> questions,
                                      const TaskTerms& terms);
/// The same for a completed task of 2026-07-28, as the message for `id`, up to where its own result
/// goes on as it is kept. kCompletedEnd comes behind that.
[[nodiscard]] std::string completed_front(const TaskRecord& record, const TaskTerms& terms,
                                          std::string_view id);
inline constexpr std::string_view kCompletedEnd = "}";
/// notifications/tasks of 2026-07-28, whole; of a completed task up to where its result goes on as
/// it is kept, behind which comes kNotificationEnd. `meta` is `_meta`, JSON text.
[[nodiscard]] std::string task_notification(const TaskRecord& record,
                                            std::span<const TaskQuestion> questions,
                                            std::string_view meta, const TaskTerms& terms);
inline constexpr std::string_view kNotificationEnd = "}";
/// notifications/tasks/status of 2025-11-25.
[[nodiscard]] std::string status_notification(const TaskRecord& record, const TaskTerms& terms);
/// The message of tasks/result up to there; nothing comes behind.
[[nodiscard]] std::string payload_front(const TaskRecord& record, std::string_view id);

}  // namespace sluice::mcp
