#include "http/link_header.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

constexpr std::string_view kBlank = " \t";

void skip_blanks(std::string_view& text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
}

/// A token or a quoted string, without its quotes; escapes in it stay.
std::string_view take_value(std::string_view& text) noexcept {
  if (!text.starts_with('"')) {
    const auto end = std::min(text.find_first_of(" \t;,"), text.size());
    const auto value = text.substr(0, end);
    text.remove_prefix(end);
    return value;
  }
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  end = std::min(end, text.size());
  const auto value = text.substr(1, end - 1);
  text.remove_prefix(std::min(end + 1, text.size()));
  return value;
}

/// Whether a list of relation types (section 3.3) has `next`.
bool has_next(std::string_view types) noexcept {
  while (!types.empty()) {
    const auto end = std::min(types.find_first_of(kBlank), types.size());
    if (ascii::iequals(types.substr(0, end), "next")) return true;
    types.remove_prefix(end);
    skip_blanks(types);
  }
  return false;
}

/// Takes the parameters of one link off the front; whether its relation type is `next`. The first
/// `rel` counts.
bool take_parameters(std::string_view& field) noexcept {
  bool has_rel = false;
  bool is_next = false;
  for (skip_blanks(field); field.starts_with(';'); skip_blanks(field)) {
    field.remove_prefix(1);
    skip_blanks(field);
    const auto end = std::min(field.find_first_of(" \t=;,"), field.size());
    const auto name = field.substr(0, end);
    field.remove_prefix(end);
    skip_blanks(field);
    std::string_view value;
    if (field.starts_with('=')) {
      field.remove_prefix(1);
      skip_blanks(field);
      value = take_value(field);
    }
    if (has_rel || !ascii::iequals(name, "rel")) continue;
    has_rel = true;
    is_next = has_next(value);
  }
  return is_next;
}

}  // namespace

std::string_view next_link(std::string_view field) noexcept {
  for (;;) {
    const auto begin = field.find('<');
    const auto end = field.find('>', begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return {};
    const auto target = field.substr(begin + 1, end - begin - 1);
    field.remove_prefix(end + 1);
    if (take_parameters(field)) return target;
  }
}

}  // namespace sluice::http
