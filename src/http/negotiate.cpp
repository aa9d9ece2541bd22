#include "http/negotiate.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

using ascii::iequals;
using ascii::lower;
using ascii::trim;

/// Cuts off and returns what stands before the next `separator` outside quotes.
std::string_view next(std::string_view& rest, char separator) noexcept {
  bool quoted = false;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    if (rest[i] == '"')
      quoted = !quoted;
    else if (quoted && rest[i] == '\\')
      ++i;
    else if (!quoted && rest[i] == separator)
      break;
  }
  i = std::min(i, rest.size());
  const auto item = rest.substr(0, i);
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return trim(item);
}

/// A weight of zero in any spelling: 0, 0., 0.000.
bool is_zero(std::string_view q) noexcept {
  return !q.empty() && q.find_first_not_of("0.") == std::string_view::npos;
}

/// The best match so far for one media type.
struct Best {
  int specificity = -1;
  bool accepted = false;
  void see(int s, bool ok) noexcept {
    if (s < specificity) return;
    accepted = s == specificity ? (accepted || ok) : ok;
    specificity = s;
  }
};

int match(std::string_view range, std::string_view type, std::string_view full) noexcept {
  if (range == "*/*") return 0;
  if (range.ends_with("/*") && iequals(range.substr(0, range.size() - 2), type)) return 1;
  return iequals(range, full) ? 2 : -1;
}

}  // namespace

Acceptable parse_accept(std::optional<std::string_view> field) noexcept {
  if (!field || trim(*field).empty()) return {};
  Best json;
  Best events;
  std::string_view rest = *field;
  while (!rest.empty()) {
    std::string_view item = next(rest, ',');
    const auto range = next(item, ';');
    bool accepted = true;
    while (!item.empty()) {
      const auto parameter = next(item, ';');
      if (parameter.size() > 2 && lower(parameter[0]) == 'q' && parameter[1] == '=')
        accepted = !is_zero(parameter.substr(2));
    }
    if (const int s = match(range, "application", "application/json"); s >= 0)
      json.see(s, accepted);
    if (const int s = match(range, "text", "text/event-stream"); s >= 0) events.see(s, accepted);
  }
  return {json.accepted, events.accepted};
}

bool is_json_media_type(std::string_view content_type) noexcept {
  if (!iequals(next(content_type, ';'), "application/json")) return false;
  while (!content_type.empty()) {
    std::string_view parameter = next(content_type, ';');
    const auto name = next(parameter, '=');
    std::string_view value = parameter;
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    if (iequals(name, "charset") && !iequals(value, "utf-8")) return false;
  }
  return true;
}

}  // namespace sluice::http
