#pragma once

#include <sys/types.h>

#include <cstddef>

namespace sluice::testing {

/// What the kernel holds for the TCP sockets of a process: no figure of the process itself shows
/// it.
struct SocketMemory {
  std::size_t sockets = 0;  ///< Connected ones.
  std::size_t bytes = 0;    ///< Queued in either direction, with the kernel's own needs.
  std::size_t unsent = 0;   ///< Sockets whose peer has not taken all that was sent.
};

/// Asks the kernel (sock_diag, SK_MEMINFO) for the IPv4 sockets. Throws where it does not say.
[[nodiscard]] SocketMemory socket_memory(pid_t pid);

}  // namespace sluice::testing
