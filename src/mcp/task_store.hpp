#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sluice/result_writer.hpp>

#include "base/worker_pool.hpp"
#include "config/config.hpp"
#include "mcp/task.hpp"
#include "mcp/task_folder.hpp"

namespace sluice::mcp {

/// All tasks that this process has made or found when it started.
///
/// Ownership: the service's; tasks outlive it where they are held.
/// Threads:   any; one lock, held for look-ups. What needs the disk is done on the worker pool.
/// Bounds:    `tasks.max_tasks` and `tasks.max_bytes` in all, `tasks.caller_tasks` and
///            `tasks.caller_bytes` for each caller. What has not expired is not given up for what is
///            new.
class TaskStore {
 public:
  /// `config` and `workers` outlive it.
  TaskStore(const config::Tasks& config, WorkerPool& workers)
      : config_(config), workers_(workers) {}
  TaskStore(const TaskStore&) = delete;
  TaskStore& operator=(const TaskStore&) = delete;

  /// Opens the directory and takes in what is there. Blocks; before anything else.
  [[nodiscard]] bool open(std::string& problem);
  /// Told of each change, by whoever makes it. Before anything else.
  void when_changed(std::function<void(const Task&)> changed) { changed_ = std::move(changed); }

  /// What a task is made with.
  struct Plan {
    std::string_view tool;
    std::string_view owner;
    std::chrono::milliseconds ttl{};
  };
  struct Made {
    std::shared_ptr<Task> task;
    std::string problem;  ///< Why there is none: the limit that is reached, or the disk's error.
  };
  /// A new task, which is on the disk by then.
  [[nodiscard]] Awaitable<Made> make(Plan plan);
  /// Null where the caller has no such task, for whatever reason.
  [[nodiscard]] Awaitable<std::shared_ptr<Task>> find(std::string_view id, std::string_view owner);
  /// The caller's tasks, the oldest first.
  [[nodiscard]] std::vector<TaskRecord> list(std::string_view owner) const;
  /// Counts `bytes` as what the task's result takes from now on. Empty, or the limit that does not
  /// allow so many.
  [[nodiscard]] std::string reserve(const Task& task, std::uint64_t bytes);
  /// The task's run has settled it. Blocks.
  void settled(const Task& task);
  /// Opens the result of a task that is over; empty where it is gone.
  [[nodiscard]] Awaitable<Descriptor> open_result(TaskRecord record);
  /// The same at once. Blocks; any thread.
  [[nodiscard]] Descriptor open_now(const TaskRecord& record) const {
    return folder_.open_result(record);
  }
  /// The task was never told of to anybody.
  void drop(const Task& task);

  /// Stops and forgets what has expired.
  void sweep(TaskRecord::Time now);
  void sweep() { sweep(now_in_ms()); }
  /// Stops all that run.
  void stop_all(boost::system::error_code why);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const config::Tasks& config() const noexcept { return config_; }
  [[nodiscard]] WorkerPool& workers() noexcept { return workers_; }

  /// Runs in progress, also those whose task is not made yet or is gone: loops live until there is
  /// none.
  [[nodiscard]] std::atomic<std::uint32_t>& runs() noexcept { return runs_; }

 private:
  struct Use {
    std::uint32_t tasks = 0;
    std::uint64_t bytes = 0;
  };
  struct Kept {
    std::shared_ptr<Task> task;
    std::uint64_t bytes = 0;
  };

  /// The place of a task that is being made; gives it back unless it is kept.
  class Place {
   public:
    Place(TaskStore& store, const TaskRecord& record)
        : store_(store), id_(record.id), owner_(record.owner) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place();
    void keep() noexcept { kept_ = true; }

   private:
    TaskStore& store_;
    const std::string id_;
    const std::string owner_;
    bool kept_ = false;
  };

  // REQUIRES of these: the lock is held.
  [[nodiscard]] std::string refusal(std::string_view owner) const;
  void count(const std::string& id, std::string_view owner, std::uint64_t bytes);
  void forget(const std::string& id, std::string_view owner);

  const config::Tasks& config_;
  WorkerPool& workers_;
  TaskFolder folder_;
  std::function<void(const Task&)> changed_;
  std::atomic<std::uint32_t> runs_{0};
  mutable std::mutex mutex_;  // for what follows
  std::unordered_map<std::string, Kept> tasks_;
  std::map<std::string, Use, std::less<>> callers_;
  Use all_;
};

}  // namespace sluice::mcp
