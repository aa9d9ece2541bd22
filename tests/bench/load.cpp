// A load client: keeps N connections busy with one tools/call each and prints what it saw as one
// JSON line.
//
//   load --port P --tool NAME [--arguments JSON] [--connections N] [--seconds S] [--accept TYPES]
//   [--pid SERVER]
//        [--payload BYTES]
//
// One thread, epoll, no library: what it costs is to be small beside the server. Every answer is
// counted to its last byte (Content-Length or chunks); all answers of a run have to be of one
// length, but for chunk framing.

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::uint16_t port = 8808;
  std::string tool = "about";
  std::string arguments = "{}";
  std::string accept = "application/json, text/event-stream";
  int connections = 1;
  double seconds = 3;
  int pid = 0;
  double payload = 0;
};

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "load: %s\n", what.c_str());
  std::exit(1);
}

/// Counts the body of one response after another.
class ResponseCounter {
 public:
  /// Takes bytes; true when a response is complete (its bytes are all of `in`: one request is out
  /// at a time).
  bool take(std::string_view in) {
    while (!in.empty()) {
      switch (state_) {
        case State::head: {
          head_.append(in);
          const auto end = head_.find("\r\n\r\n");
          if (end == std::string::npos) return false;
          const std::size_t used = in.size() - (head_.size() - end - 4);
          in.remove_prefix(used);
          head_.resize(end + 2);
          if (!head_.starts_with("HTTP/1.1 200")) die("unexpected answer: " + head_.substr(0, 200));
          body_ = 0;
          const auto length = head_.find("Content-Length: ");
          if (length != std::string::npos) {
            left_ = std::strtoull(head_.c_str() + length + 16, nullptr, 10);
            state_ = State::fixed;
            if (left_ == 0) return done();
          } else {
            state_ = State::size;
            line_.clear();
          }
          break;
        }
        case State::fixed: {
          const std::size_t n = std::min<std::size_t>(in.size(), left_);
          left_ -= n;
          body_ += n;
          in.remove_prefix(n);
          if (left_ == 0) return done();
          break;
        }
        case State::size: {
          const auto end = in.find('\n');
          line_.append(in.substr(0, end));
          if (end == std::string_view::npos) return false;
          in.remove_prefix(end + 1);
          left_ = std::strtoull(line_.c_str(), nullptr, 16);
          line_.clear();
          if (left_ == 0) {
            state_ = State::last;
          } else {
            body_ += left_;
            left_ += 2;
            state_ = State::chunk;
          }
          break;
        }
        case State::chunk: {
          const std::size_t n = std::min<std::size_t>(in.size(), left_);
          left_ -= n;
          in.remove_prefix(n);
          if (left_ == 0) state_ = State::size;
          break;
        }
        case State::last: {
          const auto end = in.find('\n');
          if (end == std::string_view::npos) return false;
          return done();
        }
      }
    }
    return false;
  }
  [[nodiscard]] std::uint64_t body() const { return body_; }

 private:
  enum class State { head, fixed, size, chunk, last };
  bool done() {
    state_ = State::head;
    head_.clear();
    return true;
  }
  State state_ = State::head;
  std::string head_;
  std::string line_;
  std::uint64_t left_ = 0;
  std::uint64_t body_ = 0;
};

struct Connection {
  int fd = -1;
  ResponseCounter response;
  Clock::time_point sent;
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    const char* value = argv[i + 1];
    if (key == "--port")
      o.port = static_cast<std::uint16_t>(std::atoi(value));
    else if (key == "--tool")
      o.tool = value;
    else if (key == "--arguments")
      o.arguments = value;
    else if (key == "--accept")
      o.accept = value;
    else if (key == "--connections")
      o.connections = std::atoi(value);
    else if (key == "--seconds")
      o.seconds = std::atof(value);
    else if (key == "--pid")
      o.pid = std::atoi(value);
    else if (key == "--payload")
      o.payload = std::atof(value);
    else
      die("unknown option " + std::string(key));
  }
  return o;
}

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    die("cannot connect");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

std::string request_of(const Options& o) {
  const std::string body =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + o.tool +
      R"(","arguments":)" + o.arguments +
      R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: " +
         o.accept +
         "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + o.tool +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) die("the server closed the connection");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// CPU time of a process so far, in milliseconds.
double cpu_ms(int pid) {
  if (pid == 0) return 0;
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const auto end = text.rfind(')');
  unsigned long user = 0;
  unsigned long system = 0;
  std::sscanf(text.c_str() + end + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
              &system);
  return static_cast<double>(user + system) * 1000.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

int main(int argc, char** argv) {
  const Options o = parse(argc, argv);
  const std::string request = request_of(o);
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<Connection> connections(static_cast<std::size_t>(o.connections));
  for (auto& c : connections) {
    c.fd = connect_to(o.port);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &c;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, c.fd, &event);
  }

  std::vector<double> latencies;
  std::vector<char> buffer(1 << 20);
  std::map<std::uint64_t, std::uint64_t> lengths;
  const double cpu_before = cpu_ms(o.pid);
  const auto start = Clock::now();
  const auto end =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(o.seconds));
  int busy = 0;
  for (auto& c : connections) {
    c.sent = Clock::now();
    send_all(c.fd, request);
    ++busy;
  }
  auto last = start;
  while (busy > 0) {
    epoll_event events[64];
    const int n = ::epoll_wait(poll, events, 64, 10000);
    if (n <= 0) die("no answer within ten seconds");
    for (int i = 0; i < n; ++i) {
      auto& c = *static_cast<Connection*>(events[i].data.ptr);
      const auto got = ::recv(c.fd, buffer.data(), buffer.size(), 0);
      if (got <= 0) die("the server closed the connection");
      if (!c.response.take({buffer.data(), static_cast<std::size_t>(got)})) continue;
      last = Clock::now();
      latencies.push_back(std::chrono::duration<double, std::milli>(last - c.sent).count());
      ++lengths[c.response.body()];
      if (last < end) {
        c.sent = last;
        send_all(c.fd, request);
      } else {
        --busy;
      }
    }
  }
  const double cpu = cpu_ms(o.pid) - cpu_before;
  if (lengths.size() != 1) die("answers of different lengths");
  const double seconds = std::chrono::duration<double>(last - start).count();
  const double calls = static_cast<double>(latencies.size());
  std::sort(latencies.begin(), latencies.end());
  const auto percentile = [&](double p) {
    return latencies[static_cast<std::size_t>(p * static_cast<double>(latencies.size() - 1))];
  };
  std::printf(
      "{\"tool\":\"%s\",\"connections\":%d,\"calls\":%.0f,\"calls_per_s\":%.0f,\"p50_ms\":%.3f,"
      "\"p99_ms\":%.3f,"
      "\"body_bytes\":%llu,\"payload_mb_per_s\":%.1f,\"cpu_ms_per_call\":%.4f,\"cpu_ms_per_mb\":%."
      "4f}\n",
      o.tool.c_str(), o.connections, calls, calls / seconds, percentile(0.5), percentile(0.99),
      static_cast<unsigned long long>(lengths.begin()->first), calls * o.payload / 1e6 / seconds,
      cpu / calls, o.payload > 0 ? cpu / (calls * o.payload / 1e6) : 0.0);
  return 0;
}
