#include "mcp/task_asking.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "base/await.hpp"
#include "mcp/legacy_asking.hpp"

namespace sluice::mcp {

/// The questions that are waited for; what comes for them when this is over finds nobody.
struct TaskAsking::Open {
  explicit Open(TaskAsking& owner) : asking(owner) { asking.open_ = this; }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() {
    asking.open_ = nullptr;
    if (const auto& session = asking.place_.session)
      for (const auto& key : keys) session->remove_question(key);
    asking.place_.task->stop_asking();
  }
  [[nodiscard]] bool is_answered() const {
    return std::ranges::none_of(responses, &std::string::empty);
  }

  TaskAsking& asking;
  std::vector<std::string> keys;
  std::vector<std::string> responses;  // empty: has not come
};

TaskAsking::TaskAsking(Place place, AskingCall& call)
    : place_(std::move(place)),
      call_(call),
      timer_(place_.executor),
      mailbox_(std::make_shared<Mailbox>(place_.executor, static_cast<Mailbox::Owner&>(*this))) {}

TaskAsking::~TaskAsking() { mailbox_->detach(); }

std::string TaskAsking::key_of(const Inquiry& inquiry) {
  std::string key = inquiry.key.empty() ? 'q' + std::to_string(++unnamed_) : inquiry.key;
  for (;;) {
    const unsigned uses = ++uses_[key];
    if (uses == 1) return key;
    key += '-' + std::to_string(uses);
  }
}

TaskQuestion TaskAsking::question_of(const Inquiry& inquiry) {
  if (!place_.session) return {key_of(inquiry), '{' + members_of(inquiry) + '}'};
  std::string id = legacy::make_question_id();
  std::string request = legacy::request_of(inquiry, id, place_.task->id());
  return {std::move(id), std::move(request)};
}

Awaitable<Result<std::vector<Answer>>> TaskAsking::ask(std::span<const Inquiry> inquiries) {
  if (open_ != nullptr) co_return Errc::misuse;
  call_.pause();
  auto answers = co_await show_and_wait(inquiries);
  if (!call_.resume()) co_return Errc::busy;
  co_return answers;
}

Awaitable<Result<std::vector<Answer>>> TaskAsking::show_and_wait(
    std::span<const Inquiry> inquiries) {
  Open open(*this);
  open.responses.resize(inquiries.size());
  std::vector<TaskQuestion> questions;
  for (const auto& inquiry : inquiries) {
    questions.push_back(question_of(inquiry));
    open.keys.push_back(questions.back().key);
    // Before it is shown, so that no answer is too early.
    if (place_.session) place_.session->add_question(open.keys.back(), mailbox_);
  }
  place_.task->ask(std::move(questions), mailbox_, place_.config.timeouts.ask);
  const auto waited = co_await wait(open);
  if (!waited) co_return waited.error();

  std::vector<Answer> answers;
  for (std::size_t i = 0; i < inquiries.size(); ++i) {
    auto answer = take(inquiries[i], open.responses[i]);
    if (!answer) co_return answer.error();
    answers.push_back(std::move(*answer));
  }
  co_return answers;
}

Awaitable<Result<>> TaskAsking::wait(const Open& open) {
  timer_.expires_after(place_.config.timeouts.ask);
  while (!open.is_answered()) {
    const auto waited = co_await timer_.async_wait(kAwaitTuple);
    if (call_.cancelled()) throw boost::system::system_error(boost::asio::error::operation_aborted);
    const bool is_over = !std::get<0>(waited);  // else something has come
    if (is_over && !open.is_answered()) co_return Errc::no_answer;
  }
  co_return Result<>{};
}

void TaskAsking::on_response(std::string_view id, std::string response) {
  if (open_ == nullptr) return;
  const auto asked = std::ranges::find(open_->keys, id);
  if (asked == open_->keys.end()) return;
  std::size_t held = response.size();
  for (const auto& other : open_->responses) held += other.size();
  if (held > place_.config.limits.request_body) {
    spdlog::info("task {}: together, the answers are larger than limits.request_body",
                 place_.task->id());
    response = "{}";  // which is none
  }
  open_->responses[static_cast<std::size_t>(asked - open_->keys.begin())] = std::move(response);
  if (place_.session) place_.task->take_question(id);
  timer_.cancel();
}

Result<Answer> TaskAsking::take(const Inquiry& inquiry, std::string_view response) const {
  if (place_.session) return legacy::answer_in(inquiry, response, place_.config);
  std::string problem;
  auto answer = read_answer(inquiry, response, place_.config.limits.schema_steps, problem);
  if (!answer)
    spdlog::info("a client's answer to {} cannot be used: {}", inquiry.method,
                 problem.substr(0, 512));
  return answer;
}

}  // namespace sluice::mcp
