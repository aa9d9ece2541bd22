#include "mcp/task_folder.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "base/file_io.hpp"
#include "base/random_id.hpp"
#include "mcp/errors.hpp"

namespace sluice::mcp {
namespace {

constexpr std::string_view kRunning = ".part";
constexpr std::string_view kOver = ".task";
/// Between the making of a file and its lock and header there is a moment; what has neither after
/// this time never gets them.
constexpr std::chrono::minutes kYoung{1};

std::string file_name(std::string_view id, std::string_view ending) {
  return std::string(id).append(ending);
}

std::string text_of(int error) { return std::generic_category().message(error); }

std::string header_of(const TaskRecord& record) {
  std::string header = to_line(record);
  header.resize(TaskFile::kHeaderBytes - 1, ' ');
  return header + '\n';
}

}  // namespace

int TaskFile::write(std::string_view bytes, std::uint64_t at) const noexcept {
  return write_all(file_.get(), bytes, kHeaderBytes + at);
}

int TaskFile::save(const TaskRecord& record) const noexcept {
  return write_all(file_.get(), header_of(record), 0);
}

int TaskFile::finish(const TaskRecord& record) {
  const Descriptor file = std::move(file_);  // its lock goes with it
  const auto size = static_cast<off_t>(kHeaderBytes + record.result_bytes);
  if (::ftruncate(file.get(), size) != 0) return errno;
  if (const int error = write_all(file.get(), header_of(record), 0)) return error;
  if (::fdatasync(file.get()) != 0) return errno;
  const std::string from = file_name(id_, kRunning);
  const std::string to = file_name(id_, kOver);
  return ::renameat(folder_, from.c_str(), folder_, to.c_str()) == 0 ? 0 : errno;
}

TaskFolder::Created TaskFolder::create(const TaskRecord& record) const {
  const std::string name = file_name(record.id, kRunning);
  Descriptor file(::openat(folder_.get(), name.c_str(),
                           O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return {nullptr, errno};
  std::unique_ptr<TaskFile> made(new TaskFile(folder_.get(), std::move(file), record.id));
  int error = ::flock(made->file_.get(), LOCK_EX) == 0 ? 0 : errno;
  if (error == 0) error = made->save(record);
  if (error == 0) return {std::move(made), 0};
  folder_.remove(name);
  return {nullptr, error};
}

std::optional<TaskRecord> TaskFolder::read(std::string_view id, const std::string& name,
                                           int fd) const {
  std::string header(TaskFile::kHeaderBytes, '\0');
  struct stat status{};
  if (::fstat(fd, &status) != 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const bool is_read = read_all(fd, header, 0) == 0;
  // It may be good; the disk is not.
  if (!is_read && size >= TaskFile::kHeaderBytes) return std::nullopt;
  auto record = is_read ? read_line(header) : std::nullopt;
  const bool is_over = name.ends_with(kOver);
  if (record && record->id == id &&
      (!is_over ||
       (is_terminal(record->status) && size == TaskFile::kHeaderBytes + record->result_bytes)))
    return record;
  if (!record && is_of_another_version(header)) {
    spdlog::warn("tasks.spool: {} is of another version; it is left aside", name);
    return std::nullopt;
  }
  spdlog::warn("tasks.spool: {} is torn and was removed", name);
  folder_.remove(name);
  return std::nullopt;
}

std::optional<TaskRecord> TaskFolder::adopt(std::string_view id) const {
  const std::string name = file_name(id, kRunning);
  Descriptor file = folder_.open_file(name, O_RDWR);
  if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  // Whoever had the lock may have ended the task meanwhile.
  struct stat status{};
  struct stat named{};
  if (::fstat(file.get(), &status) != 0 ||
      ::fstatat(folder_.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      named.st_ino != status.st_ino)
    return std::nullopt;
  const auto made = std::chrono::system_clock::from_time_t(status.st_mtim.tv_sec);
  if (status.st_size == 0 && std::chrono::system_clock::now() - made < kYoung) return std::nullopt;
  auto record = read(id, name, file.get());
  if (!record) return std::nullopt;
  record->result_bytes = 0;
  // A task that was cancelled had not ended yet; that stays so.
  if (!is_terminal(record->status) || record->status == TaskStatus::completed) {
    record->status = TaskStatus::failed;
    record->updated = now_in_ms();
    record->error_code = rpc::kInternalError;
    record->error_message = "The server was restarted while the task was running.";
    record->message = record->error_message;
  }
  TaskFile orphan(folder_.get(), std::move(file), record->id);
  if (const int error = orphan.finish(*record))
    spdlog::warn("tasks.spool: {} cannot be ended: {}", name, text_of(error));
  return record;
}

std::optional<TaskFolder::Found> TaskFolder::find(std::string_view id) const {
  // A task may end between the two looks, so there is a third.
  for (int look = 0; look < 2; ++look) {
    const std::string over = file_name(id, kOver);
    if (const Descriptor file = folder_.open_file(over, O_RDONLY)) {
      auto record = read(id, over, file.get());
      if (!record) return std::nullopt;
      return Found{*std::move(record), false};
    }
    if (auto record = adopt(id)) return Found{*std::move(record), false};
    const std::string running = file_name(id, kRunning);
    const Descriptor file = folder_.open_file(running, O_RDONLY);
    std::string header(TaskFile::kHeaderBytes, '\0');
    if (!file || read_all(file.get(), header, 0) != 0) continue;
    auto record = read_line(header);
    if (!record || record->id != id) continue;
    // It is over with its new name: before that its result cannot be had. One that was cancelled
    // has none.
    if (is_terminal(record->status) && record->status != TaskStatus::cancelled)
      record->status = TaskStatus::working;
    return Found{*std::move(record), true};
  }
  return std::nullopt;
}

std::vector<TaskRecord> TaskFolder::scan(TaskRecord::Time now) const {
  std::vector<TaskRecord> out;
  folder_.for_each([&](const std::string& name) {
    const bool is_over = name.ends_with(kOver);
    if (!is_over && !name.ends_with(kRunning)) return;
    const std::string_view id = std::string_view(name).substr(0, name.size() - kOver.size());
    if (!is_random_id(id)) return;
    std::optional<TaskRecord> record;
    if (!is_over) {
      record = adopt(id);
    } else if (const Descriptor file = folder_.open_file(name, O_RDONLY)) {
      record = read(id, name, file.get());
    }
    if (!record) return;
    if (record->expires() <= now)
      remove(record->id);
    else
      out.push_back(*std::move(record));
  });
  return out;
}

Descriptor TaskFolder::open_result(const TaskRecord& record) const {
  Descriptor file = folder_.open_file(file_name(record.id, kOver), O_RDONLY);
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0) return {};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size != TaskFile::kHeaderBytes + record.result_bytes) return {};
  return file;
}

void TaskFolder::remove(std::string_view id) const noexcept {
  folder_.remove(file_name(id, kOver));
  folder_.remove(file_name(id, kRunning));
}

}  // namespace sluice::mcp
