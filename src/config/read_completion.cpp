#include <algorithm>

#include "config/files.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

/// RFC 6901.
bool is_pointer(std::string_view text) {
  if (!text.empty() && text[0] != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
      return false;
  return true;
}

Completion::Files read_files(const Field& field) {
  Completion::Files out;
  const Section section(field, keys::completion_files);
  if (const auto root = section.find("root"))
    out.root = directory(*root).value_or("");
  else
    field.complain("root is missing");
  section.text("pattern", out.pattern);
  if (const auto pattern = section.find("pattern"); pattern && out.pattern.empty())
    pattern->expected("a pattern such as *.md or **/*.md");
  return out;
}

Completion::Upstream read_upstream(const Field& field, std::span<const std::string_view> sources,
                                   std::span<const Parameter> parameters) {
  Completion::Upstream out;
  const Section section(field, keys::completion_http);
  if (!section.has("source")) field.complain("source is missing");
  read_http_request(section, sources, parameters, out.request);
  out.request.result = ResultKind::json;
  section.text("pointer", out.pointer);
  if (const auto pointer = section.find("pointer");
      pointer && pointer->is_scalar() && !is_pointer(out.pointer))
    pointer->expected("a JSON Pointer such as /items");
  return out;
}

}  // namespace

std::optional<Completion> read_completion(const Field& field,
                                          std::span<const std::string_view> sources,
                                          std::span<const Parameter> parameters) {
  if (!field.is_mapping()) {
    field.expected("a mapping with list, files or http");
    return std::nullopt;
  }
  const Section section(field, keys::completion);
  Completion out;
  out.place = field.place();
  const auto count = std::ranges::count_if(keys::completion.keys,
                                           [&](std::string_view key) { return section.has(key); });
  if (count != 1) {
    field.complain("expected exactly one of list, files or http");
    return std::nullopt;
  }
  if (const auto list = section.find("list"))
    out.from = list->texts();
  else if (const auto files = section.find("files"))
    out.from = read_files(*files);
  else
    out.from = read_upstream(*section.find("http"), sources, parameters);
  return out;
}

}  // namespace sluice::config
