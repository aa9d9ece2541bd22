#include "app/prompts.hpp"

#include <utility>
#include <variant>

#include "tools/completers.hpp"
#include "tools/prompts.hpp"

namespace sluice::app {

std::shared_ptr<Completer> make_completer(const config::Completion& completion,
                                          const std::string& argument, const Upstreams& upstreams,
                                          const config::Limits& limits, std::string& problem) {
  using Values = std::vector<std::string>;
  if (const auto* values = std::get_if<Values>(&completion.from)) return complete_from(*values);
  if (const auto* files = std::get_if<config::Completion::Files>(&completion.from))
    return tools::make_file_completer(*files, problem);
  const auto& from = std::get<config::Completion::Upstream>(completion.from);
  const auto upstream = upstreams.find(from.request.source);
  if (upstream == upstreams.end()) return nullptr;  // complained about already
  return tools::make_http_completer(from, argument, upstream->second, limits, problem);
}

void add_prompts(const config::Config& config, const Upstreams& upstreams,
                 mcp::Prompts::Builder& builder, std::vector<config::Complaint>& problems) {
  for (const auto& prompt : config.prompts) {
    Prompt out;
    out.name = prompt.name;
    out.title = prompt.title;
    out.description = prompt.description;
    out.icons = prompt.icons;
    out.meta = prompt.meta;
    for (const auto& argument : prompt.arguments) {
      PromptArgument& to = out.arguments.emplace_back();
      to.name = argument.name;
      to.title = argument.title;
      to.description = argument.description;
      to.required = argument.required;
      if (!argument.allowed.empty()) to.completer = complete_from(argument.allowed);
      if (!argument.completion) continue;
      std::string problem;
      to.completer =
          make_completer(*argument.completion, argument.name, upstreams, config.limits, problem);
      if (!problem.empty())
        problems.push_back(
            {argument.completion->place,
             "prompt \"" + prompt.name + "\", argument \"" + argument.name + "\": " + problem});
    }
    builder.add(std::move(out), tools::make_prompt(prompt));
    for (auto& complaint : builder.take_complaints())
      problems.push_back({prompt.place, std::move(complaint)});
  }
}

}  // namespace sluice::app
