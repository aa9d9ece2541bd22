#include "tools/child_process.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/await.hpp"
#include "base/signal.hpp"

namespace sluice::tools {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Stream = asio::posix::stream_descriptor;

// Time to put things away between SIGTERM and SIGKILL.
constexpr std::chrono::seconds kGrace{1};
// Turns of 16 KiB for one command's stderr before others have theirs.
constexpr int kReadsPerTurn = 16;

/// Writing to a pipe that nobody reads raises SIGPIPE, and there is no flag against it as sockets
/// have one. Blocks the signal for this thread and takes the one that we raised ourselves, so that
/// nothing depends on the process's settings.
class SigpipeGuard {
 public:
  SigpipeGuard() noexcept {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;
  ~SigpipeGuard() {
    if (raised_ && ::sigismember(&before_, SIGPIPE) == 0) {
      constexpr timespec kNow{};
      while (::sigtimedwait(&pipe_, nullptr, &kNow) < 0 && errno == EINTR) {
      }
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  void raised() noexcept { raised_ = true; }

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool raised_ = false;
};

std::size_t waiting_in(int fd) noexcept {
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

void close(Stream& stream) noexcept {
  error_code ignored;
  if (stream.is_open()) stream.close(ignored);
}

void adopt(Stream& stream, Descriptor from) {
  if (!from) return;
  stream.assign(from.get());
  static_cast<void>(from.release());
}

}  // namespace

struct ChildProcess::State : std::enable_shared_from_this<State> {
  State(const asio::any_io_executor& executor, std::string_view in, std::size_t tail_bytes)
      : input_left(in),
        tail_size(tail_bytes),
        exit(executor),
        input(executor),
        output(executor),
        errors(executor),
        grace(executor),
        ended(executor) {}

  void start(Spawned from) {
    process = std::move(from.process);
    adopt(exit, std::move(from.exit));
    adopt(output, std::move(from.output));
    adopt(errors, std::move(from.errors));
    adopt(input, std::move(from.input));
    watch_exit();
    watch_errors();
    if (input.is_open()) feed();
  }

  void watch_exit() {
    exit.async_wait(Stream::wait_read, [self = shared_from_this()](error_code ec) {
      if (!ec) self->on_exit();
    });
  }

  void on_exit() {
    // First the group, then the leader: as long as it is not reaped, the group's number is nobody
    // else's.
    process.signal_group(SIGKILL);
    status = process.reap();
    if (!status) return watch_exit();
    close(exit);
    close(input);
    grace.cancel();
    if (is_dropped) return;
    output_left = waiting_in(output.native_handle());
    drain_errors(waiting_in(errors.native_handle()));
    close(errors);
    error_code ignored;
    output.cancel(ignored);
    ended.notify();
  }

  void watch_errors() {
    errors.async_wait(Stream::wait_read, [self = shared_from_this()](error_code ec) {
      if (!ec && self->errors.is_open()) self->on_errors();
    });
  }

  void on_errors() {
    std::array<char, 16 * 1024> bytes;
    for (int turn = 0; turn < kReadsPerTurn; ++turn) {
      const ssize_t n = ::read(errors.native_handle(), bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) break;
      if (n <= 0) return close(errors);
      keep({bytes.data(), static_cast<std::size_t>(n)});
    }
    watch_errors();
  }

  void drain_errors(std::size_t left) noexcept {
    std::array<char, 16 * 1024> bytes;
    while (left > 0) {
      const ssize_t n = ::read(errors.native_handle(), bytes.data(), std::min(left, bytes.size()));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      keep({bytes.data(), static_cast<std::size_t>(n)});
      left -= static_cast<std::size_t>(n);
    }
  }

  void keep(std::string_view bytes) {
    if (bytes.size() > tail_size) {
      bytes.remove_prefix(bytes.size() - tail_size);
      is_cut = true;
    }
    tail += bytes;
    // Moved only when it has doubled, so each byte is moved once at most.
    if (tail.size() > 2 * tail_size) trim();
  }

  void trim() {
    if (tail.size() <= tail_size) return;
    tail.erase(0, tail.size() - tail_size);
    is_cut = true;
  }

  void feed() {
    SigpipeGuard guard;
    while (!input_left.empty()) {
      const ssize_t n = ::write(input.native_handle(), input_left.data(), input_left.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return watch_input();
      if (n < 0) {
        // The command has had enough; that is its own affair.
        if (errno == EPIPE) guard.raised();
        break;
      }
      input_left.remove_prefix(static_cast<std::size_t>(n));
    }
    close(input);
  }

  void watch_input() {
    input.async_wait(Stream::wait_write, [self = shared_from_this()](error_code ec) {
      if (!ec && self->input.is_open()) self->feed();
    });
  }

  void drop() noexcept {
    is_dropped = true;
    close(input);
    close(output);
    close(errors);
    if (status) return;
    process.signal_group(SIGTERM);
    try {
      grace.expires_after(kGrace);
      grace.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec) self->process.signal_group(SIGKILL);
      });
    } catch (...) {
      process.signal_group(SIGKILL);
    }
  }

  std::string_view input_left;
  const std::size_t tail_size;
  std::string tail;
  bool is_cut = false;
  bool is_dropped = false;
  std::optional<ExitStatus> status;
  std::size_t output_left = 0;  // once there is a status
  Process process;
  Stream exit;
  Stream input;
  Stream output;
  Stream errors;
  asio::steady_timer grace;
  Signal ended;
};

ChildProcess::ChildProcess(asio::any_io_executor executor, Spawned spawned, std::string_view input,
                           std::size_t tail)
    : state_(std::make_shared<State>(executor, input, tail)) {
  state_->start(std::move(spawned));
}

ChildProcess::~ChildProcess() { state_->drop(); }

ChildProcess::Read ChildProcess::read_output(std::span<char> to) noexcept {
  State& s = *state_;
  Read result;
  const std::size_t size = s.status ? std::min(to.size(), s.output_left) : to.size();
  if (size == 0) {
    result.output = Output::end;
    return result;
  }
  ssize_t n = 0;
  do {
    n = ::read(s.output.native_handle(), to.data(), size);
  } while (n < 0 && errno == EINTR);
  if (n > 0) {
    result.output = Output::bytes;
    result.bytes = static_cast<std::size_t>(n);
    if (s.status) s.output_left -= result.bytes;
  } else if (n == 0 || errno != EAGAIN || s.status) {
    result.output = Output::end;
  }
  return result;
}

Awaitable<void> ChildProcess::wait_output() {
  if (state_->status) co_return;
  // Ends with operation_aborted too where the command has ended meanwhile.
  const auto waited = co_await state_->output.async_wait(Stream::wait_read, kAwaitTuple);
  static_cast<void>(waited);
}

Awaitable<ExitStatus> ChildProcess::wait_exit() {
  while (!state_->status) {
    co_await state_->ended.wait();
  }
  co_return *state_->status;
}

std::string_view ChildProcess::error_tail() const noexcept {
  std::string_view tail = state_->tail;
  if (tail.size() > state_->tail_size) tail.remove_prefix(tail.size() - state_->tail_size);
  if (!is_tail_cut()) return tail;
  // A character that was cut gives up to three bytes without their first.
  std::size_t skip = 0;
  while (skip < 3 && skip < tail.size() && (static_cast<unsigned char>(tail[skip]) & 0xC0) == 0x80)
    ++skip;
  return tail.substr(skip);
}

bool ChildProcess::is_tail_cut() const noexcept {
  return state_->is_cut || state_->tail.size() > state_->tail_size;
}

}  // namespace sluice::tools
