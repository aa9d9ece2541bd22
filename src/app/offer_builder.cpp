#include "app/offer_builder.hpp"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "app/prompts.hpp"
#include "app/resources.hpp"
#include "http/upstream.hpp"
#include "tools/factory.hpp"
#include "tools/plugin_loader.hpp"

namespace sluice::app {
namespace {

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
  out.task = mcp::task_mode_of(tool.task);
  out.task_after = tool.task_after;
  if (tool.cache)
    out.cache = CachePolicy{tool.cache->ttl, tool.cache->max_bytes,
                            tool.cache->scope == config::Cache::Scope::caller};
  return out;
}

/// What takes all that is offered.
struct Builders {
  explicit Builders(const config::Config& config)
      : tools(config), prompts(config), resources(config) {}
  mcp::Catalogue::Builder tools;
  mcp::Prompts::Builder prompts;
  mcp::Resources::Builder resources;
};

/// What is made of the results of a tool that does not come from the file; null: nothing is.
std::unique_ptr<ToolHandler> shaped(const config::Shaping* shaping, const config::Config& config,
                                    const Tool& tool, std::unique_ptr<ToolHandler> handler) {
  const auto& defaults = config.defaults.shaping;
  if ((shaping == nullptr && !defaults) || handler == nullptr) return handler;
  config::Shaping own = shaping != nullptr ? *shaping : config::Shaping();
  if (defaults && !own.max_bytes) own.max_bytes = defaults->max_bytes;
  if (defaults && !own.max_lines) own.max_lines = defaults->max_lines;
  own.has_schema = !tool.output_schema.empty();
  return tools::make_shaped_tool(std::move(own), config.limits, std::move(handler));
}

/// Gives a plug-in its settings and puts what it adds where all the rest goes.
class PluginRegistry final : public Registry {
 public:
  PluginRegistry(Builders& builders, const config::Config& config, const config::Plugin& plugin,
                 std::shared_ptr<Notifier> notifier)
      : builders_(builders), config_(config), plugin_(plugin), notifier_(std::move(notifier)) {
    for (const auto& [name, shaping] : plugin.shaping) shaping_.emplace(name, &shaping);
  }
  void add(Tool tool, std::unique_ptr<ToolHandler> handler) override {
    const auto found = shaping_.extract(tool.name);
    handler = shaped(found ? found.mapped() : nullptr, config_, tool, std::move(handler));
    builders_.tools.add(std::move(tool), std::move(handler));
  }
  void add(Prompt prompt, std::unique_ptr<PromptHandler> handler) override {
    builders_.prompts.add(std::move(prompt), std::move(handler));
  }
  void add(Resource resource, std::unique_ptr<ToolHandler> handler) override {
    builders_.resources.add(std::move(resource), std::move(handler));
  }
  [[nodiscard]] std::string_view settings() const noexcept override { return plugin_.settings; }
  [[nodiscard]] std::shared_ptr<Notifier> notifier() override { return notifier_; }

  /// Tools that `results` speaks of and that were not added.
  [[nodiscard]] std::vector<std::string> unknown() const {
    std::vector<std::string> out;
    out.reserve(shaping_.size());
    for (const auto& [name, shaping] : shaping_) out.push_back(name);
    return out;
  }

 private:
  Builders& builders_;
  const config::Config& config_;
  const config::Plugin& plugin_;
  std::map<std::string, const config::Shaping*> shaping_;
  const std::shared_ptr<Notifier> notifier_;
};

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

/// The upstreams of the file; what is wrong with them goes to `problems`.
Upstreams make_upstreams(const config::Config& config, std::size_t loops,
                         std::vector<config::Complaint>& problems) {
  Upstreams upstreams;
  for (const auto& source : config.http_sources) {
    std::string problem;
    auto upstream = http::Upstream::make(source, loops, problem);
    if (upstream)
      upstreams.emplace(source.name, std::move(upstream));
    else
      problems.push_back({source.place, problem});
  }
  return upstreams;
}

/// Everything that is added, with complaints by the place that they are about.
void add_all(const config::Config& config, const Upstreams& upstreams,
             const std::shared_ptr<Notifier>& notifier, Linked linked, Builders& builders,
             std::vector<config::Complaint>& problems) {
  const auto take_complaints = [&](const config::Place& place) {
    for (auto& complaint : builders.tools.take_complaints())
      problems.push_back({place, std::move(complaint)});
    for (auto& complaint : builders.prompts.take_complaints())
      problems.push_back({place, std::move(complaint)});
    for (auto& complaint : builders.resources.take_complaints())
      problems.push_back({place, std::move(complaint)});
  };
  for (const auto& tool : config.tools) {
    std::string problem;
    auto handler = make_handler(tool, upstreams, problem);
    if (!problem.empty())
      problems.push_back({tool.place, "tool \"" + tool.name + "\": " + problem});
    if (handler && tool.shaping)
      handler = tools::make_shaped_tool(*tool.shaping, config.limits, std::move(handler));
    if (handler && tool.confirm)
      handler = tools::make_confirmed_tool(*tool.confirm, std::move(handler));
    builders.tools.add(describe(tool), std::move(handler));
    take_complaints(tool.place);
  }
  add_prompts(config, upstreams, builders.prompts, problems);
  add_resources(config, upstreams, builders.resources, problems);
  for (const auto& plugin : config.plugins) {
    PluginRegistry registry(builders, config, plugin, notifier);
    std::string problem;
    if (!tools::load_plugin(plugin.path, registry, problem))
      problems.push_back({plugin.place, problem});
    for (const auto& name : registry.unknown())
      problems.push_back({plugin.place, "results: the plug-in has no tool \"" + name + '"'});
    take_complaints(plugin.place);
  }
  for (auto& tool : linked.tools) {
    auto handler = shaped(nullptr, config, tool.tool, std::move(tool.handler));
    builders.tools.add(std::move(tool.tool), std::move(handler));
  }
  for (auto& prompt : linked.prompts)
    builders.prompts.add(std::move(prompt.prompt), std::move(prompt.handler));
  for (auto& resource : linked.resources)
    builders.resources.add(std::move(resource.resource), std::move(resource.handler));
  take_complaints({});
}

void add_groups(const config::Config& config, mcp::Offer& offer,
                std::vector<config::Complaint>& problems) {
  for (const auto& group : config.groups) {
    std::vector<std::string> complaints;
    offer.groups.emplace(group.name,
                         mcp::part_of(offer, group, config.server.list_page, complaints));
    for (auto& complaint : complaints) problems.push_back({group.place, std::move(complaint)});
  }
}

}  // namespace

BuiltOffer build_offer(const std::shared_ptr<config::Config>& config, std::size_t loops,
                       std::shared_ptr<Notifier> notifier, Linked linked) {
  BuiltOffer out;
  const auto upstreams = make_upstreams(*config, loops, out.complaints);
  Builders builders(*config);
  add_all(*config, upstreams, notifier, std::move(linked), builders, out.complaints);
  if (out.complaints.empty()) {
    auto offer = std::make_shared<mcp::Offer>();
    offer->origin = config;
    offer->tools = std::move(builders.tools).build();
    offer->tasks = !config->tasks.spool.empty();
    offer->prompts = std::move(builders.prompts).build();
    offer->resources = std::move(builders.resources).build();
    offer->instructions = config->server.instructions;
    add_groups(*config, *offer, out.complaints);
    if (out.complaints.empty()) out.offer = std::move(offer);
  }
  // Their results have been written, and are not needed twice.
  for (auto& tool : config->tools)
    if (auto* const fixed = std::get_if<config::InlineTool>(&tool.source);
        fixed && !tool.confirm && !tool.shaping)
      *fixed = {};
  for (auto& resource : config->resources)
    if (auto* const fixed = std::get_if<config::InlineTool>(&resource.source)) *fixed = {};
  sort_by_place(out.complaints);
  return out;
}

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

}  // namespace sluice::app
