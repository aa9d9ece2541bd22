#include <algorithm>

#include "base/uri_matcher.hpp"
#include "base/uri_template.hpp"
#include "base/uri_text.hpp"
#include "config/files.hpp"
#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"
#include "config/slots.hpp"
#include "config/utf8.hpp"

namespace sluice::config {
namespace {

enum class Kind : std::uint8_t { http, file, tree, command, inline_content };

struct SourceKind {
  std::string_view key;
  Kind kind;
  std::string_view label;
  std::span<const std::string_view> keys;
};

const SourceKind kKinds[] = {
    {"source", Kind::http, "source", keys::resource_http},
    {"file", Kind::file, "file: { root, path }", keys::resource_file},
    {"file", Kind::inline_content, "file: the path of one file", keys::resource_inline},
    {"directory", Kind::tree, "directory: { root, uri }", keys::resource_tree},
    {"command", Kind::command, "command", keys::resource_command},
    {"text", Kind::inline_content, "text", keys::resource_inline},
    {"data", Kind::inline_content, "data", keys::resource_inline}};

/// `file` and `directory` mean one thing as a mapping and another as text.
bool is_meant(const SourceKind& kind, const Section& section) {
  const auto field = section.find(kind.key);
  if (!field) return false;
  if (kind.key == "file") return field->is_mapping() == (kind.kind == Kind::file);
  return kind.key != "directory" || field->is_mapping();
}

/// The one kind of source that the resource has, or null after a complaint.
const SourceKind* find_kind(const Section& section) {
  constexpr std::string_view kWanted = "one of source, file, directory, command, text or data";
  const SourceKind* found = nullptr;
  std::string all;
  std::size_t count = 0;
  for (const auto& kind : kKinds) {
    if (!is_meant(kind, section)) continue;
    all += (all.empty() ? "" : ", ") + std::string(kind.key);
    ++count;
    found = &kind;
  }
  if (count == 1) return found;
  section.field().complain("expected " + std::string(count == 0 ? "" : "exactly ") +
                           std::string(kWanted) + (count == 0 ? "" : ", found " + all));
  return nullptr;
}

void refuse_keys_of_other_kinds(const Section& section, const SourceKind& kind) {
  const auto is_in = [](std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  for (const auto& entry : section.field().node().entries)
    if (section.knows(entry.key) && !is_in(keys::resource_common, entry.key) &&
        !is_in(kind.keys, entry.key))
      section.field().context().complaints.add(entry.spot, section.field().name() + ": " +
                                                               entry.key + " does not go with " +
                                                               std::string(kind.label));
}

void refuse(const Section& section, std::initializer_list<std::string_view> keys,
            std::string_view with) {
  for (const auto key : keys)
    if (const auto field = section.find(key))
      field->complain("does not go with " + std::string(with));
}

void check_uri(const Field& field, std::string_view uri) {
  if (const auto wrong = wrong_uri(uri); !wrong.empty()) field.complain(wrong);
}

/// The variables of the template that the operator says nothing of: texts, needed where the URI
/// cannot do without.
void add_variables(const UriTemplate& parsed, const Place& place, std::vector<Parameter>& out) {
  for (const auto& part : parsed.parts())
    for (const auto& variable : part.variables) {
      if (find_parameter(out, variable.name) != nullptr) continue;
      Parameter p;
      p.name = variable.name;
      p.place = place;
      p.is_array = variable.is_exploded;
      p.is_string = !p.is_array;
      p.schema =
          p.is_array ? R"({"type":"array","items":{"type":"string"}})" : R"({"type":"string"})";
      p.required = UriTemplate::rules(part.op).first.empty();
      out.push_back(std::move(p));
    }
}

void check_variables(const Field& field, const UriTemplate& parsed,
                     std::span<const Parameter> parameters) {
  const auto names = parsed.names();
  auto& complaints = field.context().complaints;
  for (const auto& p : parameters) {
    const Spot spot{p.place.line, p.place.column};
    if (std::ranges::find(names, p.name) == names.end())
      complaints.add(spot, field.name() + ": the template holds no {" + p.name + "}" +
                               did_you_mean(p.name, names));
    for (const auto& part : parsed.parts())
      for (const auto& variable : part.variables)
        if (variable.name == p.name && variable.is_exploded && !p.is_array)
          complaints.add(spot, field.name() + ": {" + p.name +
                                   "*} is a list, so the type of the parameter has to be array");
  }
}

void read_template_uri(const Section& section, Resource& out) {
  const auto field = section.find("uri_template");
  if (!field->is_scalar()) return field->expected("a URI template, such as notes://{name}");
  out.uri_template = field->node().value;
  std::string problem;
  const auto parsed = UriTemplate::parse(out.uri_template, problem);
  if (!parsed) return field->complain(problem);
  if (parsed->parts().empty() || uri::scheme_of(parsed->parts()[0].literal).empty())
    field->expected("a URI template that begins with a scheme, such as notes://{name}");
  if (parsed->names().empty())
    field->complain("holds no variable; what has one URI has it under uri");
  check_variables(*field, *parsed, out.parameters);
  add_variables(*parsed, field->place(), out.parameters);
  std::vector<std::string_view> lists;
  for (const auto& p : out.parameters)
    if (p.is_array) lists.push_back(p.name);
  if (!UriMatcher::make(*parsed, lists, problem)) field->complain(problem);
}

/// `complete`: by the name of a variable.
void read_completions(const Field& field, std::span<const std::string_view> sources,
                      Resource& out) {
  for (const auto& member : field.members()) {
    if (find_parameter(out.parameters, member.key) == nullptr)
      field.context().complaints.add(member.spot,
                                     field.name() + ": the template holds no {" + member.key + "}");
    // What has been typed is there, whatever else is.
    auto parameters = out.parameters;
    for (auto& parameter : parameters) parameter.required |= parameter.name == member.key;
    if (auto completion = read_completion(member.value, sources, parameters))
      out.completions.emplace_back(member.key, *std::move(completion));
  }
}

void read_place(const Section& section, const SourceKind& kind, Resource& out) {
  if (const auto parameters = section.find("parameters"))
    read_parameters(*parameters, out.parameters);
  if (kind.kind == Kind::tree)
    return refuse(section, {"uri", "uri_template", "parameters", "complete", "size", "title"},
                  "directory, whose files have their own");
  const auto uri = section.find("uri");
  const auto uri_template = section.find("uri_template");
  if (uri && uri_template) uri_template->complain("cannot stand beside uri");
  if (!uri && !uri_template) section.field().complain("expected uri or uri_template");
  if (uri) {
    section.text("uri", out.uri);
    if (uri->is_scalar()) check_uri(*uri, out.uri);
    refuse(section, {"parameters", "complete"}, "uri; variables stand in a uri_template");
    out.parameters.clear();
  } else if (uri_template) {
    refuse(section, {"size"}, "uri_template");
    read_template_uri(section, out);
  }
  if (kind.kind != Kind::http) refuse_places(section, out.parameters);
  out.parameters_schema = build_schema(out.parameters);
}

void read_tree(const Field& field, FileTree& out) {
  const Section section(field, keys::tree);
  if (const auto root = section.find("root"))
    out.root = directory(*root).value_or("");
  else
    field.complain("root is missing");
  section.text("uri", out.uri);
  if (const auto uri = section.find("uri"); !uri)
    field.complain("uri is missing; expected what the URIs of all files begin with");
  else if (uri->is_scalar()) {
    check_uri(*uri, out.uri);
    if (!out.uri.ends_with('/') || out.uri.find_first_of("?#") != std::string::npos)
      uri->expected("a URI without query and fragment that ends with /");
  }
  for (const std::string_view key : {"include", "exclude"})
    if (const auto patterns = section.find(key))
      for (const auto& element : patterns->elements(Field::Lists::or_single)) {
        auto pattern = element.text();
        if (!pattern) continue;
        if (pattern->empty() || pattern->front() == '/')
          element.expected("a pattern for paths below the root, such as **/*.md");
        (key == "include" ? out.include : out.exclude).push_back(*std::move(pattern));
      }
  section.integer("max_files", out.max_files, 1, 10'000'000);
}

/// The content is a block like those of inline tools, so that the same handler serves it.
void read_inline(const Section& section, Resource& out) {
  InlineBlock block;
  block.kind = InlineBlock::Kind::resource;
  block.place = out.place;
  block.uri = out.uri;
  if (const auto data = section.find("data")) {
    block.is_binary = true;
    block.data = read_base64(*data).value_or("");
  } else if (const auto file = section.find("file")) {
    if (auto content = read_file(*file)) {
      block.file = resolve(file->context(), file->node().value);
      block.is_binary = find_non_utf8(*content).has_value();
      (block.is_binary ? block.data : block.text) = *std::move(content);
    }
  } else {
    section.text("text", block.text);
  }
  out.source.emplace<InlineTool>().blocks.push_back(std::move(block));
}

void read_text_template(const Field& field, Resource& out) {
  auto& source = out.source.emplace<TextTemplate>();
  auto text = read_template(field);
  if (!text) return;
  check_slots(field, *text, out.parameters);
  for (const auto& part : text->parts) {
    const auto* const p = part.is_slot ? find_parameter(out.parameters, part.text) : nullptr;
    if (p != nullptr && !p->required && !p->has_default)
      field.complain("needs {" + part.text + "}; make the parameter required or give it a default");
  }
  source.text = *std::move(text);
}

void read_content(const Section& section, const SourceKind& kind,
                  std::span<const std::string_view> sources, Resource& out) {
  switch (kind.kind) {
    case Kind::http:
      return read_http_tool(section, sources, out.parameters, out.source.emplace<HttpTool>());
    case Kind::file:
      return read_file_tool(section, out.parameters, out.source.emplace<FileTool>());
    case Kind::tree:
      return read_tree(*section.find("directory"), out.source.emplace<FileTree>());
    case Kind::command: {
      auto& command = out.source.emplace<CommandTool>();
      command.result = ResultKind::automatic;
      return read_command_tool(section, out.parameters, command);
    }
    case Kind::inline_content:
      break;
  }
  if (!section.has("uri_template")) return read_inline(section, out);
  refuse(section, {"data", "file"}, "uri_template");
  if (const auto text = section.find("text")) read_text_template(*text, out);
}

std::string wrong_resource_name(std::string_view name) {
  const bool has_control = std::ranges::any_of(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (name.empty() || name.size() > 256 || has_control)
    return "a resource's name has 1 to 256 bytes and no controls";
  return {};
}

Resource read_resource(const Field& field, const std::string& name,
                       std::span<const std::string_view> sources) {
  static constexpr std::pair<std::string_view, bool> kScopes[] = {{"private", false},
                                                                  {"public", true}};
  Resource out;
  out.name = name;
  out.place = field.place();
  if (!field.is_mapping()) {
    field.expected("a mapping");
    return out;
  }
  const Section section(field, keys::resource);
  section.text("title", out.title);
  section.text("description", out.description);
  section.text("mime_type", out.mime_type);
  if (const auto annotations = section.find("annotations"))
    read_block_annotations(*annotations, out.annotations);
  section.integer("size", out.size, 0, std::uint64_t{1} << 53);
  read_icons(section, out.icons);
  if (const auto meta = section.find("meta")) out.meta = to_json_object(*meta).value_or("");
  section.duration("ttl", out.ttl, 0ms);
  section.choice("cache_scope", out.is_public, kScopes);
  section.boolean("watch", out.watch);
  read_tool_bounds(section, out);

  const auto* const kind = find_kind(section);
  if (kind == nullptr) return out;
  refuse_keys_of_other_kinds(section, *kind);
  read_place(section, *kind, out);
  if (const auto complete = section.find("complete"); complete && !out.uri_template.empty())
    read_completions(*complete, sources, out);
  read_content(section, *kind, sources, out);
  return out;
}

}  // namespace

void read_resources(const Field& field, Config& out) {
  std::vector<std::string_view> sources;
  sources.reserve(out.http_sources.size());
  for (const auto& source : out.http_sources) sources.push_back(source.name);
  for (const auto& member : field.members()) {
    if (const auto wrong = wrong_resource_name(member.key); !wrong.empty())
      field.context().complaints.add(member.spot, in_quotes(member.key) + ": " + wrong);
    out.resources.push_back(read_resource(member.value, member.key, sources));
  }
}

}  // namespace sluice::config
