// The limit for any server that fetches results from an HTTP upstream: for each tools/call it reads
// /data?bytes=N of the upstream in pieces of 64 KiB, escapes them, and sends them in chunks as they
// come. It knows nothing else of MCP, checks no UTF-8, and uses no code of the server.
//
//   proxy [--port 0] --upstream PORT [--send-buffer BYTES] [--receive-buffer BYTES]
//
// Prints "port N". N is "bytes" of the arguments. One thread, level-triggered epoll; the upstream
// is not read while the client takes nothing. Buffers are as the kernel gives them, up to 4 MB on
// each leg, or bounded: to clients and from the upstream.

#include <arpa/inet.h>
#include <emmintrin.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limit_server.hpp"

namespace {

constexpr std::size_t kPiece = 65536;
constexpr std::size_t kHeadRoom = 1024;  ///< Response head, chunk size and envelope.
constexpr std::size_t kTailRoom = 64;

/// Of the kernel; 0: as it likes.
struct Buffers {
  int send = 0;
  int receive = 0;
};

/// What stands for `c` within a JSON string; gives its end.
char* escape_one(char c, char* out) {
  if (c == '"' || c == '\\') {
    *out++ = '\\';
    *out++ = c;
    return out;
  }
  return out + std::snprintf(out, 7, "\\u%04x", unsigned{static_cast<unsigned char>(c)});
}

/// Escapes `in` to `out`, which has room for six times as much and 32 bytes more; gives the new end.
/// Copies 16 bytes at a time; for each among them that cannot stay, what follows it is copied once
/// more, behind the escape. Finding the next such byte and going on after it from there costs five
/// times as much where a tenth of the bytes are quotes: the branch is never foreseen.
char* escape(std::string_view in, char* out) {
  const auto load = [](const char* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  const auto store = [](char* to, __m128i bytes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  };
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1F);
  const char* at = in.data();
  const char* const end = at + in.size();
  // Up to 16 bytes past a block are read.
  for (; end - at >= 32; at += 16, out += 16) {
    const __m128i bytes = load(at);
    store(out, bytes);
    const __m128i found =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes));
    for (auto mask = static_cast<unsigned>(_mm_movemask_epi8(found)); mask != 0; mask &= mask - 1) {
      const int i = std::countr_zero(mask);
      char* const after = escape_one(at[i], out + i);
      store(after, load(at + i + 1));
      out = after - (i + 1);
    }
  }
  for (; at < end; ++at) {
    if (*at == '"' || *at == '\\' || static_cast<unsigned char>(*at) < 0x20)
      out = escape_one(*at, out);
    else
      *out++ = *at;
  }
  return out;
}

struct Client;

/// What an event of the poll is about.
struct Watched {
  enum class Kind { listener, client, upstream };
  Watched(Kind k, int socket) : kind(k), fd(socket) {}
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    if (fd >= 0) ::close(fd);
  }
  Kind kind;
  int fd;
  std::uint32_t events = EPOLLIN;
};

struct Upstream : Watched {
  explicit Upstream(int socket) : Watched(Kind::upstream, socket) {}
  Client* client = nullptr;  ///< Null: in the pool.
  std::string head;          ///< As far as it has come; empty again once the body has begun.
  bool in_body = false;
  std::size_t left = 0;
};

struct Client : Watched {
  explicit Client(int socket) : Watched(Kind::client, socket) {}
  limit::RequestBuffer requests;
  Upstream* upstream = nullptr;  ///< While a call is under way.
  std::string id;
  bool head_sent = false;
  std::vector<char> out;  ///< Kept from call to call.
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Proxy {
 public:
  Proxy(int listener, std::uint16_t upstream_port, Buffers buffers)
      : listener_(Watched::Kind::listener, listener),
        poll_(::epoll_create1(0)),
        upstream_port_(upstream_port),
        buffers_(buffers) {
    watch(EPOLL_CTL_ADD, listener_);
  }

  [[noreturn]] void run() {
    for (;;) {
      epoll_event events[256];
      const int n = ::epoll_wait(poll_, events, 256, -1);
      for (int i = 0; i < n; ++i) on_event(*static_cast<Watched*>(events[i].data.ptr));
      // Only now: an event of this batch may have been about one of them.
      ended_clients_.clear();
      ended_upstreams_.clear();
    }
  }

 private:
  void watch(int operation, Watched& what) const {
    epoll_event event{};
    event.events = what.events;
    event.data.ptr = &what;
    ::epoll_ctl(poll_, operation, what.fd, &event);
  }
  void wait_for(Watched& what, std::uint32_t events) const {
    if (what.events == events) return;
    what.events = events;
    watch(EPOLL_CTL_MOD, what);
  }

  void on_event(Watched& what) {
    if (what.fd < 0) return;
    if (what.kind == Watched::Kind::listener) {
      for (int fd = limit::accept_from(what.fd); fd >= 0; fd = limit::accept_from(what.fd)) {
        bound(fd, SO_SNDBUF, buffers_.send);
        watch(EPOLL_CTL_ADD, *new Client(fd));
      }
    } else if (what.kind == Watched::Kind::client) {
      auto& client = static_cast<Client&>(what);
      if (!on_client(client)) end(client);
    } else {
      auto& upstream = static_cast<Upstream&>(what);
      if (upstream.client == nullptr) {
        std::erase(pool_, &upstream);  // The upstream closed what it kept.
        end(upstream);
      } else if (!pump(*upstream.client)) {
        end(*upstream.client);
      }
    }
  }

  void end(Client& client) {
    if (client.upstream != nullptr) end(*client.upstream);
    ::close(std::exchange(client.fd, -1));
    ended_clients_.emplace_back(&client);
  }
  void end(Upstream& upstream) {
    ::close(std::exchange(upstream.fd, -1));
    ended_upstreams_.emplace_back(&upstream);
  }

  bool on_client(Client& client) {
    if (client.begin < client.end) return pump(client);
    if (!client.requests.receive(client.fd)) return false;
    if (client.upstream != nullptr) return true;
    const auto request = client.requests.take();
    return !request || start(client, *request);
  }

  bool start(Client& client, const limit::Request& request) {
    client.out.resize(kHeadRoom + 6 * kPiece + kTailRoom);
    client.begin = client.end = 0;
    if (request.body.find("\"tools/call\"") == std::string_view::npos) {
      const auto response = limit::other_response(request);
      std::memcpy(client.out.data(), response.data(), response.size());
      client.end = response.size();
      return flush(client);
    }
    client.id = limit::member(request.body, "\"id\":");
    client.head_sent = false;
    auto bytes = limit::member(request.body, "\"bytes\":");
    if (bytes.empty()) bytes = "1000000";
    return fetch(client,
                 "GET /data?bytes=" + std::string(bytes) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  }

  bool fetch(Client& client, std::string_view request) {
    if (pool_.empty()) {
      const int fd = connect_upstream();
      if (fd < 0) return false;
      pool_.push_back(new Upstream(fd));
      watch(EPOLL_CTL_ADD, *pool_.back());
    }
    auto& upstream = *pool_.back();
    pool_.pop_back();
    upstream.client = &client;
    upstream.in_body = false;
    client.upstream = &upstream;
    return ::send(upstream.fd, request.data(), request.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(request.size());
  }

  static void bound(int fd, int which, int bytes) {
    if (bytes > 0) ::setsockopt(fd, SOL_SOCKET, which, &bytes, sizeof bytes);
  }

  [[nodiscard]] int connect_upstream() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bound(fd, SO_RCVBUF, buffers_.receive);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(upstream_port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      ::close(fd);
      return -1;
    }
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
  }

  /// Sends what there is. False: the client is gone.
  bool flush(Client& client) {
    while (client.begin < client.end) {
      const auto n = ::send(client.fd, client.out.data() + client.begin, client.end - client.begin,
                            MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) {
        wait_for(client, EPOLLOUT);
        if (client.upstream != nullptr) wait_for(*client.upstream, 0);
        return true;
      }
      if (n < 0) return false;
      client.begin += static_cast<std::size_t>(n);
    }
    wait_for(client, EPOLLIN);
    if (client.upstream != nullptr) wait_for(*client.upstream, EPOLLIN);
    return true;
  }

  /// Moves bytes until one side has to be waited for. False: the call cannot go on.
  bool pump(Client& client) {
    for (;;) {
      if (!flush(client)) return false;
      if (client.begin < client.end || client.upstream == nullptr) return true;
      auto& upstream = *client.upstream;
      const auto got = ::recv(upstream.fd, piece_.data(), piece_.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return true;
      if (got <= 0) return false;
      std::string_view in(piece_.data(), static_cast<std::size_t>(got));
      if (!upstream.in_body && !take_head(upstream, in)) continue;
      if (in.size() > upstream.left) return false;
      upstream.left -= in.size();
      put(client, in, upstream.left == 0);
      if (upstream.left != 0) continue;
      upstream.client = nullptr;
      pool_.push_back(std::exchange(client.upstream, nullptr));
    }
  }

  /// False: more of the head is to come.
  static bool take_head(Upstream& upstream, std::string_view& in) {
    const auto before = upstream.head.size();
    upstream.head.append(in.substr(0, 4096));
    const auto head_end = upstream.head.find("\r\n\r\n");
    if (head_end == std::string::npos) return false;
    in.remove_prefix(head_end + 4 - before);
    constexpr std::string_view kLength = "Content-Length: ";
    const auto at = upstream.head.find(kLength);
    upstream.left = at == std::string::npos
                        ? 0
                        : std::strtoull(upstream.head.c_str() + at + kLength.size(), nullptr, 10);
    upstream.head.clear();
    upstream.in_body = true;
    return true;
  }

  /// One chunk with what `in` is escaped, and what has to stand around it.
  static void put(Client& client, std::string_view in, bool last) {
    char* out = client.out.data();
    const auto append = [&](std::string_view bytes) {
      std::memcpy(out, bytes.data(), bytes.size());
      out += bytes.size();
    };
    if (!client.head_sent)
      append(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
          "Transfer-Encoding: chunked\r\n\r\n");
    char* const size = out;
    append("00000000\r\n");
    const char* const chunk = out;
    if (!client.head_sent) {
      append(limit::kBeforeId);
      append(client.id);
      append(limit::kBeforeText);
      client.head_sent = true;
    }
    out = escape(in, out);
    if (last) append(limit::kAfterText);
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08zx", static_cast<std::size_t>(out - chunk));
    std::memcpy(size, digits, 8);
    append(last ? "\r\n0\r\n\r\n" : "\r\n");
    client.begin = 0;
    client.end = static_cast<std::size_t>(out - client.out.data());
  }

  Watched listener_;
  int poll_;
  std::uint16_t upstream_port_;
  Buffers buffers_;
  std::vector<Upstream*> pool_;
  std::vector<std::unique_ptr<Client>> ended_clients_;
  std::vector<std::unique_ptr<Upstream>> ended_upstreams_;
  std::vector<char> piece_ = std::vector<char>(kPiece);
};

}  // namespace

int main(int argc, char** argv) {
  std::uint16_t port = 0;
  std::uint16_t upstream = 0;
  Buffers buffers;
  for (int i = 1; i + 1 < argc; i += 2) {
    const int value = std::atoi(argv[i + 1]);
    const std::string_view option = argv[i];
    if (option == "--port")
      port = static_cast<std::uint16_t>(value);
    else if (option == "--upstream")
      upstream = static_cast<std::uint16_t>(value);
    else if (option == "--send-buffer")
      buffers.send = value;
    else if (option == "--receive-buffer")
      buffers.receive = value;
    else
      limit::die("proxy: unknown option " + std::string(argv[i]));
  }
  if (upstream == 0)
    limit::die(
        "usage: proxy [--port 0] --upstream PORT [--send-buffer BYTES] [--receive-buffer BYTES]");
  Proxy(limit::listen_on(port), upstream, buffers).run();
}
