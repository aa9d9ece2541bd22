#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sluice::http {

/// How many bytes of request bodies the process may hold at once (`limits.request_bodies`).
///
/// Threads:   any.
class BodyBudget {
 public:
  explicit BodyBudget(std::uint64_t max) noexcept : max_(max) {}
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= max_) return true;
    give(bytes);
    return false;
  }
  void give(std::uint64_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::uint64_t max_;
  std::atomic<std::uint64_t> used_{0};
};

/// What one body has taken of the budget; given back when it dies. The budget outlives it.
class BodyCharge {
 public:
  BodyCharge() noexcept = default;
  explicit BodyCharge(BodyBudget& budget) noexcept : budget_(&budget) {}
  BodyCharge(BodyCharge&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  BodyCharge& operator=(BodyCharge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~BodyCharge() {
    if (budget_ != nullptr) budget_->give(bytes_);
  }
  [[nodiscard]] bool add(std::size_t bytes) noexcept {
    if (budget_ == nullptr) return true;
    if (!budget_->take(bytes)) return false;
    bytes_ += bytes;
    return true;
  }

 private:
  BodyBudget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace sluice::http
