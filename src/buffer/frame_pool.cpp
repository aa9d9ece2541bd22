#include "buffer/frame_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/check.hpp"

namespace sluice {
namespace {

#if defined(__SANITIZE_ADDRESS__)
#define SLUICE_FRAMES_FROM_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_FRAMES_FROM_HEAP 1
#endif
#endif

#ifdef SLUICE_FRAMES_FROM_HEAP

// Where the sanitizer sees what is written beside a frame.
constexpr std::align_val_t kAlign{64};

char* map_frame() noexcept {
  return static_cast<char*>(::operator new(kFrameBytes, kAlign, std::nothrow));
}

void unmap_frame(char* data) noexcept { ::operator delete(data, kAlign); }

#else

// Not from the heap: there, small allocations that live on between frames kept the holes from being
// used again, and a process with 10 MiB of frames came to 28 MiB.
char* map_frame() noexcept {
  void* data =
      ::mmap(nullptr, kFrameBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return data == MAP_FAILED ? nullptr : static_cast<char*>(data);
}

void unmap_frame(char* data) noexcept { ::munmap(data, kFrameBytes); }

#endif

}  // namespace

void Frame::reset() noexcept {
  if (data_ == nullptr) return;
  pool_->give(std::exchange(data_, nullptr));
  pool_ = nullptr;
}

FramePool::~FramePool() {
  SLUICE_CHECK(in_use_ == 0);
  while (free_ != nullptr) unmap(pop());
}

char* FramePool::pop() noexcept {
  char* data = free_;
  std::memcpy(&free_, data, sizeof free_);
  --free_count_;
  unused_ = std::min(unused_, free_count_);
  return data;
}

void FramePool::unmap(char* data) noexcept {
  unmap_frame(data);
  budget_.give();
}

Frame FramePool::take() {
  affinity_.check();
  char* data = nullptr;
  if (free_ != nullptr) {
    data = pop();
  } else {
    if (!budget_.take()) return {};
    data = map_frame();
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
  if (budget_.is_short()) {
    unmap(data);
    return;
  }
  std::memcpy(data, &free_, sizeof free_);
  free_ = data;
  ++free_count_;
}

void FramePool::trim() noexcept {
  for (std::size_t left = unused_; left > 0; --left) unmap(pop());
  unused_ = free_count_;
}

}  // namespace sluice
