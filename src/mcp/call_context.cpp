#include "mcp/call_context.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "json/document.hpp"
#include "mcp/caller_key.hpp"

namespace sluice::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels{"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};

void append_number(std::string& out, double value) {
  char digits[32];
  const auto [end, ec] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

std::string_view name_of(LogLevel level) noexcept {
  return kLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> parse_log_level(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    if (kLevels[i] == name) return static_cast<LogLevel>(i);
  return std::nullopt;
}

CallContext::CallContext(Exchange& exchange, CallServices& services, const Options& options)
    : exchange_(exchange), services_(services), options_(options), executor_(exchange.executor()) {
  const Json token = options.meta.find("progressToken");
  if (token && (token.is(JsonKind::string) || token.is(JsonKind::number))) {
    progress_token_ = token.raw();
    started_ = Clock::now();
    first_bytes_ = started_ + services.config->server.progress_interval;
  }
}

Awaitable<Result<>> CallContext::progress(double done, std::optional<double> total,
                                          std::string_view message) {
  if (!wants_progress() || !std::isfinite(done) || (last_progress_ && done <= *last_progress_))
    co_return Result<>{};
  const auto now = Clock::now();
  if (now >= next_progress_) send_progress(done, total, message, now);
  co_return Result<>{};
}

/// A message ahead of the result makes an event of it, where it might have been JSON: not for a
/// number that nobody needs, if clients may then drop the result for its size.
bool CallContext::may_become_event(std::uint64_t bytes, std::optional<std::uint64_t> total,
                                   Clock::time_point now) const {
  constexpr double kLargest = 768 * 1024;  // many take 1 MiB, and escapes make it longer
  constexpr std::chrono::seconds kAhead(20);
  const FrameWriter& frames = exchange_.writer();
  const bool is_event_anyway =
      frames.form_for(std::numeric_limits<std::uint64_t>::max()) == BodyForm::event_stream;
  if (frames.is_committed() || is_event_anyway) return true;
  if (total) return static_cast<double>(*total) <= kLargest;
  // Of unknown length: by its pace.
  const std::chrono::duration<double> so_far = now - started_;
  const std::chrono::duration<double> until =
      std::min<Clock::duration>(options_.deadline - started_, kAhead);
  return static_cast<double>(bytes) * until.count() <= kLargest * so_far.count();
}

void CallContext::tell_bytes(std::uint64_t bytes, std::optional<std::uint64_t> total) {
  const auto done = static_cast<double>(bytes);
  if (!wants_progress() || (last_progress_ && done <= *last_progress_)) return;
  const auto now = Clock::now();
  if (now < next_progress_ || now < first_bytes_ || !may_become_event(bytes, total, now)) return;
  std::string message = std::to_string(bytes);
  if (total) message += " of " + std::to_string(*total);
  send_progress(done, total, message + " bytes", now);
}

void CallContext::send_progress(double done, std::optional<double> total, std::string_view message,
                                Clock::time_point now) {
  std::string json =
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)";
  json += progress_token_;
  json += R"(,"progress":)";
  append_number(json, done);
  if (total && std::isfinite(*total)) {
    json += R"(,"total":)";
    append_number(json, *total);
  }
  if (!message.empty() && options_.revision->has_progress_message) {
    json += R"(,"message":)";
    json::append_string(json, message);
  }
  json += "}}";
  const auto event = exchange_.writer().event(json);
  if (event == FrameWriter::Event::sent) {
    last_progress_ = done;
    next_progress_ = now + services_.config->server.progress_interval;
  }
  progress_is_over_ = event == FrameWriter::Event::refused;
}

bool CallContext::try_log(LogLevel level, std::string_view text) {
  auto wanted = options_.log_level;
  // What logging/setLevel says holds for calls that run already.
  if (options_.asked_in != nullptr && options_.asked_in->caller.session)
    wanted = options_.asked_in->caller.session->log_level();
  if (!wanted || level < *wanted) return true;
  std::string json = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")";
  json += name_of(level);
  json += R"(","logger":)";
  json::append_string(json, tool());
  json += R"(,"data":)";
  json::append_string(json, text);
  json += "}}";
  // A client that takes no events cannot be told.
  return exchange_.writer().event(json) != FrameWriter::Event::full;
}

Awaitable<Result<>> CallContext::log(LogLevel level, std::string_view text) {
  while (!try_log(level, text)) {
    co_await exchange_.writer().wait_written();
  }
  co_return Result<>{};
}

Awaitable<Result<>> CallContext::hang_up() {
  const bool left = co_await exchange_.writer().hang_up();
  static_cast<void>(left);  // a client that stays gets the rest as ever
  co_return Result<>{};
}

bool CallContext::has_capability(std::string_view name) const noexcept {
  return options_.asked_in != nullptr && options_.asked_in->caller.has_capability(name);
}

Awaitable<Result<std::vector<Answer>>> CallContext::ask(std::span<const Question> questions) {
  if (options_.asked_in == nullptr) co_return Errc::cannot_ask;
  const auto has = [&](std::string_view name) { return has_capability(name); };
  const auto inquiries =
      make_inquiries(questions, services_.config->limits.questions, has, missing_);
  if (!inquiries) co_return inquiries.error();
  const Permit waiting(*services_.asking, services_.config->limits.asking);
  if (!waiting.is_held()) co_return Errc::busy;
  if (!asking_) asking_ = make_asking(*options_.asked_in, *this);
  auto answers = co_await asking_->ask(*inquiries);
  co_return answers;
}

void CallContext::on_peer_gone() {
  if (asking_) asking_->on_peer_gone();
}

std::optional<Outcome> CallContext::instead() const {
  return asking_ ? asking_->instead() : std::nullopt;
}

void CallContext::pause() {
  paused_ = Clock::now();
  if (run_->watch != nullptr) run_->watch->deadline = Exchange::Listener::TimePoint::max();
  for (Permit* const permit : run_->permits)
    if (permit != nullptr) permit->release();
}

bool CallContext::resume() {
  options_.deadline += Clock::now() - paused_;
  if (run_->watch != nullptr) run_->watch->deadline = options_.deadline;
  for (Permit* const permit : run_->permits)
    if (permit != nullptr && !permit->take()) return false;
  return true;
}

std::string CallContext::caller() const { return caller_key(exchange_, options_.asked_in->caller); }

Awaitable<void> CallContext::run_on_workers(std::function<void()> work) {
  co_await services_.workers->run(std::move(work));
}

}  // namespace sluice::mcp
