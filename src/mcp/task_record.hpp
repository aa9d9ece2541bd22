#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::mcp {

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

[[nodiscard]] std::string_view name_of(TaskStatus status) noexcept;
/// What is so stays so.
[[nodiscard]] constexpr bool is_terminal(TaskStatus status) noexcept {
  return status >= TaskStatus::completed;
}

/// What is known of a task beside its result.
struct TaskRecord {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  /// Of a message; a longer one is cut.
  static constexpr std::size_t kMaxMessage = 400;

  std::string id;  ///< See random_id().
  std::string tool;
  std::string owner;  ///< Who may ask for it: see caller_key().
  Time created;
  Time updated;
  std::chrono::milliseconds ttl{};  ///< From `created`.
  TaskStatus status = TaskStatus::working;
  bool is_error = false;           ///< completed: the tool says that it failed.
  std::string message;             ///< `statusMessage`; empty: none.
  int error_code = 0;              ///< failed: the JSON-RPC error.
  std::string error_message;       ///< Likewise.
  std::uint64_t result_bytes = 0;  ///< completed: of the result as it is kept.

  [[nodiscard]] Time expires() const noexcept { return created + ttl; }
};

[[nodiscard]] TaskRecord::Time now_in_ms() noexcept;

/// At most kMaxMessage bytes of it, cut between characters.
[[nodiscard]] std::string short_message(std::string_view text);

/// One line of JSON, and back; nothing where it is no such line.
[[nodiscard]] std::string to_line(const TaskRecord& record);
[[nodiscard]] std::optional<TaskRecord> read_line(std::string_view line);
/// A line that another version of this program wrote, or will.
[[nodiscard]] bool is_of_another_version(std::string_view line);

}  // namespace sluice::mcp
