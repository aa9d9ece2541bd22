#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

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

/// The frames of one loop. Free ones are kept for the next call, until trim() finds that they were
/// not needed.
///
/// Threads:   one loop.
/// Bounds:    the shared budget; no free frames are kept where it is short, since other loops cannot
///            use them.
class FramePool {
 public:
  explicit FramePool(FrameBudget& budget) noexcept : budget_(budget) {}
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  /// REQUIRES: in_use() == 0.
  ~FramePool();

  /// An empty Frame where the budget is used up.
  Frame take();
  [[nodiscard]] std::size_t in_use() const noexcept { return in_use_; }
  [[nodiscard]] std::size_t free() const noexcept { return free_count_; }
  /// Gives the frames back to the system that were free all the time since the last trim().
  void trim() noexcept;

 private:
  friend class Frame;
  void give(char* data) noexcept;

  [[nodiscard]] char* pop() noexcept;
  void unmap(char* data) noexcept;

  FrameBudget& budget_;
  char* free_ = nullptr;  // a list through the first bytes of the frames
  std::size_t free_count_ = 0;
  std::size_t unused_ = 0;  // the least that were free since the last trim()
  std::size_t in_use_ = 0;
  [[no_unique_address]] LoopAffinity affinity_;
};

}  // namespace sluice
