#include <algorithm>

#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"
#include "config/slots.hpp"

namespace sluice::config {
namespace {

using Kind = InlineBlock::Kind;
using Names = std::span<const std::string_view>;

PromptArgument read_argument(const std::string& name, const Field& field) {
  PromptArgument out;
  out.name = name;
  out.place = field.place();
  const Section section(field, keys::prompt_argument);
  section.text("title", out.title);
  section.text("description", out.description);
  section.boolean("required", out.required);
  if (const auto allowed = section.find("enum")) {
    out.allowed = allowed->texts();
    if (out.allowed.empty() && allowed->is_sequence()) allowed->expected("at least one value");
    if (section.has("complete"))
      allowed->complain("offers its values by itself; leave out complete");
  }
  return out;
}

/// What slots may name. In a completion the argument itself is what has been typed so far.
std::vector<Parameter> as_parameters(const std::vector<PromptArgument>& arguments,
                                     std::string_view typed = {}) {
  std::vector<Parameter> out;
  out.reserve(arguments.size());
  for (const auto& argument : arguments) {
    Parameter parameter;
    parameter.name = argument.name;
    parameter.required = argument.required || argument.name == typed;
    parameter.is_string = true;
    out.push_back(std::move(parameter));
  }
  return out;
}

void read_arguments(const Field& field, Names sources, std::vector<PromptArgument>& out) {
  const auto members = field.members();
  for (const auto& member : members) {
    if (member.key.empty())
      field.context().complaints.add(member.spot, field.name() + ": an argument has a name");
    out.push_back(read_argument(member.key, member.value));
  }
  // Once all names are known.
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!members[i].value.is_mapping()) continue;
    const Section section(members[i].value, keys::prompt_argument);
    if (const auto complete = section.find("complete"))
      out[i].completion = read_completion(*complete, sources, as_parameters(out, members[i].key));
  }
}

/// The text of a key as a template whose slots name arguments.
Template read_slots(const Section& section, std::string_view key,
                    std::span<const Parameter> arguments) {
  const auto field = section.find(key);
  if (!field) return {};
  auto text = read_template(*field);
  if (!text) return {};
  check_slots(*field, *text, arguments);
  return *std::move(text);
}

/// A URI with a value in each slot has to be one, unless it is all slot.
void check_uri(const Section& section, const Template& uri) {
  const auto field = section.find("uri");
  if (!field || uri.parts.empty() || uri.is_one_slot()) return;
  std::string filled;
  for (const auto& part : uri.parts) filled += part.is_slot ? "x" : part.text;
  if (uri.parts[0].is_slot)
    field->complain("expected a URI that begins with its scheme, or one slot alone");
  else if (const auto wrong = wrong_uri(filled); !wrong.empty())
    field->complain(wrong);
}

PromptMessage read_message(const Field& field, std::span<const Parameter> arguments) {
  static constexpr std::pair<std::string_view, PromptMessage::Role> kRoles[] = {
      {"user", PromptMessage::Role::user}, {"assistant", PromptMessage::Role::assistant}};
  PromptMessage out;
  if (!field.is_mapping()) {
    field.expected("a mapping with a role and content");
    return out;
  }
  const Section section(field, keys::message);
  section.choice("role", out.role, kRoles);
  if (!section.has("role")) field.complain("role is missing; expected user or assistant");
  if (const auto when = section.find("when")) {
    section.text("when", out.when);
    if (when->is_scalar() && find_parameter(arguments, out.when) == nullptr)
      when->complain("the prompt has no argument " + in_quotes(when->node().written));
  }
  out.block = read_block(section, BlockUse::message);
  InlineBlock& block = out.block;
  if (block.kind == Kind::text && !block.file.empty()) {
    // The file is a template like text that stands here.
    const auto file = *section.find("file");
    if (auto text = read_template(file, block.text, file.node().written)) {
      check_slots(file, *text, arguments);
      out.text = *std::move(text);
    }
  } else if (block.kind == Kind::text || (block.kind == Kind::resource && section.has("text"))) {
    out.text = read_slots(section, "text", arguments);
  } else if (block.kind == Kind::resource && !block.is_binary) {
    // A file that is embedded goes out as it is.
    out.text.parts.push_back({std::move(block.text), false});
  }
  block.text.clear();
  out.uri = read_slots(section, "uri", arguments);
  check_uri(section, out.uri);
  out.name = read_slots(section, "name", arguments);
  out.title = read_slots(section, "title", arguments);
  out.description = read_slots(section, "description", arguments);
  return out;
}

Prompt read_prompt(const Field& field, const std::string& name, Names sources) {
  Prompt out;
  out.name = name;
  out.place = field.place();
  if (!field.is_mapping()) {
    field.expected("a mapping");
    return out;
  }
  const Section prompt(field, keys::prompt);
  prompt.text("title", out.title);
  prompt.text("description", out.description);
  if (const auto meta = prompt.find("meta")) out.meta = to_json_object(*meta).value_or("");
  read_icons(prompt, out.icons);
  if (const auto arguments = prompt.find("arguments"))
    read_arguments(*arguments, sources, out.arguments);
  const auto names = as_parameters(out.arguments);
  const auto messages = prompt.find("messages");
  if (!messages || (messages->is_sequence() && messages->node().elements.empty()))
    field.complain("messages is missing; expected a list of at least one message");
  else
    for (const auto& element : messages->elements())
      out.messages.push_back(read_message(element, names));
  return out;
}

}  // namespace

void read_prompts(const Field& field, Config& out) {
  std::vector<std::string_view> sources;
  sources.reserve(out.http_sources.size());
  for (const auto& source : out.http_sources) sources.push_back(source.name);
  for (const auto& member : field.members()) {
    if (const auto wrong = wrong_name(member.key, "a prompt's name"); !wrong.empty())
      field.context().complaints.add(member.spot, in_quotes(member.key) + ": " + wrong);
    out.prompts.push_back(read_prompt(member.value, member.key, sources));
  }
}

}  // namespace sluice::config
