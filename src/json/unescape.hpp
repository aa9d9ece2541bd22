#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::json {

// The way back from what stands in a JSON string (RFC 8259 section 7) to its characters.

[[nodiscard]] constexpr bool is_high_surrogate(std::uint32_t code) noexcept {
  return (code & 0xfffffc00U) == 0xd800U;
}
[[nodiscard]] constexpr bool is_low_surrogate(std::uint32_t code) noexcept {
  return (code & 0xfffffc00U) == 0xdc00U;
}
[[nodiscard]] constexpr std::uint32_t join_surrogates(std::uint32_t high,
                                                      std::uint32_t low) noexcept {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/// What `\c` stands for; NUL where that is no short escape.
[[nodiscard]] constexpr char unescape_short(char c) noexcept {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return '\0';
  }
}

/// REQUIRES: four readable bytes. False where they are no hexadecimal digits.
[[nodiscard]] constexpr bool read_hex4(const char* at, std::uint32_t& out) noexcept {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const char low = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9')
      value = value << 4 | static_cast<std::uint32_t>(c - '0');
    else if (low >= 'a' && low <= 'f')
      value = value << 4 | static_cast<std::uint32_t>(low - 'a' + 10);
    else
      return false;
  }
  out = value;
  return true;
}

/// The character as UTF-8, up to four bytes; returns where it ends. REQUIRES: code < 0x110000, no
/// surrogate.
constexpr char* put_utf8(char* out, std::uint32_t code) noexcept {
  const auto tail = [code](unsigned shift) {
    return static_cast<char>(0x80U | (code >> shift & 0x3fU));
  };
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *out++ = static_cast<char>(0xc0U | code >> 6);
    *out++ = tail(0);
  } else if (code < 0x10000) {
    *out++ = static_cast<char>(0xe0U | code >> 12);
    *out++ = tail(6);
    *out++ = tail(0);
  } else {
    *out++ = static_cast<char>(0xf0U | code >> 18);
    *out++ = tail(12);
    *out++ = tail(6);
    *out++ = tail(0);
  }
  return out;
}

/// The characters of `raw`, the inside of a JSON string, from `out` on; returns where they end. No
/// escape is shorter than what it stands for, so raw.size() bytes are enough. A surrogate without
/// its other half becomes U+FFFD; what is no escape stays as it is.
[[nodiscard]] char* unescape(std::string_view raw, char* out) noexcept;

}  // namespace sluice::json
