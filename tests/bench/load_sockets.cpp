#include "load_sockets.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace load {
namespace {

/// The states in which a socket can hold bytes: all but LISTEN (10) and TIME_WAIT (6).
constexpr std::uint32_t kStates = 0xFFF & ~(1U << 10 | 1U << 6);

std::int64_t held(const std::uint32_t* memory, std::size_t count) {
  std::int64_t sum = 0;
  for (const std::size_t i : {SK_MEMINFO_RMEM_ALLOC, SK_MEMINFO_WMEM_QUEUED, SK_MEMINFO_FWD_ALLOC,
                              SK_MEMINFO_OPTMEM, SK_MEMINFO_BACKLOG})
    if (i < count) sum += memory[i];
  return sum;
}

}  // namespace

SocketMemory::SocketMemory(const ServerProcess& server)
    : server_(server),
      netlink_(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)),
      buffer_(1 << 18) {}

SocketMemory::~SocketMemory() {
  if (netlink_ >= 0) ::close(netlink_);
}

void SocketMemory::sample() {
  inodes_read_ = false;
  peak_ = std::max(peak_, dump(AF_INET) + dump(AF_INET6));
  ++samples_;
}

void SocketMemory::read_inodes() {
  inodes_read_ = true;
  for (const int pid : server_.pids()) {
    std::error_code gone;
    const auto folder = "/proc/" + std::to_string(pid) + "/fd";
    for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
      std::error_code closed;
      const std::string target = std::filesystem::read_symlink(entry.path(), closed).string();
      constexpr std::string_view kSocket = "socket:[";
      if (closed || !target.starts_with(kSocket)) continue;
      std::uint32_t inode = 0;
      std::from_chars(target.data() + kSocket.size(), target.data() + target.size(), inode);
      known_[inode] = true;
    }
  }
}

bool SocketMemory::is_servers(std::uint32_t inode) {
  // A connection that nobody has accepted yet has no inode.
  if (inode == 0) return false;
  if (const auto found = known_.find(inode); found != known_.end()) return found->second;
  if (!inodes_read_) read_inodes();
  return known_.try_emplace(inode, false).first->second;
}

std::int64_t SocketMemory::dump(std::uint8_t family) {
  struct {
    nlmsghdr header;
    inet_diag_req_v2 request;
  } ask{};
  ask.header.nlmsg_len = sizeof ask;
  ask.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  ask.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  ask.request.sdiag_family = family;
  ask.request.sdiag_protocol = IPPROTO_TCP;
  ask.request.idiag_ext = 1 << (INET_DIAG_SKMEMINFO - 1);
  ask.request.idiag_states = kStates;
  if (::send(netlink_, &ask, sizeof ask, 0) < 0) return 0;
  std::int64_t sum = 0;
  for (;;) {
    const auto got = ::recv(netlink_, buffer_.data(), buffer_.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return sum;
    auto left = static_cast<std::uint32_t>(got);
    for (auto* message = reinterpret_cast<nlmsghdr*>(buffer_.data()); NLMSG_OK(message, left);
         message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) return sum;
      if (message->nlmsg_len < NLMSG_LENGTH(sizeof(inet_diag_msg))) continue;
      const auto* socket = static_cast<const inet_diag_msg*>(NLMSG_DATA(message));
      if (!is_servers(socket->idiag_inode)) continue;
      auto size =
          static_cast<int>(message->nlmsg_len) - static_cast<int>(NLMSG_LENGTH(sizeof *socket));
      for (auto* attribute = reinterpret_cast<const rtattr*>(socket + 1); RTA_OK(attribute, size);
           attribute = RTA_NEXT(attribute, size))
        if (attribute->rta_type == INET_DIAG_SKMEMINFO)
          sum += held(static_cast<const std::uint32_t*>(RTA_DATA(attribute)),
                      RTA_PAYLOAD(attribute) / sizeof(std::uint32_t));
    }
  }
}

}  // namespace load
