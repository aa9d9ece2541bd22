#include "server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace upstream {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void watch(int poll, int operation, int fd, std::uint32_t events, Connection* connection) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = connection;
  if (::epoll_ctl(poll, operation, fd, &event) != 0) fail("epoll_ctl");
}

}  // namespace

Server::Server(std::uint16_t port)
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
      poll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (listener_ < 0 || poll_ < 0) fail("socket");
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("bind");
  if (::listen(listener_, 4096) != 0) fail("listen");
  watch(poll_, EPOLL_CTL_ADD, listener_, EPOLLIN, nullptr);
}

Server::~Server() {
  ::close(listener_);
  ::close(poll_);
}

std::uint16_t Server::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail("getsockname");
  return ntohs(address.sin_port);
}

void Server::run() {
  for (;;) {
    epoll_event events[256];
    const int n = ::epoll_wait(poll_, events, 256, wait_ms());
    if (n < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < n; ++i) {
      if (events[i].data.ptr == nullptr)
        accept_all();
      else
        go_on(*static_cast<Connection*>(events[i].data.ptr), events[i].events);
    }
    go_on_with_the_due();
  }
}

void Server::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0 && errno == EAGAIN) return;
    if (socket < 0) fail("accept");
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>(socket, answers_, counts_);
    auto* const key = connection.get();
    connections_.emplace(key, std::move(connection));
    key->watched = key->waits_for();
    watch(poll_, EPOLL_CTL_ADD, socket, key->watched, key);
  }
}

void Server::go_on(Connection& connection, std::uint32_t events) {
  if (const auto due = connection.due()) {
    const auto [first, last] = due_.equal_range(*due);
    const auto found =
        std::find_if(first, last, [&](const auto& entry) { return entry.second == &connection; });
    if (found != last) due_.erase(found);
  }
  if (!connection.go_on(events)) {
    connections_.erase(&connection);
    return;
  }
  if (const auto due = connection.due()) due_.emplace(*due, &connection);
  const auto waits_for = connection.waits_for();
  if (waits_for == connection.watched) return;
  connection.watched = waits_for;
  watch(poll_, EPOLL_CTL_MOD, connection.socket(), waits_for, &connection);
}

void Server::go_on_with_the_due() {
  while (!due_.empty() && due_.begin()->first <= Connection::Clock::now())
    go_on(*due_.begin()->second, 0);
}

int Server::wait_ms() const {
  if (due_.empty()) return -1;
  const auto left = due_.begin()->first - Connection::Clock::now();
  return static_cast<int>(
      std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
}

}  // namespace upstream
