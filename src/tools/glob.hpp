#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::tools {

/// Whether a pattern fits a path, both relative and with slashes between their segments.
///
/// In a segment `*` stands for any text, `?` for one byte and `[a-z]` or `[!a-z]` for one of a set;
/// the segment `**` stands for any number of segments. As in a shell, none of them stands for a dot
/// at the beginning of a segment. A pattern without a slash is held against the last segment alone,
/// so that `*.md` means every such file.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path) noexcept;

/// Which files of a directory are meant.
///
/// Threads: immutable, any.
class PathFilter {
 public:
  /// `include` empty: everything that is not hidden.
  PathFilter(std::vector<std::string> include, std::vector<std::string> exclude);

  /// True where some pattern of `include` fits the path, and none of `exclude` fits it or a
  /// directory that it leads through. What is excluded may begin with a dot.
  [[nodiscard]] bool takes(std::string_view path) const noexcept;
  /// False where takes() is false for every path below that directory.
  [[nodiscard]] bool enters(std::string_view directory) const noexcept;

 private:
  [[nodiscard]] bool excludes(std::string_view path) const noexcept;

  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
  bool enters_hidden_ = false;
};

}  // namespace sluice::tools
