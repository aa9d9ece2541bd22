#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/result_writer.hpp>

#include "base/signal.hpp"
#include "mcp/mailbox.hpp"
#include "mcp/stopper.hpp"
#include "mcp/task_folder.hpp"
#include "mcp/task_record.hpp"

namespace sluice::mcp {

/// Something that a task waits for its caller to answer.
struct TaskQuestion {
  std::string key;      ///< Unique among all that the task ever asks.
  std::string request;  ///< 2026-07-28: `{"method":...,"params":...}`; before, the whole request.
};

/// One task as everybody sees it, whoever runs it.
///
/// States: working and input_required change into each other until the task is settled, or
///         cancelled before that; from then on nothing changes.
///
/// Ownership: shared by the store, the run and those who ask.
/// Threads:   any; its own lock.
class Task {
 public:
  /// `changed` is told after each change that clients may want to hear of; it outlives the task.
  Task(TaskRecord record, std::unique_ptr<TaskFile> file,
       const std::function<void(const Task&)>& changed);
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  [[nodiscard]] TaskRecord record() const;
  /// The same with the questions that are open, which there are while it is input_required.
  struct Look {
    TaskRecord record;
    std::vector<TaskQuestion> questions;
  };
  [[nodiscard]] Look look() const;
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const std::string& owner() const noexcept { return owner_; }
  /// Another process runs it: it can be looked at, no more.
  [[nodiscard]] bool is_elsewhere() const noexcept { return is_elsewhere_; }
  void set_elsewhere() noexcept { is_elsewhere_ = true; }

  /// What stops the run. Where the task was cancelled before, it is stopped at once.
  void set_stopper(std::weak_ptr<Stopper> stopper);
  void stop(boost::system::error_code why);
  /// How far it is. Nothing where the task is over.
  void set_message(std::string_view text);

  /// The run waits for its caller: the task is input_required until all questions are taken, or
  /// stop_asking(). Its life is longer by as long as that takes, for which `patience` is the most.
  /// Answers go to `asker`. Nothing where the task is over.
  void ask(std::vector<TaskQuestion> questions, std::weak_ptr<Mailbox> asker,
           std::chrono::milliseconds patience);
  /// Hands the answer to a question on; one that is not open is passed over.
  void answer(std::string_view key, std::string answer);
  /// Its answer has come in another way.
  void take_question(std::string_view key);
  void stop_asking();

  /// Cancels it, at once for those who ask; the run is told. False where it is over, or about to be.
  [[nodiscard]] bool cancel(std::string_view message);
  /// Writes what is known to the file. Blocks. Does nothing without a file.
  void save() noexcept;

  /// The file while the task runs. Threads: those of the run.
  [[nodiscard]] TaskFile& file() noexcept { return *file_; }
  /// The run is over and `record` is how it went. Writes the file, then lets everybody see it; a
  /// task that was cancelled stays so. Blocks.
  /// Errors:    errno; the task has failed then, and says so.
  [[nodiscard]] int settle(TaskRecord record);

  /// Until the task is over, asks something, or wake().
  class Waiter {
   public:
    Waiter(Task& task, const boost::asio::any_io_executor& executor);
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    ~Waiter();
    [[nodiscard]] Awaitable<void> wait();
    void wake() { shared_->signal.notify(); }

   private:
    friend class Task;
    /// Outlives the waiter where a wake-up is still under way.
    struct Shared {
      explicit Shared(const boost::asio::any_io_executor& e) : executor(e), signal(e) {}
      boost::asio::any_io_executor executor;
      Signal signal;
    };
    Task& task_;
    std::shared_ptr<Shared> shared_;
  };

 private:
  void tell();
  // REQUIRES of these: the lock is held.
  void wake_waiters() const;
  [[nodiscard]] bool take(std::string_view key);

  const std::string id_;
  const std::string owner_;
  const std::function<void(const Task&)>& changed_;
  bool is_elsewhere_ = false;

  mutable std::mutex mutex_;  // for what follows
  TaskRecord record_;
  std::weak_ptr<Stopper> stopper_;
  boost::system::error_code stopped_;
  std::vector<TaskQuestion> questions_;  // those that are open
  std::weak_ptr<Mailbox> asker_;
  std::optional<TaskRecord::Time> asked_;  // since when
  std::chrono::milliseconds patience_{};
  std::vector<std::shared_ptr<Waiter::Shared>> waiters_;
  bool settling_ = false;

  std::mutex file_mutex_;  // for writing headers
  std::unique_ptr<TaskFile> file_;
};

}  // namespace sluice::mcp
