#include "buffer/frame_queue.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.hpp"

namespace sluice {

FrameQueue::FrameQueue(FramePool& pool, const boost::asio::any_io_executor& executor,
                       std::size_t window)
    : pool_(pool), producer_(executor), consumer_(executor), window_(window) {}

std::uint64_t FrameQueue::begin() const noexcept {
  std::uint64_t held = 0;
  for (const Slot& slot : slots_) held += slot.used;
  return end_ - held;
}

std::span<char> FrameQueue::room() {
  SLUICE_DCHECK(!over_);
  if (discarding_ && !slots_.empty()) slots_.back().used = 0;
  const bool has_room = !slots_.empty() && kFrameBytes - slots_.back().used >= kMinRoom;
  if (!has_room) {
    Frame frame;
    if (slots_.size() + taken_ < window_) frame = pool_.take();
    if (!frame) {
      producer_waits_ = true;
      consumer_.notify();
      return {};
    }
    slots_.push_back({std::move(frame), 0});
    if (open_ && slots_.size() > 1) consumer_.notify();
  }
  producer_waits_ = false;
  Slot& slot = slots_.back();
  return {slot.frame.data() + slot.used, kFrameBytes - slot.used};
}

void FrameQueue::commit(std::size_t n) noexcept {
  SLUICE_DCHECK(n <= kFrameBytes - slots_.back().used);
  slots_.back().used += n;
  end_ += n;
}

void FrameQueue::put(std::string_view bytes) noexcept {
  Slot& slot = slots_.back();
  SLUICE_CHECK(bytes.size() <= kFrameBytes - slot.used);
  std::memcpy(slot.frame.data() + slot.used, bytes.data(), bytes.size());
  commit(bytes.size());
}

Awaitable<Result<>> FrameQueue::wait_room() {
  while (room().empty()) {
    // Nobody will give a frame back to whom none was given.
    if (slots_.empty() && taken_ == 0) co_return Errc::frames_exhausted;
    co_await producer_.wait();
  }
  co_return Result<>{};
}

void FrameQueue::line_break() { put("\n"); }

BodySink::Mark FrameQueue::mark() noexcept { return {1, static_cast<std::size_t>(end_), 0}; }

std::optional<std::string> FrameQueue::copy_since(const Mark& mark) {
  std::uint64_t at = begin();
  if (discarding_ || mark.end < at) return std::nullopt;
  std::string out;
  for (const Slot& slot : slots_) {
    const std::uint64_t skip =
        mark.end > at ? std::min<std::uint64_t>(mark.end - at, slot.used) : 0;
    out.append(slot.frame.data() + skip, slot.used - static_cast<std::size_t>(skip));
    at += slot.used;
  }
  return out;
}

bool FrameQueue::rollback(const Mark& mark) noexcept {
  if (discarding_) return true;
  if (mark.end < begin()) {
    if (!rewinds_) return false;
    slots_.clear();
    end_ = mark.end;
    return true;
  }
  // Frames that become empty go, but for the last: there was room, and there still is.
  while (end_ > mark.end) {
    Slot& slot = slots_.back();
    const auto excess =
        static_cast<std::size_t>(std::min<std::uint64_t>(end_ - mark.end, slot.used));
    slot.used -= excess;
    end_ -= excess;
    if (slot.used == 0 && end_ > mark.end) slots_.pop_back();
  }
  return true;
}

void FrameQueue::finish() {
  SLUICE_CHECK(!over_);
  over_ = true;
  producer_waits_ = false;
  if (discarding_) slots_.clear();
  while (!slots_.empty() && slots_.back().used == 0) slots_.pop_back();
  consumer_.notify();
}

bool FrameQueue::can_take() const noexcept {
  if (slots_.empty()) return false;
  return over_ || producer_waits_ || (open_ && slots_.size() > 1);
}

std::optional<FrameQueue::Chunk> FrameQueue::take() {
  SLUICE_DCHECK(taken_ == 0);
  if (!can_take()) return std::nullopt;
  open_ = true;
  Chunk chunk{std::move(slots_.front().frame), slots_.front().used, begin()};
  slots_.pop_front();
  ++taken_;
  return chunk;
}

void FrameQueue::done() noexcept {
  taken_ = 0;
  if (producer_waits_) producer_.notify();
}

Awaitable<void> FrameQueue::wait() {
  if (over_ || can_take()) co_return;
  co_await consumer_.wait();
}

void FrameQueue::discard() noexcept {
  discarding_ = true;
  while (slots_.size() > 1) slots_.pop_front();
  if (over_) slots_.clear();
  producer_.notify();
  consumer_.notify();
}

std::vector<BodyPiece> FrameQueue::pieces() const {
  std::vector<BodyPiece> out;
  bool breaks_line = false;
  for (const Slot& slot : slots_) append_lines(out, {slot.frame.data(), slot.used}, breaks_line);
  return out;
}

void append_lines(std::vector<BodyPiece>& out, std::string_view text, bool& breaks_line) {
  for (;;) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out.push_back({line, std::exchange(breaks_line, false)});
    if (end == std::string_view::npos) return;
    breaks_line = true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace sluice
