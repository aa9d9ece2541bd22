#include "config/slots.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

/// The state of reading one template.
struct Reader {
  const Field& field;
  Template out;
  bool is_good = true;
  std::string_view file = {};     // where the text is not the field's own: who has it
  std::string_view content = {};  // and all of it

  void add_text(std::string_view text) {
    if (text.empty()) return;
    if (out.parts.empty() || out.parts.back().is_slot) out.parts.push_back({});
    out.parts.back().text += text;
  }
  void fail(std::string_view why, std::string_view rest) {
    is_good = false;
    if (file.empty()) return field.complain(why);
    const auto before = content.substr(0, content.size() - rest.size());
    field.complain(in_quotes(file) + ", line " +
                   std::to_string(1 + std::ranges::count(before, '\n')) + ": " + std::string(why));
  }

  void read(std::string_view text) {
    while (true) {
      const auto brace = text.find_first_of("{}");
      add_text(text.substr(0, brace));
      if (brace == std::string_view::npos) return;
      const bool is_double = brace + 1 < text.size() && text[brace + 1] == text[brace];
      if (is_double) {
        add_text(text.substr(brace, 1));
        text.remove_prefix(brace + 2);
        continue;
      }
      if (text[brace] == '}')
        return fail("a \"}\" that closes nothing; a literal brace is written \"}}\"",
                    text.substr(brace));
      text.remove_prefix(brace + 1);
      const auto end = text.find_first_of("{}");
      if (end == std::string_view::npos || text[end] == '{' || end == 0)
        return fail("a \"{\" that opens no {parameter}; a literal brace is written \"{{\"", text);
      out.parts.push_back({std::string(text.substr(0, end)), true});
      text.remove_prefix(end + 1);
    }
  }
};

}  // namespace

std::optional<Template> read_template(const Field& field) {
  if (!field.is_scalar()) {
    field.expected("text");
    return std::nullopt;
  }
  return read_template(field, field.node().segments);
}

std::optional<Template> read_template(const Field& field, std::span<const Segment> segments) {
  Reader reader{field, {}};
  reader.out.place = field.place();
  for (const auto& segment : segments) {
    if (segment.inserted)
      reader.add_text(segment.text);
    else
      reader.read(segment.text);
  }
  if (!reader.is_good) return std::nullopt;
  return std::move(reader.out);
}

std::optional<Template> read_template(const Field& field, std::string_view content,
                                      std::string_view file) {
  Reader reader{field, {}, true, file, content};
  reader.out.place = field.place();
  reader.read(content);
  if (!reader.is_good) return std::nullopt;
  return std::move(reader.out);
}

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  for (const auto& p : parameters)
    if (p.name == name) return &p;
  return nullptr;
}

void check_slots(const Field& field, const Template& text, std::span<const Parameter> parameters) {
  for (const auto& part : text.parts) {
    if (!part.is_slot || find_parameter(parameters, part.text) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const auto& p : parameters) names.push_back(p.name);
    field.context().complaints.add({text.place.line, text.place.column},
                                   field.name() + ": there is no parameter " +
                                       in_quotes(part.text) + did_you_mean(part.text, names));
  }
}

void check_slots(const Field& field, const JsonTemplate& value,
                 std::span<const Parameter> parameters) {
  if (value.kind == JsonTemplate::Kind::string) check_slots(field, value.string, parameters);
  for (const auto& element : value.elements) check_slots(field, element, parameters);
  for (const auto& member : value.members) check_slots(field, member.value, parameters);
}

}  // namespace sluice::config
