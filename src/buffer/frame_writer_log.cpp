// Event streams that their client may come back for: events have ids, and a log is told what goes out.

#include "buffer/frame_writer.hpp"

namespace sluice {

void FrameWriter::open_stream(Slot& s) {
  commit_form(BodyForm::event_stream);
  if (options_.log == nullptr || !options_.log->primes()) return;
  append_around(s, options_.log->prime());
  logs_ = true;
}

void FrameWriter::append_event(Slot& s, std::string_view json) {
  if (options_.log != nullptr) {
    append(s, options_.log->event(json));
    logs_ = true;
  }
  append(s, kEventStart);
  append(s, json);
  append_around(s, kEventEnd);
}

std::size_t FrameWriter::event_size(std::string_view json) const noexcept {
  const std::size_t fields = options_.log != nullptr ? 2 * EventLog::kMostText : 0;
  return kEventStart.size() + json.size() + kEventEnd.size() + fields;
}

bool FrameWriter::tell_log(std::string_view json) {
  if (!discarding_ || !logs_ || finished_) return false;
  static_cast<void>(options_.log->event(json));
  return true;
}

void FrameWriter::append_around(Slot& s, std::string_view bytes) noexcept {
  append(s, bytes);
  s.logged = s.end;
}

void FrameWriter::log(Slot& s) {
  if (s.sealed) return;  // it was told then
  if (logs_ && s.end > s.logged)
    options_.log->result({s.frame.data() + s.logged, s.end - s.logged});
  s.logged = s.end;
}

void FrameWriter::end_log(EventLog::End end) {
  if (!logs_) return;
  for (std::size_t i = 0; i < count_; ++i) log(slot(i));
  logs_ = false;
  options_.log->end(end);
}

Awaitable<bool> FrameWriter::hang_up() {
  affinity_.check();
  if (error_ || finished_ || discarding_ || begun_ || options_.log == nullptr ||
      form_ == BodyForm::json || choose(BodyForm::event_stream) != BodyForm::event_stream)
    co_return false;
  if (!logs_ && (is_committed() || !options_.log->primes())) co_return false;
  while (!has_current() && !open_frame(kWindow)) {
    if (error_ || discarding_) co_return logs_;
    co_await signal_.wait();
  }
  if (!is_committed()) open_stream(current());
  seal(current(), true);
  if (current().end == current().begin) {  // HTTP/1.0: the body ends with the connection
    current().frame.reset();
    --count_;
  }
  pump();
  while (!error_ && !discarding_ && (writing_ || count_ > 0)) {
    co_await signal_.wait();
  }
  if (!error_ && !discarding_) transport_.end();
  discard();
  co_return true;
}

}  // namespace sluice
