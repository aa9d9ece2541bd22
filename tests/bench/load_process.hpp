#pragma once

#include <cstdint>
#include <vector>

namespace load {

/// What a server under load costs: its process, with the processes that it started.
///
/// Errors: a process that has gone counts for nothing.
class ServerProcess {
 public:
  /// pid 0: none; every figure is then 0.
  explicit ServerProcess(int pid) : pid_(pid) {}

  /// CPU time so far in ns, of threads that have ended too (the process's CPU clock; of children that
  /// have ended, what /proc gives, in ticks of 10 ms).
  [[nodiscard]] std::int64_t cpu_ns() const;
  /// Memory in use (VmRSS) in KiB.
  [[nodiscard]] std::int64_t used_kb() const;
  /// The most that was in use (VmHWM) since forget_peak(), in KiB.
  [[nodiscard]] std::int64_t peak_kb() const;
  void forget_peak() const;

  /// The process and those it started, as they are now.
  [[nodiscard]] std::vector<int> pids() const;

 private:
  int pid_;
};

}  // namespace load
