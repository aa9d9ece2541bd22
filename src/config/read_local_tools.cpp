#include <algorithm>

#include "config/files.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"
#include "config/slots.hpp"

namespace sluice::config {
namespace {

bool has_slots(const Template& text) {
  return std::ranges::any_of(text.parts, &Template::Part::is_slot);
}

void read_argv(const Field& field, std::span<const Parameter> parameters, CommandTool& out) {
  const auto elements = field.elements();
  if (elements.empty()) {
    if (field.is_sequence() || field.is_null())
      field.expected("a list: the program and its arguments");
    return;
  }
  for (const auto& element : elements) {
    auto text = read_template(element);
    if (!text) continue;
    check_slots(element, *text, parameters);
    out.argv.push_back(*std::move(text));
  }
  if (out.argv.size() != elements.size()) return;
  auto& program = out.argv.front();
  if (has_slots(program))
    return elements[0].complain("the program itself cannot come from a parameter");
  if (program.parts.empty()) return elements[0].expected("a program");
  // Without a slash the program is looked for in PATH.
  std::string& path = program.parts[0].text;
  if (path.find('/') != std::string::npos) path = resolve(field.context(), path);
}

void read_environment(const Section& tool, CommandTool& out) {
  if (const auto allowed = tool.find("env_allow")) {
    out.env_allow.clear();
    for (const auto& element : allowed->elements()) {
      auto name = element.text();
      if (!name) continue;
      if (const auto wrong = wrong_variable_name(*name); !wrong.empty()) element.complain(wrong);
      out.env_allow.push_back(*std::move(name));
    }
  }
  const auto env = tool.find("env");
  if (!env) return;
  for (const auto& member : env->members()) {
    if (const auto wrong = wrong_variable_name(member.key); !wrong.empty())
      env->context().complaints.add(member.spot, member.value.name() + ": " + wrong);
    auto value = member.value.secret();
    if (!value) continue;
    if (value->find('\0') != std::string::npos)
      member.value.complain("a variable's value cannot hold NUL");
    out.env.emplace_back(member.key, *std::move(value));
  }
}

}  // namespace

void read_file_tool(const Section& tool, std::span<const Parameter> parameters, FileTool& out) {
  const auto field = tool.find("file");
  if (!field->is_mapping()) return field->expected("{ root: directory, path: text }");
  const Section section(*field, keys::file);
  if (const auto root = section.find("root"))
    out.root = directory(*root).value_or("");
  else
    field->complain("root is missing");
  if (const auto path = section.find("path")) {
    if (auto text = read_template(*path)) {
      check_slots(*path, *text, parameters);
      if (text->parts.empty()) path->expected("a path below the root");
      for (const auto& part : text->parts) {
        const auto* const p = part.is_slot ? find_parameter(parameters, part.text) : nullptr;
        if (p != nullptr && !p->required && !p->has_default)
          path->complain("needs {" + part.text +
                         "}; make the parameter required or give it a default");
      }
      out.path = *std::move(text);
    }
  } else {
    field->complain("path is missing");
  }
  read_result(tool, out.result, out.structured);
  tool.text("mime_type", out.mime_type);
  if (out.mime_type && out.mime_type->empty()) out.mime_type.reset();
}

void read_command_tool(const Section& tool, std::span<const Parameter> parameters,
                       CommandTool& out) {
  read_argv(*tool.find("command"), parameters, out);
  if (const auto folder = tool.find("directory");
      folder && !(folder->is_scalar() && folder->node().value.empty()))
    out.directory = directory(*folder).value_or("");
  read_environment(tool, out);
  if (const auto from = tool.find("stdin");
      from && from->is_scalar() && !from->node().value.empty()) {
    out.stdin_from = from->node().value;
    if (find_parameter(parameters, out.stdin_from) == nullptr)
      from->complain("the tool has no parameter " + in_quotes(from->node().written));
  } else if (from && !from->is_scalar()) {
    from->expected("the name of a parameter");
  }
  tool.bytes("stderr_tail", out.stderr_tail, 0);
  read_result(tool, out.result, out.structured);
  tool.text("mime_type", out.mime_type);
}

}  // namespace sluice::config
