#include "support/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/deadline.hpp"

extern char** environ;

namespace sluice::testing {

Child::Child(std::vector<std::string> argv, const Environment& environment) {
  std::vector<std::string> settings;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view entry(*e);
    if (!environment.contains(std::string(entry.substr(0, entry.find('=')))))
      settings.emplace_back(entry);
  }
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  std::vector<char*> arguments;
  for (auto& argument : argv) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  std::vector<char*> variables;
  for (auto& setting : settings) variables.push_back(setting.data());
  variables.push_back(nullptr);

  int out[2];
  int err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) std::abort();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, 0);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    ::execve(arguments[0], arguments.data(), variables.data());
    ::_exit(127);
  }
  ::close(out[1]);
  ::close(err[1]);
  out_reader_ = std::thread([this, fd = out[0]] { collect(fd, out_); });
  err_reader_ = std::thread([this, fd = err[0]] { collect(fd, err_); });
}

Child::~Child() {
  if (is_running()) {
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
  }
  out_reader_.join();
  err_reader_.join();
}

void Child::collect(int fd, Pipe& pipe) {
  char bytes[4096];
  for (;;) {
    const ssize_t n = ::read(fd, bytes, sizeof bytes);
    const std::lock_guard lock(mutex_);
    if (n > 0)
      pipe.text.append(bytes, static_cast<std::size_t>(n));
    else
      pipe.is_over = true;
    changed_.notify_all();
    if (n <= 0) break;
  }
  ::close(fd);
}

void Child::signal(int number) const { ::kill(pid_, number); }

void Child::note(int status) {
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Child::is_running() {
  if (status_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  note(status);
  return false;
}

std::optional<int> Child::wait() {
  const bool ended = eventually([this] { return !is_running(); });
  return ended ? status_ : std::nullopt;
}

std::string Child::out() {
  std::unique_lock lock(mutex_);
  if (status_) changed_.wait_for(lock, std::chrono::seconds(5), [this] { return out_.is_over; });
  return out_.text;
}

std::string Child::err() {
  std::unique_lock lock(mutex_);
  if (status_) changed_.wait_for(lock, std::chrono::seconds(5), [this] { return err_.is_over; });
  return err_.text;
}

bool Child::wait_err(std::string_view text) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPatience,
                    [&] { return err_.is_over || err_.text.find(text) != std::string::npos; });
  return err_.text.find(text) != std::string::npos;
}

ProcessCounts count(pid_t pid) {
  namespace fs = std::filesystem;
  ProcessCounts counts;
  const fs::path proc = "/proc/" + std::to_string(pid);
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(proc / "fd", gone)) {
    static_cast<void>(entry);
    ++counts.descriptors;
  }
  std::ifstream status(proc / "status");
  for (std::string name; status >> name;) {
    if (name == "Threads:") status >> counts.threads;
    if (name == "VmRSS:") status >> counts.resident_kb;
    if (name == "VmHWM:") status >> counts.peak_kb;
  }
  counts.children = children_of(pid).size();
  return counts;
}

std::vector<pid_t> children_of(pid_t pid, bool zombies) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    std::ifstream stat(entry.path() / "stat");
    std::string line;
    if (!std::getline(stat, line)) continue;
    const auto name_end = line.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos || name_end + 4 > line.size()) continue;
    const bool is_zombie = line[name_end + 2] == 'Z';
    if (std::atoi(line.c_str() + name_end + 4) == pid && (is_zombie || !zombies))
      found.push_back(std::atoi(line.c_str()));
  }
  return found;
}

void reset_peak(pid_t pid) { std::ofstream("/proc/" + std::to_string(pid) + "/clear_refs") << "5"; }

}  // namespace sluice::testing
