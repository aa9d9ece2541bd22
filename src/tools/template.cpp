#include "tools/template.hpp"

#include "json/document.hpp"

namespace sluice::tools {
namespace {

/// Appends `body`; false, and nothing appended, where it has no value.
bool append(std::string& out, const config::JsonTemplate& body, Json arguments);

bool append_text(std::string& out, const config::Template& text, Json arguments) {
  if (text.is_one_slot()) {
    // With its own type, and null is one: "set this to nothing" is not "leave this alone".
    const Json value = arguments.find(text.parts[0].text);
    if (!value) return false;
    out += value.raw();
    return true;
  }
  const auto whole = expand(text, arguments);
  if (!whole) return false;
  json::append_string(out, *whole);
  return true;
}

void append_array(std::string& out, const config::JsonTemplate& body, Json arguments) {
  out += '[';
  bool first = true;
  for (const auto& element : body.elements) {
    const std::size_t before = out.size();
    if (!first) out += ',';
    if (append(out, element, arguments)) {
      first = false;
    } else {
      out.resize(before);
    }
  }
  out += ']';
}

void append_object(std::string& out, const config::JsonTemplate& body, Json arguments) {
  out += '{';
  bool first = true;
  for (const auto& member : body.members) {
    const std::size_t before = out.size();
    if (!first) out += ',';
    json::append_string(out, member.name);
    out += ':';
    if (append(out, member.value, arguments)) {
      first = false;
    } else {
      out.resize(before);
    }
  }
  out += '}';
}

bool append(std::string& out, const config::JsonTemplate& body, Json arguments) {
  switch (body.kind) {
    case config::JsonTemplate::Kind::literal:
      out += body.literal;
      return true;
    case config::JsonTemplate::Kind::string:
      return append_text(out, body.string, arguments);
    case config::JsonTemplate::Kind::array:
      append_array(out, body, arguments);
      return true;
    case config::JsonTemplate::Kind::object:
      append_object(out, body, arguments);
      return true;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> argument_text(Json arguments, std::string_view name) noexcept {
  const Json value = arguments.find(name);
  if (!value || value.is(JsonKind::null)) return std::nullopt;
  if (value.is(JsonKind::string)) return value.node()->string;
  return value.raw();
}

std::optional<std::string> expand(const config::Template& text, Json arguments) {
  std::string out;
  for (const auto& part : text.parts) {
    if (!part.is_slot) {
      out += part.text;
      continue;
    }
    const auto value = argument_text(arguments, part.text);
    if (!value) return std::nullopt;
    out += *value;
  }
  return out;
}

std::string expand(const config::JsonTemplate& body, Json arguments) {
  std::string out;
  append(out, body, arguments);
  return out;
}

}  // namespace sluice::tools
