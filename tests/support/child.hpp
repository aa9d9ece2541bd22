#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sluice::testing {

/// A started program whose stdout and stderr are collected. Killed, if it still runs, when this
/// dies.
///
/// Threads: one caller; two of its own read the pipes.
class Child {
 public:
  using Environment = std::map<std::string, std::string>;

  /// `environment` is added to ours.
  explicit Child(std::vector<std::string> argv, const Environment& environment = {});
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void signal(int number) const;
  /// Exit status, or 128 and the signal's number, as a shell says it; nullopt where it goes on
  /// beyond all patience.
  [[nodiscard]] std::optional<int> wait();
  [[nodiscard]] bool is_running();

  [[nodiscard]] std::string out();
  [[nodiscard]] std::string err();
  /// Waits until stderr holds `text`; false where the program ends without, or patience does.
  [[nodiscard]] bool wait_err(std::string_view text);

 private:
  struct Pipe {
    std::string text;
    bool is_over = false;
  };
  void collect(int fd, Pipe& pipe);
  void note(int status);

  pid_t pid_ = -1;
  std::optional<int> status_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Pipe out_;
  Pipe err_;
  std::thread out_reader_;
  std::thread err_reader_;
};

/// What /proc says of a process.
struct ProcessCounts {
  std::size_t descriptors = 0;
  std::size_t threads = 0;
  std::size_t children = 0;
  std::size_t resident_kb = 0;
  std::size_t peak_kb = 0;
};
[[nodiscard]] ProcessCounts count(pid_t pid);
/// The processes whose parent it is; `zombies` alone where asked.
[[nodiscard]] std::vector<pid_t> children_of(pid_t pid, bool zombies = false);
/// Makes the peak start again from what is resident now.
void reset_peak(pid_t pid);

}  // namespace sluice::testing
