#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "base/loop_affinity.hpp"
#include "buffer/content_encoder.hpp"
#include "buffer/frame_pool.hpp"

namespace sluice {

/// The encoders of one loop. One of each coding is kept for the next response, so that small ones
/// after one another allocate nothing.
///
/// Ownership: outlives what it lent.
/// Threads:   one loop.
/// Bounds:    the budget of the frames: an encoder counts as the frames that its memory would be. A
///            response for which there is none left goes out as it is.
class EncoderPool {
 public:
  /// Gives an encoder back to its pool.
  struct Return {
    EncoderPool* pool = nullptr;
    void operator()(ContentEncoder* encoder) const noexcept { pool->give(encoder); }
  };
  /// The right to use one encoder, for one content.
  using Lease = std::unique_ptr<ContentEncoder, Return>;

  explicit EncoderPool(FrameBudget& budget) noexcept : budget_(budget) {}
  EncoderPool(const EncoderPool&) = delete;
  EncoderPool& operator=(const EncoderPool&) = delete;
  /// REQUIRES: in_use() == 0.
  ~EncoderPool();

  /// An encoder at the start of a content; empty where the coding is identity, the budget is used up
  /// or the system has no memory.
  [[nodiscard]] Lease take(ContentCoding coding);
  [[nodiscard]] std::size_t in_use() const noexcept { return in_use_; }
  /// Gives the encoders that are kept back to the system.
  void trim() noexcept;

  /// What an encoder counts as.
  [[nodiscard]] static constexpr std::size_t frames_of(ContentCoding coding) noexcept {
    return (ContentEncoder::max_memory(coding) + kFrameBytes - 1) / kFrameBytes;
  }

 private:
  static constexpr std::size_t kCodings = 4;

  [[nodiscard]] bool reserve(std::size_t frames) noexcept;
  void release(std::size_t frames) noexcept;
  void give(ContentEncoder* encoder) noexcept;

  FrameBudget& budget_;
  std::array<std::unique_ptr<ContentEncoder>, kCodings> kept_;
  std::size_t in_use_ = 0;
  [[no_unique_address]] LoopAffinity affinity_;
};

}  // namespace sluice
