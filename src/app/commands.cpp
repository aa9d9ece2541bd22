#include "app/commands.hpp"

#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "app/daemon.hpp"
#include "app/init.hpp"
#include "app/local_call.hpp"
#include "config/load.hpp"
#include "observe/log.hpp"

namespace sluice::app {
namespace {

/// The daemon of a file, or null with every complaint printed.
std::unique_ptr<Daemon> prepare(const std::string& file,
                                const std::function<void(config::Config&)>& adjust = {}) {
  auto loaded = config::load_file(file);
  if (adjust) adjust(loaded.config);
  observe::set_up_log(loaded.config.log);
  std::unique_ptr<Daemon> daemon;
  std::vector<config::Complaint> problems;
  if (loaded.complaints.empty()) {
    daemon = std::make_unique<Daemon>(std::move(loaded.config));
    problems = daemon->prepare();
  } else {
    problems = all_complaints(std::move(loaded));
  }
  for (const auto& problem : problems) std::cerr << problem.str() << '\n';
  return problems.empty() ? std::move(daemon) : nullptr;
}

sigset_t handled_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, signal);
  return set;
}

/// `limits.connections` is meant to bound connections, not a soft limit that was made for
/// interactive programs.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void reload(Daemon& daemon, const std::string& file) {
  auto loaded = config::load_file(file);
  const auto problems = loaded.complaints.empty() ? daemon.reload(std::move(loaded.config))
                                                  : all_complaints(std::move(loaded));
  for (const auto& problem : problems) spdlog::error("{}", problem.str());
  if (problems.empty())
    spdlog::info("SIGHUP: configuration read, serving {} tools",
                 daemon.offer()->tools->tools().size());
  else
    spdlog::error("SIGHUP: the configuration has faults; what was served before goes on");
}

}  // namespace

int serve(const std::string& file) {
  become_child_of_init();
  // Taken in by sigwait below, also what comes while we start; all threads inherit the mask.
  const sigset_t signals = handled_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();

  const auto daemon = prepare(file);
  if (!daemon) return 1;
  std::string problem;
  if (!daemon->start(problem)) {
    std::cerr << problem << '\n';
    return 1;
  }
  for (const auto& endpoint : daemon->server().endpoints()) {
    const bool v6 = endpoint.address().is_v6();
    spdlog::info("serving {} tools on http://{}{}{}:{}{}", daemon->offer()->tools->tools().size(),
                 v6 ? "[" : "", endpoint.address().to_string(), v6 ? "]" : "", endpoint.port(),
                 daemon->config().server.path);
  }

  int signal = 0;
  while (::sigwait(&signals, &signal) == 0 && signal == SIGHUP) reload(*daemon, file);
  spdlog::info("signal {}: no new connections, up to {} s for calls in progress", signal,
               daemon->config().timeouts.grace.count() / 1000);
  std::thread([signals] {
    int second = 0;
    while (::sigwait(&signals, &second) == 0 && second == SIGHUP) {
    }
    std::_Exit(128 + second);
  }).detach();
  if (!daemon->drain(daemon->config().timeouts.grace)) {
    // Taking things down under a thread that still uses them would crash; whoever stops us will not
    // wait for it.
    spdlog::warn("a tool still blocks a worker thread; ended without it");
    spdlog::default_logger()->flush();
    std::_Exit(0);
  }
  // Only a name look-up can still be running, in a thread of Asio's that cannot be stopped; nobody
  // waits for that.
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::_Exit(0);
  }).detach();
  daemon->stop(std::chrono::milliseconds(0));
  spdlog::info("stopped");
  return 0;
}

int check(const std::string& file) {
  const auto daemon = prepare(file);
  if (!daemon) return 1;
  std::cout << file << ": good, " << daemon->offer()->tools->tools().size() << " tools\n";
  return 0;
}

int list_tools(const std::string& file) {
  const auto daemon = prepare(file);
  if (!daemon) return 1;
  const auto offer = daemon->offer();
  for (const auto& entry : offer->tools->tools())
    std::cout << entry->tool.name << '\t' << entry->tool.description << '\n';
  return 0;
}

int call(const CallOptions& options) {
  const auto daemon = prepare(options.file, [&](config::Config& config) {
    config.server.listen = {{"127.0.0.1", 0}};
    config.server.loops = 1;
    config.log.level = options.explain ? "debug" : "warn";
  });
  if (!daemon) return 2;
  std::string problem;
  if (!daemon->start(problem)) {
    std::cerr << problem << '\n';
    return 2;
  }
  const int status = call_over_loopback(*daemon, options);
  daemon->stop(std::chrono::milliseconds(0));
  return status;
}

}  // namespace sluice::app
