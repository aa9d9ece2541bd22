#include "buffer/frame_pool.hpp"

#include <new>

#include "base/check.hpp"

namespace sluice {
namespace {
constexpr std::align_val_t kAlign{64};
}

void Frame::reset() noexcept {
  if (data_ == nullptr) return;
  pool_->give(std::exchange(data_, nullptr));
  pool_ = nullptr;
}

FramePool::~FramePool() {
  SLUICE_CHECK(in_use_ == 0);
  trim();
}

Frame FramePool::take() {
  affinity_.check();
  char* data = nullptr;
  if (!free_.empty()) {
    data = free_.back();
    free_.pop_back();
  } else {
    if (!budget_.take()) return {};
    data = static_cast<char*>(::operator new(kFrameBytes, kAlign, std::nothrow));
    if (data == nullptr) {
      budget_.give();
      return {};
    }
  }
  ++in_use_;
  return {this, data};
}

void FramePool::give(char* data) noexcept {
  affinity_.check();
  --in_use_;
  if (free_.size() < keep_ && !budget_.is_short()) {
    free_.push_back(data);  // capacity was reserved
    return;
  }
  ::operator delete(data, kAlign);
  budget_.give();
}

void FramePool::trim() noexcept {
  for (char* data : free_) {
    ::operator delete(data, kAlign);
    budget_.give();
  }
  free_.clear();
}

}  // namespace sluice
