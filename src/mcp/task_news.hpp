#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/stopper.hpp"
#include "mcp/task.hpp"
#include "mcp/task_store.hpp"
#include "mcp/task_text.hpp"

namespace sluice::mcp {

/// What a change of a task is told under to those who wait for it: see Subscriptions.
[[nodiscard]] std::string task_topic(std::string_view id);

/// What a stream of subscriptions/listen tells of tasks: each of them as tasks/get would show it by
/// then. A result comes from the disk in pieces, so a notification may take several turns.
///
/// Ownership: the stream's; the store outlives it.
/// Threads:   the stream's loop.
/// Bounds:    one piece of one result.
class TaskNews final : private Stopper::Target {
 public:
  /// `meta`: `_meta` of every notification. `wake`: append() has more now.
  TaskNews(TaskStore& store, const TaskTerms& terms, std::string meta,
           const boost::asio::any_io_executor& executor, std::function<void()> wake);
  ~TaskNews();

  /// REQUIRES of it: before anything is told. What is over by now, or asks, is told first.
  void add(std::shared_ptr<Task> task);
  [[nodiscard]] std::vector<std::string_view> ids() const;

  /// Nothing is begun.
  [[nodiscard]] bool is_idle() const noexcept { return state_ == State::idle; }
  /// A notification that is begun cannot be ended.
  [[nodiscard]] bool is_broken() const noexcept { return state_ == State::broken; }
  /// Part of a notification has been given.
  [[nodiscard]] bool is_amid() const noexcept { return is_amid_; }
  // REQUIRES of these: is_idle().
  /// Begins what is told first; false where there is nothing more of that.
  [[nodiscard]] bool begin_first();
  /// Begins word of what has changed; false where it is none of the tasks.
  [[nodiscard]] bool begin(std::string_view topic);
  /// Appends what is there of what is begun. Nothing where the disk is waited for.
  void append(std::string& out);

 private:
  enum class State : std::uint8_t { idle, whole, reading, broken };
  /// A piece of a result, while a worker has it and after that.
  struct Load;

  void begin(Task& task);
  void load();
  void on_stop(boost::system::error_code) override {}
  void on_wake() override;

  TaskStore& store_;
  const TaskTerms terms_;
  const std::string meta_;
  const std::function<void()> wake_;
  const std::shared_ptr<Stopper> stopper_;
  std::map<std::string, std::shared_ptr<Task>, std::less<>> tasks_;  // by topic
  std::vector<std::shared_ptr<Task>> first_;
  State state_ = State::idle;
  bool is_amid_ = false;
  std::string text_;  // the notification, or what stands before the result
  TaskRecord record_;
  std::uint64_t at_ = 0;  // bytes of the result that have been given
  std::shared_ptr<Load> load_;
};

}  // namespace sluice::mcp
