#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::json {

/// What stands at the start of some bytes, taken as UTF-8 (RFC 3629).
struct Utf8 {
  enum class Is : std::uint8_t {
    whole,  ///< A character of `length` bytes.
    cut,    ///< The start of one; the bytes end before it does.
    wrong,  ///< A maximal subpart of `length` bytes that is no character (Unicode 15, section 3.9).
  };
  Is is;
  std::uint8_t length;
};

/// The second byte is the only one whose range hangs on the first: that keeps out overlong forms,
/// surrogates and what lies above U+10FFFF. `bytes` is 0 for what cannot start a character.
struct Utf8Lead {
  std::uint8_t bytes;
  std::uint8_t low;
  std::uint8_t high;
};

[[nodiscard]] constexpr Utf8Lead utf8_lead(unsigned char lead) noexcept {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xc2) return {0, 0, 0};
  if (lead < 0xe0) return {2, 0x80, 0xbf};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3, 0x80, 0xbf};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4, 0x80, 0xbf};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

/// REQUIRES: n > 0.
[[nodiscard]] constexpr Utf8 utf8_at(const unsigned char* at, std::size_t n) noexcept {
  const Utf8Lead lead = utf8_lead(at[0]);
  if (lead.bytes == 0) return {Utf8::Is::wrong, 1};
  if (lead.bytes == 1) return {Utf8::Is::whole, 1};
  if (n < 2) return {Utf8::Is::cut, 1};
  if (at[1] < lead.low || at[1] > lead.high) return {Utf8::Is::wrong, 1};
  for (std::uint8_t i = 2; i < lead.bytes; ++i) {
    if (n <= i) return {Utf8::Is::cut, i};
    if ((at[i] & 0xc0) != 0x80) return {Utf8::Is::wrong, i};
  }
  return {Utf8::Is::whole, lead.bytes};
}

}  // namespace sluice::json
