#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// Two lower-case digits for each byte.
[[nodiscard]] inline std::string to_hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

}  // namespace sluice
