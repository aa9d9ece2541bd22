#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::tools {

/// What has changed below a watched directory since the last time.
struct FileChanges {
  std::vector<std::string> files;        ///< Below the root: written, come or gone.
  std::vector<std::string> directories;  ///< With a slash at the end: anything in them.
  bool list = false;                     ///< Files have come or gone.
  bool all = false;                      ///< Any file may have changed.
};

/// Tells what changes below directories, by inotify.
///
/// Directories are watched, never files: so it does not matter whether a file is written in place,
/// renamed over, or gone for a while. What happens within `interval` is told as one change: a file
/// that has come and gone in it not at all. A link that is put somewhere counts as a change of
/// everything, since what it leads to is seen through others (mounted ConfigMaps change so). So
/// does an overflow of the kernel's queue, after which all directories are looked through again.
///
/// Ownership: owns a thread and the targets; the destructor ends both.
/// Threads:   one caller; targets are called on the watcher's thread.
/// Bounds:    `max_directories` are watched, beyond that changes are not seen (the log says so
///            once); the names of kMaxNames files are kept until the next telling, more count as
///            all.
class FileWatcher {
 public:
  static constexpr std::size_t kMaxNames = 1000;

  class Target {
   public:
    virtual ~Target() = default;
    /// The directory, as a path that can be opened.
    [[nodiscard]] virtual const std::string& root() const noexcept = 0;
    /// Whether a file below it counts.
    [[nodiscard]] virtual bool takes(std::string_view path) const = 0;
    /// Whether files below that directory can count.
    [[nodiscard]] virtual bool enters(std::string_view directory) const = 0;
    virtual void changed(const FileChanges& changes) = 0;
  };

  struct Options {
    std::chrono::milliseconds interval{100};
    std::size_t max_directories = 8192;
  };

  /// Watches from when this has returned. What cannot be watched is left out, and the log says why.
  FileWatcher(std::vector<std::unique_ptr<Target>> targets, const Options& options);
  FileWatcher(const FileWatcher&) = delete;
  FileWatcher& operator=(const FileWatcher&) = delete;
  ~FileWatcher();

  /// How many directories are watched. Any thread.
  [[nodiscard]] std::size_t directories() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::tools
