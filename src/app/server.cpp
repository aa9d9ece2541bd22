#include <sluice/server.hpp>

#include <optional>
#include <utility>

#include "app/daemon.hpp"
#include "app/late_notifier.hpp"
#include "config/load.hpp"

namespace sluice {
namespace {

class LinkedRegistry final : public Registry {
 public:
  void add(Tool tool, std::unique_ptr<ToolHandler> handler) override {
    linked.tools.push_back({std::move(tool), std::move(handler)});
  }
  void add(Prompt prompt, std::unique_ptr<PromptHandler> handler) override {
    linked.prompts.push_back({std::move(prompt), std::move(handler)});
  }
  void add(Resource resource, std::unique_ptr<ToolHandler> handler) override {
    linked.resources.push_back({std::move(resource), std::move(handler)});
  }
  using Registry::add;
  [[nodiscard]] std::string_view settings() const noexcept override { return "{}"; }
  [[nodiscard]] std::shared_ptr<Notifier> notifier() override { return late; }

  app::Linked linked;
  const std::shared_ptr<app::LateNotifier> late = std::make_shared<app::LateNotifier>();
};

}  // namespace

struct Server::Impl {
  LinkedRegistry registry;
  std::optional<config::Config> config;
  std::unique_ptr<app::Daemon> daemon;
  std::vector<std::string> problems;

  bool take(config::Loaded loaded) {
    problems.clear();
    if (loaded.complaints.empty())
      config = std::move(loaded.config);
    else
      tell(app::all_complaints(std::move(loaded)));
    return problems.empty();
  }

  void tell(const std::vector<config::Complaint>& complaints) {
    problems.clear();
    for (const auto& complaint : complaints) problems.push_back(complaint.str());
  }
};

Server::Server() : impl_(std::make_unique<Impl>()) {}
Server::~Server() = default;

Registry& Server::tools() noexcept { return impl_->registry; }

bool Server::configure_file(const std::string& path) {
  return impl_->take(config::load_file(path));
}

bool Server::configure_text(const std::string& yaml, const std::string& name) {
  return impl_->take(config::load_text(yaml, name));
}

bool Server::start() {
  impl_->daemon = std::make_unique<app::Daemon>(impl_->config.value_or(config::Config{}));
  impl_->registry.late->pass_on_to(impl_->daemon->notifier());
  impl_->tell(impl_->daemon->prepare(std::exchange(impl_->registry.linked, {})));
  if (!impl_->problems.empty()) return false;
  std::string problem;
  if (impl_->daemon->start(problem)) return true;
  impl_->problems.push_back(problem);
  return false;
}

const std::vector<std::string>& Server::problems() const noexcept { return impl_->problems; }

std::uint16_t Server::port() const noexcept {
  return impl_->daemon->server().endpoints().front().port();
}

void Server::stop() {
  if (impl_->daemon) impl_->daemon->stop(impl_->daemon->config().timeouts.grace);
}

}  // namespace sluice
