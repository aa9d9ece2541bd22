#include <algorithm>

#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"
#include "config/slots.hpp"

namespace sluice::config {
namespace {

void read_annotations(const Field& field, Tool& out) {
  const Section section(field, keys::annotations);
  section.text("title", out.annotation_title);
  section.boolean("read_only", out.read_only);
  section.boolean("destructive", out.destructive);
  section.boolean("idempotent", out.idempotent);
  section.boolean("open_world", out.open_world);
}

void read_cache(const Field& field, Cache& out) {
  static constexpr std::pair<std::string_view, Cache::Scope> kScopes[] = {
      {"caller", Cache::Scope::caller}, {"shared", Cache::Scope::shared}};
  const Section section(field, keys::cache);
  section.duration("ttl", out.ttl);
  section.bytes("max_bytes", out.max_bytes);
  section.choice("scope", out.scope, kScopes);
}

/// A question about an argument that is not there would be about nothing.
void read_confirm(const Section& tool, const Tool& read, std::optional<Confirm>& out) {
  static constexpr std::pair<std::string_view, bool> kFallbacks[] = {{"refuse", false},
                                                                     {"allow", true}};
  const auto field = tool.find("confirm");
  if (!field) {
    if (const auto fallback = tool.find("confirm_fallback"))
      fallback->complain("goes with confirm only");
    return;
  }
  out.emplace();
  tool.choice("confirm_fallback", out->allows_unasked, kFallbacks);
  auto text = read_template(*field);
  if (!text) return;
  if (text->parts.empty()) field->expected("a question");
  check_slots(*field, *text, read.parameters);
  for (const auto& part : text->parts) {
    const auto* const p = part.is_slot ? find_parameter(read.parameters, part.text) : nullptr;
    if (p != nullptr && !p->required && !p->has_default)
      field->complain("needs {" + part.text +
                      "}; make the parameter required or give it a default");
  }
  out->question = *std::move(text);
  if (read.cache)
    field->complain("does not go with cache: results that are kept are not asked for");
}

struct SourceKind {
  std::string_view key;
  std::string_view label;
  std::span<const std::string_view> keys;
};

/// In the order of the text that asks for one of them.
const SourceKind kKinds[] = {{"source", "source", keys::tool_http},
                             {"file", "file", keys::tool_file},
                             {"command", "command", keys::tool_command},
                             {"text", "text", keys::tool_inline},
                             {"content", "content", keys::tool_inline}};

/// The one source kind of the tool, or null after a complaint.
const SourceKind* find_kind(const Section& tool) {
  const SourceKind* found = nullptr;
  std::string all;
  for (const auto& kind : kKinds) {
    if (!tool.has(kind.key)) continue;
    all += (all.empty() ? "" : ", ") + std::string(kind.key);
    if (found == nullptr) {
      found = &kind;
    }
  }
  if (all != (found == nullptr ? "" : std::string(found->key))) {
    tool.field().complain("expected exactly one of source, file, command, text or content, found " +
                          all);
    return nullptr;
  }
  if (found == nullptr)
    tool.field().complain("expected one of source, file, command, text or content");
  return found;
}

void refuse_keys_of_other_kinds(const Section& tool, const SourceKind& kind) {
  for (const auto& entry : tool.field().node().entries) {
    const auto is_in = [&](std::span<const std::string_view> keys) {
      return std::ranges::find(keys, entry.key) != keys.end();
    };
    if (is_in(keys::tool.keys) && !is_in(keys::tool_common) && !is_in(kind.keys))
      tool.field().context().complaints.add(
          entry.spot,
          tool.field().name() + ": " + entry.key + " does not go with " + std::string(kind.label));
  }
}

/// A schema for structured content that the tool never gives would refuse every result.
/// `structured` that is wrong is complained about where it is read.
void refuse_schema_without_content(const Section& tool, const SourceKind& kind) {
  const auto* const schema = tool.field().node().find("output_schema");
  if (schema == nullptr || !schema->value->is(yaml::Node::Kind::mapping)) return;
  const auto structured = tool.find("structured");
  const bool is_inline = kind.key == "text" || kind.key == "content";
  // Structured content of inline tools may well be `false`.
  const bool is_off = structured && !is_inline && structured->is_scalar() &&
                      (structured->as_boolean() == false || structured->node().value == "off");
  if (structured && !is_off) return;
  tool.field().context().complaints.add(
      schema->spot, tool.field().name() + ".output_schema: goes with structured content only; " +
                        (is_inline ? "give it under structured:" : "set structured: both, or on"));
}

Tool read_tool(const Field& field, const std::string& name,
               std::span<const std::string_view> sources, const Config& config) {
  Tool out;
  out.name = name;
  out.place = field.place();
  if (!field.is_mapping()) {
    field.expected("a mapping");
    return out;
  }
  const Section tool(field, keys::tool);
  tool.text("title", out.title);
  tool.text("description", out.description);
  read_arguments(tool, out);
  if (const auto schema = tool.find("output_schema"))
    out.output_schema = to_json_object(*schema).value_or("");
  if (const auto meta = tool.find("meta")) out.meta = to_json_object(*meta).value_or("");
  read_icons(tool, out.icons);
  if (const auto annotations = tool.find("annotations")) read_annotations(*annotations, out);
  read_tool_bounds(tool, out);
  read_task_bounds(tool, out);
  require_spool(tool, out.task, config.tasks);

  if (const auto cache = tool.find("cache")) {
    read_cache(*cache, out.cache.emplace());
    if (out.task.value_or(Tool::Task::off) != Tool::Task::off)
      tool.find("task")->complain("does not go with cache: results of tasks are kept apart");
  }
  read_confirm(tool, out, out.confirm);
  const auto* const kind = find_kind(tool);
  if (kind == nullptr) return out;
  refuse_keys_of_other_kinds(tool, *kind);
  refuse_schema_without_content(tool, *kind);
  if (kind->key != "source") refuse_places(tool, out.parameters);
  if (kind->key == "source")
    read_http_tool(tool, sources, out.parameters, out.source.emplace<HttpTool>());
  else if (kind->key == "file")
    read_file_tool(tool, out.parameters, out.source.emplace<FileTool>());
  else if (kind->key == "command")
    read_command_tool(tool, out.parameters, out.source.emplace<CommandTool>());
  else
    read_inline_tool(tool, out.source.emplace<InlineTool>());
  read_results(tool, config.defaults, out);
  return out;
}

}  // namespace

void refuse_places(const Section& section, std::span<const Parameter> parameters) {
  for (const auto& p : parameters)
    if (p.in != ParameterIn::none)
      section.field().context().complaints.add(
          {p.place.line, p.place.column},
          section.field().name() + ".parameters." + p.name + ": in: goes with HTTP tools only");
}

void read_result(const Section& tool, ResultKind& result, Structured& structured) {
  static constexpr std::pair<std::string_view, ResultKind> kResults[] = {
      {"text", ResultKind::text},   {"json", ResultKind::json}, {"image", ResultKind::image},
      {"audio", ResultKind::audio}, {"blob", ResultKind::blob}, {"auto", ResultKind::automatic}};
  static constexpr std::pair<std::string_view, Structured> kStructured[] = {
      {"off", Structured::off}, {"on", Structured::on}, {"both", Structured::both}};
  tool.choice("result", result, kResults);
  if (!tool.knows("structured")) return;
  const auto field = tool.find("structured");
  if (!field) return;
  // To YAML, `on` and `true` are the same word.
  if (const auto is_on = field->as_boolean())
    structured = *is_on ? Structured::on : Structured::off;
  else
    tool.choice("structured", structured, kStructured);
}

void read_tools(const Field& field, Config& out) {
  std::vector<std::string_view> sources;
  sources.reserve(out.http_sources.size());
  for (const auto& source : out.http_sources) sources.push_back(source.name);
  for (const auto& member : field.members()) {
    if (const auto wrong = wrong_name(member.key); !wrong.empty())
      field.context().complaints.add(member.spot, in_quotes(member.key) + ": " + wrong);
    out.tools.push_back(read_tool(member.value, member.key, sources, out));
  }
}

}  // namespace sluice::config
