#include "mcp/task_text.hpp"

#include <array>
#include <cstdio>
#include <ctime>

#include "json/document.hpp"
#include "mcp/json_members.hpp"
#include "mcp/result_text.hpp"

namespace sluice::mcp {
namespace {

/// Of a result as it is kept.
constexpr std::string_view kResultFront = R"({"resultType":"complete","content":[)";

/// ISO 8601 in UTC, with milliseconds.
std::string text_of(TaskRecord::Time time) {
  const auto ms = time.time_since_epoch().count();
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  const std::size_t n = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + n, text.size() - n, ".%03dZ", static_cast<int>(ms % 1000));
  return text.data();
}

/// Before 2026-07-28 a tool that says that it failed has failed the task.
TaskStatus status_of(const TaskRecord& record, const Revision& revision) noexcept {
  if (record.status == TaskStatus::completed && record.is_error && !revision.is_modern)
    return TaskStatus::failed;
  return record.status;
}

void append_error(std::string& out, const TaskRecord& record) {
  std::string error = "{";
  append_member(error, "code", std::to_string(record.error_code));
  append_text(error, "message", record.error_message);
  append_member(out, "error", error + '}');
}

}  // namespace

void append_task(std::string& out, const TaskRecord& record, const TaskTerms& terms) {
  const bool is_modern = terms.revision.is_modern;
  append_text(out, "taskId", record.id);
  append_text(out, "status", name_of(status_of(record, terms.revision)));
  append_text(out, "statusMessage", record.message);
  append_text(out, "createdAt", text_of(record.created));
  append_text(out, "lastUpdatedAt", text_of(record.updated));
  append_member(out, is_modern ? "ttlMs" : "ttl", std::to_string(record.ttl.count()));
  append_member(out, is_modern ? "pollIntervalMs" : "pollInterval",
                std::to_string(terms.poll_interval.count()));
}

void append_details(std::string& out, const TaskRecord& record,
                    std::span<const TaskQuestion> questions, const TaskTerms& terms) {
  append_task(out, record, terms);
  if (!terms.revision.is_modern) return;
  if (record.status == TaskStatus::failed) append_error(out, record);
  if (record.status != TaskStatus::input_required) return;
  std::string requests = "{";
  for (const TaskQuestion& question : questions) {
    if (requests.back() != '{') requests += ',';
    json::append_string(requests, question.key);
    requests += ':';
    requests += question.request;
  }
  append_member(out, "inputRequests", requests + '}');
}

std::string created_result(const TaskRecord& record, const TaskTerms& terms) {
  std::string out = begin_result(terms.revision, terms.server_info, "task");
  if (terms.revision.is_modern) {
    append_task(out, record, terms);
    return out + '}';
  }
  std::string task = "{";
  append_task(task, record, terms);
  append_member(out, "task", task + '}');
  return out + '}';
}

std::string task_result(const TaskRecord& record, std::span<const TaskQuestion> questions,
                        const TaskTerms& terms) {
  std::string out = begin_result(terms.revision, terms.server_info);
  append_details(out, record, questions, terms);
  return out + '}';
}

std::string completed_front(const TaskRecord& record, const TaskTerms& terms, std::string_view id) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":)";
  out += begin_result(terms.revision, terms.server_info);
  append_task(out, record, terms);
  append_member(out, "result", kResultFront);
  return out;
}

std::string task_notification(const TaskRecord& record, std::span<const TaskQuestion> questions,
                              std::string_view meta, const TaskTerms& terms) {
  std::string params = "{";
  append_member(params, "_meta", meta);
  append_details(params, record, questions, terms);
  std::string out = R"({"jsonrpc":"2.0","method":"notifications/tasks","params":)" + params;
  if (record.status == TaskStatus::completed)
    append_member(out, "result", kResultFront);
  else
    out += "}}";
  return out;
}

std::string status_notification(const TaskRecord& record, const TaskTerms& terms) {
  std::string params = "{";
  append_task(params, record, terms);
  return R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" + params + "}}";
}

std::string payload_front(const TaskRecord& record, std::string_view id) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":")";
  out += record.id;
  out += R"("}},"content":[)";
  return out;
}

}  // namespace sluice::mcp
