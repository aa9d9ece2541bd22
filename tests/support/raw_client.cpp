#include "support/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "support/deadline.hpp"

namespace sluice::testing {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::optional<std::string> Response::field(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    const auto end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    if (const auto colon = line.find(':');
        colon != std::string_view::npos && same_name(line.substr(0, colon), name)) {
      const auto first = line.find_first_not_of(' ', colon + 1);
      return first == std::string_view::npos ? "" : std::string(line.substr(first));
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 2);
  }
  return std::nullopt;
}

bool Response::is_event_stream() const { return field("Content-Type") == "text/event-stream"; }

RawClient::RawClient(std::uint16_t port, const Options& options) {
  fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (options.receive_buffer > 0)
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &options.receive_buffer,
                 sizeof options.receive_buffer);
  const int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval patience{std::chrono::seconds(kPatience).count(), 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) close();
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool RawClient::send_by_byte(std::string_view bytes) {
  for (const char& c : bytes)
    if (!send({&c, 1})) return false;
  return true;
}

void RawClient::finish_sending() { ::shutdown(fd_, SHUT_WR); }

void RawClient::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void RawClient::reset() {
  const linger now{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close();
}

bool RawClient::fill() {
  if (fd_ < 0) return false;
  pollfd ready{fd_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) <= 0)
    return false;
  char bytes[65536];
  const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
  if (n <= 0) return false;
  in_.append(bytes, static_cast<std::size_t>(n));
  return true;
}

std::string RawClient::read_raw() {
  if (in_.empty() && !fill()) return {};
  return std::exchange(in_, {});
}

bool RawClient::reads_end() {
  if (fd_ < 0) return true;
  pollfd ready{fd_, POLLIN, 0};
  if (!in_.empty() ||
      ::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) <= 0)
    return false;
  char byte = 0;
  return ::recv(fd_, &byte, 1, 0) <= 0;
}

Response RawClient::read_head() {
  Response response;
  std::size_t end = 0;
  while ((end = in_.find("\r\n\r\n")) == std::string::npos)
    if (!fill()) return response;
  response.head = in_.substr(0, end + 2);
  in_.erase(0, end + 4);
  if (response.head.size() > 12) response.status = std::atoi(response.head.c_str() + 9);
  response.is_chunked = response.field("Transfer-Encoding") == "chunked";
  return response;
}

bool RawClient::take_body_piece(Response& response) {
  if (response.is_chunked) {
    std::size_t line = 0;
    while ((line = in_.find("\r\n")) == std::string::npos)
      if (!fill()) return false;
    const std::size_t size = std::strtoul(in_.c_str(), nullptr, 16);
    while (in_.size() < line + 2 + size + 2)
      if (!fill()) return false;
    response.body.append(in_, line + 2, size);
    in_.erase(0, line + 2 + size + 2);
    if (size > 0) response.chunks.push_back(size);
    response.is_complete = size == 0;
    return size > 0;
  }
  const auto length = response.field("Content-Length");
  const std::size_t wanted = length ? std::strtoul(length->c_str(), nullptr, 10) : SIZE_MAX;
  if (response.body.size() >= wanted) {
    response.is_complete = true;
    return false;
  }
  if (in_.empty() && !fill()) {
    response.is_complete = !length;  // the end of the connection is the end of the body
    return false;
  }
  const std::size_t n = std::min(in_.size(), wanted - response.body.size());
  response.body.append(in_, 0, n);
  in_.erase(0, n);
  return true;
}

void RawClient::read_rest(Response& response, bool to_head) {
  if (to_head || response.status == 204 || response.status == 304 || response.status / 100 == 1) {
    response.is_complete = response.status != 0;
    return;
  }
  while (take_body_piece(response)) {
  }
}

bool RawClient::read_until(Response& response, std::string_view text) {
  while (response.body.find(text) == std::string::npos)
    if (!take_body_piece(response)) return response.body.find(text) != std::string::npos;
  return true;
}

Response RawClient::read(bool to_head) {
  Response response = read_head();
  if (response.status != 0) read_rest(response, to_head);
  return response;
}

}  // namespace sluice::testing
