// Results of tasks, from the disk to the client.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_io.hpp"
#include "buffer/frame_queue.hpp"
#include "mcp/call_stop.hpp"
#include "mcp/framing.hpp"
#include "mcp/task_service.hpp"

namespace sluice::mcp {
namespace {

/// Reads part of a file, on the loop where the kernel has it in memory. 0, or errno.
Awaitable<int> read(WorkerPool& workers, int fd, std::span<char> to, std::uint64_t at) {
  int error = read_cached(fd, to, at);
  if (error == EAGAIN) {
    const auto work = [&] { error = read_all(fd, to, at); };
    co_await workers.run(work);
  }
  co_return error;
}

/// Sends one text as the whole message.
Awaitable<void> send(FrameWriter& frames, std::string_view text) {
  const BodyPiece piece{text};
  const auto put = co_await frames.put_pieces({&piece, 1});
  if (!put) {
    frames.abort();
    co_return;
  }
  const auto finished = co_await frames.finish();
  static_cast<void>(finished);  // the connection sees the writer's error
}

/// Waits for the end of a task as long as somebody wants to hear of it.
///
/// Threads: the loop of the request.
class ResultWait final : public Exchange::Listener, public Stopper::Target {
 public:
  ResultWait(Exchange& exchange, Task& task)
      : exchange_(exchange),
        waiter_(task, exchange.executor()),
        stopper_(std::make_shared<Stopper>(exchange.executor(), *this)) {
    exchange_.listen(this);
  }
  ResultWait(const ResultWait&) = delete;
  ResultWait& operator=(const ResultWait&) = delete;
  ~ResultWait() {
    stopper_->detach();
    exchange_.listen(nullptr);
  }

  /// Until the task is over; sends what it asks meanwhile.
  [[nodiscard]] Awaitable<void> wait(const Task& task) {
    while (!is_over_) {
      const Task::Look look = task.look();
      if (is_terminal(look.record.status)) break;
      const bool all = co_await send_new(look.questions);
      if (all && !is_over_) {
        co_await waiter_.wait();
      }
    }
  }
  /// Cancelled, or the client is gone.
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }
  [[nodiscard]] const std::shared_ptr<Stopper>& stopper() const noexcept { return stopper_; }

  void on_peer_gone() override {
    is_gone_ = true;
    end();
  }
  /// The task is told too, and ends.
  void on_shutdown() override {}

 private:
  /// Sends the first that has not been; true where all have.
  [[nodiscard]] Awaitable<bool> send_new(std::span<const TaskQuestion> questions) {
    const auto next = std::ranges::find_if(
        questions, [&](const TaskQuestion& question) { return !sent_.contains(question.key); });
    if (next == questions.end()) co_return true;
    sent_.insert(next->key);
    const auto sent = co_await exchange_.writer().send_event(next->request);
    // A client that cannot be told on this response asks for another, or never answers.
    static_cast<void>(sent);
    co_return false;
  }

  void on_stop(boost::system::error_code) override { end(); }
  void end() {
    is_over_ = true;
    waiter_.wake();
  }

  Exchange& exchange_;
  Task::Waiter waiter_;
  std::shared_ptr<Stopper> stopper_;
  std::set<std::string, std::less<>> sent_;  // keys of questions
  bool is_over_ = false;
  bool is_gone_ = false;
};

Failure lost() { return {rpc::kInternalError, 200, "The task's result is no longer there", {}}; }

}  // namespace

bool TaskService::start(Exchange& exchange) {
  return exchange.writer().start(frame_options(exchange, Framing::automatic, config_.server));
}

Awaitable<void> TaskService::send_result(Exchange& exchange, const Envelope& message,
                                         TaskRecord record, std::string front,
                                         std::string_view back) {
  FrameWriter& frames = exchange.writer();
  const Descriptor file = co_await store_.open_result(record);
  Frame frame = exchange.loop().frames->take();
  if (!file || !frame) {
    const Failure failure = file ? failure_of(Errc::frames_exhausted) : lost();
    const std::string text = render(failure, message.id);
    co_await send(frames, text);
    co_return;
  }
  std::vector<BodyPiece> pieces{BodyPiece{front}};
  bool breaks_line = false;
  for (std::uint64_t at = 0; at < record.result_bytes;) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(kFrameBytes, record.result_bytes - at));
    const std::span<char> room(frame.data(), size);
    const int error =
        co_await read(store_.workers(), file.get(), room, TaskFile::kHeaderBytes + at);
    if (error != 0) {
      spdlog::error("task {}: its result cannot be read: {}", record.id,
                    std::generic_category().message(error));
      frames.abort();
      co_return;
    }
    append_lines(pieces, {frame.data(), size}, breaks_line);
    at += size;
    if (at == record.result_bytes) pieces.push_back(BodyPiece{back});
    const auto put = co_await frames.put_pieces(pieces);
    pieces.clear();
    if (!put) {
      frames.abort();
      co_return;
    }
  }
  frame.reset();
  const auto finished = co_await frames.finish();
  static_cast<void>(finished);  // the connection sees the writer's error
}

Awaitable<Outcome> TaskService::result(Exchange& exchange, const Envelope& message,
                                       const Caller& caller, TaskPointer task) {
  if (task->is_elsewhere() && !is_terminal(task->record().status))
    co_return failed({rpc::kInternalError,
                      200,
                      "Another process that shares tasks.spool runs the task; ask for its result "
                      "when it is over",
                      {}},
                     message.id);
  if (!start(exchange)) co_return failed(failure_of(Errc::frames_exhausted), message.id);
  const Outcome streamed{200, {}, true};
  FrameWriter& frames = exchange.writer();
  bool is_over = false;
  bool is_gone = false;
  {
    ResultWait wait(exchange, *task);
    const bool is_open = caller.session->add_call(message.id, wait.stopper());
    if (is_open) {
      co_await wait.wait(*task);
    }
    caller.session->remove_call(message.id, wait.stopper().get());
    is_over = wait.is_over() || !is_open;
    is_gone = wait.is_gone();
  }
  if (is_gone) {
    frames.abort();
    co_return streamed;
  }
  if (is_over) {
    co_await end_cancelled(exchange);
    co_return streamed;
  }
  auto record = task->record();
  if (record.status == TaskStatus::completed) {
    std::string front = payload_front(record, message.id);
    co_await send_result(exchange, message, std::move(record), std::move(front), {});
    co_return streamed;
  }
  Failure failure{record.error_code, 200, record.error_message, {}};
  if (record.status == TaskStatus::cancelled)
    failure = {rpc::kInvalidRequest, 200, "The task was cancelled", {}};
  const std::string text = render(failure, message.id);
  co_await send(frames, text);
  co_return streamed;
}

}  // namespace sluice::mcp
