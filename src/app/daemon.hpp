#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/linked.hpp"
#include "base/worker_pool.hpp"
#include "config/config.hpp"
#include "config/load.hpp"
#include "http/server.hpp"
#include "mcp/offer.hpp"
#include "mcp/service.hpp"
#include "mcp/subscriptions.hpp"
#include "tools/file_watcher.hpp"

namespace sluice::app {

/// The whole server, made from a configuration.
///
/// Ownership: owns everything that serves; members stand in the order in which they outlive each
///            other.
/// Threads:   one caller.
class Daemon {
 public:
  explicit Daemon(config::Config config);
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  ~Daemon();

  /// Makes all that is offered: of the file, of its plug-ins, then `linked`. What is wrong with them,
  /// in the order of the file; empty: nothing.
  [[nodiscard]] std::vector<config::Complaint> prepare(Linked linked = {});
  /// Offers what another configuration says, from the next request on; its plug-ins are those that
  /// are loaded. Where there are complaints, what was offered stays. REQUIRES: start().
  [[nodiscard]] std::vector<config::Complaint> reload(config::Config config);
  /// Binds and serves. REQUIRES: prepare() found nothing. Errors as text.
  [[nodiscard]] bool start(std::string& problem);
  /// Lets calls finish for `grace`, then ends them. False where a handler blocks a worker thread
  /// and goes on.
  [[nodiscard]] bool drain(std::chrono::milliseconds grace);
  /// The same, then waits for what is left and takes everything down.
  void stop(std::chrono::milliseconds grace);

  [[nodiscard]] const config::Config& config() const noexcept { return *config_; }
  [[nodiscard]] std::shared_ptr<const mcp::Offer> offer() const { return service_->offer(); }
  /// Where to say what has changed; for as long as somebody likes.
  [[nodiscard]] std::shared_ptr<Notifier> notifier() const noexcept { return subscriptions_; }
  [[nodiscard]] const http::Server& server() const noexcept { return *server_; }

 private:
  /// Watches the files that resources of `config` come from, and no others from now on.
  void watch(const config::Config& config);

  std::shared_ptr<config::Config> config_;
  WorkerPool workers_;
  std::shared_ptr<mcp::Subscriptions> subscriptions_;  // plug-ins may keep it
  std::unique_ptr<mcp::Service> service_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<tools::FileWatcher> watcher_;
};

/// For a configuration that the loader complained of: its complaints, and what else is wrong with
/// the parts that hold no fault, in the order of the file. Plug-ins are loaded for that, nothing is
/// served.
[[nodiscard]] std::vector<config::Complaint> all_complaints(config::Loaded loaded);

/// How many loops a configuration asks for.
[[nodiscard]] std::size_t loop_count(const config::Config& config) noexcept;

}  // namespace sluice::app
