#include <bit>
#include <cstring>

#include "json/escaper_forms.hpp"
#include "json/escaper_kernel.hpp"
#include "json/scan.hpp"

// The kernels of machines that cannot look bytes up in a register: what is between two special
// bytes is copied, characters that are not ASCII go one after the other.

namespace sluice::json::escape {
namespace {

constexpr std::uint64_t repeat(std::uint8_t byte) { return 0x0101010101010101U * byte; }

/// Upper bits, at least one where a byte is zero.
constexpr std::uint64_t zeros(std::uint64_t word) { return (word - repeat(1)) & ~word; }

/// False, and nothing done, at a byte that is not ASCII.
inline bool take_byte(Cursor& c) noexcept {
  const auto byte = static_cast<unsigned char>(*c.in);
  if (byte >= 0x80) return false;
  c.out = put(c.out, kForms[byte]);
  ++c.in;
  return true;
}

/// Eight bytes at a time, in a register of any machine.
struct Words {
  static constexpr std::size_t kIn = 8;
  static constexpr std::size_t kRoom = kIn * kLongest + 8;

  static void take_ascii(Cursor& c) noexcept {
    while (c.left() >= kIn && c.room() >= kRoom) {
      std::uint64_t word = 0;
      std::memcpy(&word, c.in, sizeof word);
      const std::uint64_t control = (word - repeat(0x20)) & ~word;
      const std::uint64_t quote = zeros(word ^ repeat('"')) | zeros(word ^ repeat('\\'));
      if (((word | control | quote) & repeat(0x80)) == 0) {
        std::memcpy(c.out, &word, sizeof word);
        c.in += kIn;
        c.out += kIn;
        continue;
      }
      for (std::size_t i = 0; i < kIn; ++i) {
        if (!take_byte(c)) return;
      }
    }
  }
};

#if defined(__SSE2__)
/// A stride at a time. The places of all that is special in it are known before the first is
/// written, so that they follow each other as fast as the stores do.
struct Blocks {
  static constexpr std::size_t kIn = Block::kBytes;
  static constexpr std::size_t kRoom = 2 * Block::kBytes;

  static void take_ascii(Cursor& c) noexcept {
    // Loads of a run may reach a block past the stride.
    while (c.left() >= kStride + Block::kBytes && c.room() >= kStride * kLongest + Block::kBytes) {
      if (!take_stride(c)) return;
    }
    while (c.left() >= kIn && c.room() >= kRoom) {
      const Block block = Block::load(c.in);
      block.store(c.out);
      const std::uint32_t stop = block.special() | block.high();
      const int plain = stop == 0 ? static_cast<int>(Block::kBytes) : std::countr_zero(stop);
      c.in += plain;
      c.out += plain;
      if (stop != 0 && !take_byte(c)) return;
    }
  }

 private:
  static bool take_stride(Cursor& c) noexcept {
    std::uint64_t special = 0;
    std::uint64_t high = 0;
    for (std::size_t i = 0; i < kStride; i += Block::kBytes) {
      const Block block = Block::load(c.in + i);
      special |= std::uint64_t{block.special()} << i;
      high |= std::uint64_t{block.high()} << i;
    }
    const std::size_t length =
        high == 0 ? kStride : static_cast<std::size_t>(std::countr_zero(high));
    if (high != 0) special &= (std::uint64_t{1} << length) - 1;
    const char* in = c.in;  // Here and not in the cursor, so that they stay in registers.
    char* out = c.out;
    while (special != 0) {
      const char* const next = c.in + std::countr_zero(special);
      out = copy_run(out, in, next);
      out = put(out, kForms[static_cast<unsigned char>(*next)]);
      in = next + 1;
      special &= special - 1;
    }
    c.out = copy_run(out, in, c.in + length);
    c.in += length;
    return high == 0;
  }

  static char* copy_run(char* to, const char* from, const char* end) noexcept {
    const std::ptrdiff_t length = end - from;
    std::ptrdiff_t done = 0;
    do {
      Block::load(from + done).store(to + done);
      done += static_cast<std::ptrdiff_t>(Block::kBytes);
    } while (done < length);
    return to + length;
  }
};
#endif

/// Characters of two and three bytes, one after the other, while they are whole and nothing is
/// special about them: most of what is not ASCII.
inline void take_characters(Cursor& c) noexcept {
  while (c.left() >= 4 && c.room() >= 4) {
    const auto* at = reinterpret_cast<const unsigned char*>(c.in);
    std::size_t length = 0;
    if (at[0] >= 0xe1 && at[0] < 0xf0) {
      const bool tails = (at[1] & 0xc0) == 0x80 && (at[2] & 0xc0) == 0x80;
      const bool surrogate = at[0] == 0xed && at[1] >= 0xa0;
      const bool separator = at[0] == 0xe2 && at[1] == 0x80 && (at[2] & 0xfe) == 0xa8;
      if (!tails || surrogate || separator) return;
      length = 3;
    } else if (at[0] >= 0xc3 && at[0] < 0xe0) {
      if ((at[1] & 0xc0) != 0x80) return;
      length = 2;
    } else {
      return;
    }
    std::memcpy(c.out, c.in, 4);
    c.in += length;
    c.out += length;
  }
}

template <class Ascii>
Stop take(Cursor& cursor) noexcept {
  Cursor c = cursor;  // What is written cannot be part of it, so it stays in registers.
  Stop stop = Stop::at_end;
  while (c.left() >= Ascii::kIn && c.room() >= Ascii::kRoom) {
    const char* const before = c.in;
    if (static_cast<unsigned char>(*c.in) < 0x80) {
      Ascii::take_ascii(c);
    } else {
      take_characters(c);
    }
    if (c.in == before) {
      stop = Stop::at_odd;
      break;
    }
  }
  cursor = c;
  return stop;
}

}  // namespace

Stop take_portable(Cursor& c) noexcept { return take<Words>(c); }
#if defined(__SSE2__)
Stop take_sse2(Cursor& c) noexcept { return take<Blocks>(c); }
#endif

}  // namespace sluice::json::escape
