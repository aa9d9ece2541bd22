#include "mcp/task_context.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "mcp/caller_key.hpp"
#include "mcp/errors.hpp"
#include "mcp/task_asking.hpp"

namespace sluice::mcp {
namespace {

Json copy_of(Json value, json::Document& document, std::uint32_t max_nesting) {
  if (!value) return {};
  const auto copied = document.parse_copy(value.raw(), max_nesting);
  return copied ? *copied : Json();  // it has been parsed before
}

void append_number(std::string& out, double value) {
  char digits[32];
  const auto [end, ec] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

TaskContext::TaskContext(Exchange& exchange, CallServices& services, const Options& options,
                         AskingCall& run)
    : loop_(exchange.loop()),
      services_(services),
      executor_(exchange.executor()),
      entry_(*options.entry),
      caller_(caller_key(exchange, options.asked_in->caller)),
      run_(run),
      session_(options.session),
      capabilities_(options.capabilities),
      asked_in_(options.asked_in),
      deadline_(options.deadline),
      attached_run_{nullptr, [&run] { run.stop_handler(); }, {}} {
  const std::uint32_t nesting = services.config->limits.nesting + 64;  // defaults may add some
  arguments_ = copy_of(options.arguments, arguments_document_, nesting);
  meta_ = copy_of(options.meta, meta_document_, nesting);
  CallContext::Options attached;
  attached.name = entry_.tool.name;
  attached.max_result = entry_.max_result;
  attached.arguments = arguments_;
  attached.meta = meta_;
  attached.revision = options.revision;
  attached.log_level = options.log_level;
  attached.deadline = deadline_;
  attached.asked_in = options.asked_in;
  attached_.emplace(exchange, services, attached);
  attached_->runs_as(attached_run_);
}

void TaskContext::detach() noexcept {
  attached_.reset();
  asked_in_ = nullptr;
}

std::optional<Outcome> TaskContext::instead() const {
  return attached_ ? attached_->instead() : std::nullopt;
}

std::optional<Outcome> TaskContext::refusal() const {
  if (asked_in_ == nullptr) return std::nullopt;
  return failed(missing_capability(missing_, *asked_in_->caller.revision), asked_in_->id);
}

Awaitable<Result<std::vector<Answer>>> TaskContext::ask(std::span<const Question> questions) {
  if (attached_) {
    // In 2026-07-28, where alone a call is not a task from the beginning, this waits for nothing.
    auto answers = co_await attached_->ask(questions);
    if (attached_) missing_.assign(attached_->missing().begin(), attached_->missing().end());
    co_return answers;
  }
  if (!task_) co_return Errc::peer_gone;
  const auto has = [&](std::string_view name) { return has_capability(name); };
  const auto inquiries =
      make_inquiries(questions, services_.config->limits.questions, has, missing_);
  if (!inquiries) co_return inquiries.error();
  const Permit waiting(*services_.asking, services_.config->limits.asking);
  if (!waiting.is_held()) co_return Errc::busy;
  if (!asking_)
    asking_ = std::make_unique<TaskAsking>(
        TaskAsking::Place{*services_.config, task_, session_, executor_}, run_);
  auto answers = co_await asking_->ask(*inquiries);
  co_return answers;
}

void TaskContext::become(std::shared_ptr<Task> task) noexcept {
  detach();
  task_ = std::move(task);
}

bool TaskContext::is_due(double done) {
  if (!task_ || !std::isfinite(done) || (last_progress_ && done <= *last_progress_)) return false;
  const auto now = Clock::now();
  if (now < next_progress_) return false;
  last_progress_ = done;
  next_progress_ = now + services_.config->server.progress_interval;
  return true;
}

Awaitable<Result<>> TaskContext::progress(double done, std::optional<double> total,
                                          std::string_view message) {
  if (attached_) {
    const auto told = co_await attached_->progress(done, total, message);
    co_return told;
  }
  if (!is_due(done)) co_return Result<>{};
  std::string text(message);
  if (text.empty()) {
    append_number(text, done);
    if (total && std::isfinite(*total)) append_number(text += " of ", *total);
  }
  task_->set_message(text);
  co_return Result<>{};
}

void TaskContext::tell_bytes(std::uint64_t bytes, std::optional<std::uint64_t> total) {
  if (attached_) attached_->tell_bytes(bytes, total);
  if (!is_due(static_cast<double>(bytes))) return;
  std::string text = std::to_string(bytes);
  if (total) text += " of " + std::to_string(*total);
  task_->set_message(text + " bytes");
}

Awaitable<Result<>> TaskContext::log(LogLevel level, std::string_view text) {
  constexpr std::chrono::milliseconds kAgain{50};
  // A slow client is waited for, by the clock: the writer may serve another request by then. Nobody
  // hears of it in a task.
  while (attached_ && !attached_->try_log(level, text)) {
    co_await sleep(kAgain);
  }
  co_return Result<>{};
}

Awaitable<void> TaskContext::run_on_workers(std::function<void()> work) {
  co_await services_.workers->run(std::move(work));
}

}  // namespace sluice::mcp
