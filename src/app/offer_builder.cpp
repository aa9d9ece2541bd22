#include "app/offer_builder.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "app/prompts.hpp"
#include "app/resources.hpp"
#include "http/upstream.hpp"
#include "tools/factory.hpp"
#include "tools/page_cursor.hpp"
#include "tools/pages.hpp"
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
  std::set<std::string, std::less<>> parking;  ///< Names of tools whose results may be kept.
  mcp::Catalogue::Builder tools;
  mcp::Prompts::Builder prompts;
  mcp::Resources::Builder resources;
};

/// Adds a tool whose results are made smaller or kept, and remembers that there is something to be
/// read. What is wrong with it goes to `problem`.
class ResultShaper {
 public:
  ResultShaper(const config::Config& config, Builders& builders)
      : config_(config), builders_(builders) {}

  void add(Tool tool, const std::optional<config::Shaping>& shaping, const config::Keeping& keeping,
           const config::Confirm* confirm, std::unique_ptr<ToolHandler> handler,
           std::string& problem) {
    if (handler && shaping)
      handler = tools::make_shaped_tool(*shaping, config_.limits, std::move(handler));
    if (handler && confirm != nullptr)
      handler = tools::make_confirmed_tool(*confirm, std::move(handler));
    if (handler && !keeping.is_nothing()) {
      handler = tools::make_keeping_tool(keeping, config_.limits, std::move(handler));
      builders_.parking.insert(tool.name);
    }
    if (keeping.paging) add_cursor(tool, problem);
    builders_.tools.add(std::move(tool), std::move(handler));
  }

  /// The same for a tool that does not come from the file; `results` is null where nothing is said
  /// of it.
  void add(Tool tool, const config::Plugin::Results* results, std::unique_ptr<ToolHandler> handler,
           std::string& problem) {
    auto shaping = results != nullptr ? results->shaping : std::nullopt;
    config::Keeping keeping = results != nullptr ? results->keeping : config::Keeping();
    const auto& defaults = config_.defaults;
    const bool may_keep = !tool.cache && tool.output_schema.empty();
    if (!keeping.is_nothing() && !may_keep)
      problem = "park and page do not go with a cache or an output schema";
    if (keeping.is_nothing() && !keeping.is_off && may_keep) keeping.parking = defaults.parking;
    if (keeping.is_nothing() && defaults.shaping) {
      if (!shaping) shaping.emplace();
      if (!shaping->max_bytes) shaping->max_bytes = defaults.shaping->max_bytes;
      if (!shaping->max_lines) shaping->max_lines = defaults.shaping->max_lines;
    }
    config::settle(keeping, shaping);
    if (shaping) shaping->has_schema = !tool.output_schema.empty();
    add(std::move(tool), shaping, keeping, nullptr, std::move(handler), problem);
  }

  static void add_cursor(Tool& tool, std::string& problem) {
    std::string why;
    auto schema = tools::schema_with_cursor(tool.input_schema, why);
    if (why.empty())
      tool.input_schema = std::move(schema);
    else
      problem = why;
  }

 private:
  const config::Config& config_;
  Builders& builders_;
};

/// Gives a plug-in its settings and puts what it adds where all the rest goes.
class PluginRegistry final : public Registry {
 public:
  PluginRegistry(Builders& builders, const config::Config& config, const config::Plugin& plugin,
                 std::shared_ptr<Notifier> notifier)
      : builders_(builders), config_(config), plugin_(plugin), notifier_(std::move(notifier)) {
    for (const auto& results : plugin.results) results_.emplace(results.tool, &results);
  }
  void add(Tool tool, std::unique_ptr<ToolHandler> handler) override {
    const auto found = results_.extract(tool.name);
    const std::string name = tool.name;
    std::string problem;
    ResultShaper(config_, builders_)
        .add(std::move(tool), found ? found.mapped() : nullptr, std::move(handler), problem);
    if (!problem.empty()) problems_.push_back("results: tool \"" + name + "\": " + problem);
  }
  void add(Prompt prompt, std::unique_ptr<PromptHandler> handler) override {
    builders_.prompts.add(std::move(prompt), std::move(handler));
  }
  void add(Resource resource, std::unique_ptr<ToolHandler> handler) override {
    builders_.resources.add(std::move(resource), std::move(handler));
  }
  [[nodiscard]] std::string_view settings() const noexcept override { return plugin_.settings; }
  [[nodiscard]] std::shared_ptr<Notifier> notifier() override { return notifier_; }

  /// What is wrong with `results`: also tools that were not added.
  [[nodiscard]] std::vector<std::string> take_problems() {
    for (const auto& [name, results] : results_)
      problems_.push_back("results: the plug-in has no tool \"" + name + '"');
    return std::move(problems_);
  }

 private:
  Builders& builders_;
  const config::Config& config_;
  const config::Plugin& plugin_;
  std::map<std::string, const config::Plugin::Results*> results_;
  std::vector<std::string> problems_;
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

bool has_upstream_pages(const config::Tool& tool) {
  const auto* const http = std::get_if<config::HttpTool>(&tool.source);
  return http != nullptr && http->paging;
}

/// What reads the results that are kept: a template, and a tool for models that cannot read
/// resources.
void add_parked_readers(const config::Config& config, Builders& builders) {
  const std::string result =
      R"("result":{"type":"string","description":"The link of the result: sluice://result/..."})";
  const std::string part =
      R"("offset":{"type":"integer","minimum":0,"description":"The first byte, from 0."},)"
      R"("limit":{"type":"integer","minimum":1,"description":"How many bytes."},)"
      R"("items":{"type":"string","pattern":"^[0-9]+(-[0-9]*)?$","description":"Of JSON: which elements of its array, such as 0-99."},)"
      R"("lines":{"type":"string","pattern":"^[0-9]+(-[0-9]*)?$","description":"Which lines, from 0, such as 0-99."})";
  Tool tool;
  tool.name = tools::kReadResult;
  tool.title = "Read a result";
  tool.description =
      "Reads a result that was too large to be given at once, or a part of it: by items, by lines, "
      "or by "
      "offset and limit.";
  tool.input_schema = R"({"type":"object","properties":{)" + result + ',' + part +
                      R"(},"required":["result"],"additionalProperties":false})";
  tool.annotations.read_only = true;
  tool.annotations.open_world = false;
  builders.tools.add(std::move(tool), tools::make_parked_reader(config));
  auto resource =
      Resource::matching(std::string(tools::kParkedTemplate), std::string(tools::kParkedName));
  resource.title = "Results";
  resource.description =
      "Results that were too large to be given at once, for whoever called; links in results lead "
      "here.";
  resource.parameters = R"({"type":"object","properties":{"id":{"type":"string"},)" + part +
                        R"(},"required":["id"]})";
  // As large as they may be kept.
  resource.max_result = std::max(config.parking.per_caller, config.limits.result);
  builders.resources.add(std::move(resource), tools::make_parked_reader(config));
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
  ResultShaper shaper(config, builders);
  for (const auto& tool : config.tools) {
    std::string problem;
    auto handler = make_handler(tool, upstreams, problem);
    Tool described = describe(tool);
    if (has_upstream_pages(tool)) ResultShaper::add_cursor(described, problem);
    shaper.add(std::move(described), tool.shaping, tool.keeping,
               tool.confirm ? &*tool.confirm : nullptr, std::move(handler), problem);
    if (!problem.empty())
      problems.push_back({tool.place, "tool \"" + tool.name + "\": " + problem});
    take_complaints(tool.place);
  }
  add_prompts(config, upstreams, builders.prompts, problems);
  add_resources(config, upstreams, builders.resources, problems);
  for (const auto& plugin : config.plugins) {
    PluginRegistry registry(builders, config, plugin, notifier);
    std::string problem;
    if (!tools::load_plugin(plugin.path, registry, problem))
      problems.push_back({plugin.place, problem});
    for (auto& wrong : registry.take_problems())
      problems.push_back({plugin.place, std::move(wrong)});
    take_complaints(plugin.place);
  }
  for (auto& tool : linked.tools) {
    std::string none;
    shaper.add(std::move(tool.tool), nullptr, std::move(tool.handler), none);
  }
  for (auto& prompt : linked.prompts)
    builders.prompts.add(std::move(prompt.prompt), std::move(prompt.handler));
  for (auto& resource : linked.resources)
    builders.resources.add(std::move(resource.resource), std::move(resource.handler));
  if (!builders.parking.empty()) add_parked_readers(config, builders);
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
    offer->parking = {std::move(builders.parking), std::string(tools::kReadResult),
                      std::string(tools::kParkedName)};
    offer->prompts = std::move(builders.prompts).build();
    offer->resources = std::move(builders.resources).build();
    offer->instructions = config->server.instructions;
    add_groups(*config, *offer, out.complaints);
    if (out.complaints.empty()) out.offer = std::move(offer);
  }
  // Their results have been written, and are not needed twice.
  for (auto& tool : config->tools)
    if (auto* const fixed = std::get_if<config::InlineTool>(&tool.source);
        fixed && !tool.confirm && !tool.shaping && tool.keeping.is_nothing())
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
