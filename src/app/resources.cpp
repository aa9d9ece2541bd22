#include "app/resources.hpp"

#include <utility>
#include <variant>

#include "app/prompts.hpp"
#include "mcp/handler_entry.hpp"
#include "tools/content.hpp"
#include "tools/factory.hpp"
#include "tools/source_result.hpp"

namespace sluice::app {
namespace {

/// What can be told of the type where the operator does not say it; empty: nothing.
std::string_view known_type(const config::Resource& resource) {
  if (const auto* fixed = std::get_if<config::InlineTool>(&resource.source)) {
    const auto& block = fixed->blocks.at(0);
    const bool is_plain_text = block.file.empty() && !block.is_binary;
    return is_plain_text ? "text/plain" : tools::mime_type_of(block);
  }
  if (std::holds_alternative<config::TextTemplate>(resource.source)) return "text/plain";
  if (const auto* file = std::get_if<config::FileTool>(&resource.source)) {
    // The ending counts where it is the same for all.
    const auto& parts = file->path.parts;
    const bool is_known =
        !parts.empty() && !parts.back().is_slot && parts.back().text.find('.') != std::string::npos;
    if (is_known) return tools::media_type_of("name" + parts.back().text);
  }
  return {};
}

/// What clients are told of a resource of the file.
Resource describe(const config::Resource& resource) {
  Resource out;
  out.name = resource.name;
  out.uri = resource.uri;
  out.uri_template = resource.uri_template;
  out.parameters = resource.parameters_schema;
  out.title = resource.title;
  out.description = resource.description;
  out.mime_type = resource.mime_type.empty() ? known_type(resource) : resource.mime_type;
  out.size = resource.size;
  out.annotations = tools::annotations_of(resource.annotations);
  out.icons = resource.icons;
  out.meta = resource.meta;
  out.ttl = resource.ttl;
  out.is_public = resource.is_public;
  out.framing = mcp::framing_of(resource.framing);
  out.compression = mcp::compression_of(resource.compression);
  out.timeout = resource.timeout;
  out.concurrency = resource.concurrency;
  out.max_result = resource.max_result;
  return out;
}

/// Null, and `problem` says what is to be mended; no problem where that is known already.
std::unique_ptr<ToolHandler> make_handler(const config::Resource& resource,
                                          const Upstreams& upstreams, std::string& problem) {
  const auto subject = tools::subject_of(resource);
  if (const auto* http = std::get_if<config::HttpTool>(&resource.source)) {
    const auto upstream = upstreams.find(http->source);
    if (upstream == upstreams.end()) return nullptr;
    return tools::make_http(subject, *http, upstream->second, problem);
  }
  if (const auto* file = std::get_if<config::FileTool>(&resource.source))
    return tools::make_file(subject, *file, problem);
  if (const auto* tree = std::get_if<config::FileTree>(&resource.source))
    return tools::make_tree(subject, *tree, problem);
  if (const auto* command = std::get_if<config::CommandTool>(&resource.source))
    return tools::make_command(subject, *command, problem);
  if (const auto* text = std::get_if<config::TextTemplate>(&resource.source))
    return tools::make_text(*text);
  return tools::make_inline(std::get<config::InlineTool>(resource.source));
}

void add_completers(const config::Config& config, const config::Resource& resource,
                    const Upstreams& upstreams, Resource& out,
                    std::vector<config::Complaint>& problems) {
  for (const auto& [variable, completion] : resource.completions) {
    std::string problem;
    auto completer = make_completer(completion, variable, upstreams, config.limits, problem);
    if (completer) out.completers.emplace(variable, std::move(completer));
    if (!problem.empty())
      problems.push_back({completion.place, "resource \"" + resource.name + "\", variable \"" +
                                                variable + "\": " + problem});
  }
}

}  // namespace

void add_resources(const config::Config& config, const Upstreams& upstreams,
                   mcp::Resources::Builder& builder, std::vector<config::Complaint>& problems) {
  for (const auto& resource : config.resources) {
    std::string problem;
    auto handler = make_handler(resource, upstreams, problem);
    if (!problem.empty())
      problems.push_back({resource.place, "resource \"" + resource.name + "\": " + problem});
    Resource out = describe(resource);
    add_completers(config, resource, upstreams, out, problems);
    builder.add(std::move(out), std::move(handler));
    for (auto& complaint : builder.take_complaints())
      problems.push_back({resource.place, std::move(complaint)});
  }
}

}  // namespace sluice::app
