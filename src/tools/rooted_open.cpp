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
  for (int tries = never ? 1 : kTries; tries > 0; --tries) {
    result.file = Descriptor(open_beneath(root_.get(), path.c_str(), kFlags, resolve));
    if (result.file || (errno != EAGAIN && errno != EINTR)) break;
  }
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

}  // namespace sluice::tools
