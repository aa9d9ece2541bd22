// Preloaded into a server: counts what it asks of the kernel on its sockets, into a file that the
// test reads. CallCounter (call_counter.hpp) knows the layout.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "support/call_counter.hpp"

namespace {

using sluice::testing::CallCounts;

CallCounts own{};
CallCounts* counts = &own;

__attribute__((constructor)) void map_counts() {
  const char* path = std::getenv(sluice::testing::kCallCountsFile);
  if (path == nullptr) return;
  const int fd = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ::ftruncate(fd, sizeof(CallCounts)) != 0) return;
  void* memory = ::mmap(nullptr, sizeof(CallCounts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory != MAP_FAILED) counts = static_cast<CallCounts*>(memory);
}

/// The function of that name behind ours.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Before it is sent: who has the answer may look at the count at once.
void count_send() { counts->sends.fetch_add(1, std::memory_order_relaxed); }

ssize_t received(ssize_t n) {
  auto& count = n > 0 ? counts->receives : counts->empty_receives;
  count.fetch_add(1, std::memory_order_relaxed);
  return n;
}

}  // namespace

extern "C" {
ssize_t send(int fd, const void* data, size_t size, int flags) {
  static const auto real = next<ssize_t(int, const void*, size_t, int)>("send");
  count_send();
  return real(fd, data, size, flags);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  static const auto real = next<ssize_t(int, const msghdr*, int)>("sendmsg");
  count_send();
  return real(fd, message, flags);
}
ssize_t recv(int fd, void* data, size_t size, int flags) {
  static const auto real = next<ssize_t(int, void*, size_t, int)>("recv");
  return received(real(fd, data, size, flags));
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
  static const auto real = next<ssize_t(int, msghdr*, int)>("recvmsg");
  return received(real(fd, message, flags));
}
// Also the event descriptor by which one thread wakes another.
ssize_t read(int fd, void* data, size_t size) {
  static const auto real = next<ssize_t(int, void*, size_t)>("read");
  counts->others.fetch_add(1, std::memory_order_relaxed);
  return real(fd, data, size);
}
ssize_t write(int fd, const void* data, size_t size) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  counts->others.fetch_add(1, std::memory_order_relaxed);
  return real(fd, data, size);
}
int epoll_wait(int fd, epoll_event* events, int most, int timeout) {
  static const auto real = next<int(int, epoll_event*, int, int)>("epoll_wait");
  counts->waits.fetch_add(1, std::memory_order_relaxed);
  return real(fd, events, most, timeout);
}
int epoll_ctl(int fd, int operation, int of, epoll_event* event) noexcept {
  static const auto real = next<int(int, int, int, epoll_event*)>("epoll_ctl");
  counts->controls.fetch_add(1, std::memory_order_relaxed);
  return real(fd, operation, of, event);
}
}
