#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/glob.hpp"
#include "tools/rooted_open.hpp"

namespace sluice::tools {

/// The files below a directory that a filter takes, in the order of their paths, some at a time.
/// Nothing of the tree is kept between two calls, so a list is never older than its answer.
///
/// Regular files count, and links to regular files that stay inside; links to directories are not
/// followed. Files that vanish meanwhile, or that may not be looked at, are left out.
///
/// Threads: immutable, any; list() blocks on the disk.
/// Bounds:  a call looks at kMaxLooks files and directories at most and then says where it stopped;
///          it holds about kMaxHeld names; deeper than kMaxDepth it does not go.
class FileTree {
 public:
  static constexpr std::size_t kMaxLooks = 50'000;
  static constexpr std::size_t kMaxHeld = 20'000;
  static constexpr std::size_t kMaxDepth = 64;

  struct File {
    std::string path;  ///< Below the root.
    std::uint64_t size = 0;
    std::int64_t modified = 0;  ///< Seconds since 1970.
  };
  struct Listing {
    std::vector<File> files;
    /// Go on with list(*next, ...), also where nothing was found; nullopt: there are no more.
    std::optional<std::string> next;
  };

  FileTree(const RootedDirectory& root, const PathFilter& filter) : root_(root), filter_(filter) {}

  /// At most `count` files whose path comes after `after`; empty: from the first on.
  /// REQUIRES: count > 0.
  [[nodiscard]] Listing list(std::string_view after, std::size_t count) const;

 private:
  const RootedDirectory& root_;
  const PathFilter& filter_;
};

}  // namespace sluice::tools
