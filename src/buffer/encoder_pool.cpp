#include "buffer/encoder_pool.hpp"

#include <utility>

#include "base/check.hpp"

namespace sluice {

EncoderPool::~EncoderPool() {
  SLUICE_CHECK(in_use_ == 0);
  trim();
}

EncoderPool::Lease EncoderPool::take(ContentCoding coding) {
  affinity_.check();
  const Return back{this};
  if (coding == ContentCoding::identity) return {nullptr, back};
  auto& kept = kept_[static_cast<std::size_t>(coding)];
  if (kept == nullptr) {
    if (!reserve(frames_of(coding))) return {nullptr, back};
    auto made = ContentEncoder::make(coding);
    if (!made) {
      release(frames_of(coding));
      return {nullptr, back};
    }
    kept = *std::move(made);
  }
  ++in_use_;
  return {kept.release(), back};
}

void EncoderPool::give(ContentEncoder* encoder) noexcept {
  affinity_.check();
  --in_use_;
  std::unique_ptr<ContentEncoder> owned(encoder);
  const ContentCoding coding = owned->coding();
  auto& kept = kept_[static_cast<std::size_t>(coding)];
  if (kept == nullptr && !budget_.is_short() && owned->reset()) {
    kept = std::move(owned);
    return;
  }
  owned.reset();
  release(frames_of(coding));
}

void EncoderPool::trim() noexcept {
  for (auto& kept : kept_) {
    if (kept == nullptr) continue;
    const std::size_t frames = frames_of(kept->coding());
    kept.reset();
    release(frames);
  }
}

bool EncoderPool::reserve(std::size_t frames) noexcept {
  for (std::size_t taken = 0; taken < frames; ++taken) {
    if (budget_.take()) continue;
    release(taken);
    return false;
  }
  return true;
}

void EncoderPool::release(std::size_t frames) noexcept {
  for (; frames != 0; --frames) budget_.give();
}

}  // namespace sluice
