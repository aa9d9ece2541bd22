#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sluice/result_writer.hpp>
#include <span>
#include <string_view>

#include "tools/spawn.hpp"

namespace sluice::tools {

/// A running command: its input is fed and its stderr read on their own, while a coroutine takes
/// its stdout.
///
/// The command has ended when its first process has. What is left of its group is then killed, and
/// what its stdout and stderr still hold is the last of them, whoever else has them open. Dropped
/// before that, the group gets SIGTERM at once and SIGKILL a second later, and the loop reaps it
/// when it ends: nothing waits, no zombie stays.
///
/// Ownership: owns the process and the pipes. After its end the loop's pending operations keep what
///            is needed for the reaping; a loop that is destroyed with such operations kills and
///            reaps on the spot.
/// Threads:   one loop.
/// Bounds:    twice `tail` bytes of stderr; reads go to the caller's memory or the stack.
class ChildProcess {
 public:
  enum class Output : std::uint8_t { bytes, later, end };
  struct Read {
    Output output = Output::later;
    std::size_t bytes = 0;
  };

  /// `input` has to live as long as this. REQUIRES: spawned.error == 0.
  ChildProcess(boost::asio::any_io_executor executor, Spawned spawned, std::string_view input,
               std::size_t tail);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Takes what stdout holds now; does not wait.
  [[nodiscard]] Read read_output(std::span<char> to) noexcept;
  /// Until read_output() is worth another try, or the coroutine is cancelled.
  [[nodiscard]] Awaitable<void> wait_output();
  /// Until the command has ended.
  [[nodiscard]] Awaitable<ExitStatus> wait_exit();

  /// The last bytes of stderr, from the first whole character on.
  [[nodiscard]] std::string_view error_tail() const noexcept;
  /// True where stderr was longer than that.
  [[nodiscard]] bool is_tail_cut() const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace sluice::tools
