// Preloaded into a server under measurement: counts what it asks the heap for, into a file that the
// measurer maps.
//   COUNT_MALLOC_FILE=/tmp/counts LD_PRELOAD=count_malloc.so sluice serve ...
// The file holds two 64-bit numbers: calls of malloc and its kin, and the bytes they asked for.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct Counts {
  std::atomic<std::uint64_t> calls;
  std::atomic<std::uint64_t> bytes;
};

Counts own{};
Counts* counts = &own;

__attribute__((constructor)) void map_counts() {
  const char* path = std::getenv("COUNT_MALLOC_FILE");
  if (path == nullptr) return;
  const int fd = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ::ftruncate(fd, sizeof(Counts)) != 0) return;
  void* memory = ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory != MAP_FAILED) counts = static_cast<Counts*>(memory);
}

void count(std::size_t bytes) {
  counts->calls.fetch_add(1, std::memory_order_relaxed);
  counts->bytes.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* malloc(std::size_t n) {
  count(n);
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) {
  count(n * size);
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t n) {
  count(n);
  return __libc_realloc(old, n);
}
void* reallocarray(void* old, std::size_t n, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, size, &bytes)) return nullptr;
  return realloc(old, bytes);
}
void* memalign(std::size_t alignment, std::size_t n) {
  count(n);
  return __libc_memalign(alignment, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) {
  count(n);
  return __libc_memalign(alignment, n);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t n) {
  count(n);
  *out = __libc_memalign(alignment, n);
  return *out != nullptr ? 0 : 12;
}
}
