#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::tools {

/// Which directories the watch descriptors of inotify stand for. One may stand for several: targets
/// can share a directory.
///
/// Threads: one.
class WatchTable {
 public:
  struct Place {
    std::size_t target;
    std::string directory;  ///< Below the target's root, with a slash at its end; empty: the root.
    bool operator==(const Place&) const = default;
  };

  void add(int wd, Place place);
  /// The kernel has given it up.
  void forget(int wd) { places_.erase(wd); }
  /// Empty for one that is not known.
  [[nodiscard]] std::vector<Place> find(int wd) const;
  /// The target has nothing more in that directory and below it. Gives the descriptors that stand
  /// for nothing any more.
  [[nodiscard]] std::vector<int> leave(std::size_t target, std::string_view directory);
  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

 private:
  std::unordered_map<int, std::vector<Place>> places_;
};

}  // namespace sluice::tools
