#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "tools/descriptor.hpp"

namespace sluice::tools {

/// A directory below which files are opened, and nothing else.
///
/// The kernel resolves the whole path with the directory as its root of trust (openat2,
/// RESOLVE_BENEATH): `..`, absolute paths and symbolic links may not lead out, not even for a
/// moment, and no text is compared. Links that stay inside work.
///
/// Threads:   immutable, any.
class RootedDirectory {
 public:
  enum class Wait : std::uint8_t {
    may_block,
    never
  };  ///< never: EAGAIN where the disk would be needed.

  /// An open file, or errno. ENODEV where it is there but no regular file.
  struct Opened {
    Descriptor file;
    int error = 0;
    std::uint64_t size = 0;
  };

  /// False, and `problem` says why.
  [[nodiscard]] bool open(const std::string& directory, std::string& problem);
  /// REQUIRES: `path` holds no NUL.
  [[nodiscard]] Opened open_file(const std::string& path, Wait wait) const noexcept;
  /// A directory to read the names of; links are not followed. Empty where it cannot be opened.
  /// May block.
  [[nodiscard]] Descriptor open_directory(const std::string& path) const noexcept;
  /// True for a symbolic link, wherever it leads. May block.
  [[nodiscard]] bool is_link(const std::string& path) const noexcept;
  /// False where there is no such regular file. May block.
  [[nodiscard]] bool stat_file(const std::string& path, struct ::stat& status) const noexcept;

 private:
  Descriptor root_;
  bool has_cached_ = false;  // RESOLVE_CACHED, Linux 5.12
};

}  // namespace sluice::tools
