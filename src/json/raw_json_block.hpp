#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::json {

/// What of JSON text has been read, where that ends between two tokens, or in a string between two
/// characters: enough to check what follows.
///
/// Bounds: kMaxDepth levels; whoever nests deeper checks by bytes.
struct RawJsonSpot {
  static constexpr unsigned kMaxDepth = 62;

  std::uint64_t in_string = 0;      ///< All bits are set in a string, else none.
  std::uint64_t in_name = 0;        ///< 1 in a member's name.
  std::uint64_t after_value = 0;    ///< 1 after a value or a name.
  std::uint64_t after_open = 0;     ///< 1 after an opening bracket.
  std::uint64_t name_expected = 0;  ///< 1 after `{`, and after `,` in an object.
  std::uint64_t colon_expected = 0;
  /// Bit n is set where level n is an object; the top is level 0, and what is not open has none.
  std::uint64_t objects = 0;
  unsigned depth = 0;
  unsigned max_depth = 0;  ///< At most kMaxDepth.
};

// Parts of the check of 64 bytes that need nothing but masks: bit n speaks of byte n.
namespace raw_json_block {

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};

[[nodiscard]] inline unsigned first(std::uint64_t bits) noexcept {
  return static_cast<unsigned>(std::countr_zero(bits));
}

/// The places in `marks`, and those that can be reached from them through `run` alone, with the
/// first one behind it: the carry of an addition crosses the run.
[[nodiscard]] inline std::uint64_t through(std::uint64_t marks, std::uint64_t run) noexcept {
  return (((marks & run) + run) ^ run) | marks;
}

struct Escapes {
  std::uint64_t escaped = 0;  ///< The bytes behind the backslashes that start an escape.
  bool are_right = true;
};

/// The escapes in the first `end` bytes; one that does not end there moves `end` to its start.
[[nodiscard]] inline Escapes escapes(std::uint64_t backslashes, const char* text,
                                     unsigned& end) noexcept {
  enum class Is : std::uint8_t { wrong, simple, unicode };
  static constexpr std::array<Is, 256> kKinds = [] {
    std::array<Is, 256> kinds{};
    for (const char c : std::string_view("\"\\/bfnrt")) {
      kinds[static_cast<unsigned char>(c)] = Is::simple;
    }
    kinds['u'] = Is::unicode;
    return kinds;
  }();
  static constexpr std::array<bool, 256> kIsHex = [] {
    std::array<bool, 256> is{};
    for (unsigned c = '0'; c <= '9'; ++c) is[c] = true;
    for (unsigned c = 'a'; c <= 'f'; ++c) is[c] = is[c - 0x20] = true;
    return is;
  }();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  Escapes found;
  while (backslashes != 0) {
    const unsigned at = first(backslashes);
    if (at >= end) break;
    const Is is = at + 1 < end ? kKinds[bytes[at + 1]] : Is::simple;
    if (at + (is == Is::unicode ? 6 : 2) > end) {
      end = at;
      break;
    }
    if (is == Is::unicode) {
      for (unsigned i = 2; i < 6; ++i) found.are_right &= kIsHex[bytes[at + i]];
    }
    found.are_right &= is != Is::wrong;
    found.escaped |= std::uint64_t{2} << at;
    backslashes &= ~(std::uint64_t{3} << at);
  }
  return found;
}

struct Brackets {
  std::uint64_t open;
  std::uint64_t close;
  std::uint64_t curly;  ///< Those of objects.
};

/// What is right inside of what, behind each bracket and up to the next.
struct Nesting {
  std::uint64_t in_object;
  std::uint64_t at_top;
  std::uint64_t objects;  ///< As in RawJsonSpot, at the end.
  unsigned depth;
  bool is_right = true;
};

/// Where rows of one kind follow each other in an array, at most two levels are seen, and nothing is
/// to be done bracket by bracket. `is_right` is false for all else.
[[nodiscard]] inline Nesting nest_rows(const RawJsonSpot& spot, const Brackets& brackets) noexcept {
  const std::uint64_t all = brackets.open | brackets.close;
  const std::uint64_t starts_in_row = (all & -all & brackets.close) != 0 ? 1 : 0;
  // The borrow of a subtraction runs from each opening bracket to the closing one. Where they do
  // not take turns, it meets one that it should not.
  const std::uint64_t in_row = brackets.close - brackets.open - starts_in_row;
  const std::uint64_t ends_in_row = in_row >> 63;
  const std::uint64_t object = brackets.curly != 0 ? 1 : 0;
  // At the top there is none to end; what comes out is then not used.
  const unsigned table = (spot.depth - static_cast<unsigned>(starts_in_row)) & 63;
  Nesting nesting;
  nesting.in_object = -object & in_row;
  nesting.at_top = 0;
  nesting.objects = spot.objects ^ ((starts_in_row ^ ends_in_row) & object) << 1 << table;
  nesting.depth = table + static_cast<unsigned>(ends_in_row);
  nesting.is_right = spot.depth >= 2 && spot.depth < spot.max_depth &&
                     (brackets.curly == 0 || brackets.curly == all) &&
                     brackets.open == (all & in_row) &&
                     spot.objects >> table == (starts_in_row & object) << 1;
  return nesting;
}

/// Bracket by bracket.
[[nodiscard]] inline Nesting nest(const RawJsonSpot& spot, const Brackets& brackets) noexcept {
  std::uint64_t left = brackets.open | brackets.close;
  Nesting nesting{(spot.objects >> spot.depth & 1) != 0 ? kAll : 0, 0, spot.objects, spot.depth};
  if (spot.depth == 0) nesting.at_top = left == 0 ? kAll : (left & -left) - 1;
  for (; left != 0; left &= left - 1) {
    const unsigned at = first(left);
    const std::uint64_t was = nesting.objects >> nesting.depth & 1;
    const std::uint64_t kind = brackets.curly >> at & 1;
    if ((brackets.open >> at & 1) != 0) {
      if (nesting.depth == spot.max_depth) nesting.is_right = false;
      if (!nesting.is_right) break;
      ++nesting.depth;
      nesting.objects |= kind << nesting.depth;
    } else {
      if (nesting.depth == 0 || was != kind) nesting.is_right = false;
      if (!nesting.is_right) break;
      nesting.objects &= ~(was << nesting.depth);
      if (--nesting.depth == 0) nesting.at_top |= kAll << at;
    }
    nesting.in_object ^= -(was ^ (nesting.objects >> nesting.depth & 1)) << at;
  }
  return nesting;
}

}  // namespace raw_json_block
}  // namespace sluice::json
