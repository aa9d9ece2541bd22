#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"
#include "mcp/private_folder.hpp"
#include "mcp/task_record.hpp"

namespace sluice::mcp {

/// The file of one task that this process runs.
///
/// Format: kHeaderBytes with the record as one line of JSON, filled up with blanks, then the result
/// as it is sent, from behind `"content":[` to the end of the message; a line feed in it stands where
/// a line may be broken. While the task runs the file is named ID.part and locked (flock) by whoever
/// runs it; when it is over, its last header is written, then it is renamed to ID.task. So what has
/// that name is whole.
///
/// Threads:   any, one at a time; everything here blocks.
/// Errors:    errno.
class TaskFile {
 public:
  static constexpr std::size_t kHeaderBytes = 8 * 1024;

  /// Bytes of the result, from `at` on.
  [[nodiscard]] int write(std::string_view bytes, std::uint64_t at) const noexcept;
  /// The record as it is by now.
  [[nodiscard]] int save(const TaskRecord& record) const noexcept;
  /// The task is over: leaves `record` and as many bytes of the result as it says.
  [[nodiscard]] int finish(const TaskRecord& record);

 private:
  friend class TaskFolder;
  TaskFile(int folder, Descriptor file, std::string id)
      : folder_(folder), file_(std::move(file)), id_(std::move(id)) {}

  const int folder_;
  Descriptor file_;
  const std::string id_;
};

/// The directory where tasks are kept (`tasks.spool`). Several processes may share one.
///
/// What is read is checked: a regular file of this user, with no rights for others, whose header
/// and size agree. What is not so is not touched where it is not ours, and removed where it is.
///
/// Threads:   immutable, any; everything here blocks.
class TaskFolder {
 public:
  /// As PrivateFolder::open().
  [[nodiscard]] bool open(const std::string& directory, std::string& problem) {
    return folder_.open(directory, problem);
  }

  struct Created {
    std::unique_ptr<TaskFile> file;
    int error = 0;  ///< errno
  };
  [[nodiscard]] Created create(const TaskRecord& record) const;

  struct Found {
    TaskRecord record;
    bool is_elsewhere = false;  ///< Another process runs it.
  };
  /// One task; nothing where there is none. A task whose process has ended is failed by that.
  [[nodiscard]] std::optional<Found> find(std::string_view id) const;
  /// All of them, but for those that others run; what has expired by `now`, and what is torn, is
  /// removed.
  [[nodiscard]] std::vector<TaskRecord> scan(TaskRecord::Time now) const;

  /// The file of a task that is over, ready to read its result at TaskFile::kHeaderBytes. Empty
  /// where it is not there as `record` says.
  [[nodiscard]] Descriptor open_result(const TaskRecord& record) const;
  void remove(std::string_view id) const noexcept;

 private:
  /// A file's record, where file and record are good; else nothing, and the file is removed.
  [[nodiscard]] std::optional<TaskRecord> read(std::string_view id, const std::string& name,
                                               int fd) const;
  /// Ends a task whose process is gone. Nothing where it is not.
  [[nodiscard]] std::optional<TaskRecord> adopt(std::string_view id) const;

  PrivateFolder folder_{"tasks.spool"};
};

}  // namespace sluice::mcp
