#include "load_process.hpp"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace load {
namespace {

std::string folder_of(int pid) { return "/proc/" + std::to_string(pid); }

/// A figure of /proc/PID/status in KiB.
std::int64_t status_kb(int pid, std::string_view key) {
  std::ifstream file(folder_of(pid) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::stoll(line.substr(key.size()));
  return 0;
}

/// CPU time of children that were waited for, in ticks.
std::int64_t ended_children_ticks(int pid) {
  std::ifstream file(folder_of(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto end = text.rfind(')');
  long long user = 0;
  long long system = 0;
  if (end == std::string::npos ||
      std::sscanf(text.c_str() + end + 2,
                  "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld %lld", &user,
                  &system) != 2)
    return 0;
  return user + system;
}

}  // namespace

std::vector<int> ServerProcess::pids() const {
  std::vector<int> all;
  if (pid_ == 0) return all;
  all.push_back(pid_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::error_code gone;
    for (const auto& task :
         std::filesystem::directory_iterator(folder_of(all[i]) + "/task", gone)) {
      std::ifstream children(task.path() / "children");
      for (int child = 0; children >> child;) all.push_back(child);
    }
  }
  return all;
}

std::int64_t ServerProcess::cpu_ns() const {
  std::int64_t sum = 0;
  const auto tick_ns = 1'000'000'000 / ::sysconf(_SC_CLK_TCK);
  for (const int pid : pids()) {
    clockid_t clock{};
    timespec now{};
    if (::clock_getcpuclockid(pid, &clock) == 0 && ::clock_gettime(clock, &now) == 0)
      sum += std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    sum += ended_children_ticks(pid) * tick_ns;
  }
  return sum;
}

std::int64_t ServerProcess::used_kb() const {
  std::int64_t sum = 0;
  for (const int pid : pids()) sum += status_kb(pid, "VmRSS:");
  return sum;
}

std::int64_t ServerProcess::peak_kb() const {
  std::int64_t sum = 0;
  for (const int pid : pids()) sum += status_kb(pid, "VmHWM:");
  return sum;
}

void ServerProcess::forget_peak() const {
  for (const int pid : pids()) std::ofstream(folder_of(pid) + "/clear_refs") << "5";
}

}  // namespace load
