#include "buffer/frame_writer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice {

namespace asio = boost::asio;

namespace {
constexpr std::string_view kNoBreak = "       ";  // as long, and nothing between JSON tokens
constexpr std::string_view kCrlf = "\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::string_view kComment = ": keep-alive\n\n";
static_assert(FrameWriter::kLineBreak.size() == kNoBreak.size());
}  // namespace

FrameWriter::FrameWriter(Transport& transport, FramePool& pool, HeadWriter& head)
    : transport_(transport), pool_(pool), head_(head), signal_(transport.executor()) {}

FrameWriter::~FrameWriter() { SLUICE_CHECK(!writing_); }

bool FrameWriter::start(const Options& options) {
  affinity_.check();
  SLUICE_CHECK(!writing_);
  release_all();
  spare_.reset();
  spare_ = pool_.take();
  if (!spare_) return false;
  options_ = options;
  break_count_ = 0;
  form_ = BodyForm::undecided;
  begun_ = leaving_ = finished_ = head_pending_ = discarding_ = flush_wanted_ = logs_ = false;
  amid_event_ = false;
  length_.reset();
  coding_ = ContentCoding::identity;
  error_ = {};
  return true;
}

bool FrameWriter::open_frame(std::size_t most) {
  if (count_ >= most) return false;
  Frame frame = std::move(slot(count_).frame);  // where one is kept for it
  if (!frame) frame = spare_ ? std::move(spare_) : pool_.take();
  if (!frame) return false;
  ++count_;
  Slot& s = current();
  s.frame = std::move(frame);
  // Only what leaves first needs room for the head.
  s.begin = s.end = (count_ == 1 && !is_committed()) || head_pending_ ? kFirstFront : kFront;
  s.logged = s.end;
  s.sealed = false;
  return true;
}

std::span<char> FrameWriter::room() {
  affinity_.check();
  if (error_ && !discarding_) return {};
  if (encoder_) return room_before_encoder();
  // Also with "data: " in front of the first bytes of a result.
  constexpr std::size_t kLeast = kMinRoom + kEventStart.size();
  if (has_current() && free_bytes(current()) < kLeast) {
    if (discarding_) {
      log(current());
      current().end = current().logged = current().begin;
    } else if (is_committed() && !holds_result()) {
      seal(current(), false);
      pump();
    }
  }
  // A full frame that is still undecided stays unsealed, and so does one that is held: what stands
  // before it is not known yet.
  if (!has_current() || free_bytes(current()) < kLeast) {
    if (!open_frame(kWindow)) {
      if (discarding_) return {};
      if (!is_committed()) {
        commit_form(choose(BodyForm::json));
        leaving_ = true;
        begin_encoding();
        if (encoder_) return room_before_encoder();
        flush();
      } else if (holds_result() && !writing_) {
        flush();
      }
      pump();
      return {};
    }
  }
  Slot& s = current();
  if (form_ == BodyForm::event_stream && !begun_) {
    append_around(s, kEventStart);
    begun_ = true;
  }
  return {s.frame.data() + s.end, free_bytes(s)};
}

void FrameWriter::commit(std::size_t n) noexcept {
  SLUICE_DCHECK(n <= free_bytes(top()));
  top().end += n;
  begun_ = true;
}

void FrameWriter::put(std::string_view bytes) noexcept {
  append(top(), bytes);
  begun_ = true;
}

Awaitable<Result<>> FrameWriter::wait_room() {
  for (;;) {
    if (!room().empty()) co_return Result<>{};
    if (error_ && !discarding_) co_return error_;
    if (discarding_ && !writing_)
      co_return Errc::frames_exhausted;  // nothing is under way that could free one
    co_await signal_.wait();
  }
}

void FrameWriter::line_break() {
  if (discarding_) return;
  switch (form_) {
    case BodyForm::event_stream:
      put(kLineBreak);
      return;
    case BodyForm::json:
      return;
    case BodyForm::undecided:
      if (break_count_ == kMaxBreaks) return;
      breaks_[break_count_++] = {static_cast<std::uint32_t>(count_ - 1),
                                 static_cast<std::uint32_t>(current().end)};
      put(kNoBreak);
      return;
  }
}

/// What stands in front of the result, while all of that waits.
std::size_t FrameWriter::events_ahead() noexcept {
  std::size_t n = 0;
  while (n < count_ && slot(n).sealed) ++n;
  return n;
}

FrameWriter::Mark FrameWriter::mark() noexcept {
  return {count_ - events_ahead(), count_ == 0 ? 0 : current().end, break_count_};
}

std::optional<std::string> FrameWriter::copy_since(const Mark& mark) {
  if (!is_all_here() || mark.frames == 0) return std::nullopt;
  std::string out;
  const std::size_t frames = mark.frames + events_ahead();
  for (std::size_t i = frames - 1; i < count_; ++i) {
    const Slot& s = slot(i);
    const std::size_t from = i + 1 == frames ? mark.end : s.begin;
    out.append(s.frame.data() + from, s.end - from);
  }
  return out;
}

bool FrameWriter::rollback(const Mark& mark) noexcept {
  if (!is_all_here() || mark.frames == 0) return false;
  const std::size_t frames = mark.frames + events_ahead();
  while (count_ > frames) {
    current().frame.reset();
    --count_;
  }
  current().end = mark.end;
  break_count_ = std::min(break_count_, mark.breaks);
  return true;
}

bool FrameWriter::refuses_events() const noexcept {
  return error_ || finished_ || discarding_ || form_ == BodyForm::json || !options_.takes_events;
}

FrameWriter::Event FrameWriter::event(std::string_view json, Need need) {
  affinity_.check();
  if (options_.quiet && need == Need::optional) return Event::refused;
  if (tell_log(json)) return Event::sent;
  if (refuses_events() || event_size(json) > kMaxEvent) return Event::refused;
  if (begun_) {
    // The result waits, all of it: the message takes the place ahead of it.
    if (!is_all_here()) return Event::refused;
    if (writing_) return Event::full;  // the message before it
    if (count_ == slots_.size()) return Event::refused;
    Frame frame = pool_.take();
    if (!frame) return Event::refused;
    first_ = (first_ + slots_.size() - 1) % slots_.size();
    ++count_;
    Slot& s = slot(0);
    s.frame = std::move(frame);
    s.begin = s.end = kFirstFront;
    s.sealed = false;
    if (!is_committed()) {
      for (std::size_t i = 0; i < break_count_; ++i) ++breaks_[i].slot;
      put_front(slot(1), kEventStart);
      open_stream(s);
    }
    append_event(s, json);
    seal(s, false);
    pump();
    return Event::sent;
  }
  if (has_current() && free_bytes(current()) < event_size(json)) {
    seal(current(), false);
    pump();
  }
  if (!has_current() && !open_frame(kWindow)) return Event::full;
  if (!is_committed()) open_stream(current());
  append_event(current(), json);
  flush();
  return Event::sent;
}

Awaitable<void> FrameWriter::wait_written() { co_await signal_.wait(); }

void FrameWriter::heartbeat() {
  if (error_ || finished_ || discarding_ || writing_ || amid_event_) return;
  if (begun_) {
    // Part of a result is better news than a comment, and as JSON it may still grow past the caps
    // on events.
    if (!is_committed()) commit_form(choose(BodyForm::json));
    flush();
    return;
  }
  if (!has_current() && !open_frame(kWindow)) return;
  if (!is_committed()) {
    if (choose(BodyForm::event_stream) == BodyForm::event_stream)
      open_stream(current());
    else
      commit_form(BodyForm::json);
  }
  // What the log has put there shows as well that the stream lives.
  if (form_ == BodyForm::json)
    append(current(), " ");
  else if (current().end == current().begin)
    append_around(current(), kComment);
  flush();
}

BodyForm FrameWriter::choose(BodyForm automatic) const noexcept {
  if (!options_.takes_events) return BodyForm::json;
  if (!options_.takes_json) return BodyForm::event_stream;
  switch (options_.prefer) {
    case Options::Prefer::json:
      return BodyForm::json;
    case Options::Prefer::events:
      return BodyForm::event_stream;
    case Options::Prefer::automatic:
      break;
  }
  return automatic;
}

void FrameWriter::commit_form(BodyForm form) {
  form_ = form;
  head_pending_ = true;
  if (form == BodyForm::event_stream) {
    for (std::size_t i = 0; i < break_count_; ++i)
      std::memcpy(slot(breaks_[i].slot).frame.data() + breaks_[i].offset, kLineBreak.data(),
                  kLineBreak.size());
    if (begun_ && slot(0).begin == kFirstFront && slot(0).end > slot(0).begin)
      put_front(slot(0), kEventStart);
  }
  break_count_ = 0;
}

void FrameWriter::put_front(Slot& s, std::string_view bytes) noexcept {
  SLUICE_CHECK(s.begin >= bytes.size());
  s.begin -= bytes.size();
  std::memcpy(s.frame.data() + s.begin, bytes.data(), bytes.size());
}

void FrameWriter::append(Slot& s, std::string_view bytes) noexcept {
  SLUICE_CHECK(s.end + bytes.size() <= kFrameBytes);
  std::memcpy(s.frame.data() + s.end, bytes.data(), bytes.size());
  s.end += bytes.size();
}

void FrameWriter::seal(Slot& s, bool last) {
  log(s);
  const std::size_t body = s.end - s.begin;
  if (!length_ && options_.chunked) {
    if (body > 0) {
      // Fixed width (RFC 9112 section 7.1 allows leading zeros), so that nothing moves.
      char line[10];
      for (int i = 7, rest = static_cast<int>(body); i >= 0; --i, rest >>= 4)
        line[i] = "0123456789abcdef"[rest & 15];
      line[8] = '\r';
      line[9] = '\n';
      put_front(s, {line, sizeof line});
      append(s, kCrlf);
    }
    if (last) append(s, kLastChunk);
  }
  if (head_pending_) {
    head_pending_ = false;
    char head[HeadWriter::kMaxHead];
    const std::size_t n = head_.write_head(std::span<char, HeadWriter::kMaxHead>(head),
                                           {form_, length_, coding_, options_.varies});
    put_front(s, {head, n});
  }
  s.sealed = true;
}

std::uint64_t FrameWriter::body_bytes() noexcept {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count_; ++i) bytes += slot(i).end - slot(i).begin;
  return bytes;
}

void FrameWriter::flush() {
  // Small pieces that come while a write is in progress share a frame and a write.
  flush_wanted_ = writing_;
  if (writing_) return;
  leaving_ = begun_;
  if (encoder_) flush_encoder();
  for (std::size_t i = 0; i < count_; ++i) {
    Slot& s = slot(i);
    if (!s.sealed && (s.end > s.begin || head_pending_)) seal(s, false);
  }
  pump();
}

std::size_t FrameWriter::gather(std::span<asio::const_buffer> buffers) noexcept {
  std::size_t n = 0;
  while (n < count_ && slot(n).sealed) {
    const Slot& s = slot(n);
    buffers[n++] = asio::const_buffer(s.frame.data() + s.begin, s.end - s.begin);
  }
  if (n == count_) {
    std::size_t skip = shared_offset_;
    for (std::size_t i = shared_next_; i < shared_parts_ && n < buffers.size(); ++i) {
      const auto part = shared_part(i).substr(std::exchange(skip, 0));
      if (!part.empty()) buffers[n++] = asio::const_buffer(part.data(), part.size());
    }
  }
  return n;
}

void FrameWriter::pump() {
  if (writing_ || error_ || discarding_) return;
  static_assert(Transport::kMaxBuffers > kWindow);
  std::array<asio::const_buffer, Transport::kMaxBuffers> buffers;
  std::span<const asio::const_buffer> next;
  for (;;) {
    next = std::span(buffers).first(gather(buffers));
    if (next.empty()) return;
    // Before the end of a message somebody may wait to be told that a write has ended.
    const std::size_t bytes = finished_ ? transport_.write_now(next) : 0;
    if (bytes == 0) break;
    took(bytes);
  }
  writing_ = true;
  transport_.write_some(
      next,
      [](void* self, boost::system::error_code ec, std::size_t bytes) {
        static_cast<FrameWriter*>(self)->on_written(ec, bytes);
      },
      this);
}

void FrameWriter::on_written(boost::system::error_code ec, std::size_t bytes) {
  affinity_.check();
  writing_ = false;
  if (ec) {
    if (!error_) error_ = ec;
    if (logs_) discarding_ = true;  // the client may come back for what it did not get
  }
  if (error_ || discarding_) {
    release_all();
    sent_ += bytes;
    signal_.notify();
    return;
  }
  took(bytes);
  if (flush_wanted_)
    flush();
  else
    pump();
  signal_.notify();
}

void FrameWriter::took(std::size_t bytes) noexcept {
  sent_ += bytes;
  while (count_ > 0 && slot(0).sealed) {
    Slot& s = slot(0);
    const std::size_t left = s.end - s.begin;
    if (bytes < left) {
      s.begin += bytes;
      break;
    }
    bytes -= left;
    pop_front();
  }
  while (count_ == 0 && has_shared()) {
    const std::size_t left = shared_part(shared_next_).size() - shared_offset_;
    if (bytes < left) {
      shared_offset_ += bytes;
      break;
    }
    bytes -= left;
    ++shared_next_;
    shared_offset_ = 0;
  }
}

void FrameWriter::pop_front() noexcept {
  Slot& s = slot(0);
  if (!spare_ && !finished_)
    spare_ = std::move(s.frame);
  else
    s.frame.reset();
  first_ = (first_ + 1) % slots_.size();
  --count_;
}

void FrameWriter::release_all() noexcept {
  for (std::size_t i = 0; logs_ && i < count_; ++i) log(slot(i));
  for (auto& s : slots_) {
    // Whoever writes into the void still needs one frame to do it in.
    if (discarding_ && !finished_ && !spare_) spare_ = std::move(s.frame);
    s.frame.reset();
    s.sealed = false;
  }
  first_ = count_ = 0;
  break_count_ = 0;
  drop_encoder();
  shared_ = {};
  shared_parts_ = shared_next_ = shared_offset_ = 0;
  if (!discarding_ || finished_) spare_.reset();
}

Awaitable<Result<>> FrameWriter::finish() {
  affinity_.check();
  leaving_ = true;
  end_log(EventLog::End::whole);
  while (!discarding_ && !error_ && !encoder_ && !has_current() && !open_frame(kWindow)) {
    pump();
    co_await signal_.wait();
  }
  if (!discarding_ && !error_) {
    const bool is_whole = !is_committed();
    if (is_whole) {
      const bool is_long = body_bytes() >= options_.min_encoded;
      commit_form(choose(BodyForm::event_stream));
      if (is_long) begin_encoding();
    }
    if (form_ == BodyForm::event_stream && !has_shared() && !error_) append(top(), kEventEnd);
    bool at_once = is_whole;
    while (encoder_ && !discarding_) {
      if (end_encoding(at_once ? slots_.size() : kWindow - 1) || error_) break;
      at_once = false;
      send_full();
      co_await signal_.wait();
    }
    if (at_once) length_ = body_bytes();
  }
  if (!discarding_ && !error_) {
    finished_ = true;
    spare_.reset();
    for (std::size_t i = 0; i + 1 < count_; ++i)
      if (!slot(i).sealed) seal(slot(i), false);
    seal(current(), true);
    if (current().end == current().begin) {  // HTTP/1.0: the body ends with the connection
      current().frame.reset();
      --count_;
    }
    pump();
    while (!error_ && (writing_ || count_ > 0 || has_shared())) {
      co_await signal_.wait();
    }
  }
  finished_ = true;
  co_await settle();
  release_all();
  spare_.reset();
  if (error_ && !discarding_) co_return error_;
  co_return Result<>{};
}

void FrameWriter::abort() noexcept {
  affinity_.check();
  end_log(EventLog::End::broken);
  finished_ = true;
  if (is_committed()) {
    if (!error_) error_ = make_error_code(Errc::cancelled);
    transport_.abort();
  }
  if (!writing_) {
    release_all();
    spare_.reset();
  }
  signal_.notify();
}

void FrameWriter::discard() noexcept {
  if (discarding_ || finished_) return;
  discarding_ = true;
  form_ = form_ == BodyForm::undecided ? BodyForm::json : form_;
  if (!writing_) release_all();
  signal_.notify();
}

Awaitable<void> FrameWriter::settle() {
  while (writing_) {
    co_await signal_.wait();
  }
}

}  // namespace sluice
