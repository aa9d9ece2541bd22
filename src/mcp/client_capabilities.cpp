#include "mcp/client_capabilities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

/// Session ids hold indices of this table: names are added at its end, and none is taken away.
constexpr std::array<std::string_view, 9> kKnown{
    "elicitation", "elicitation.form",  "elicitation.url",
    "sampling",    "sampling.tools",    "sampling.context",
    "roots",       "roots.listChanged", "tasks"};

std::optional<std::size_t> index_of(std::string_view name) noexcept {
  const auto found = std::ranges::find(kKnown, name);
  if (found == kKnown.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kKnown.begin());
}

bool is_declared(Json value) noexcept {
  return !value.is(JsonKind::null) && value.as_bool() != false;
}

bool is_plain(std::string_view name) noexcept {
  return std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f && c != ','; });
}

}  // namespace

ClientCapabilities::ClientCapabilities(Json declared) {
  for (const auto top : declared.members()) {
    if (!is_declared(top.value)) continue;
    add(top.name, {});
    for (const auto inner : top.value.members())
      if (is_declared(inner.value)) add(top.name, inner.name);
  }
  if (has("elicitation") && !has("elicitation.url")) add("elicitation", "form");
}

void ClientCapabilities::add(std::string_view parent, std::string_view child) {
  std::string name(parent);
  if (!child.empty()) {
    name += '.';
    name += child;
  }
  if (const auto known = index_of(name)) {
    known_ |= 1U << *known;
    return;
  }
  if (!is_plain(name) || others_size_ + name.size() + 1 > kMostText) return;
  others_size_ += name.size() + 1;
  others_.push_back(std::move(name));
}

bool ClientCapabilities::has(std::string_view name) const noexcept {
  if (const auto known = index_of(name)) return (known_ >> *known & 1) != 0;
  return std::ranges::find(others_, name) != others_.end();
}

std::string ClientCapabilities::text() const {
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, known_, 16).ptr;
  std::string out(digits, end);
  for (const auto& name : others_) {
    out += ',';
    out += name;
  }
  return out;
}

ClientCapabilities ClientCapabilities::from_text(std::string_view text) {
  ClientCapabilities out;
  const auto* const last = text.data() + text.size();
  const auto [rest, ec] = std::from_chars(text.data(), last, out.known_, 16);
  if (ec != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  while (text.starts_with(',')) {
    text.remove_prefix(1);
    const auto name = text.substr(0, text.find(','));
    out.others_size_ += name.size() + 1;
    out.others_.emplace_back(name);
    text.remove_prefix(name.size());
  }
  return out;
}

std::string required_capabilities(std::span<const std::string> names) {
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> tops;
  for (const std::string_view name : names) {
    const auto dot = name.find('.');
    const auto top = name.substr(0, dot);
    auto found = std::ranges::find(tops, top, [](const auto& t) { return t.first; });
    if (found == tops.end()) found = tops.insert(tops.end(), {top, {}});
    if (dot != std::string_view::npos) found->second.push_back(name.substr(dot + 1));
  }
  std::string out = "{";
  for (const auto& [top, inner] : tops) {
    if (out.size() > 1) out += ',';
    json::append_string(out, top);
    out += ":{";
    for (const auto& name : inner) {
      if (out.back() != '{') out += ',';
      json::append_string(out, name);
      out += ":{}";
    }
    out += '}';
  }
  return out + '}';
}

}  // namespace sluice::mcp
