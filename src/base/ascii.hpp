#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sluice {

/// Text of protocols, where only ASCII has a case.
namespace ascii {

[[nodiscard]] constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

[[nodiscard]] constexpr bool iequals(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return x == y || lower(x) == lower(y);
         });
}

/// Without the blanks at both ends: spaces and tabs (RFC 9110 section 5.6.3).
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// A character of a token (RFC 9110 section 5.6.2).
[[nodiscard]] constexpr bool is_token(char c) noexcept {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace ascii
}  // namespace sluice
