#pragma once

#include <cstdint>

namespace sluice::schema {

/// The work that one check may still do. Once it is spent, everything that runs on it gives up at
/// once.
class Budget {
 public:
  explicit Budget(std::uint64_t steps) noexcept : left_(steps) {}
  /// False where there is not that much left.
  bool spend(std::uint64_t steps) noexcept {
    if (steps > left_) exhausted_ = true;
    if (exhausted_) return false;
    left_ -= steps;
    return true;
  }
  void exhaust() noexcept { exhausted_ = true; }
  [[nodiscard]] bool is_exhausted() const noexcept { return exhausted_; }
  [[nodiscard]] std::uint64_t left() const noexcept { return exhausted_ ? 0 : left_; }

 private:
  std::uint64_t left_;
  bool exhausted_ = false;
};

}  // namespace sluice::schema
