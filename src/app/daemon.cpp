#include "app/daemon.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "app/offer_builder.hpp"
#include "app/watching.hpp"

namespace sluice::app {
namespace {

/// What is read at start only: says so of each part that is not as it was, and puts it back.
template <class Part>
void keep(std::string_view name, Part& fresh, const Part& running) {
  if (fresh == running) return;
  spdlog::warn("{} has changed, which takes effect at the next start", name);
  fresh = running;
}

}  // namespace

std::size_t loop_count(const config::Config& config) noexcept {
  if (config.server.loops != 0) return config.server.loops;
  return std::max(1u, std::thread::hardware_concurrency());
}

Daemon::Daemon(config::Config config)
    : config_(std::make_shared<config::Config>(std::move(config))),
      workers_(std::max(1u, config_->server.workers)),
      subscriptions_(std::make_shared<mcp::Subscriptions>(loop_count(*config_),
                                                          config_->limits.watched_uris)) {}

Daemon::~Daemon() { stop(std::chrono::milliseconds(0)); }

std::vector<config::Complaint> Daemon::prepare(Linked linked) {
  auto built = build_offer(config_, loop_count(*config_), subscriptions_, std::move(linked));
  if (built.offer == nullptr) return std::move(built.complaints);
  service_ =
      std::make_unique<mcp::Service>(*config_, std::move(built.offer), *subscriptions_, workers_);
  server_ = std::make_unique<http::Server>(*config_, *service_, loop_count(*config_));
  return {};
}

std::vector<config::Complaint> Daemon::reload(config::Config config) {
  const auto fresh = std::make_shared<config::Config>(std::move(config));
  // Instructions and lists are told anew to whoever asks.
  auto server = config_->server;
  server.instructions = fresh->server.instructions;
  server.list_page = fresh->server.list_page;
  keep("server", fresh->server, server);
  keep("limits", fresh->limits, config_->limits);
  keep("timeouts", fresh->timeouts, config_->timeouts);
  keep("tasks", fresh->tasks, config_->tasks);
  keep("parking", fresh->parking, config_->parking);
  keep("log", fresh->log, config_->log);
  auto built = build_offer(fresh, loop_count(*config_), subscriptions_);
  if (built.offer != nullptr) {
    // Whatever changes between two watchers is told with the new offer.
    watch(*fresh);
    service_->offer(std::move(built.offer));
  }
  return std::move(built.complaints);
}

std::vector<config::Complaint> all_complaints(config::Loaded loaded) {
  auto out = std::move(loaded.complaints);
  Daemon daemon(std::move(loaded.config));
  auto others = daemon.prepare();
  std::ranges::move(others, std::back_inserter(out));
  sort_by_place(out);
  return out;
}

void Daemon::watch(const config::Config& config) {
  watcher_.reset();
  auto targets = watch_targets(config, *subscriptions_);
  if (targets.empty()) return;
  const tools::FileWatcher::Options options{config.server.watch_interval, config.limits.watches};
  watcher_ = std::make_unique<tools::FileWatcher>(std::move(targets), options);
}

bool Daemon::start(std::string& problem) {
  if (!service_->open(problem) || !server_->listen(problem)) return false;
  watch(*config_);
  if (config_->server.keys.empty())
    spdlog::info(
        "server.keys is empty: a key was made at start, so sessions and request states do not "
        "survive a restart");
  server_->start();
  return true;
}

bool Daemon::drain(std::chrono::milliseconds grace) { return server_->drain(grace); }

void Daemon::stop(std::chrono::milliseconds grace) {
  if (!server_) return;
  watcher_.reset();
  server_->stop(grace);
  workers_.stop();
  // Tools hold connections that live on the server's loops, so they go first.
  service_->forget_offer();
  server_.reset();
  service_.reset();
}

}  // namespace sluice::app
