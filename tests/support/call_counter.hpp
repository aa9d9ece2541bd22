#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::testing {

/// Calls into the kernel, as tests/support/preload/count_calls.cpp counts them in a server that it
/// is preloaded into.
struct CallCounts {
  std::atomic<std::uint64_t> sends;
  std::atomic<std::uint64_t> receives;  ///< That brought bytes.
  std::atomic<std::uint64_t> empty_receives;
  std::atomic<std::uint64_t> others;  ///< read() and write(), of sockets or not.
  std::atomic<std::uint64_t> waits;
  std::atomic<std::uint64_t> controls;  ///< epoll_ctl()
};

/// The environment variable that names the file of the counts.
inline constexpr const char* kCallCountsFile = "SLUICE_TEST_CALL_COUNTS";

}  // namespace sluice::testing
