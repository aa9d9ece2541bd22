#include "load_streams.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

#include "load_http.hpp"
#include "load_session.hpp"

namespace load {
namespace {

constexpr std::string_view kListenFields =
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
constexpr std::string_view kListen =
    R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":)"
    R"({"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["file:///a"]},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

void read_head(int fd) {
  ResponseReader reader;
  char buffer[4096];
  for (;;) {
    const auto got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got <= 0) throw Failure("a stream: the server closed the connection");
    std::string_view in(buffer, static_cast<std::size_t>(got));
    const auto step = reader.next(in);
    if (step == ResponseReader::Step::more) continue;
    if (step == ResponseReader::Step::bad) throw Failure("a stream: " + reader.why());
    if (reader.head().status != 200 || !reader.head().events)
      throw Failure("a stream: status " + std::to_string(reader.head().status) + " " +
                    std::string(in.substr(0, 300)));
    return;
  }
}

}  // namespace

IdleStreams::~IdleStreams() {
  for (const int fd : sockets_) ::close(fd);
}

void IdleStreams::open(const Options& options) {
  const bool listens = options.stream_kind == Options::Streams::listen;
  Session session;
  for (std::size_t i = 0; i < options.streams; ++i) {
    sockets_.push_back(connect_to(options));
    const int fd = sockets_.back();
    // The stream's own connection opens the session: one connection a stream, none beside.
    if (!listens && i % options.streams_per_session == 0) session = open_session(options, fd);
    const std::string request =
        listens ? post(options, {}, kListenFields, kListen)
                : request_head(options, "GET", session) + "Accept: text/event-stream\r\n\r\n";
    if (!send_all(fd, request)) throw Failure("a stream: the server closed the connection");
    read_head(fd);
  }
}

std::size_t IdleStreams::still_open() const {
  std::size_t open = 0;
  for (const int fd : sockets_) {
    char buffer[4096];
    ssize_t got = 0;
    do got = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    while (got > 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) ++open;
  }
  return open;
}

}  // namespace load
