#pragma once

namespace sluice {
/// Writes where and what, then aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;
}  // namespace sluice

/// Our own mistake, and memory safety hangs on it: stops the process in every build.
#define SLUICE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::sluice::check_failed(#condition, __FILE__, __LINE__))

/// Our own mistake, checked in debug and sanitizer builds only.
#ifdef NDEBUG
#define SLUICE_DCHECK(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#else
#define SLUICE_DCHECK(condition) SLUICE_CHECK(condition)
#endif
