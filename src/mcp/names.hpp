#pragma once

#include <algorithm>
#include <string_view>

namespace sluice::mcp {

/// Names of tools and prompts: 1 to 128 bytes, no blanks, no controls.
[[nodiscard]] inline bool is_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > 128) return false;
  return std::none_of(name.begin(), name.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u <= 0x20 || u == 0x7f;
  });
}

}  // namespace sluice::mcp
