#pragma once

#include "config/config.hpp"

namespace sluice::observe {

/// Sets up the log: one line per event on stderr, as text or as JSON.
/// Threads:   once, before other threads log.
void set_up_log(const config::Log& log);

}  // namespace sluice::observe
