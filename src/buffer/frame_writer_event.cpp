// Messages that have to go ahead of the result, however long they are.

#include <algorithm>
#include <array>
#include <string>

#include "buffer/frame_writer.hpp"

namespace sluice {

Awaitable<Result<>> FrameWriter::send_event(std::string_view json) {
  if (event_size(json) > kMaxEvent) {
    const auto sent = co_await send_long_event(json);
    co_return sent;
  }
  for (;;) {
    const Event outcome = event(json, Need::required);
    if (outcome == Event::sent) co_return Result<>{};
    if (outcome == Event::refused) break;
    co_await signal_.wait();
  }
  if (error_) co_return error_;
  co_return Errc::cannot_ask;
}

Awaitable<Result<>> FrameWriter::send_long_event(std::string_view json) {
  /// Half an event cannot be followed by anything.
  struct Whole {
    FrameWriter& writer;
    bool is_whole = true;
    ~Whole() {
      writer.amid_event_ = false;
      if (!is_whole) writer.abort();
    }
  } event{*this};

  if (tell_log(json)) co_return Result<>{};
  if (refuses_events() || begun_) co_return error_ ? error_ : make_error_code(Errc::cannot_ask);
  while (!has_current() && !open_frame(kWindow)) {
    pump();
    co_await signal_.wait();
    if (tell_log(json)) co_return Result<>{};
    if (refuses_events()) co_return error_ ? error_ : make_error_code(Errc::cannot_ask);
  }
  if (!is_committed()) open_stream(current());
  std::string fields;
  if (options_.log != nullptr) {
    fields = options_.log->event(json);
    logs_ = true;
  }
  std::array<std::string_view, 4> pieces{fields, kEventStart, json, kEventEnd};
  for (auto& piece : pieces) {
    while (!piece.empty()) {
      if (discarding_ && logs_) {  // who comes back finds all of it
        event.is_whole = true;
        co_return Result<>{};
      }
      if (error_ || discarding_) co_return error_ ? error_ : make_error_code(Errc::cannot_ask);
      if (has_current() && free_bytes(current()) == 0) {
        seal(current(), false);
        pump();
      }
      if (!has_current() && !open_frame(kWindow)) {
        pump();
        co_await signal_.wait();
        continue;
      }
      event.is_whole = false;
      amid_event_ = true;
      const std::size_t n = std::min(piece.size(), free_bytes(current()));
      append_around(current(), piece.substr(0, n));
      piece.remove_prefix(n);
    }
  }
  event.is_whole = true;
  flush();
  co_return Result<>{};
}

bool FrameWriter::take_back() noexcept {
  if (!begun_) return true;
  if (!is_all_here()) return false;
  for (const std::size_t ahead = events_ahead(); count_ > ahead; --count_) {
    if (spare_) spare_.reset();
    // The one frame that a response keeps until it is over.
    spare_ = std::move(current().frame);
  }
  break_count_ = 0;
  begun_ = false;
  return true;
}

}  // namespace sluice
