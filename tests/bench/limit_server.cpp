#include "limit_server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace limit {

bool RequestBuffer::receive(int fd) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ == bytes_.size()) bytes_.resize(bytes_.size() * 2);
  const auto got = ::recv(fd, bytes_.data() + end_, bytes_.size() - end_, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) return false;
  end_ += static_cast<std::size_t>(got);
  return true;
}

std::optional<Request> RequestBuffer::take() {
  const std::string_view all(bytes_.data() + begin_, end_ - begin_);
  const auto head_end = all.find("\r\n\r\n");
  if (head_end == std::string_view::npos) return std::nullopt;
  Request request{.head = all.substr(0, head_end + 2), .body = {}};
  std::size_t length = 0;
  for (const std::string_view name : {"Content-Length: ", "content-length: "})
    if (const auto at = request.head.find(name); at != std::string_view::npos)
      length = std::strtoull(request.head.data() + at + name.size(), nullptr, 10);
  if (all.size() < head_end + 4 + length) return std::nullopt;
  request.body = all.substr(head_end + 4, length);
  begin_ += head_end + 4 + length;
  return request;
}

std::string_view member(std::string_view json, std::string_view key) {
  const auto at = json.find(key);
  if (at == std::string_view::npos) return {};
  const auto rest = json.substr(at + key.size());
  return rest.substr(0, std::min(rest.find_first_of(",}"), rest.size()));
}

std::string other_response(const Request& request) {
  const auto id = member(request.body, "\"id\":");
  std::string body;
  std::string status = "200 OK";
  if (!request.head.starts_with("POST")) {
    status = "405 Method Not Allowed";
  } else if (id.empty()) {
    status = "202 Accepted";
  } else if (request.body.find("\"initialize\"") != std::string_view::npos) {
    body = std::string(kBeforeId) + std::string(id) +
           R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
           R"("serverInfo":{"name":"limit","version":"1"}}})";
  } else {
    body = std::string(kBeforeId) + std::string(id) +
           R"(,"error":{"code":-32601,"message":"only tools/call is answered here"}})";
  }
  return "HTTP/1.1 " + status +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

void die(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

int listen_on(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(listener, 4096) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    die("cannot listen on port " + std::to_string(port) + ": " + std::strerror(errno));
  std::printf("port %u\n", unsigned{ntohs(address.sin_port)});
  std::fflush(stdout);
  return listener;
}

int accept_from(int listener) {
  const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  const int on = 1;
  if (fd >= 0) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

}  // namespace limit
