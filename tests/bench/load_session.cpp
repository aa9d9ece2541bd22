#include "load_session.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "load_answer.hpp"

namespace load {
namespace {

/// A slow reader's own buffer is not to hide what the server holds for it.
constexpr int kSlowReceiveBuffer = 64 * 1024;

/// Reads one whole response to a request of the opening.
Answer read_opening(int fd, ResponseReader& reader, const std::string& what) {
  AnswerReader message(std::nullopt);
  EventReader events(std::nullopt);
  std::string start;
  char buffer[16384];
  for (bool done = false; !done;) {
    const auto got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Failure(what + ": " + std::strerror(errno));
    if (got == 0 && !reader.ends_with_connection())
      throw Failure(what + ": the server closed the connection");
    if (got == 0) break;
    std::string_view in(buffer, static_cast<std::size_t>(got));
    for (auto step = reader.next(in); step != ResponseReader::Step::more && !done;
         step = reader.next(in)) {
      if (step == ResponseReader::Step::bad) throw Failure(what + ": " + reader.why());
      done = step == ResponseReader::Step::done;
      if (step != ResponseReader::Step::body) continue;
      if (start.size() < 300) start.append(reader.piece().substr(0, 300));
      if (reader.head().status / 100 != 2) continue;
      const bool is_events = reader.head().events;
      if (!(is_events ? events.take(reader.piece()) : message.take(reader.piece())))
        throw Failure(what + ": " + (is_events ? events.why() : message.why()));
    }
  }
  if (reader.head().status / 100 != 2)
    throw Failure(what + ": status " + std::to_string(reader.head().status) + ": " + start);
  if (reader.head().events) return events.answer().value_or(Answer{});
  if (!message.is_empty() && !message.finish()) throw Failure(what + ": " + message.why());
  return message.answer();
}

}  // namespace

int connect_to(const Options& options) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw Failure(std::string("socket: ") + std::strerror(errno));
  // Before connect, so that the window agreed on fits it.
  if (options.rate > 0)
    ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kSlowReceiveBuffer, sizeof kSlowReceiveBuffer);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    const int why = errno;
    ::close(fd);
    throw Failure("cannot connect to port " + std::to_string(options.port) + ": " +
                  std::strerror(why));
  }
  // What never answers is to end the run.
  const timeval patience{30, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string request_head(const Options& options, std::string_view method, const Session& session) {
  std::string head = std::string(method) + " " + options.path +
                     " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(options.port) + "\r\n";
  if (!session.version.empty()) head += "MCP-Protocol-Version: " + session.version + "\r\n";
  if (!session.id.empty()) head += "Mcp-Session-Id: " + session.id + "\r\n";
  for (const auto& field : options.headers) head += field + "\r\n";
  return head;
}

std::string post(const Options& options, const Session& session, std::string_view more_fields,
                 std::string_view body) {
  return request_head(options, "POST", session) +
         "Content-Type: application/json\r\nAccept: " + options.accept + "\r\n" +
         std::string(more_fields) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

Session open_session(const Options& options, int fd) {
  ResponseReader reader;
  Session session;
  if (!send_all(
          fd,
          post(options, session, "",
               R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
               R"("2025-11-25","capabilities":{},"clientInfo":{"name":"load","version":"1"}}})")))
    throw Failure("initialize: the server closed the connection");
  const auto answer = read_opening(fd, reader, "initialize");
  if (!answer.is_response || answer.is_error)
    throw Failure("initialize: " +
                  (answer.error_message.empty() ? "no result" : answer.error_message));
  session.id = reader.head().session;
  session.version = answer.protocol_version;
  if (!send_all(fd, post(options, session, "",
                         R"({"jsonrpc":"2.0","method":"notifications/initialized"})")))
    throw Failure("notifications/initialized: the server closed the connection");
  read_opening(fd, reader, "notifications/initialized");
  return session;
}

}  // namespace load
