#pragma once

#include <array>
#include <cstdint>

namespace sluice::json::escape {

/// Sixteen bytes, looked up by four bits.
struct alignas(16) Table {
  std::uint8_t at[16];
};

/// By the lower half of a byte, the one byte with that half that gets a backslash; where there is
/// none, a byte with another half. The form feed has the backslash's half and is left out: it is
/// rare, so it may be odd.
inline constexpr Table kSpecial = {
    {1, 0, '"', 0, 0, 0, 0, 0, '\b', '\t', '\n', 0, '\\', '\r', 0, 0}};
/// What turns these into what stands behind the backslash, by xor.
inline constexpr Table kToLetter = {
    {0, 0, 0, 0, 0, 0, 0, 0, '\b' ^ 'b', '\t' ^ 't', '\n' ^ 'n', 0, 0, '\r' ^ 'r', 0, 0}};

/// How eight bytes become up to sixteen, for each set of those that get a backslash in front: for
/// each byte written the number of the byte read, 8 being a backslash.
using Expansions = std::array<Table, 256>;
constexpr Expansions make_expansions() {
  Expansions all{};
  for (unsigned set = 0; set < all.size(); ++set) {
    std::size_t n = 0;
    for (std::uint8_t i = 0; i < 8; ++i) {
      if ((set >> i & 1U) != 0) all[set].at[n++] = 8;
      all[set].at[n++] = i;
    }
  }
  return all;
}
inline constexpr Expansions kExpansions = make_expansions();

/// What can be wrong with two bytes that follow each other, told by three sets of half bytes: the
/// upper and the lower half of the first, and the upper half of the second. All faults that UTF-8
/// can have are among these, but for third and fourth bytes that are missing or too many: those
/// show as kTwoTails where none may be, or as none where one must be. After Keiser and Lemire,
/// "Validating UTF-8 in less than one instruction per byte" (2020).
struct Fault {
  std::uint16_t first_upper;
  std::uint16_t first_lower;
  std::uint16_t second_upper;
};
inline constexpr Fault kFaults[8] = {
    {0xf000, 0xffff, 0xf0ff},  // The start of a character, and no tail.
    {0x00ff, 0xffff, 0x0f00},  // A tail behind ASCII.
    {0x1000, 0x0003, 0x0f00},  // C0 and C1: overlong.
    {0x4000, 0x0001, 0x0300},  // E0 80 to E0 9F: overlong.
    {0x4000, 0x2000, 0x0c00},  // ED A0 to ED BF: surrogates.
    {0x8000, 0xffe1, 0x0100},  // F0 80 to F0 8F: overlong; F5 80 and up: above U+10FFFF.
    {0x8000, 0xfff0, 0x0e00},  // F4 90 and up: above U+10FFFF.
    {0x0f00, 0xffff, 0x0f00},  // Two tails.
};
inline constexpr std::uint8_t kTwoTails = 0x80;

/// For each half byte, the faults whose set holds it.
constexpr Table make_faults(std::uint16_t Fault::* set) {
  Table table{};
  for (unsigned half = 0; half < 16; ++half) {
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned bit = kFaults[i].*set >> half & 1U;
      table.at[half] = static_cast<std::uint8_t>(table.at[half] | bit << i);
    }
  }
  return table;
}
inline constexpr Table kFirstUpper = make_faults(&Fault::first_upper);
inline constexpr Table kFirstLower = make_faults(&Fault::first_lower);
inline constexpr Table kSecondUpper = make_faults(&Fault::second_upper);

}  // namespace sluice::json::escape
