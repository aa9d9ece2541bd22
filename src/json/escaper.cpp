#include "json/escaper.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "base/check.hpp"
#include "json/document.hpp"
#include "json/scan.hpp"
#include "json/utf8.hpp"

namespace sluice::json {
namespace {

/// What is written for one byte: always eight bytes at once, of which `length` count.
struct Escape {
  char text[7];
  std::uint8_t length;
};
static_assert(sizeof(Escape) == 8);

constexpr std::array<Escape, 128> make_escapes() {
  std::array<Escape, 128> table{};
  constexpr char kHex[] = "0123456789abcdef";
  for (unsigned c = 0; c < table.size(); ++c) {
    table[c] = {{static_cast<char>(c)}, 1};
    if (c < 0x20) table[c] = {{'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]}, 6};
  }
  table['\b'] = {{'\\', 'b'}, 2};
  table['\f'] = {{'\\', 'f'}, 2};
  table['\n'] = {{'\\', 'n'}, 2};
  table['\r'] = {{'\\', 'r'}, 2};
  table['\t'] = {{'\\', 't'}, 2};
  table['"'] = {{'\\', '"'}, 2};
  table['\\'] = {{'\\', '\\'}, 2};
  return table;
}
constexpr std::array<Escape, 128> kEscapes = make_escapes();

constexpr Escape kReplacement{{'\xef', '\xbf', '\xbd'}, 3};
constexpr Escape kNextLine{{'\\', 'u', '0', '0', '8', '5'}, 6};
constexpr Escape kLineSeparator{{'\\', 'u', '2', '0', '2', '8'}, 6};
constexpr Escape kParagraphSeparator{{'\\', 'u', '2', '0', '2', '9'}, 6};

/// Longest escape of one byte.
constexpr std::size_t kWorst = 6;
/// Input looked at together where there is plenty of both sides.
constexpr std::size_t kStride = 64;
/// Loads of a run may reach a block past the stride, stores a block past what they write.
constexpr std::size_t kStrideIn = kStride + Block::kBytes;
constexpr std::size_t kStrideRoom = kStride * kWorst + Block::kBytes;

inline char* put(char* out, const Escape& escape) noexcept {
  std::memcpy(out, &escape, sizeof escape);
  return out + escape.length;
}

/// Writes one whole character of two to four bytes. Eight bytes of room.
inline char* put_character(char* out, const unsigned char* from, std::size_t length) noexcept {
  if (from[0] == 0xc2 && from[1] == 0x85) return put(out, kNextLine);
  if (from[0] == 0xe2 && from[1] == 0x80 && (from[2] == 0xa8 || from[2] == 0xa9)) {
    return put(out, from[2] == 0xa8 ? kLineSeparator : kParagraphSeparator);
  }
  out[0] = static_cast<char>(from[0]);
  out[1] = static_cast<char>(from[1]);
  if (length > 2) out[2] = static_cast<char>(from[2]);
  if (length > 3) out[3] = static_cast<char>(from[3]);
  return out + length;
}

/// Both sides of a step, and how far it got.
struct Cursor {
  const char* in;
  const char* in_end;
  char* out;
  char* out_end;

  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(in_end - in); }
  [[nodiscard]] std::size_t room() const noexcept {
    return static_cast<std::size_t>(out_end - out);
  }
};

/// Copies `length` bytes, a block at a time.
inline void copy_run(char* to, const char* from, std::size_t length) noexcept {
  std::size_t done = 0;
  do {
    Block::load(from + done).store(to + done);
    done += Block::kBytes;
  } while (done < length);
}

/// Whole strides of ASCII. The places of all escapes in a stride are known before the first is
/// written, so that they follow each other as fast as the stores do. Returns at a byte that is not
/// ASCII or when either side is short.
inline void take_strides(Cursor& c) noexcept {
  while (c.left() >= kStrideIn && c.room() >= kStrideRoom) {
    std::uint64_t special = 0;
    std::uint64_t high = 0;
    for (std::size_t i = 0; i < kStride / Block::kBytes; ++i) {
      const Block block = Block::load(c.in + i * Block::kBytes);
      special |= std::uint64_t{block.special()} << (i * Block::kBytes);
      high |= std::uint64_t{block.high()} << (i * Block::kBytes);
    }
    const std::size_t length =
        high == 0 ? kStride : static_cast<std::size_t>(std::countr_zero(high));
    if (length < kStride) special &= (std::uint64_t{1} << length) - 1;
    std::size_t at = 0;
    char* out = c.out;
    while (special != 0) {
      const auto next = static_cast<std::size_t>(std::countr_zero(special));
      copy_run(out, c.in + at, next - at);
      out = put(out + (next - at), kEscapes[static_cast<unsigned char>(c.in[next])]);
      at = next + 1;
      special &= special - 1;
    }
    copy_run(out, c.in + at, length - at);
    c.out = out + (length - at);
    c.in += length;
    if (length < kStride) return;
  }
}

/// The same where either side is short: a block, or a byte, at a time. Also returns at a byte that
/// is not ASCII. REQUIRES: kMinRoom bytes of room, and input left.
inline void take_short(Cursor& c) noexcept {
  if (c.left() < Block::kBytes) {
    const auto byte = static_cast<unsigned char>(*c.in);
    if (byte >= 0x80) return;
    c.out = put(c.out, kEscapes[byte]);
    ++c.in;
    return;
  }
  const Block block = Block::load(c.in);
  block.store(c.out);
  const std::uint32_t stop = block.special() | block.high();
  if (stop == 0) {
    c.in += Block::kBytes;
    c.out += Block::kBytes;
    return;
  }
  const int plain = std::countr_zero(stop);
  c.in += plain;
  c.out += plain;
  const auto byte = static_cast<unsigned char>(*c.in);
  if (byte >= 0x80) return;
  c.out = put(c.out, kEscapes[byte]);
  ++c.in;
}

/// Characters of two and three bytes, one after the other, while they are whole and nothing is
/// special about them: most of what is not ASCII. Returns at anything else.
inline void take_characters(Cursor& c) noexcept {
  while (c.left() >= 4 && c.room() >= Escaper::kMinRoom) {
    const auto* at = reinterpret_cast<const unsigned char*>(c.in);
    std::size_t length = 0;
    if (at[0] >= 0xe1 && at[0] < 0xf0) {
      const bool tails = (at[1] & 0xc0) == 0x80 && (at[2] & 0xc0) == 0x80;
      const bool surrogate = at[0] == 0xed && at[1] >= 0xa0;
      const bool punctuation = at[0] == 0xe2 && at[1] == 0x80;
      if (!tails || surrogate || punctuation) return;
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

}  // namespace

Escaper::Step Escaper::step(std::string_view in, std::span<char> out) noexcept {
  Cursor c{in.data(), in.data() + in.size(), out.data(), out.data() + out.size()};
  if (c.room() < kMinRoom) return {0, 0};

  while (carried_ > 0 && c.in != c.in_end) {
    carry_[carried_] = static_cast<unsigned char>(*c.in);
    const Utf8 found = utf8_at(carry_, carried_ + 1U);
    if (found.is == Utf8::Is::wrong) {
      // What is carried was the start of a character, so it is the new byte that broke it.
      c.out = put(c.out, kReplacement);
      carried_ = 0;
      break;
    }
    ++c.in;
    ++carried_;
    if (found.is == Utf8::Is::whole) {
      c.out = put_character(c.out, carry_, found.length);
      carried_ = 0;
    }
  }

  while (c.in != c.in_end && c.room() >= kMinRoom) {
    if (static_cast<unsigned char>(*c.in) < 0x80) {
      take_strides(c);
      if (c.in == c.in_end || c.room() < kMinRoom) break;
      take_short(c);
      continue;
    }
    const char* before = c.in;
    take_characters(c);
    if (c.in != before) continue;
    const auto* at = reinterpret_cast<const unsigned char*>(c.in);
    const Utf8 found = utf8_at(at, c.left());
    c.in += found.length;
    switch (found.is) {
      case Utf8::Is::whole:
        c.out = put_character(c.out, at, found.length);
        break;
      case Utf8::Is::wrong:
        c.out = put(c.out, kReplacement);
        break;
      case Utf8::Is::cut:
        for (std::uint8_t i = 0; i < found.length; ++i) carry_[i] = at[i];
        carried_ = found.length;
        break;
    }
  }
  return {in.size() - c.left(), out.size() - c.room()};
}

std::size_t Escaper::finish(std::span<char> out) noexcept {
  SLUICE_CHECK(out.size() >= kMinRoom);
  if (carried_ == 0) return 0;
  carried_ = 0;
  put(out.data(), kReplacement);
  return kReplacement.length;
}

void append_string(std::string& out, std::string_view text) {
  Escaper escaper;
  char piece[1024];
  out.push_back('"');
  while (!text.empty()) {
    const Escaper::Step step = escaper.step(text, piece);
    out.append(piece, step.written);
    text.remove_prefix(step.read);
  }
  out.append(piece, escaper.finish(piece));
  out.push_back('"');
}

}  // namespace sluice::json
