#include "app/daemon.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <thread>
#include <tuple>
#include <utility>

#include "http/upstream.hpp"
#include "tools/factory.hpp"
#include "tools/plugin_loader.hpp"

namespace sluice::app {
namespace {

/// By line and column; what has no place, such as tools of the host program, comes last.
void sort_by_place(std::vector<config::Complaint>& complaints) {
  std::multimap<std::tuple<bool, int, int>, config::Complaint>
      sorted;  // equal ones keep their order
  for (auto& c : complaints) {
    const std::tuple place(c.place.file.empty(), c.place.line, c.place.column);
    sorted.emplace(place, std::move(c));
  }
  complaints.clear();
  for (auto& [place, complaint] : sorted) complaints.push_back(std::move(complaint));
}

Tool describe(const config::Tool& tool) {
  Tool out;
  out.name = tool.name;
  out.title = tool.title;
  out.description = tool.description;
  out.input_schema = tool.input_schema;
  out.output_schema = tool.output_schema;
  out.meta = tool.meta;
  out.icons = tool.icons;
  out.annotations.title = tool.annotation_title;
  out.annotations.read_only = tool.read_only;
  out.annotations.destructive = tool.destructive;
  out.annotations.idempotent = tool.idempotent;
  out.annotations.open_world = tool.open_world;
  out.framing = mcp::framing_of(tool.framing);
  out.compression = mcp::compression_of(tool.compression);
  out.timeout = tool.timeout;
  out.concurrency = tool.concurrency;
  out.max_result = tool.max_result;
  if (tool.cache)
    out.cache = CachePolicy{tool.cache->ttl, tool.cache->max_bytes,
                            tool.cache->scope == config::Cache::Scope::caller};
  return out;
}

/// Gives a plug-in its settings and puts its tools where all others go.
class PluginRegistry final : public Registry {
 public:
  PluginRegistry(mcp::Catalogue::Builder& builder, const std::string& settings,
                 std::shared_ptr<Notifier> notifier)
      : builder_(builder), settings_(settings), notifier_(std::move(notifier)) {}
  void add(Tool tool, std::unique_ptr<ToolHandler> handler) override {
    builder_.add(std::move(tool), std::move(handler));
  }
  [[nodiscard]] std::string_view settings() const noexcept override { return settings_; }
  [[nodiscard]] std::shared_ptr<Notifier> notifier() override { return notifier_; }

 private:
  mcp::Catalogue::Builder& builder_;
  const std::string& settings_;
  const std::shared_ptr<Notifier> notifier_;
};

using Upstreams = std::map<std::string, std::shared_ptr<http::Upstream>>;

std::unique_ptr<ToolHandler> make_handler(const config::Tool& tool, const Upstreams& upstreams,
                                          std::string& problem) {
  if (const auto* http = std::get_if<config::HttpTool>(&tool.source)) {
    const auto upstream = upstreams.find(http->source);
    if (upstream == upstreams.end()) return nullptr;  // complained about already
    return tools::make_http_tool(tool, upstream->second, problem);
  }
  if (std::holds_alternative<config::FileTool>(tool.source))
    return tools::make_file_tool(tool, problem);
  if (std::holds_alternative<config::CommandTool>(tool.source))
    return tools::make_command_tool(tool, problem);
  return tools::make_inline_tool(tool, problem);
}

}  // namespace

std::size_t loop_count(const config::Config& config) noexcept {
  if (config.server.loops != 0) return config.server.loops;
  return std::max(1u, std::thread::hardware_concurrency());
}

Daemon::Daemon(config::Config config)
    : config_(std::move(config)),
      workers_(std::max(1u, config_.server.workers)),
      subscriptions_(
          std::make_shared<mcp::Subscriptions>(loop_count(config_), config_.limits.watched_uris)) {}

Daemon::~Daemon() { stop(std::chrono::milliseconds(0)); }

std::vector<config::Complaint> Daemon::prepare(std::vector<LinkedTool> linked) {
  std::vector<config::Complaint> problems;
  Upstreams upstreams;
  for (const auto& source : config_.http_sources) {
    std::string problem;
    auto upstream = http::Upstream::make(source, loop_count(config_), problem);
    if (upstream)
      upstreams.emplace(source.name, std::move(upstream));
    else
      problems.push_back({source.place, problem});
  }

  mcp::Catalogue::Builder builder(config_);
  const auto take_complaints = [&](const config::Place& place) {
    for (auto& complaint : builder.take_complaints())
      problems.push_back({place, std::move(complaint)});
  };
  for (const auto& tool : config_.tools) {
    std::string problem;
    auto handler = make_handler(tool, upstreams, problem);
    if (!problem.empty())
      problems.push_back({tool.place, "tool \"" + tool.name + "\": " + problem});
    builder.add(describe(tool), std::move(handler));
    take_complaints(tool.place);
  }
  for (const auto& plugin : config_.plugins) {
    PluginRegistry registry(builder, plugin.settings, subscriptions_);
    std::string problem;
    if (!tools::load_plugin(plugin.path, registry, problem))
      problems.push_back({plugin.place, problem});
    take_complaints(plugin.place);
  }
  for (auto& tool : linked) builder.add(std::move(tool.tool), std::move(tool.handler));
  take_complaints({});
  sort_by_place(problems);
  if (!problems.empty()) return problems;

  catalogue_ = std::move(builder).build();
  // Their results have been written, and are not needed twice.
  for (auto& tool : config_.tools)
    if (auto* const fixed = std::get_if<config::InlineTool>(&tool.source)) *fixed = {};
  service_ = std::make_unique<mcp::Service>(config_, catalogue_, *subscriptions_, workers_);
  server_ = std::make_unique<http::Server>(config_, *service_, loop_count(config_));
  return problems;
}

std::vector<config::Complaint> all_complaints(config::Loaded loaded) {
  auto out = std::move(loaded.complaints);
  Daemon daemon(std::move(loaded.config));
  auto others = daemon.prepare();
  std::ranges::move(others, std::back_inserter(out));
  sort_by_place(out);
  return out;
}

bool Daemon::start(std::string& problem) {
  if (!server_->listen(problem)) return false;
  server_->start();
  return true;
}

bool Daemon::drain(std::chrono::milliseconds grace) { return server_->drain(grace); }

void Daemon::stop(std::chrono::milliseconds grace) {
  if (!server_) return;
  server_->stop(grace);
  workers_.stop();
  // Tools hold connections that live on the server's loops, so they go first.
  service_->forget_tools();
  catalogue_.reset();
  server_.reset();
  service_.reset();
}

}  // namespace sluice::app
