#include "mcp/prompts.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/units.hpp"
#include "json/document.hpp"
#include "mcp/json_members.hpp"
#include "mcp/names.hpp"

namespace sluice::mcp {
namespace {

using Details = Revision::Details;

std::string render(const PromptArgument& argument, const Revision& revision) {
  std::string out = "{";
  append_text(out, "name", argument.name);
  if (revision.details >= Details::titles) append_text(out, "title", argument.title);
  append_text(out, "description", argument.description);
  if (argument.required) append_flag(out, "required", true);
  return out + '}';
}

std::string render(const Prompt& prompt, const Revision& revision) {
  std::string out = "{";
  append_text(out, "name", prompt.name);
  if (revision.details >= Details::titles) append_text(out, "title", prompt.title);
  append_text(out, "description", prompt.description);
  if (!prompt.arguments.empty()) {
    std::string arguments = "[";
    for (const auto& argument : prompt.arguments) {
      if (arguments.back() != '[') arguments += ',';
      arguments += render(argument, revision);
    }
    append_member(out, "arguments", arguments + ']');
  }
  if (revision.details >= Details::icons) append_icons(out, prompt.icons);
  if (!prompt.meta.empty() && revision.details >= Details::titles)
    append_member(out, "_meta", prompt.meta);
  out += '}';
  make_one_line(out);
  return out;
}

}  // namespace

const PromptArgument* PromptEntry::find(std::string_view argument) const noexcept {
  const auto found = std::ranges::find(prompt.arguments, argument, &PromptArgument::name);
  return found == prompt.arguments.end() ? nullptr : &*found;
}

const PromptEntry* Prompts::find(std::string_view name) const noexcept {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

bool Prompts::has_completions() const noexcept {
  return std::ranges::any_of(prompts_, [](const auto& entry) {
    return std::ranges::any_of(entry->prompt.arguments,
                               [](const auto& argument) { return argument.completer != nullptr; });
  });
}

void Prompts::Builder::complain(const Prompt& prompt, std::string_view what) {
  complaints_.push_back("prompt \"" + prompt.name + "\": " + std::string(what));
}

void Prompts::Builder::add(Prompt prompt, std::unique_ptr<PromptHandler> handler) {
  const std::size_t before = complaints_.size();
  if (!is_name(prompt.name))
    complain(prompt, "a name has 1 to 128 characters, no blanks and no controls");
  for (const auto& other : prompts_)
    if (other->prompt.name == prompt.name) complain(prompt, "there is another prompt of that name");
  std::set<std::string_view> names;
  for (const auto& argument : prompt.arguments) {
    if (argument.name.empty()) complain(prompt, "an argument has no name");
    if (!names.insert(argument.name).second)
      complain(prompt, "there are two arguments \"" + argument.name + '"');
  }
  if (!prompt.meta.empty()) {
    json::Document meta;
    const auto value = meta.parse_copy(prompt.meta);
    if (!value || !value->is(JsonKind::object)) complain(prompt, "meta is not a JSON object");
  }
  if (complaints_.size() != before || handler == nullptr) return;

  auto entry = std::make_unique<PromptEntry>();
  entry->timeout = prompt.timeout.value_or(config_.timeouts.call);
  entry->timeout_name = (prompt.timeout ? "the prompt's timeout (" : "timeouts.call (") +
                        format_duration(entry->timeout) + ')';
  entry->prompt = std::move(prompt);
  entry->handler = std::move(handler);
  prompts_.push_back(std::move(entry));
}

std::shared_ptr<const Prompts> Prompts::Builder::build() && {
  return std::shared_ptr<const Prompts>(new Prompts(std::move(prompts_), config_.server.list_page));
}

Prompts::Prompts(Entries prompts, std::size_t per_page)
    : prompts_(std::move(prompts)),
      pages_("prompts", prompts_.size(), per_page,
             [&](std::size_t i, const Revision& r) { return render(prompts_[i]->prompt, r); }) {
  for (const auto& entry : prompts_) by_name_.emplace(entry->prompt.name, entry.get());
}

std::shared_ptr<const Prompts> Prompts::only(const IsWanted& is_wanted,
                                             std::size_t per_page) const {
  Entries wanted;
  std::ranges::copy_if(prompts_, std::back_inserter(wanted),
                       [&](const auto& entry) { return is_wanted(entry->prompt.name); });
  return std::shared_ptr<const Prompts>(new Prompts(std::move(wanted), per_page));
}

}  // namespace sluice::mcp
