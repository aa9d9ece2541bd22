#include "tools/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <utility>

namespace sluice::tools {
namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Our stdin, stdout or stderr may be closed, and a pipe then gets such a number, which the moves
/// to 0, 1, 2 in the child would tread on.
bool lift(Descriptor& d) noexcept {
  if (d.get() > 2) return true;
  d = Descriptor(::fcntl(d.get(), F_DUPFD_CLOEXEC, 3));
  return static_cast<bool>(d);
}

bool open_pipe(Pipe& p) noexcept {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  p.read = Descriptor(ends[0]);
  p.write = Descriptor(ends[1]);
  return lift(p.read) && lift(p.write);
}

bool set_nonblocking(const Descriptor& d) noexcept {
  const int flags = ::fcntl(d.get(), F_GETFL);
  return flags >= 0 && ::fcntl(d.get(), F_SETFL, flags | O_NONBLOCK) == 0;
}

/// What happens in the child before the program runs; keeps the first error.
class Actions {
 public:
  Actions() noexcept {
    note(::posix_spawn_file_actions_init(&files_));
    note(::posix_spawnattr_init(&attributes_));
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    note(::posix_spawnattr_setsigdefault(&attributes_, &all));
    note(::posix_spawnattr_setsigmask(&attributes_, &none));
    // A session, not only a group: it also parts the command from our terminal.
    constexpr int kFlags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID;
    note(::posix_spawnattr_setflags(&attributes_, static_cast<short>(kFlags)));
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  void null_input() noexcept {
    note(::posix_spawn_file_actions_addopen(&files_, 0, "/dev/null", O_RDONLY, 0));
  }
  void put(const Descriptor& from, int to) noexcept {
    note(::posix_spawn_file_actions_adddup2(&files_, from.get(), to));
  }
  void close_rest() noexcept { note(::posix_spawn_file_actions_addclosefrom_np(&files_, 3)); }
  void change_to(const std::string& directory) noexcept {
    if (directory.empty()) return;
    note(::posix_spawn_file_actions_addchdir_np(&files_, directory.c_str()));
  }

  [[nodiscard]] int error() const noexcept { return error_; }
  [[nodiscard]] const posix_spawn_file_actions_t* files() const noexcept { return &files_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const noexcept { return &attributes_; }

 private:
  void note(int error) noexcept {
    if (error_ == 0) error_ = error;
  }
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
  int error_ = 0;
};

/// The vector that exec takes. The strings are ours to the end, and nobody writes to them.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const auto& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

Spawned failed(int error) noexcept {
  Spawned result;
  result.error = error;
  return result;
}

Spawned start(const SpawnOptions& options) {
  Pipe in;
  Pipe out;
  Pipe err;
  if ((options.has_input && !open_pipe(in)) || !open_pipe(out) || !open_pipe(err))
    return failed(errno);
  if ((options.has_input && !set_nonblocking(in.write)) || !set_nonblocking(out.read) ||
      !set_nonblocking(err.read)) {
    return failed(errno);
  }
  Actions actions;
  if (options.has_input) {
    actions.put(in.read, 0);
  } else {
    actions.null_input();
  }
  actions.put(out.write, 1);
  actions.put(err.write, 2);
  actions.close_rest();
  actions.change_to(options.directory);
  if (actions.error() != 0) return failed(actions.error());

  const auto argv = pointers(options.arguments);
  const auto envp = pointers(*options.environment);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, options.program.c_str(), actions.files(),
                                  actions.attributes(), argv.data(), envp.data());
  if (error != 0) return failed(error);

  Spawned result;
  result.process = Process(pid);
  // Not pidfd_open(): the header of glibc 2.36 declares it for C alone.
  result.exit = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!result.exit) return failed(errno);
  result.input = std::move(in.write);
  result.output = std::move(out.read);
  result.errors = std::move(err.read);
  return result;
}

}  // namespace

Process::~Process() {
  if (pid_ <= 0) return;
  signal_group(SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Process::signal_group(int signal) noexcept {
  if (pid_ > 0) ::kill(-pid_, signal);
}

std::optional<ExitStatus> Process::reap() noexcept {
  siginfo_t info{};
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG);
  } while (result != 0 && errno == EINTR);
  if (result == 0 && info.si_pid == 0) return std::nullopt;
  pid_ = -1;
  ExitStatus status;
  status.is_known = result == 0;
  if (!status.is_known) return status;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  return status;
}

Spawned spawn(const SpawnOptions& options) noexcept {
  try {
    return start(options);
  } catch (const std::bad_alloc&) {
    return failed(ENOMEM);
  }
}

}  // namespace sluice::tools
