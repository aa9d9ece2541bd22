#include "load_run.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string_view>

namespace load {
namespace {

// Large enough for few calls, small enough to stay in a core's second-level cache.
constexpr std::size_t kReceive = 256 * 1024;
constexpr auto kTick = std::chrono::milliseconds(5);
constexpr auto kPatience = std::chrono::seconds(120);
constexpr std::uint64_t kMaxErrors = 20;

double ms(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

double own_cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

Run::Run(const Options& options, const ServerProcess& server, SocketMemory* sockets)
    : options_(options),
      server_(server),
      sockets_(sockets),
      poll_(::epoll_create1(EPOLL_CLOEXEC)),
      buffer_(kReceive) {
  if (options.rate > 0 || sockets != nullptr) {
    timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    const timespec tick{0, std::chrono::nanoseconds(kTick).count()};
    const itimerspec every{tick, tick};
    ::timerfd_settime(timer_, 0, &every, nullptr);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = nullptr;
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, timer_, &event);
  }
  for (std::size_t i = 0; i < options.connections; ++i)
    connections_.push_back(std::make_unique<Connection>(options));
}

Run::~Run() {
  if (timer_ >= 0) ::close(timer_);
  ::close(poll_);
}

void Run::measure(Figures& figures) {
  if (options_.warm > 0) {
    Figures forgotten;
    go_on_for(options_.warm, std::numeric_limits<std::uint64_t>::max(), forgotten);
    figures.errors += forgotten.errors;
    figures.first_error = forgotten.first_error;
  }
  const auto cpu = server_.cpu_ns();
  const double own_cpu = own_cpu_ms();
  const auto start = Clock::now();
  go_on_for(options_.seconds,
            options_.calls == 0 ? std::numeric_limits<std::uint64_t>::max() : options_.calls,
            figures);
  figures.cpu_ms = static_cast<double>(server_.cpu_ns() - cpu) / 1e6;
  figures.own_cpu_ms = own_cpu_ms() - own_cpu;
  figures.seconds = ms((busy_ > 0 ? Clock::now() : last_) - start) / 1000;
  figures.unfinished = busy_;
  for (const auto& c : connections_)
    figures.text_bytes = std::max(figures.text_bytes, static_cast<double>(c->text_bytes()));
}

void Run::start_call(Connection& connection, Clock::time_point now) {
  --calls_left_;
  connection.send(now);
  ++busy_;
  // Slow readers are read by the clock.
  if (!connection.newly_opened() || options_.rate > 0) return;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = &connection;
  ::epoll_ctl(poll_, EPOLL_CTL_ADD, connection.fd(), &event);
}

void Run::go_on_for(double seconds, std::uint64_t calls, Figures& figures) {
  const auto start = Clock::now();
  end_ =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  last_ = start;
  auto quiet_since = start;
  auto seen = reads_;
  calls_left_ = calls;
  for (auto& c : connections_)
    if (calls_left_ > 0 && !c->is_busy()) start_call(*c, Clock::now());
  while (busy_ > 0) {
    epoll_event events[256];
    const int n = ::epoll_wait(poll_, events, 256, 1000);
    if (n < 0 && errno != EINTR) throw Failure("epoll_wait failed");
    for (int i = 0; i < n; ++i) {
      if (auto* connection = static_cast<Connection*>(events[i].data.ptr); connection != nullptr)
        take(*connection, buffer_.size(), figures);
      else
        on_tick(figures);
    }
    if (n > 0 && timer_ < 0) continue;
    const auto now = Clock::now();
    if (options_.rate > 0 && now >= end_) return;
    if (reads_ != seen) quiet_since = now;
    seen = reads_;
    if (now - quiet_since > kPatience) throw Failure("nothing came for two minutes");
  }
}

void Run::on_tick(Figures& figures) {
  std::uint64_t ticks = 0;
  if (::read(timer_, &ticks, sizeof ticks) != sizeof ticks) return;
  if (sockets_ != nullptr) sockets_->sample();
  if (options_.rate == 0) return;
  const double per_tick = options_.rate * std::chrono::duration<double>(kTick).count();
  for (auto& c : connections_) {
    if (!c->is_busy()) continue;
    // Time in which nothing was there to read is not caught up with: the reader stays even.
    c->credit = std::min(c->credit + per_tick * static_cast<double>(ticks), 4 * per_tick + 1);
    if (const auto most = static_cast<std::size_t>(c->credit); most > 0) take(*c, most, figures);
  }
}

void Run::take(Connection& connection, std::size_t most, Figures& figures) {
  const int flags = options_.rate > 0 ? MSG_DONTWAIT : 0;
  const auto got = ::recv(connection.fd(), buffer_.data(), std::min(most, buffer_.size()), flags);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  const auto n = got > 0 ? static_cast<std::size_t>(got) : 0;
  ++reads_;
  connection.credit -= static_cast<double>(n);
  figures.received_bytes += static_cast<double>(n);
  // One look at the clock for each read: it is a good part of what this program does for a call.
  const auto now = Clock::now();
  const auto progress = connection.take({buffer_.data(), n}, now);
  if (progress == Connection::Progress::waiting) return;
  --busy_;
  last_ = now;
  if (progress == Connection::Progress::failed) {
    fail(connection, figures);
  } else {
    figures.latency_ms.push_back(ms(last_ - connection.sent()));
    figures.first_byte_ms.push_back(ms(*connection.first_byte() - connection.sent()));
  }
  if (last_ < end_ && calls_left_ > 0) start_call(connection, now);
}

void Run::fail(const Connection& connection, Figures& figures) {
  if (figures.errors++ == 0) {
    figures.first_error = connection.why();
    std::fprintf(stderr, "load: %s\n", connection.why().c_str());
  }
  if (figures.errors >= kMaxErrors && figures.errors > figures.latency_ms.size())
    throw Failure("too many calls failed; the first: " + figures.first_error);
}

}  // namespace load
