#include "support/socket_memory.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>

namespace sluice::testing {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// The inodes of its sockets: the name that sock_diag gives them too.
std::set<std::uint32_t> sockets_of(pid_t pid) {
  std::set<std::uint32_t> out;
  const std::string prefix = "socket:[";
  std::error_code ec;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", ec)) {
    const std::string name = std::filesystem::read_symlink(entry.path(), ec).string();
    if (!ec && name.starts_with(prefix))
      out.insert(static_cast<std::uint32_t>(std::stoul(name.substr(prefix.size()))));
  }
  return out;
}

class Diagnosis {
 public:
  Diagnosis() : fd_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {
    if (fd_ < 0) fail("socket(NETLINK_SOCK_DIAG)");
  }
  Diagnosis(const Diagnosis&) = delete;
  Diagnosis& operator=(const Diagnosis&) = delete;
  ~Diagnosis() { ::close(fd_); }

  void ask() const {
    struct {
      nlmsghdr header;
      inet_diag_req_v2 request;
    } message{};
    message.header.nlmsg_len = sizeof message;
    message.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    message.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    message.request.sdiag_family = AF_INET;
    message.request.sdiag_protocol = IPPROTO_TCP;
    message.request.idiag_ext = 1U << (INET_DIAG_SKMEMINFO - 1);
    message.request.idiag_states = ~(1U << TCP_LISTEN);
    if (::send(fd_, &message, sizeof message, 0) < 0) fail("send to sock_diag");
  }
  /// Calls `each(inode, unsent, memory)` for every socket of the answer.
  template <class Each>
  void read(Each each) const {
    alignas(nlmsghdr) std::array<char, 32 * 1024> buffer;
    for (;;) {
      const auto got = ::recv(fd_, buffer.data(), buffer.size(), 0);
      if (got < 0) fail("recv from sock_diag");
      std::size_t left = static_cast<std::size_t>(got);
      const char* at = buffer.data();
      while (left >= sizeof(nlmsghdr)) {
        nlmsghdr header;
        std::memcpy(&header, at, sizeof header);
        if (header.nlmsg_type == NLMSG_DONE) return;
        if (header.nlmsg_type == NLMSG_ERROR || header.nlmsg_len > left) {
          errno = EPROTO;
          fail("sock_diag");
        }
        read_one(at + NLMSG_HDRLEN, header.nlmsg_len - NLMSG_HDRLEN, each);
        const std::size_t step = std::min<std::size_t>(NLMSG_ALIGN(header.nlmsg_len), left);
        at += step;
        left -= step;
      }
    }
  }

 private:
  using Memory = std::array<std::uint32_t, SK_MEMINFO_VARS>;

  template <class Each>
  static void read_one(const char* at, std::size_t size, Each each) {
    inet_diag_msg message;
    if (size < sizeof message) return;
    std::memcpy(&message, at, sizeof message);
    std::size_t offset = NLMSG_ALIGN(sizeof message);
    while (offset + sizeof(rtattr) <= size) {
      rtattr attribute;
      std::memcpy(&attribute, at + offset, sizeof attribute);
      if (attribute.rta_len < sizeof attribute) return;
      if (attribute.rta_type == INET_DIAG_SKMEMINFO) {
        Memory memory{};
        std::memcpy(memory.data(), at + offset + RTA_LENGTH(0),
                    std::min<std::size_t>(attribute.rta_len - RTA_LENGTH(0), sizeof memory));
        each(message.idiag_inode, message.idiag_wqueue, memory);
      }
      offset += RTA_ALIGN(attribute.rta_len);
    }
  }

  int fd_;
};

}  // namespace

SocketMemory socket_memory(pid_t pid) {
  const auto sockets = sockets_of(pid);
  SocketMemory out;
  const Diagnosis diagnosis;
  diagnosis.ask();
  diagnosis.read([&](std::uint32_t inode, std::uint32_t unsent, const auto& memory) {
    if (sockets.count(inode) == 0) return;
    ++out.sockets;
    if (unsent > 0) ++out.unsent;
    // What is received and not read, sent and not acknowledged, set aside for either, options, and
    // what came while the socket was busy.
    for (const int one : {SK_MEMINFO_RMEM_ALLOC, SK_MEMINFO_WMEM_QUEUED, SK_MEMINFO_FWD_ALLOC,
                          SK_MEMINFO_OPTMEM, SK_MEMINFO_BACKLOG})
      out.bytes += memory[static_cast<std::size_t>(one)];
  });
  return out;
}

}  // namespace sluice::testing
