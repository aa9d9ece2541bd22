#include "mcp/task_run.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <system_error>
#include <utility>

#include "buffer/frame_writer.hpp"
#include "mcp/errors.hpp"

namespace sluice::mcp {
namespace {

namespace asio = boost::asio;

/// Asio is still at work in what belongs to the run when it says that a coroutine has ended.
void release_later(const asio::any_io_executor& executor, std::shared_ptr<TaskRun> run) {
  asio::post(executor, [run = std::move(run)] {});
}

constexpr std::size_t kSpoolWindow = 2;  // one is filled while the other is written

void fail(TaskRecord& record, std::string text) {
  record.status = TaskStatus::failed;
  record.error_code = rpc::kInternalError;
  record.error_message = text;
  record.message = std::move(text);
}

}  // namespace

TaskRun::TaskRun(Exchange& exchange, CallServices& services, TaskStore& store, Options options)
    : count_(store.runs()),
      store_(store),
      offer_(std::move(options.offer)),
      entry_(*options.context.entry),
      session_(options.context.session),
      process_(std::move(options.process)),
      loop_(std::move(options.loop)),
      tool_(std::move(options.tool)),
      context_(exchange, services, options.context, static_cast<AskingCall&>(*this)),
      queue_(*exchange.loop().frames, exchange.executor(), FrameWriter::kWindow),
      out_(queue_, options.result),
      handler_(entry_, context_, out_, cancellation_),
      deadline_(exchange.executor()),
      stopper_(std::make_shared<Stopper>(exchange.executor(), *this)) {}

TaskRun::~TaskRun() { stopper_->detach(); }

void TaskRun::watch_deadline() {
  deadline_.expires_at(context_.deadline());
  deadline_.async_wait([weak = weak_from_this()](boost::system::error_code ec) {
    const auto self = weak.lock();
    if (!ec && self) self->stop(Errc::deadline);
  });
}

void TaskRun::pause() {
  paused_ = std::chrono::steady_clock::now();
  deadline_.cancel();
  process_.release();
  tool_.release();
}

bool TaskRun::resume() {
  context_.set_deadline(context_.deadline() + (std::chrono::steady_clock::now() - paused_));
  watch_deadline();
  return process_.take() && tool_.take();
}

void TaskRun::stop_handler() {
  queue_.discard();
  stop(Errc::input_required);
}

void TaskRun::start() {
  watch_deadline();
  asio::co_spawn(context_.executor(), handle(),
                 asio::bind_cancellation_slot(
                     cancellation_.slot(), [self = shared_from_this()](std::exception_ptr thrown) {
                       if (thrown) {
                         spdlog::error("tool {}: its result could not be written",
                                       self->entry_.tool.name);
                         self->broken_ = true;
                       }
                       self->deadline_.cancel();
                       if (!self->queue_.is_over()) self->queue_.finish();
                       release_later(self->context_.executor(), self);
                     }));
}

void TaskRun::stop(boost::system::error_code why) { handler_.stop(why); }

void TaskRun::abandon() {
  context_.detach();
  queue_.discard();
  stop(Errc::peer_gone);
}

void TaskRun::become(std::shared_ptr<Task> task) {
  task_ = std::move(task);
  context_.become(task_);
  queue_.allow_rewind();
  task_->set_stopper(stopper_);
  // No request has that id, so that notifications/cancelled does not reach it.
  if (session_ && !session_->add_call("task " + task_->id(), stopper_)) on_stop(Errc::cancelled);
  asio::co_spawn(context_.executor(), keep(),
                 [self = shared_from_this()](std::exception_ptr thrown) {
                   if (thrown) spdlog::error("task {}: it was lost", self->task_->id());
                   release_later(self->context_.executor(), self);
                 });
}

void TaskRun::on_stop(boost::system::error_code why) {
  if (why != Errc::shutting_down) {
    cancelled_ = true;
    queue_.discard();
  }
  stop(why);
}

Awaitable<void> TaskRun::handle() {
  co_await handler_.run();
  process_.release();
  loop_.release();
  tool_.release();
  instead_ = instead_of_result();
  if (instead_) {
    queue_.discard();
    co_return;
  }
  // What a handler throws is an error of the server, not of the tool: there is a status for that.
  const bool is_failed_task = task_ && handler_.has_thrown() && !handler_.why();
  if (!is_failed_task) {
    co_await handler_.explain({});
  }
  const auto closed = co_await out_.close();
  broken_ = !closed;
}

std::optional<Outcome> TaskRun::instead_of_result() const {
  if (task_) return std::nullopt;
  if (handler_.why() == Errc::input_required) return context_.instead();
  const bool is_missing = !handler_.why() && !handler_.returned() &&
                          handler_.returned().error() == Errc::missing_capability;
  if (!is_missing || out_.bytes() > 0 || out_.is_error()) return std::nullopt;
  return context_.refusal();
}

Awaitable<void> TaskRun::write(const FrameQueue::Chunk& chunk) {
  problem_ = store_.reserve(*task_, chunk.at + chunk.size);
  if (!problem_.empty()) {
    problem_ = "The result could not be kept: " + problem_ + ".";
    co_return;
  }
  int error = 0;
  const auto work = [&] { error = task_->file().write(chunk.bytes(), chunk.at); };
  co_await store_.workers().run(work);
  if (error != 0)
    problem_ = "The result could not be kept: " + std::generic_category().message(error) + ".";
}

Awaitable<void> TaskRun::keep() {
  while (!queue_.is_drained()) {
    co_await queue_.wait();
    auto chunk = queue_.take();
    if (!chunk) continue;
    queue_.set_window(kSpoolWindow);
    if (problem_.empty()) {
      co_await write(*chunk);
    }
    chunk.reset();
    queue_.done();
    if (!problem_.empty()) {
      queue_.discard();
      stop(Errc::source_failed);
    }
  }
  if (session_) session_->remove_call("task " + task_->id(), stopper_.get());
  const TaskRecord record = outcome();
  int error = 0;
  const auto work = [&] {
    error = task_->settle(record);
    store_.settled(*task_);
  };
  co_await store_.workers().run(work);
  if (error != 0)
    spdlog::error("task {}: it cannot be kept: {}", task_->id(),
                  std::generic_category().message(error));
  else
    spdlog::debug("task {} of tool {} is over: {}", task_->id(), entry_.tool.name,
                  name_of(task_->record().status));
}

TaskRecord TaskRun::outcome() const {
  TaskRecord record = task_->record();
  record.updated = now_in_ms();
  record.message.clear();
  if (cancelled_) {
    // By request it is cancelled already; else its session has ended, or its time.
    record.status = TaskStatus::cancelled;
    record.message = "Nobody can ask for the result any more.";
  } else if (!problem_.empty()) {
    fail(record, problem_);
  } else if (handler_.has_thrown() && !handler_.why()) {
    spdlog::error("tool {}: {}", entry_.tool.name, handler_.thrown_text());
    fail(record, "The tool failed unexpectedly.");
  } else if (broken_) {
    fail(record, "The result could not be completed.");
  } else {
    record.status = TaskStatus::completed;
    record.is_error = out_.is_error();
    record.result_bytes = queue_.size();
    if (record.is_error) record.message = "The tool reported an error.";
  }
  return record;
}

}  // namespace sluice::mcp
