#include "mcp/json_stream.hpp"

#include <algorithm>

namespace sluice::mcp {

Awaitable<Result<>> JsonStream::drain() {
  for (;;) {
    auto room = sink_.room();
    if (room.empty()) {
      const auto waited = co_await sink_.wait_room();
      if (!waited) co_return waited;
      continue;
    }
    if (pending_.empty()) co_return Result<>{};
    const std::size_t n = std::min(pending_.size(), room.size());
    sink_.put(std::string_view(pending_).substr(0, n));
    pending_.erase(0, n);
  }
}

void JsonStream::open(Coding coding, std::string_view end) {
  if (coding == Coding::raw) raw_.reset();
  coding_ = coding;
  end_ = end;
}

Awaitable<Result<>> JsonStream::encode(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto room = sink_.room();
    if (room.empty() || !pending_.empty()) {
      const auto ready = co_await drain();
      if (!ready) co_return ready;
      continue;
    }
    if (coding_ == Coding::escape) {
      const auto step = escaper_.step(bytes, room);
      sink_.commit(step.written);
      bytes.remove_prefix(step.read);
      bytes_ += step.read;
    } else if (coding_ == Coding::base64) {
      const auto step = base64_.step(bytes, room);
      sink_.commit(step.written);
      bytes.remove_prefix(step.read);
      bytes_ += step.read;
    } else {
      const auto step = raw_.step(bytes, room);
      if (!step) co_return step.error();
      sink_.commit(*step);
      bytes.remove_prefix(*step);
      bytes_ += *step;
    }
  }
  co_return Result<>{};
}

Awaitable<Result<>> JsonStream::close() {
  const auto ready = co_await drain();
  if (!ready) co_return ready;
  const auto room = sink_.room();
  sink_.commit(coding_ == Coding::escape ? escaper_.finish(room) : base64_.finish(room));
  sink_.put(end_);
  coding_ = Coding::none;
  co_return Result<>{};
}

Result<> JsonStream::close_raw() {
  const auto whole = raw_.finish();
  if (whole) coding_ = Coding::none;
  return whole;
}

void JsonStream::cut() noexcept {
  bytes_ -= escaper_.carried();
  escaper_ = json::Escaper();
}

void JsonStream::drop() {
  pending_.clear();
  escaper_ = json::Escaper();
  base64_ = json::Base64Encoder();
  coding_ = Coding::none;
}

void JsonStream::break_long_line() {
  // Clients that read an event line by line are left alone while its lines are far from what others
  // cap them at (1 MiB).
  constexpr std::uint64_t kShortLine = 64 * 1024;
  if (line_bytes_ < kShortLine) return;
  line_bytes_ = 0;
  sink_.line_break();
}

}  // namespace sluice::mcp
