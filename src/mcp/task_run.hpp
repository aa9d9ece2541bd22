#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "buffer/frame_queue.hpp"
#include "mcp/asking.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/handler_run.hpp"
#include "mcp/json_result_writer.hpp"
#include "mcp/offer.hpp"
#include "mcp/permit.hpp"
#include "mcp/sessions.hpp"
#include "mcp/stopper.hpp"
#include "mcp/task_context.hpp"
#include "mcp/task_store.hpp"

namespace sluice::mcp {

/// A tool's handler at work in a coroutine of its own, which may outlive the request: its result
/// goes into a queue, whose consumer is the response, or, once the call has become a task, the
/// task's file.
///
/// Ownership: shared by its own coroutines and the request that began it; has all that the handler
///            needs. Counted in TaskStore::runs(), so that its loop outlives it.
/// Threads:   the loop of the request.
/// Bounds:    the window of frames that a response has too; half of it once the file is written.
class TaskRun final : public std::enable_shared_from_this<TaskRun>,
                      public Stopper::Target,
                      private AskingCall {
 public:
  struct Options {
    std::shared_ptr<const Offer> offer;  ///< Has the tool.
    TaskContext::Options context;
    JsonResultWriter::Options result;
    // Held while the handler runs.
    Permit process;
    Permit loop;
    Permit tool;
  };

  TaskRun(Exchange& exchange, CallServices& services, TaskStore& store, Options options);
  TaskRun(const TaskRun&) = delete;
  TaskRun& operator=(const TaskRun&) = delete;
  ~TaskRun();

  /// Begins. Once.
  void start();
  /// Ends the handler early. What it has written by then stays, where somebody wants it.
  void stop(boost::system::error_code why);
  /// The response is over; nothing is said on it any more.
  void detach() noexcept { context_.detach(); }
  /// The same, and with it goes all reason to go on.
  void abandon();
  /// The response is over, the result belongs to `task` from here on. REQUIRES: nothing was taken
  /// from the queue.
  void become(std::shared_ptr<Task> task);

  [[nodiscard]] FrameQueue& queue() noexcept { return queue_; }
  /// The caller is asked before there is a task: instead() comes when the queue is over.
  [[nodiscard]] bool asks_first() const noexcept { return handler_.why() == Errc::input_required; }
  /// REQUIRES of both: the queue is over.
  /// True where the message breaks off inside a JSON value.
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }
  /// What the request is answered with in the place of a result; none: with that.
  [[nodiscard]] const std::optional<Outcome>& instead() const noexcept { return instead_; }
  [[nodiscard]] const ToolEntry& entry() const noexcept { return entry_; }

 private:
  class Count {
   public:
    explicit Count(std::atomic<std::uint32_t>& runs) noexcept : runs_(runs) { runs_.fetch_add(1); }
    Count(const Count&) = delete;
    Count& operator=(const Count&) = delete;
    ~Count() { runs_.fetch_sub(1); }

   private:
    std::atomic<std::uint32_t>& runs_;
  };

  void on_stop(boost::system::error_code why) override;
  // AskingCall
  [[nodiscard]] bool cancelled() const noexcept override { return context_.cancelled(); }
  void pause() override;
  [[nodiscard]] bool resume() override;
  void stop_handler() override;

  void watch_deadline();
  [[nodiscard]] std::optional<Outcome> instead_of_result() const;
  /// The handler, to the end of its result.
  [[nodiscard]] Awaitable<void> handle();
  /// The result, into the task's file, and the end of the task.
  [[nodiscard]] Awaitable<void> keep();
  /// One piece of it; sets `problem_` where that cannot be.
  [[nodiscard]] Awaitable<void> write(const FrameQueue::Chunk& chunk);
  /// How the task has ended.
  [[nodiscard]] TaskRecord outcome() const;

  const Count count_;
  TaskStore& store_;
  const std::shared_ptr<const Offer> offer_;
  const ToolEntry& entry_;
  const std::shared_ptr<Session> session_;  // its end cancels the task; null: there is none
  Permit process_;
  Permit loop_;
  Permit tool_;
  TaskContext context_;
  FrameQueue queue_;
  JsonResultWriter out_;
  boost::asio::cancellation_signal cancellation_;
  HandlerRun handler_;
  boost::asio::steady_timer deadline_;
  std::shared_ptr<Stopper> stopper_;
  std::shared_ptr<Task> task_;
  std::chrono::steady_clock::time_point paused_{};
  std::optional<Outcome> instead_;
  std::string problem_;  // why the result cannot be kept
  bool cancelled_ = false;
  bool broken_ = false;
};

}  // namespace sluice::mcp
