#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace sluice::testing {

/// How long a test waits for what must come: long enough for a sanitizer build on a busy machine.
/// Nothing is said about speed by it.
inline constexpr std::chrono::seconds kPatience{60};

/// Asks until it is true, or patience is at an end.
[[nodiscard]] inline bool eventually(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace sluice::testing
