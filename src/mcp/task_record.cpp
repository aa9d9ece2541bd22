#include "mcp/task_record.hpp"

#include <algorithm>
#include <array>

#include <sluice/json.hpp>

#include "base/random_id.hpp"
#include "json/document.hpp"
#include "mcp/json_members.hpp"

namespace sluice::mcp {
namespace {

constexpr std::array<std::string_view, 5> kNames{"working", "input_required", "completed", "failed",
                                                 "cancelled"};
/// What a line begins with; another version of the format would have another number.
constexpr std::string_view kFormat = "sluice-task-1";

std::optional<TaskStatus> parse_status(std::string_view name) noexcept {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<TaskStatus>(found - kNames.begin());
}

TaskRecord::Time time_of(std::int64_t ms) noexcept {
  return TaskRecord::Time(std::chrono::milliseconds(ms));
}

}  // namespace

std::string_view name_of(TaskStatus status) noexcept {
  return kNames[static_cast<std::size_t>(status)];
}

TaskRecord::Time now_in_ms() noexcept {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string short_message(std::string_view text) {
  if (text.size() <= TaskRecord::kMaxMessage) return std::string(text);
  constexpr std::string_view kMore = "...";
  std::size_t cut = TaskRecord::kMaxMessage - kMore.size();
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)).append(kMore);
}

std::string to_line(const TaskRecord& record) {
  std::string out = "{";
  append_text(out, "format", kFormat);
  append_text(out, "id", record.id);
  append_text(out, "tool", record.tool);
  append_text(out, "owner", record.owner);
  append_member(out, "created", std::to_string(record.created.time_since_epoch().count()));
  append_member(out, "updated", std::to_string(record.updated.time_since_epoch().count()));
  append_member(out, "ttl", std::to_string(record.ttl.count()));
  append_text(out, "status", name_of(record.status));
  append_member(out, "isError", record.is_error ? "true" : "false");
  append_text(out, "message", short_message(record.message));
  append_member(out, "errorCode", std::to_string(record.error_code));
  append_text(out, "errorMessage", short_message(record.error_message));
  append_member(out, "resultBytes", std::to_string(record.result_bytes));
  return out + '}';
}

bool is_of_another_version(std::string_view line) {
  constexpr std::string_view kName = R"({"format":")";
  constexpr std::string_view kOurs = kFormat.substr(0, kFormat.rfind('-') + 1);
  if (!line.starts_with(kName)) return false;
  line.remove_prefix(kName.size());
  return line.starts_with(kOurs) && !line.starts_with(std::string(kFormat) + '"');
}

std::optional<TaskRecord> read_line(std::string_view line) {
  json::Document document;
  const auto root = document.parse_copy(line);
  if (!root || root->find("format").is(JsonKind::string) == false) return std::nullopt;
  if (root->find("format").as_string() != kFormat) return std::nullopt;
  const auto text = [&](std::string_view name) {
    const Json value = root->find(name);
    return value ? std::string(value.as_string().value_or("")) : std::string();
  };
  bool is_good = true;
  const auto number = [&](std::string_view name) {
    const Json value = root->find(name);
    const auto n = value ? value.as_int() : std::nullopt;
    if (!n) is_good = false;
    return n.value_or(0);
  };
  TaskRecord record;
  record.id = text("id");
  record.tool = text("tool");
  record.owner = text("owner");
  record.created = time_of(number("created"));
  record.updated = time_of(number("updated"));
  record.ttl = std::chrono::milliseconds(number("ttl"));
  const auto status = parse_status(text("status"));
  const Json is_error = root->find("isError");
  record.is_error = is_error && is_error.as_bool().value_or(false);
  record.message = text("message");
  record.error_code = static_cast<int>(number("errorCode"));
  record.error_message = text("errorMessage");
  const auto bytes = number("resultBytes");
  if (!is_good || !status || bytes < 0 || record.ttl.count() < 0 || !is_random_id(record.id) ||
      record.tool.empty())
    return std::nullopt;
  record.status = *status;
  record.result_bytes = static_cast<std::uint64_t>(bytes);
  return record;
}

}  // namespace sluice::mcp
