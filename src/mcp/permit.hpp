#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace sluice::mcp {

/// Takes one from a counter that has room, and gives it back.
class Permit {
 public:
  Permit(std::atomic<std::uint32_t>& counter, std::uint32_t max) noexcept
      : counter_(counter), max_(max) {
    static_cast<void>(take());
  }
  Permit(Permit&& other) noexcept
      : counter_(other.counter_), max_(other.max_), held_(std::exchange(other.held_, false)) {}
  Permit& operator=(Permit&&) = delete;
  ~Permit() { release(); }
  [[nodiscard]] bool is_held() const noexcept { return held_; }
  /// Once more after release(); false where there is no room now. Does nothing where it is held.
  [[nodiscard]] bool take() noexcept {
    if (held_) return true;
    held_ = counter_.fetch_add(1) < max_;
    if (!held_) counter_.fetch_sub(1);
    return held_;
  }
  void release() noexcept {
    if (held_) counter_.fetch_sub(1);
    held_ = false;
  }

 private:
  std::atomic<std::uint32_t>& counter_;
  const std::uint32_t max_;
  bool held_ = false;
};

}  // namespace sluice::mcp
