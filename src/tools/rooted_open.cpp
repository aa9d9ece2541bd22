#include "tools/rooted_open.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace sluice::tools {
namespace {

constexpr std::uint64_t kBeneath = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
// A rename somewhere above during the look-up makes the kernel give up with EAGAIN rather than
// guess.
constexpr int kTries = 32;

int open_beneath(int root, const char* path, std::uint64_t flags, std::uint64_t resolve) noexcept {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = resolve;
  return static_cast<int>(::syscall(SYS_openat2, root, path, &how, sizeof how));
}

/// The same, again and again while the kernel wants to be asked again.
Descriptor open_now(int root, const char* path, std::uint64_t flags,
                    std::uint64_t resolve) noexcept {
  Descriptor opened;
  for (int tries = kTries; tries > 0; --tries) {
    opened = Descriptor(open_beneath(root, path, flags, resolve));
    if (opened || (errno != EAGAIN && errno != EINTR)) break;
  }
  return opened;
}

}  // namespace

bool RootedDirectory::open(const std::string& directory, std::string& problem) {
  root_ = Descriptor(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root_) {
    problem =
        "cannot open the directory " + directory + ": " + std::generic_category().message(errno);
    return false;
  }
  const Descriptor probe(open_beneath(root_.get(), ".", O_PATH, kBeneath));
  if (!probe) {
    problem = "file tools need the system call openat2 (Linux 5.6), which is not to be had here: " +
              std::generic_category().message(errno);
    return false;
  }
  const Descriptor cached(open_beneath(root_.get(), ".", O_PATH, kBeneath | RESOLVE_CACHED));
  has_cached_ = cached || errno == EAGAIN;
  return true;
}

RootedDirectory::Opened RootedDirectory::open_file(const std::string& path,
                                                   Wait wait) const noexcept {
  Opened result;
  const bool never = wait == Wait::never;
  if (never && !has_cached_) {
    result.error = EAGAIN;
    return result;
  }
  // O_NONBLOCK: opening a FIFO would else wait for somebody to write to it.
  constexpr std::uint64_t kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
  const std::uint64_t resolve = never ? kBeneath | RESOLVE_CACHED : kBeneath;
  result.file = never ? Descriptor(open_beneath(root_.get(), path.c_str(), kFlags, resolve))
                      : open_now(root_.get(), path.c_str(), kFlags, resolve);
  if (!result.file) {
    result.error = errno;
    return result;
  }
  struct stat status{};
  if (::fstat(result.file.get(), &status) != 0) {
    result.error = errno;
  } else if (!S_ISREG(status.st_mode)) {
    result.error = ENODEV;
  } else {
    result.size = static_cast<std::uint64_t>(status.st_size);
  }
  return result;
}

Descriptor RootedDirectory::open_directory(const std::string& path) const noexcept {
  return open_now(root_.get(), path.c_str(), O_RDONLY | O_DIRECTORY,
                  kBeneath | RESOLVE_NO_SYMLINKS);
}

bool RootedDirectory::is_link(const std::string& path) const noexcept {
  const Descriptor link =
      open_now(root_.get(), path.c_str(), O_PATH | O_NOFOLLOW, kBeneath | RESOLVE_NO_SYMLINKS);
  struct stat status{};
  return link && ::fstat(link.get(), &status) == 0 && S_ISLNK(status.st_mode);
}

bool RootedDirectory::stat_file(const std::string& path, struct ::stat& status) const noexcept {
  const Descriptor file = open_now(root_.get(), path.c_str(), O_PATH, kBeneath);
  return file && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace sluice::tools
