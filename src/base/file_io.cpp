#include "base/file_io.hpp"

#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace sluice {

int open_unnamed(const std::string& directory) noexcept {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  // What file systems and kernels without O_TMPFILE say; anything else would befall mkostemp too.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return -1;
  std::string name = directory + "/sluice-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

int write_all(int fd, std::string_view bytes, std::uint64_t at) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return EIO;
    bytes.remove_prefix(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return 0;
}

int read_all(int fd, std::span<char> to, std::uint64_t at) noexcept {
  while (!to.empty()) {
    const ssize_t n = ::pread(fd, to.data(), to.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return EIO;  // somebody has cut the file
    to = to.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return 0;
}

int read_cached(int fd, std::span<char> to, std::uint64_t at) noexcept {
  while (!to.empty()) {
    const iovec span{to.data(), to.size()};
    const ssize_t n = ::preadv2(fd, &span, 1, static_cast<off_t>(at), RWF_NOWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EOPNOTSUPP ? EAGAIN : errno;
    if (n == 0) return EIO;
    to = to.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return 0;
}

}  // namespace sluice
