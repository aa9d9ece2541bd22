#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/loop_affinity.hpp"

namespace sluice {

inline constexpr std::size_t kFrameBytes = 64 * 1024;

/// How many frames there may be in the whole process (`limits.frames`).
///
/// Threads:   any.
class FrameBudget {
 public:
  explicit FrameBudget(std::size_t bytes) noexcept : max_(bytes / kFrameBytes) {}
  [[nodiscard]] bool take() noexcept {
    if (used_.fetch_add(1, std::memory_order_relaxed) < max_) return true;
    used_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  void give() noexcept { used_.fetch_sub(1, std::memory_order_relaxed); }
  [[nodiscard]] std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
  /// More than half of it is in use or kept.
  [[nodiscard]] bool is_short() const noexcept { return used() > max_ / 2; }

 private:
  const std::size_t max_;
  std::atomic<std::size_t> used_{0};
};

class FramePool;

/// 64 KiB of a FramePool; gives them back when it dies. Empty when default made or moved from.
///
/// Ownership: the pool owns the bytes and outlives its frames.
/// Threads:   the pool's loop.
class [[nodiscard]] Frame {
 public:
  Frame() noexcept = default;
  Frame(Frame&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}
  Frame& operator=(Frame&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Frame() { reset(); }

  [[nodiscard]] explicit operator bool() const noexcept { return data_ != nullptr; }
  [[nodiscard]] char* data() const noexcept { return data_; }
  void reset() noexcept;

 private:
  friend class FramePool;
  Frame(FramePool* pool, char* data) noexcept : pool_(pool), data_(data) {}
  FramePool* pool_ = nullptr;
  char* data_ = nullptr;
};

/// The frames of one loop. A few free ones are kept for the next call; the rest go back to the
/// system.
///
/// Threads:   one loop.
/// Bounds:    the shared budget; at most `keep` free frames, none where the budget is short, since
///            other loops cannot use them.
class FramePool {
 public:
  explicit FramePool(FrameBudget& budget, std::size_t keep = 32) : budget_(budget), keep_(keep) {
    free_.reserve(keep);
  }
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  /// REQUIRES: in_use() == 0.
  ~FramePool();

  /// An empty Frame where the budget is used up.
  Frame take();
  [[nodiscard]] std::size_t in_use() const noexcept { return in_use_; }
  /// Gives the free frames back to the system.
  void trim() noexcept;

 private:
  friend class Frame;
  void give(char* data) noexcept;

  FrameBudget& budget_;
  const std::size_t keep_;
  std::vector<char*> free_;
  std::size_t in_use_ = 0;
  [[no_unique_address]] LoopAffinity affinity_;
};

}  // namespace sluice
