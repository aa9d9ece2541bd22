#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "load_process.hpp"

namespace load {

/// The kernel memory that a server's own TCP sockets hold, on every leg: to its clients and to its
/// upstreams. By NETLINK_SOCK_DIAG with INET_DIAG_SKMEMINFO, what `ss -tm` prints.
///
/// Of a socket it counts what came and was not read (rmem_alloc), what was written and is not
/// acknowledged (wmem_queued), what is reserved for it beyond that (fwd_alloc), options (optmem) and
/// the backlog. wmem_alloc is left out: the segments under way share their bytes with wmem_queued.
class SocketMemory {
 public:
  explicit SocketMemory(const ServerProcess& server);
  SocketMemory(const SocketMemory&) = delete;
  SocketMemory& operator=(const SocketMemory&) = delete;
  ~SocketMemory();

  /// Looks now, and keeps the highest.
  void sample();
  [[nodiscard]] std::int64_t peak_bytes() const { return peak_; }
  [[nodiscard]] std::int64_t samples() const { return samples_; }

 private:
  [[nodiscard]] std::int64_t dump(std::uint8_t family);
  bool is_servers(std::uint32_t inode);
  void read_inodes();

  const ServerProcess& server_;
  int netlink_;
  /// Every socket seen so far; one is looked for among the server's once.
  std::unordered_map<std::uint32_t, bool> known_;
  bool inodes_read_ = false;  ///< During this sample; once is enough.
  std::vector<char> buffer_;
  std::int64_t peak_ = 0;
  std::int64_t samples_ = 0;
};

}  // namespace load
