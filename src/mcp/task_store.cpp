#include "mcp/task_store.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/random_id.hpp"
#include "base/units.hpp"

namespace sluice::mcp {
namespace {

std::string reached(std::string_view limit, const std::string& value) {
  return std::string(limit) + " (" + value + ") is reached";
}

}  // namespace

bool TaskStore::open(std::string& problem) {
  if (!folder_.open(config_.spool, problem)) return false;
  const std::lock_guard lock(mutex_);
  for (auto& record : folder_.scan(now_in_ms())) {
    const std::string id = record.id;
    const std::uint64_t bytes = TaskFile::kHeaderBytes + record.result_bytes;
    count(id, record.owner, bytes);
    tasks_[id].task = std::make_shared<Task>(std::move(record), nullptr, changed_);
  }
  return true;
}

std::string TaskStore::refusal(std::string_view owner) const {
  const auto found = callers_.find(owner);
  const Use caller = found == callers_.end() ? Use{} : found->second;
  if (all_.tasks >= config_.max_tasks)
    return reached("tasks.max_tasks", std::to_string(config_.max_tasks));
  if (caller.tasks >= config_.caller_tasks)
    return reached("tasks.caller_tasks", std::to_string(config_.caller_tasks));
  if (all_.bytes + TaskFile::kHeaderBytes > config_.max_bytes)
    return reached("tasks.max_bytes", format_bytes(config_.max_bytes));
  if (caller.bytes + TaskFile::kHeaderBytes > config_.caller_bytes)
    return reached("tasks.caller_bytes", format_bytes(config_.caller_bytes));
  return {};
}

Awaitable<TaskStore::Made> TaskStore::make(Plan plan) {
  Made made;
  TaskRecord record;
  record.id = random_id();
  record.tool = plan.tool;
  record.owner = plan.owner;
  record.created = now_in_ms();
  record.updated = record.created;
  record.ttl = plan.ttl;
  {
    const std::lock_guard lock(mutex_);
    made.problem = refusal(plan.owner);
    if (!made.problem.empty()) co_return made;
    count(record.id, record.owner, TaskFile::kHeaderBytes);
  }
  Place place(*this, record);
  TaskFolder::Created created;
  const auto create = [&] { created = folder_.create(record); };
  co_await workers_.run(create);
  if (created.error != 0) {
    made.problem = "a task cannot be kept: " + std::generic_category().message(created.error);
    co_return made;
  }
  made.task = std::make_shared<Task>(std::move(record), std::move(created.file), changed_);
  place.keep();
  const std::lock_guard lock(mutex_);
  tasks_[made.task->id()].task = made.task;
  co_return made;
}

Awaitable<std::shared_ptr<Task>> TaskStore::find(std::string_view id, std::string_view owner) {
  if (!is_random_id(id)) co_return nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = tasks_.find(std::string(id));
    if (found != tasks_.end() && found->second.task) {
      auto task = found->second.task;
      const bool is_theirs = task->owner() == owner;
      if (!is_theirs || task->record().expires() <= now_in_ms()) co_return nullptr;
      co_return task;
    }
  }
  // Another process that shares the directory may have it.
  std::optional<TaskFolder::Found> found;
  const auto look = [&] { found = folder_.find(id); };
  co_await workers_.run(look);
  if (!found || found->record.owner != owner || found->record.expires() <= now_in_ms())
    co_return nullptr;
  auto task = std::make_shared<Task>(std::move(found->record), nullptr, changed_);
  if (found->is_elsewhere) task->set_elsewhere();
  co_return task;
}

std::vector<TaskRecord> TaskStore::list(std::string_view owner) const {
  std::vector<TaskRecord> out;
  const auto now = now_in_ms();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, kept] : tasks_) {
      if (!kept.task || kept.task->owner() != owner) continue;
      auto record = kept.task->record();
      if (record.expires() > now) out.push_back(std::move(record));
    }
  }
  std::ranges::sort(out, [](const TaskRecord& a, const TaskRecord& b) {
    return std::tie(a.created, a.id) < std::tie(b.created, b.id);
  });
  return out;
}

std::string TaskStore::reserve(const Task& task, std::uint64_t bytes) {
  bytes += TaskFile::kHeaderBytes;
  const std::lock_guard lock(mutex_);
  const auto found = tasks_.find(task.id());
  if (found == tasks_.end()) return {};  // it has expired, and its file goes when it ends
  Kept& kept = found->second;
  Use& caller = callers_[task.owner()];
  if (bytes > kept.bytes) {
    const std::uint64_t more = bytes - kept.bytes;
    if (all_.bytes + more > config_.max_bytes)
      return reached("tasks.max_bytes", format_bytes(config_.max_bytes));
    if (caller.bytes + more > config_.caller_bytes)
      return reached("tasks.caller_bytes", format_bytes(config_.caller_bytes));
  }
  for (Use* use : {&caller, &all_}) use->bytes += bytes - kept.bytes;  // may wrap, and comes right
  kept.bytes = bytes;
  return {};
}

void TaskStore::settled(const Task& task) {
  const auto bytes = task.record().result_bytes;
  static_cast<void>(reserve(task, bytes));  // not more than before
  bool is_kept = false;
  {
    const std::lock_guard lock(mutex_);
    is_kept = tasks_.contains(task.id());
  }
  if (!is_kept) folder_.remove(task.id());
}

Awaitable<Descriptor> TaskStore::open_result(TaskRecord record) {
  Descriptor file;
  const auto open = [&] { file = folder_.open_result(record); };
  co_await workers_.run(open);
  co_return file;
}

TaskStore::Place::~Place() {
  if (kept_) return;
  const std::lock_guard lock(store_.mutex_);
  store_.forget(id_, owner_);
}

void TaskStore::count(const std::string& id, std::string_view owner, std::uint64_t bytes) {
  auto caller = callers_.find(owner);
  if (caller == callers_.end()) caller = callers_.emplace(std::string(owner), Use{}).first;
  for (Use* use : {&caller->second, &all_}) {
    ++use->tasks;
    use->bytes += bytes;
  }
  tasks_[id].bytes = bytes;
}

void TaskStore::forget(const std::string& id, std::string_view owner) {
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) return;
  const auto caller = callers_.find(owner);
  for (Use* use : {&caller->second, &all_}) {
    --use->tasks;
    use->bytes -= found->second.bytes;
  }
  if (caller->second.tasks == 0) callers_.erase(caller);
  tasks_.erase(found);
}

void TaskStore::drop(const Task& task) {
  {
    const std::lock_guard lock(mutex_);
    forget(task.id(), task.owner());
  }
  workers_.post([this, id = task.id()] { folder_.remove(id); });
}

void TaskStore::sweep(TaskRecord::Time now) {
  std::vector<std::shared_ptr<Task>> expired;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, kept] : tasks_)
      if (kept.task && kept.task->record().expires() <= now) expired.push_back(kept.task);
    for (const auto& task : expired) forget(task->id(), task->owner());
  }
  for (const auto& task : expired) {
    if (is_terminal(task->record().status))
      workers_.post([this, id = task->id()] { folder_.remove(id); });
    else
      task->stop(Errc::cancelled);  // its file goes when it has ended
  }
}

void TaskStore::stop_all(boost::system::error_code why) {
  std::vector<std::shared_ptr<Task>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, kept] : tasks_)
      if (kept.task) all.push_back(kept.task);
  }
  for (const auto& task : all)
    if (!is_terminal(task->record().status)) task->stop(why);
}

std::size_t TaskStore::size() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

std::uint64_t TaskStore::bytes() const {
  const std::lock_guard lock(mutex_);
  return all_.bytes;
}

}  // namespace sluice::mcp
