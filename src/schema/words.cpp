#include "schema/words.hpp"

#include <array>
#include <cstdio>

#include "json/document.hpp"
#include "schema/number.hpp"
#include "schema/program.hpp"

namespace sluice::schema {
namespace {

constexpr std::size_t kListBytes = 400;
constexpr std::string_view kMore = "\xe2\x80\xa6";

std::string_view cut(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;
  return text.substr(0, limit);
}

void put_escaped(std::string& out, unsigned code) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\u%04x", code);
  out += text.data();
}

/// Controls of all kinds, DEL, C1 and the two line separators too, become \uXXXX.
void append_visible(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = [&](std::size_t n) {
      return i + n < text.size() ? static_cast<unsigned char>(text[i + n]) : 0u;
    };
    if (c < 0x20 || c == 0x7f) {
      put_escaped(out, c);
    } else if (c == 0xc2 && next(1) >= 0x80 && next(1) < 0xa0) {
      put_escaped(out, next(1));
      i += 1;
    } else if (c == 0xe2 && next(1) == 0x80 && (next(2) == 0xa8 || next(2) == 0xa9)) {
      put_escaped(out, 0x2000 + next(2) - 0x80);
      i += 2;
    } else {
      out += text[i];
    }
  }
}

std::string lay_out(std::size_t count, const auto& item_at) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (out.size() > kListBytes) return out + " and " + std::to_string(count - i) + " more";
    if (i != 0) out += ", ";
    out += item_at(i);
  }
  return out;
}

}  // namespace

std::string show(Json value) {
  const auto raw = value.raw();
  // Raw controls in JSON are white space between tokens.
  std::string shown(cut(raw, kShownBytes));
  if (value.kind() == JsonKind::array || value.kind() == JsonKind::object) {
    for (char& c : shown) {
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
  }
  std::string out;
  append_visible(out, shown);
  if (shown.size() < raw.size()) out += kMore;
  return out;
}

std::string show_text(std::string_view text, std::size_t limit) {
  std::string out;
  const auto shown = cut(text, limit);
  append_visible(out, shown);
  if (shown.size() < text.size()) out += kMore;
  return out;
}

std::string quote(std::string_view name) {
  const auto shown = cut(name, kShownBytes);
  std::string quoted;
  json::append_string(quoted, shown);
  if (shown.size() < name.size()) quoted.insert(quoted.size() - 1, kMore);
  std::string out;
  append_visible(out, quoted);
  return out;
}

std::string list_names(const std::vector<std::string_view>& names) {
  return lay_out(names.size(), [&](std::size_t i) { return show_text(names[i], kShownBytes); });
}

std::string list_values(Json array) {
  auto at = array.begin();
  return lay_out(array.size(), [&](std::size_t) {
    std::string shown = show(*at);
    ++at;
    return shown;
  });
}

std::string_view type_name(Json value) noexcept {
  switch (value.kind()) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "boolean";
    case JsonKind::number:
      return Decimal(value.raw()).is_integer() ? "integer" : "number";
    case JsonKind::string:
      return "string";
    case JsonKind::array:
      return "array";
    case JsonKind::object:
      return "object";
  }
  return "nothing";
}

std::string type_names(std::uint8_t types) {
  constexpr std::array<std::string_view, 7> kNames{"null",   "boolean", "integer", "number",
                                                   "string", "array",   "object"};
  std::string out;
  std::uint8_t left = types;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto bit = static_cast<std::uint8_t>(1u << i);
    if ((left & bit) == 0) continue;
    left = static_cast<std::uint8_t>(left & ~bit);
    if (!out.empty()) out += left == 0 ? " or " : ", ";
    out += kNames[i];
  }
  return out;
}

std::string counted(std::uint64_t n, std::string_view singular) {
  std::string out = std::to_string(n) + " " + std::string(singular);
  if (n != 1) out += 's';
  return out;
}

}  // namespace sluice::schema
