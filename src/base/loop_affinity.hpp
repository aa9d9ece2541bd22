#pragma once

#include <thread>

#include "base/check.hpp"

namespace sluice {

/// Checks in debug builds that an object stays on the loop that first used it.
class LoopAffinity {
 public:
  void check() noexcept {
#ifndef NDEBUG
    if (owner_ == std::thread::id{}) owner_ = std::this_thread::get_id();
    SLUICE_CHECK(owner_ == std::this_thread::get_id());
#endif
  }
  /// The next check() decides anew; for objects built on one thread and then handed to their loop.
  void release() noexcept {
#ifndef NDEBUG
    owner_ = {};
#endif
  }

#ifndef NDEBUG
 private:
  std::thread::id owner_;
#endif
};

}  // namespace sluice
