// Compressed responses: what the producer writes goes through an encoder on its way into the queue.

#include <utility>

#include "buffer/frame_writer.hpp"

namespace sluice {

/// Where open_frame() finds it.
void FrameWriter::keep_for_encoder(Frame frame) noexcept {
  for (std::size_t i = count_; i < slots_.size(); ++i) {
    if (slot(i).frame) continue;
    slot(i).frame = std::move(frame);
    return;
  }
}

void FrameWriter::begin_encoding() {
  if (options_.coding == ContentCoding::identity || options_.encoders == nullptr) return;
  // One frame for what comes out and one for what is more than it was: with these, what is taken in
  // below always finds room, since each frame that has gone through is free for the next.
  Frame more = pool_.take();
  if (!spare_) spare_ = pool_.take();
  if (more && spare_) encoder_ = options_.encoders->take(options_.coding);
  if (!encoder_) return;
  coding_ = options_.coding;
  std::array<Slot, kWindow + 1> written;
  const std::size_t count = std::exchange(count_, 0);
  for (std::size_t i = 0; i < count; ++i) written[i] = std::move(slot(i));
  keep_for_encoder(std::move(more));
  for (std::size_t i = 0; i < count && !error_; ++i) {
    const bool all = encode(written[i], slots_.size());
    SLUICE_CHECK(all || error_);
    if (i + 1 == count)
      raw_ = std::move(written[i]);
    else
      keep_for_encoder(std::move(written[i].frame));
  }
  for (std::size_t i = count_; i < slots_.size(); ++i) {
    if (!spare_) spare_ = std::move(slot(i).frame);
    slot(i).frame.reset();
  }
}

std::span<char> FrameWriter::encoder_room(std::size_t most) {
  if (!has_current() || free_bytes(current()) < ContentEncoder::kMinRoom)
    if (!open_frame(most)) return {};
  Slot& s = current();
  return {s.frame.data() + s.end, free_bytes(s)};
}

bool FrameWriter::encode(Slot& in, std::size_t most) {
  while (in.begin < in.end) {
    const auto out = encoder_room(most);
    if (out.empty()) return false;
    const auto step = encoder_->step({in.frame.data() + in.begin, in.end - in.begin}, out);
    if (!step) {
      error_ = step.error();
      return false;
    }
    in.begin += step->read;
    current().end += step->written;
  }
  in.begin = in.end = kFront;
  return true;
}

bool FrameWriter::end_encoding(std::size_t most) {
  if (!encode(raw_, most)) return false;
  for (;;) {
    const auto out = encoder_room(most);
    if (out.empty()) return false;
    const auto rest = encoder_->finish(out);
    if (!rest) {
      error_ = rest.error();
      return false;
    }
    current().end += rest->written;
    if (rest->done) break;
  }
  drop_encoder();
  return true;
}

void FrameWriter::flush_encoder() {
  if (!encode(raw_, kWindow - 1)) return;
  for (;;) {
    const auto out = encoder_room(kWindow - 1);
    if (out.empty()) return;
    const auto rest = encoder_->flush(out);
    if (!rest) {
      error_ = rest.error();
      return;
    }
    current().end += rest->written;
    if (rest->done) return;
  }
}

std::span<char> FrameWriter::room_before_encoder() {
  if (error_) return {};
  constexpr std::size_t kLeast = kMinRoom + 16;
  if (free_bytes(raw_) < kLeast) {
    const bool all = encode(raw_, kWindow - 1);
    send_full();
    if (!all) return {};
  }
  return {raw_.frame.data() + raw_.end, free_bytes(raw_)};
}

void FrameWriter::send_full() {
  for (std::size_t i = 0; i + 1 < count_; ++i)
    if (!slot(i).sealed) seal(slot(i), false);
  if (has_current() && free_bytes(current()) < ContentEncoder::kMinRoom) seal(current(), false);
  pump();
}

void FrameWriter::drop_encoder() noexcept {
  encoder_.reset();
  if (discarding_ && !finished_ && !spare_) spare_ = std::move(raw_.frame);
  raw_.frame.reset();
  raw_.begin = raw_.end = 0;
}

}  // namespace sluice
