#pragma once

#include <cstdint>
#include <string_view>

namespace sluice {

/// How the bytes of a response are compressed (RFC 9110 section 8.4.1).
enum class ContentCoding : std::uint8_t { identity, gzip, zstd, br };

/// As Content-Encoding names it; empty for identity, which is not named there.
[[nodiscard]] constexpr std::string_view name_of(ContentCoding coding) noexcept {
  switch (coding) {
    case ContentCoding::gzip:
      return "gzip";
    case ContentCoding::zstd:
      return "zstd";
    case ContentCoding::br:
      return "br";
    case ContentCoding::identity:
      break;
  }
  return {};
}

}  // namespace sluice
