#pragma once

#include "app/commands.hpp"
#include "app/daemon.hpp"

namespace sluice::app {

/// Sends one tools/call to a daemon that runs in this process, through its socket as any client
/// would, and prints the result. REQUIRES: started.
[[nodiscard]] int call_over_loopback(const Daemon& daemon, const CallOptions& options);

}  // namespace sluice::app
