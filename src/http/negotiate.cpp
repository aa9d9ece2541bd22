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

/// A weight in thousandths (RFC 9110 section 12.4.2).
int thousandths(std::string_view q) noexcept {
  if (q.empty() || (q[0] != '0' && q[0] != '1') || (q.size() > 1 && q[1] != '.')) return 0;
  int weight = (q[0] - '0') * 1000;
  int unit = 100;
  for (const char c : q.substr(std::min<std::size_t>(2, q.size()))) {
    if (c < '0' || c > '9') return 0;
    weight += (c - '0') * unit;
    unit /= 10;
  }
  return std::min(weight, 1000);
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

ContentCoding choose_coding(std::optional<std::string_view> field) noexcept {
  struct Offer {
    ContentCoding coding;
    int weight = -1;  ///< Not named.
  };
  // In the order in which equals go; tests/bench/micro_compress.cpp says why.
  Offer offers[] = {{ContentCoding::zstd}, {ContentCoding::br}, {ContentCoding::gzip}};
  int identity = -1;
  int others = -1;
  std::string_view rest = field.value_or(std::string_view());
  while (!rest.empty()) {
    std::string_view item = next(rest, ',');
    const auto name = next(item, ';');
    int weight = 1000;
    while (!item.empty()) {
      const auto parameter = next(item, ';');
      if (parameter.size() >= 2 && lower(parameter[0]) == 'q' && parameter[1] == '=')
        weight = thousandths(parameter.substr(2));
    }
    if (name == "*") others = std::max(others, weight);
    if (iequals(name, "identity")) identity = std::max(identity, weight);
    for (Offer& offer : offers) {
      const bool old = offer.coding == ContentCoding::gzip && iequals(name, "x-gzip");
      if (old || iequals(name, name_of(offer.coding)))
        offer.weight = std::max(offer.weight, weight);
    }
  }
  if (Offer& gzip = offers[2]; gzip.weight < 0) gzip.weight = others;
  const Offer* best = nullptr;
  for (const Offer& offer : offers)
    if (offer.weight > 0 && (best == nullptr || offer.weight > best->weight)) best = &offer;
  return best != nullptr && best->weight >= identity ? best->coding : ContentCoding::identity;
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
