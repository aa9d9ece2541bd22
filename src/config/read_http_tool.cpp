#include <algorithm>

#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"
#include "config/slots.hpp"

namespace sluice::config {
namespace {

bool has_slot(const Template& text, std::string_view name) {
  return std::ranges::any_of(text.parts,
                             [&](const auto& p) { return p.is_slot && p.text == name; });
}

/// Cuts "METHOD " off the front of what the operator wrote.
void read_request(const Field& field, std::span<const Parameter> parameters, HttpTool& out) {
  if (!field.is_scalar()) return field.expected("a method and a path, such as GET /items/{id}");
  const std::string& value = field.node().value;
  const auto blank = value.find(' ');
  out.method = value.substr(0, blank);
  auto segments = field.node().segments;
  const auto path = blank == std::string::npos ? blank : value.find_first_not_of(' ', blank);
  if (path == std::string::npos || value[path] != '/')
    return field.expected("a method and a path that begins with /, such as GET /items/{id}");
  if (const auto wrong = wrong_method(out.method); !wrong.empty()) field.complain(wrong);
  for (std::size_t left = path; left > 0;) {
    const auto n = std::min(left, segments.front().text.size());
    segments.front().text.erase(0, n);
    left -= n;
    if (segments.front().text.empty()) segments.erase(segments.begin());
  }
  auto text = read_template(field, segments);
  if (!text) return;
  out.path = *std::move(text);
  check_slots(field, out.path, parameters);

  bool in_query = false;
  for (const auto& part : out.path.parts) {
    if (!part.is_slot) {
      if (std::ranges::any_of(part.text, [](char c) {
            return static_cast<unsigned char>(c) <= 0x20 || c == '#' || c == 0x7F;
          }))
        field.complain("a path holds no blanks and no #");
      in_query = in_query || part.text.find('?') != std::string::npos;
      continue;
    }
    const auto* const p = find_parameter(parameters, part.text);
    if (in_query)
      field.complain(
          "the slot {" + part.text +
          "} stands after the ?; write it under query:, or give the parameter in: query");
    else if (p != nullptr && !p->required && !p->has_default)
      field.complain("the path needs {" + part.text +
                     "}; make the parameter required or give it a default");
    else if (p != nullptr && p->in != ParameterIn::none && p->in != ParameterIn::path)
      field.complain("the path holds {" + part.text +
                     "}, which is to be sent elsewhere by its in:");
  }
}

using Pairs = std::vector<std::pair<std::string, Template>>;

void read_pairs(const Field& field, std::span<const Parameter> parameters, bool are_headers,
                Pairs& out) {
  for (const auto& member : field.members()) {
    const auto wrong = are_headers ? wrong_header_name(member.key) : std::string{};
    if (!wrong.empty())
      field.context().complaints.add(member.spot, member.value.name() + ": " + wrong);
    auto text = read_template(member.value);
    if (!text) continue;
    check_slots(member.value, *text, parameters);
    if (are_headers)
      for (const auto& part : text->parts)
        if (const auto bad = wrong_header_value(part.text); !bad.empty())
          member.value.complain(bad);
    out.emplace_back(member.key, *std::move(text));
  }
}

void read_body(const Section& tool, std::span<const Parameter> parameters, HttpTool& out) {
  const auto body = tool.find("body");
  const auto text = tool.find("body_text");
  if (body && text) text->complain("cannot stand beside body");
  if (body) {
    out.body = to_json_template(*body);
    if (out.body) check_slots(*body, *out.body, parameters);
  }
  if (text) {
    out.body_text = read_template(*text);
    if (out.body_text) check_slots(*text, *out.body_text, parameters);
    out.content_type = "text/plain; charset=utf-8";
  }
  if (const auto type = tool.find("content_type")) {
    if (!text) type->complain("goes with body_text only");
    tool.text("content_type", out.content_type);
    if (const auto bad = wrong_header_value(out.content_type); !bad.empty()) type->complain(bad);
  }
}

/// What a parameter's `in` asks for must be possible, and must not be there already.
void check_places(const Section& tool, std::span<const Parameter> parameters, const HttpTool& out) {
  auto& complaints = tool.field().context().complaints;
  for (const auto& p : parameters) {
    const Spot spot{p.place.line, p.place.column};
    const std::string name = tool.field().name() + ".parameters." + p.name;
    const std::string& sent_as = p.as.empty() ? p.name : p.as;
    const auto is_taken = [&](const Pairs& pairs) {
      return std::ranges::any_of(pairs, [&](const auto& pair) { return pair.first == sent_as; });
    };
    if (p.in == ParameterIn::path && !out.path.parts.empty() && !has_slot(out.path, p.name))
      complaints.add(spot, name + ": in: path, but the path of request has no {" + p.name + "}");
    if ((p.in == ParameterIn::query && is_taken(out.query)) ||
        (p.in == ParameterIn::header && is_taken(out.headers)))
      complaints.add(spot, name + ": would be sent twice as " + in_quotes(sent_as));
    if (p.in != ParameterIn::body) continue;
    if (out.body_text || (out.body && out.body->kind != JsonTemplate::Kind::object))
      complaints.add(spot, name + ": in: body, but the body is no JSON object");
    else if (out.body && std::ranges::any_of(out.body->members,
                                             [&](const auto& m) { return m.name == sent_as; }))
      complaints.add(spot, name + ": would be sent twice as " + in_quotes(sent_as));
  }
}

}  // namespace

void read_http_request(const Section& tool, std::span<const std::string_view> sources,
                       std::span<const Parameter> parameters, HttpTool& out) {
  const auto source = tool.find("source");
  tool.text("source", out.source);
  if (source && source->is_scalar() && std::ranges::find(sources, out.source) == sources.end())
    source->complain("no source is named " + in_quotes(source->node().written) +
                     did_you_mean(out.source, sources));
  if (const auto request = tool.find("request"))
    read_request(*request, parameters, out);
  else
    tool.field().complain(
        "request is missing; expected a method and a path, such as GET /items/{id}");
  if (const auto query = tool.find("query")) read_pairs(*query, parameters, false, out.query);
  if (const auto headers = tool.find("headers"))
    read_pairs(*headers, parameters, true, out.headers);
}

void read_http_tool(const Section& tool, std::span<const std::string_view> sources,
                    std::span<const Parameter> parameters, HttpTool& out) {
  read_http_request(tool, sources, parameters, out);
  read_body(tool, parameters, out);
  check_places(tool, parameters, out);
  read_result(tool, out.result, out.structured);
  tool.text("mime_type", out.mime_type);
}

}  // namespace sluice::config
