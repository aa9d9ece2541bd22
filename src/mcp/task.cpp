#include "mcp/task.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <system_error>
#include <utility>

#include "mcp/errors.hpp"

namespace sluice::mcp {

Task::Task(TaskRecord record, std::unique_ptr<TaskFile> file,
           const std::function<void(const Task&)>& changed)
    : id_(record.id),
      owner_(record.owner),
      changed_(changed),
      record_(std::move(record)),
      file_(std::move(file)) {}

TaskRecord Task::record() const {
  const std::lock_guard lock(mutex_);
  return record_;
}

Task::Look Task::look() const {
  const std::lock_guard lock(mutex_);
  return {record_, questions_};
}

void Task::tell() {
  if (changed_) changed_(*this);
}

void Task::wake_waiters() const {
  for (const auto& waiter : waiters_)
    boost::asio::post(waiter->executor, [waiter] { waiter->signal.notify(); });
}

void Task::set_stopper(std::weak_ptr<Stopper> stopper) {
  boost::system::error_code stopped;
  std::shared_ptr<Stopper> target;
  {
    const std::lock_guard lock(mutex_);
    stopper_ = std::move(stopper);
    stopped = stopped_;
    target = stopper_.lock();
  }
  if (stopped && target) target->stop(stopped);
}

void Task::stop(boost::system::error_code why) {
  std::shared_ptr<Stopper> target;
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_) stopped_ = why;
    target = stopper_.lock();
  }
  if (target) target->stop(why);
}

void Task::set_message(std::string_view text) {
  {
    const std::lock_guard lock(mutex_);
    if (is_terminal(record_.status) || settling_) return;
    record_.message = short_message(text);
    record_.updated = now_in_ms();
  }
  tell();
}

void Task::ask(std::vector<TaskQuestion> questions, std::weak_ptr<Mailbox> asker,
               std::chrono::milliseconds patience) {
  {
    const std::lock_guard lock(mutex_);
    if (is_terminal(record_.status) || settling_) return;
    questions_ = std::move(questions);
    asker_ = std::move(asker);
    asked_ = now_in_ms();
    patience_ = patience;
    record_.ttl += patience;
    record_.status = TaskStatus::input_required;
    record_.updated = *asked_;
    wake_waiters();
  }
  tell();
}

bool Task::take(std::string_view key) {
  const auto found = std::ranges::find(questions_, key, &TaskQuestion::key);
  if (found == questions_.end()) return false;
  questions_.erase(found);
  record_.updated = now_in_ms();
  if (questions_.empty() && record_.status == TaskStatus::input_required)
    record_.status = TaskStatus::working;
  return true;
}

void Task::answer(std::string_view key, std::string answer) {
  std::shared_ptr<Mailbox> asker;
  {
    const std::lock_guard lock(mutex_);
    if (!take(key)) return;
    asker = asker_.lock();
  }
  if (asker) asker->deliver(std::string(key), std::move(answer));
  tell();
}

void Task::take_question(std::string_view key) {
  {
    const std::lock_guard lock(mutex_);
    if (!take(key)) return;
  }
  tell();
}

void Task::stop_asking() {
  bool was_open = false;
  {
    const std::lock_guard lock(mutex_);
    if (!asked_) return;
    const auto now = now_in_ms();
    record_.ttl -= std::max(patience_ - (now - *asked_), std::chrono::milliseconds(0));
    asked_.reset();
    was_open = !questions_.empty();
    questions_.clear();
    if (record_.status == TaskStatus::input_required) record_.status = TaskStatus::working;
    if (was_open) record_.updated = now;
  }
  if (was_open) tell();
}

bool Task::cancel(std::string_view message) {
  {
    const std::lock_guard lock(mutex_);
    if (is_terminal(record_.status) || settling_) return false;
    record_.status = TaskStatus::cancelled;
    questions_.clear();
    record_.message = message;
    record_.updated = now_in_ms();
    wake_waiters();
  }
  stop(Errc::cancelled);
  tell();
  return true;
}

void Task::save() noexcept {
  const TaskRecord now = record();
  const std::lock_guard lock(file_mutex_);
  // What cannot be written is not lost before the process ends.
  if (file_) static_cast<void>(file_->save(now));
}

int Task::settle(TaskRecord record) {
  bool was_cancelled = false;
  {
    const std::lock_guard lock(mutex_);
    was_cancelled = is_terminal(record_.status);
    settling_ = true;
    if (was_cancelled) record = record_;
  }
  int error = 0;
  {
    const std::lock_guard lock(file_mutex_);
    error = file_->finish(record);
    file_.reset();
  }
  if (error != 0 && record.status == TaskStatus::completed) {
    record.status = TaskStatus::failed;
    record.error_code = rpc::kInternalError;
    record.error_message =
        "The result could not be kept: " + std::generic_category().message(error) + ".";
    record.message = record.error_message;
  }
  {
    const std::lock_guard lock(mutex_);
    record_ = std::move(record);
    questions_.clear();
    wake_waiters();
  }
  if (!was_cancelled) tell();
  return error;
}

Task::Waiter::Waiter(Task& task, const boost::asio::any_io_executor& executor)
    : task_(task), shared_(std::make_shared<Shared>(executor)) {
  const std::lock_guard lock(task_.mutex_);
  task_.waiters_.push_back(shared_);
}

Task::Waiter::~Waiter() {
  const std::lock_guard lock(task_.mutex_);
  std::erase(task_.waiters_, shared_);
}

Awaitable<void> Task::Waiter::wait() {
  {
    const std::lock_guard lock(task_.mutex_);
    if (is_terminal(task_.record_.status)) co_return;
  }
  // A change after the look comes by a post, which this loop gets to when it waits.
  co_await shared_->signal.wait();
}

}  // namespace sluice::mcp
