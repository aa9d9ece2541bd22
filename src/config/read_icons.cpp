#include <algorithm>

#include "base/ascii.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

/// Clients refuse everything else (2025-11-25, Base Protocol, Icons).
bool is_web_or_data(std::string_view uri) {
  const auto scheme = uri.substr(0, uri.find(':'));
  return ascii::iequals(scheme, "https") || ascii::iequals(scheme, "http") ||
         ascii::iequals(scheme, "data");
}

bool is_size(std::string_view text) {
  if (text == "any") return true;
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() &&
           std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto x = text.find('x');
  return x != std::string_view::npos && is_number(text.substr(0, x)) &&
         is_number(text.substr(x + 1));
}

Icon read_icon(const Field& field) {
  static constexpr std::pair<std::string_view, Icon::Theme> kThemes[] = {
      {"light", Icon::Theme::light}, {"dark", Icon::Theme::dark}};
  Icon out;
  if (!field.is_mapping()) {
    field.expected("a mapping with a src");
    return out;
  }
  const Section section(field, keys::icon);
  section.text("src", out.src);
  if (const auto src = section.find("src"); !src)
    field.complain("src is missing");
  else if (src->is_scalar() && (!wrong_uri(out.src).empty() || !is_web_or_data(out.src)))
    src->complain("expected an http, https or data URI");
  section.text("mime_type", out.mime_type);
  if (const auto sizes = section.find("sizes"))
    for (const auto& element : sizes->elements(Field::Lists::or_single)) {
      auto size = element.text();
      if (size && !is_size(*size)) element.expected("a size such as 48x48, or any");
      if (size) out.sizes.push_back(*std::move(size));
    }
  section.choice("theme", out.theme, kThemes);
  return out;
}

}  // namespace

void read_icons(const Section& section, std::vector<Icon>& out) {
  const auto icons = section.find("icons");
  if (!icons) return;
  for (const auto& element : icons->elements()) out.push_back(read_icon(element));
}

}  // namespace sluice::config
