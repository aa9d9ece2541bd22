#pragma once

#include <map>
#include <set>
#include <string>

#include "tools/file_watcher.hpp"

namespace sluice::tools {

/// Collects changes until somebody is told of them.
///
/// Threads: one.
/// Bounds:  FileWatcher::kMaxNames names; more of them are everything.
class PendingChanges {
 public:
  void came(const std::string& path) { note(path, Kind::came); }
  void went(const std::string& path) { note(path, Kind::went); }
  void written(const std::string& path) { note(path, Kind::written); }
  /// A directory with all that is in it has come or gone.
  void directory(const std::string& path);
  void everything();

  [[nodiscard]] bool empty() const noexcept {
    return files_.empty() && directories_.empty() && !all_;
  }
  [[nodiscard]] FileChanges take();

 private:
  enum class Kind : unsigned char { came, went, written };
  struct Story {
    Kind first;
    Kind last;
  };

  void note(const std::string& path, Kind kind);

  std::map<std::string, Story> files_;
  std::set<std::string> directories_;
  bool all_ = false;
};

}  // namespace sluice::tools
