#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace sluice::mcp {

/// Takes one from a counter that has room, and gives it back.
class Permit {
 public:
  Permit(std::atomic<std::uint32_t>& counter, std::uint32_t max) noexcept : counter_(counter) {
    held_ = counter_.fetch_add(1) < max;
    if (!held_) counter_.fetch_sub(1);
  }
  Permit(Permit&& other) noexcept
      : counter_(other.counter_), held_(std::exchange(other.held_, false)) {}
  Permit& operator=(Permit&&) = delete;
  ~Permit() { release(); }
  [[nodiscard]] bool is_held() const noexcept { return held_; }
  void release() noexcept {
    if (held_) counter_.fetch_sub(1);
    held_ = false;
  }

 private:
  std::atomic<std::uint32_t>& counter_;
  bool held_;
};

}  // namespace sluice::mcp
