// The limit for any server that sends results from memory: answers each tools/call with bytes that
// were escaped and framed at start, by one writev. It knows nothing else of MCP.
//
//   ready_made [--port 0] [--form json|sse] [--text TEXT | --expect FILE] [--tool NAME=FILE]...
//
// Prints "port N". --text or --expect is the answer to every tool that has no --tool of its own.
// One thread, level-triggered epoll, buffers as the kernel gives them.

#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limit_server.hpp"

namespace {

constexpr std::size_t kIdDigits = 8;  ///< As the load client has them: the head is ready-made too.

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", unsigned{static_cast<unsigned char>(c)});
    out += code;
  }
  return out;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) limit::die("ready_made: cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Payload {
  std::string tool;       ///< As it stands in a request: "name":"NAME"
  std::string before_id;  ///< The head for an id of kIdDigits, and the body up to the id.
  std::string after_id;
};

Payload make_payload(const std::string& tool, std::string_view text, bool events) {
  Payload p;
  if (!tool.empty()) p.tool = "\"name\":\"" + tool + "\"";
  p.after_id = std::string(limit::kBeforeText) + escaped(text) + std::string(limit::kAfterText);
  if (events) p.after_id += "\n\n";
  const std::string start = (events ? "data: " : "") + std::string(limit::kBeforeId);
  p.before_id =
      std::string("HTTP/1.1 200 OK\r\nContent-Type: ") +
      (events ? "text/event-stream\r\nCache-Control: no-cache" : "application/json") +
      "\r\nContent-Length: " + std::to_string(start.size() + kIdDigits + p.after_id.size()) +
      "\r\n\r\n" + start;
  return p;
}

struct Connection {
  explicit Connection(int socket) : fd(socket) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(fd); }

  int fd;
  limit::RequestBuffer requests;
  std::string small;  ///< What is not ready-made, or the id.
  std::array<iovec, 3> parts{};
  std::size_t sent_parts = 3;  ///< parts from here on are still to be sent.
  bool waits = false;          ///< For room in the socket.
};

class Server {
 public:
  Server(int listener, std::vector<Payload> payloads)
      : listener_(listener), poll_(::epoll_create1(0)), payloads_(std::move(payloads)) {
    watch(EPOLL_CTL_ADD, listener_, EPOLLIN, nullptr);
  }

  [[noreturn]] void run() {
    for (;;) {
      epoll_event events[256];
      const int n = ::epoll_wait(poll_, events, 256, -1);
      for (int i = 0; i < n; ++i) {
        auto* c = static_cast<Connection*>(events[i].data.ptr);
        if (c == nullptr) {
          accept_all();
        } else if (!go_on(*c)) {
          delete c;  // Closing takes it out of the poll; it has one event in a batch.
        }
      }
    }
  }

 private:
  void watch(int operation, int fd, std::uint32_t what, void* data) const {
    epoll_event event{};
    event.events = what;
    event.data.ptr = data;
    ::epoll_ctl(poll_, operation, fd, &event);
  }

  void accept_all() {
    for (int fd = limit::accept_from(listener_); fd >= 0; fd = limit::accept_from(listener_))
      watch(EPOLL_CTL_ADD, fd, EPOLLIN, new Connection(fd));
  }

  /// False: the connection has ended.
  bool go_on(Connection& c) {
    if (c.sent_parts == c.parts.size() && !c.requests.receive(c.fd)) return false;
    for (;;) {
      if (!write(c)) return false;
      if (c.waits) return true;
      const auto request = c.requests.take();
      if (!request) return true;
      answer(c, *request);
    }
  }

  void answer(Connection& c, const limit::Request& request) {
    const auto set = [&](std::size_t i, std::string_view bytes) {
      c.parts[i] = {const_cast<char*>(bytes.data()), bytes.size()};
    };
    c.sent_parts = 0;
    c.small = limit::member(request.body, "\"id\":");
    const bool is_call = c.small.size() == kIdDigits &&
                         request.body.find("\"tools/call\"") != std::string_view::npos;
    for (const auto& p : payloads_) {
      if (!is_call || (!p.tool.empty() && request.body.find(p.tool) == std::string_view::npos))
        continue;
      set(0, p.before_id);
      set(1, c.small);
      set(2, p.after_id);
      return;
    }
    c.small = limit::other_response(request);
    set(0, c.small);
    set(1, {});
    set(2, {});
  }

  bool write(Connection& c) {
    while (c.sent_parts < c.parts.size()) {
      const auto rest = std::span(c.parts).subspan(c.sent_parts);
      auto n = ::writev(c.fd, rest.data(), static_cast<int>(rest.size()));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno != EAGAIN) return false;
      if (n < 0) {
        if (!c.waits) watch(EPOLL_CTL_MOD, c.fd, EPOLLOUT, &c);
        c.waits = true;
        return true;
      }
      for (auto& part : rest) {
        const auto used = std::min(static_cast<std::size_t>(n), part.iov_len);
        part.iov_base = static_cast<char*>(part.iov_base) + used;
        part.iov_len -= used;
        n -= static_cast<ssize_t>(used);
        if (part.iov_len > 0) break;
        ++c.sent_parts;
      }
    }
    if (c.waits) watch(EPOLL_CTL_MOD, c.fd, EPOLLIN, &c);
    c.waits = false;
    return true;
  }

  int listener_;
  int poll_;
  std::vector<Payload> payloads_;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint16_t port = 0;
  bool events = false;
  std::string text = "hello";
  std::vector<std::pair<std::string, std::string>> tools;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    const std::string value = argv[i + 1];
    if (key == "--port") {
      port = static_cast<std::uint16_t>(std::atoi(value.c_str()));
    } else if (key == "--form") {
      events = value == "sse";
    } else if (key == "--text") {
      text = value;
    } else if (key == "--expect") {
      text = content_of(value);
    } else if (key == "--tool" && value.find('=') != std::string::npos) {
      const auto equals = value.find('=');
      tools.emplace_back(value.substr(0, equals), content_of(value.substr(equals + 1)));
    } else {
      limit::die("ready_made: unknown option " + std::string(key) + " " + value);
    }
  }
  std::vector<Payload> payloads;
  for (const auto& [name, content] : tools) payloads.push_back(make_payload(name, content, events));
  payloads.push_back(make_payload("", text, events));
  Server(limit::listen_on(port), std::move(payloads)).run();
}
