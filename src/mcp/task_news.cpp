#include "mcp/task_news.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#include "base/file_io.hpp"
#include "buffer/frame_writer.hpp"
#include "mcp/change_text.hpp"
#include "mcp/event_source.hpp"

namespace sluice::mcp {

std::string task_topic(std::string_view id) { return "task:" + std::string(id); }

struct TaskNews::Load {
  Descriptor file;
  std::string bytes;
  int error = 0;
  std::atomic<bool> is_there{false};  // from then on it is the loop's
};

TaskNews::TaskNews(TaskStore& store, const TaskTerms& terms, std::string meta,
                   const boost::asio::any_io_executor& executor, std::function<void()> wake)
    : store_(store),
      terms_(terms),
      meta_(std::move(meta)),
      wake_(std::move(wake)),
      stopper_(std::make_shared<Stopper>(executor, static_cast<Stopper::Target&>(*this))) {}

TaskNews::~TaskNews() { stopper_->detach(); }

void TaskNews::add(std::shared_ptr<Task> task) {
  const bool is_new = tasks_.emplace(task_topic(task->id()), task).second;
  if (is_new && task->record().status != TaskStatus::working) first_.push_back(std::move(task));
}

std::vector<std::string_view> TaskNews::ids() const {
  std::vector<std::string_view> out;
  out.reserve(tasks_.size());
  for (const auto& [topic, task] : tasks_) out.push_back(task->id());
  return out;
}

bool TaskNews::begin_first() {
  if (first_.empty()) return false;
  const auto task = std::move(first_.back());
  first_.pop_back();
  begin(*task);
  return true;
}

bool TaskNews::begin(std::string_view topic) {
  const auto found = tasks_.find(topic);
  if (found == tasks_.end()) return false;
  begin(*found->second);
  return true;
}

void TaskNews::begin(Task& task) {
  Task::Look look = task.look();
  record_ = std::move(look.record);
  text_ = task_notification(record_, look.questions, meta_, terms_);
  state_ = State::whole;
  if (record_.status != TaskStatus::completed) return;
  state_ = State::reading;
  at_ = 0;
  load_ = std::make_shared<Load>();
  load();
}

void TaskNews::load() {
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(EventSource::kPiece, record_.result_bytes - at_));
  load_->bytes.resize(size);
  load_->is_there = false;
  store_.workers().post([load = load_, at = TaskFile::kHeaderBytes + at_, record = record_,
                         &store = store_, reader = stopper_] {
    if (!load->file) load->file = store.open_now(record);
    load->error = load->file ? read_all(load->file.get(), load->bytes, at) : ENOENT;
    load->is_there = true;
    reader->wake();
  });
}

void TaskNews::on_wake() { wake_(); }

void TaskNews::append(std::string& out) {
  if (state_ == State::whole) {
    append_event(out, text_);
    state_ = State::idle;
    return;
  }
  if (state_ != State::reading || !load_->is_there) return;
  if (load_->error != 0) {
    // What is gone by now has expired, and is told no more.
    state_ = is_amid_ ? State::broken : State::idle;
    spdlog::info("task {}: its result cannot be read: {}", record_.id,
                 std::generic_category().message(load_->error));
    load_.reset();
    return;
  }
  if (!is_amid_) {
    out += FrameWriter::kEventStart;
    out += text_;
    is_amid_ = true;
  }
  for (std::string_view rest = load_->bytes; !rest.empty();) {
    const auto end = rest.find('\n');
    out += rest.substr(0, end);
    if (end == std::string_view::npos) break;
    out += FrameWriter::kLineBreak;
    rest.remove_prefix(end + 1);
  }
  at_ += load_->bytes.size();
  if (at_ < record_.result_bytes) {
    load();
    return;
  }
  out += kNotificationEnd;
  out += FrameWriter::kEventEnd;
  is_amid_ = false;
  state_ = State::idle;
  load_.reset();
}

}  // namespace sluice::mcp
