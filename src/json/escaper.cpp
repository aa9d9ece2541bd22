#include "json/escaper.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "json/escaper_forms.hpp"
#include "json/utf8.hpp"

namespace sluice::json {
namespace escape {

Kernel kernel_for(Simd simd) noexcept {
  switch (simd) {
#if defined(__x86_64__)
    case Simd::sse2:
      return take_sse2;
    case Simd::sse42:
      return take_sse42;
    case Simd::avx2:
      return take_avx2;
    case Simd::avx512:
      return take_avx512;
#elif defined(__aarch64__)
    case Simd::neon:
      return take_neon;
#endif
    default:
      return take_portable;
  }
}

namespace {

constexpr Form kReplacement{{'\xef', '\xbf', '\xbd'}, 3};
constexpr Form kNextLine{{'\\', 'u', '0', '0', '8', '5'}, 6};
constexpr Form kLineSeparator{{'\\', 'u', '2', '0', '2', '8'}, 6};
constexpr Form kParagraphSeparator{{'\\', 'u', '2', '0', '2', '9'}, 6};

/// The form of a character that is not ASCII where that is not the character itself.
const Form* form_of(const unsigned char* at) noexcept {
  if (at[0] == 0xc2 && at[1] == 0x85) return &kNextLine;
  if (at[0] != 0xe2 || at[1] != 0x80) return nullptr;
  return at[2] == 0xa8 ? &kLineSeparator : at[2] == 0xa9 ? &kParagraphSeparator : nullptr;
}

/// Writes one whole character of two to four bytes. Eight bytes of room.
char* put_character(char* out, const unsigned char* from, std::size_t length) noexcept {
  if (const Form* form = form_of(from); form != nullptr) return put(out, *form);
  std::memcpy(out, from, length);
  return out + length;
}

/// Where less than a stride of input or of room is left, the kernel works on copies.
Stop take_short(Cursor& c, Kernel kernel) noexcept {
  char in[kStride];
  char out[kStrideRoom];
  std::size_t length = std::min({kStride, c.left(), c.room()});
  while (true) {
    std::memcpy(in, c.in, length);
    std::memset(in + length, ' ', kStride - length);
    Cursor copy{in, in + kStride, out, out + kStrideRoom};
    const Stop stop = kernel(copy);
    auto read = static_cast<std::size_t>(copy.in - in);
    auto written = static_cast<std::size_t>(copy.out - out);
    if (read > length) {
      written -= read - length;
      read = length;
    }
    if (written > c.room()) {
      length = length > c.room() / 2 ? c.room() / 2 : c.room() / kLongest;
      continue;
    }
    std::memcpy(c.out, out, written);
    c.in += read;
    c.out += written;
    return stop;
  }
}

Stop take(Cursor& c, Kernel kernel) noexcept {
  return c.has_stride() ? kernel(c) : take_short(c, kernel);
}

}  // namespace
}  // namespace escape

using escape::Stop;

Escaper::Escaper(Simd simd) noexcept : kernel_(escape::kernel_for(simd)) {}

void Escaper::take_carried(escape::Cursor& c) noexcept {
  while (carried_ > 0 && c.in != c.in_end) {
    carry_[carried_] = static_cast<unsigned char>(*c.in);
    const Utf8 found = utf8_at(carry_, carried_ + 1U);
    if (found.is == Utf8::Is::wrong) {
      // What is carried was the start of a character, so it is the new byte that broke it.
      c.out = put(c.out, escape::kReplacement);
      carried_ = 0;
      return;
    }
    ++c.in;
    ++carried_;
    if (found.is == Utf8::Is::whole) {
      c.out = escape::put_character(c.out, carry_, found.length);
      carried_ = 0;
    }
  }
}

void Escaper::take_character(escape::Cursor& c) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(c.in);
  if (at[0] < 0x80) {
    c.out = put(c.out, escape::kForms[at[0]]);
    ++c.in;
    return;
  }
  const Utf8 found = utf8_at(at, c.left());
  c.in += found.length;
  switch (found.is) {
    case Utf8::Is::whole:
      c.out = escape::put_character(c.out, at, found.length);
      break;
    case Utf8::Is::wrong:
      c.out = put(c.out, escape::kReplacement);
      break;
    case Utf8::Is::cut:
      for (std::uint8_t i = 0; i < found.length; ++i) carry_[i] = at[i];
      carried_ = found.length;
      break;
  }
}

/// Odd characters less than this apart are dense.
constexpr std::ptrdiff_t kNear = 128;

void Escaper::take_dense(escape::Cursor& c) noexcept {
  constexpr std::size_t kBytes = 1024;
  const char* const in_end = c.in_end;
  const char* const end = c.left() > kBytes ? c.in + kBytes : in_end;
  while (c.in < end && c.room() >= kMinRoom) {
    c.in_end = end;
    const Stop stop = escape::take(c, escape::take_plain);
    c.in_end = in_end;
    if (stop == Stop::at_odd && c.room() >= kMinRoom) take_character(c);
  }
}

Escaper::Step Escaper::step(std::string_view in, std::span<char> out) noexcept {
  escape::Cursor c{in.data(), in.data() + in.size(), out.data(), out.data() + out.size()};
  if (c.room() < kMinRoom) return {0, 0};
  take_carried(c);
  while (c.in != c.in_end && c.room() >= kMinRoom) {
    const char* const before = c.in;
    if (escape::take(c, kernel_) == Stop::at_end || c.room() < kMinRoom) continue;
    take_character(c);
    if (c.in - before < kNear) take_dense(c);
  }
  return {in.size() - c.left(), out.size() - c.room()};
}

std::size_t Escaper::finish(std::span<char> out) noexcept {
  SLUICE_CHECK(out.size() >= kMinRoom);
  if (carried_ == 0) return 0;
  carried_ = 0;
  put(out.data(), escape::kReplacement);
  return escape::kReplacement.length;
}

}  // namespace sluice::json
