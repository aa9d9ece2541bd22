#include "server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "payload.hpp"

namespace upstream {
namespace {

std::atomic<std::uint64_t> requests{0};
std::atomic<std::uint64_t> completed{0};
std::atomic<std::uint64_t> abandoned{0};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::optional<std::size_t> query_number(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (!pair.starts_with(name) || pair.size() <= name.size() || pair[name.size()] != '=') continue;
    const auto digits = pair.substr(name.size() + 1);
    std::size_t value = 0;
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (ec == std::errc() && end == digits.data() + digits.size()) return value;
  }
  return std::nullopt;
}

/// One client's socket, closed at the end.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  void serve() {
    while (const auto head = next_head())
      if (!answer(*head)) return;
  }

 private:
  /// The next request's head; requests have no body here.
  std::optional<std::string> next_head() {
    for (;;) {
      const auto end = input_.find("\r\n\r\n");
      if (end != std::string::npos) {
        std::string head = input_.substr(0, end);
        input_.erase(0, end + 4);
        return head;
      }
      char bytes[4096];
      const auto n = ::recv(socket_, bytes, sizeof bytes, 0);
      if (n <= 0 || input_.size() > 65536) return std::nullopt;
      input_.append(bytes, static_cast<std::size_t>(n));
    }
  }

  bool send_all(std::string_view head, std::string_view body) {
    iovec parts[2] = {{const_cast<char*>(head.data()), head.size()},
                      {const_cast<char*>(body.data()), body.size()}};
    std::size_t first = 0;
    while (first < 2) {
      msghdr message{};
      message.msg_iov = parts + first;
      message.msg_iovlen = 2 - first;
      auto n = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      for (; first < 2 && static_cast<std::size_t>(n) >= parts[first].iov_len; ++first)
        n -= static_cast<ssize_t>(parts[first].iov_len);
      if (first == 2) break;
      parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + n;
      parts[first].iov_len -= static_cast<std::size_t>(n);
    }
    return true;
  }

  void wait_until_gone() {
    pollfd waiting{socket_, POLLRDHUP, 0};
    while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) {
    }
  }

  bool answer(std::string_view head) {
    const auto line = head.substr(0, head.find("\r\n"));
    const auto target = line.substr(line.find(' ') + 1, line.rfind(' ') - line.find(' ') - 1);
    const auto path = target.substr(0, target.find('?'));
    const auto query =
        path.size() < target.size() ? target.substr(path.size() + 1) : std::string_view();
    if (path == "/stats") return answer_stats();
    if (path != "/data" && !(path.starts_with("/v1/") && path.ends_with("/data")))
      return send_all(
          "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\n",
          "not found\r\n");
    ++requests;
    const bool goes_on = answer_data(query);
    ++(goes_on ? completed : abandoned);
    return goes_on;
  }

  bool answer_stats() {
    const std::string body = "{\"requests\":" + std::to_string(requests) +
                             ",\"completed\":" + std::to_string(completed) +
                             ",\"abandoned\":" + std::to_string(abandoned) + "}";
    return send_all("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n",
                    body);
  }

  bool answer_data(std::string_view query) {
    const auto megabytes = query_number(query, "sizeMb").value_or(1);
    const auto body = payload(query_number(query, "bytes").value_or(megabytes << 20));
    if (const auto delay = query_number(query, "delay_ms")) {
      // Also a wait for the client to go.
      pollfd waiting{socket_, POLLRDHUP, 0};
      if (::poll(&waiting, 1, static_cast<int>(*delay)) > 0) return false;
    }
    std::string head = "HTTP/1.1 " + std::to_string(query_number(query, "status").value_or(200)) +
                       " Status\r\nContent-Type: application/json\r\n";
    if (query_number(query, "chunked").value_or(0) != 0) return send_chunks(head, *body);
    head += "Content-Length: " + std::to_string(body->size()) + "\r\n\r\n";
    const auto pause = query_number(query, "pause_after");
    const auto cut = pause ? pause : query_number(query, "break_after");
    if (!cut) return send_all(head, *body);
    const bool sent =
        send_all(head, std::string_view(*body).substr(0, std::min(*cut, body->size())));
    if (sent && pause) wait_until_gone();
    return false;
  }

  bool send_chunks(std::string head, std::string_view body) {
    constexpr std::size_t kChunk = 16384;
    head += "Transfer-Encoding: chunked\r\n\r\n";
    std::string before = std::move(head);
    while (!body.empty()) {
      const auto piece = body.substr(0, kChunk);
      char size[32];
      std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
      before += size;
      if (!send_all(before, piece)) return false;
      before = "\r\n";
      body.remove_prefix(piece.size());
    }
    return send_all(before, "0\r\n\r\n");
  }

  int socket_;
  std::string input_;
};

}  // namespace

Server::Server(std::uint16_t port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) fail("socket");
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("bind");
  if (::listen(listener_, 1024) != 0) fail("listen");
}

Server::~Server() { ::close(listener_); }

std::uint16_t Server::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail("getsockname");
  return ntohs(address.sin_port);
}

void Server::run() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      fail("accept");
    }
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::thread([socket] {
      Connection connection(socket);
      connection.serve();
    }).detach();
  }
}

}  // namespace upstream
