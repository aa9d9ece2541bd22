#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::json::test {

/// By the bits, as RFC 4648 tells it.
inline std::string base64_model(std::string_view bytes) {
  std::vector<bool> bits;
  for (const char c : bytes) {
    for (int bit = 7; bit >= 0; --bit) bits.push_back((c >> bit & 1) != 0);
  }
  std::string text;
  while (bits.size() % 6 != 0) bits.push_back(false);
  for (std::size_t at = 0; at < bits.size(); at += 6) {
    int value = 0;
    for (std::size_t i = 0; i < 6; ++i) value = value * 2 + (bits[at + i] ? 1 : 0);
    if (value < 26)
      text.push_back(static_cast<char>('A' + value));
    else if (value < 52)
      text.push_back(static_cast<char>('a' + value - 26));
    else if (value < 62)
      text.push_back(static_cast<char>('0' + value - 52));
    else
      text.push_back(value == 62 ? '+' : '/');
  }
  while (text.size() % 4 != 0) text.push_back('=');
  return text;
}

}  // namespace sluice::json::test
