#pragma once

#include <memory>
#include <vector>

#include "config/config.hpp"
#include "mcp/changes.hpp"
#include "tools/file_watcher.hpp"

namespace sluice::app {

/// What of the file's resources can be watched: files and directories that are read when they are
/// asked for. `changes` outlives the targets.
[[nodiscard]] std::vector<std::unique_ptr<tools::FileWatcher::Target>> watch_targets(
    const config::Config& config, mcp::ResourceChanges& changes);

}  // namespace sluice::app
