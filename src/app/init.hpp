#pragma once

namespace sluice::app {

/// Where this process is PID 1 of a container: leaves a small init behind that passes signals on
/// and reaps every orphan, and returns in its child, which goes on as the daemon. Elsewhere does
/// nothing.
///
/// REQUIRES: no other thread yet.
void become_child_of_init();

}  // namespace sluice::app
