#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/descriptor.hpp"

namespace sluice::tools {

/// How a process ended.
struct ExitStatus {
  int code = 0;  ///< Where `signal` is 0.
  int signal = 0;
  bool is_known = true;  ///< Off where somebody else has taken the status.
};

/// A child of ours that leads a session, and so a process group, of its own.
///
/// Ownership: owns the right to reap. Destroyed before reap() has given a status, it kills the
///            group and waits for the leader: the last resort of a loop that is torn down, not the
///            usual way (ChildProcess).
class Process {
 public:
  Process() noexcept = default;
  explicit Process(pid_t pid) noexcept : pid_(pid) {}
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(pid_, other.pid_);
    return *this;
  }
  ~Process();

  /// To every process of the group. Nothing happens after reap() has given a status: the number may
  /// be another's then.
  void signal_group(int signal) noexcept;
  /// The status, once the leader has ended; asks, does not wait.
  [[nodiscard]] std::optional<ExitStatus> reap() noexcept;

 private:
  pid_t pid_ = -1;
};

struct SpawnOptions {
  std::string program;                 ///< A path, also a relative one; PATH is not searched.
  std::vector<std::string> arguments;  ///< argv[0] too.
  const std::vector<std::string>* environment = nullptr;  ///< "NAME=value"; required.
  std::string directory;                                  ///< Empty: ours.
  bool has_input = false;                                 ///< Else stdin is /dev/null.
};

/// A process and our ends of its pipes, which do not block.
struct Spawned {
  Process process;
  Descriptor exit;  ///< Readable when the process has ended (pidfd).
  Descriptor input;
  Descriptor output;
  Descriptor errors;
  int error = 0;  ///< errno, where there is no process.
};

/// Starts a program with nothing of ours but its arguments: no descriptors above 2, no blocked or
/// ignored signals, no environment but the one given, no terminal. Blocks until the program is
/// loaded; belongs on the worker pool.
[[nodiscard]] Spawned spawn(const SpawnOptions& options) noexcept;

}  // namespace sluice::tools
