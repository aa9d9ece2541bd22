#include "json/escaper.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "json/document.hpp"
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

/// Writes one whole character of two to four bytes; true if not as it is. Eight bytes of room.
bool put_character(char*& out, const unsigned char* from, std::size_t length) noexcept {
  if (const Form* form = form_of(from); form != nullptr) {
    out = put(out, *form);
    return true;
  }
  std::memcpy(out, from, length);
  out += length;
  return false;
}

/// Less than a stride of input, or of room: the kernel works on copies of both.
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
      length = c.room() / 2;
      continue;
    }
    std::memcpy(c.out, out, written);
    c.in += read;
    c.out += written;
    return stop;
  }
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
      escape::put_character(c.out, carry_, found.length);
      carried_ = 0;
    }
  }
}

bool Escaper::take_character(escape::Cursor& c) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(c.in);
  if (at[0] < 0x80) {
    const escape::Form& form = escape::kForms[at[0]];
    c.out = put(c.out, form);
    ++c.in;
    return form.length == escape::kLongest;
  }
  const Utf8 found = utf8_at(at, c.left());
  c.in += found.length;
  switch (found.is) {
    case Utf8::Is::whole:
      return escape::put_character(c.out, at, found.length);
    case Utf8::Is::wrong:
      c.out = put(c.out, escape::kReplacement);
      break;
    case Utf8::Is::cut:
      for (std::uint8_t i = 0; i < found.length; ++i) carry_[i] = at[i];
      carried_ = found.length;
      break;
  }
  return true;
}

Escaper::Step Escaper::step(std::string_view in, std::span<char> out) noexcept {
  escape::Cursor c{in.data(), in.data() + in.size(), out.data(), out.data() + out.size()};
  if (c.room() < kMinRoom) return {0, 0};
  take_carried(c);
  while (c.in != c.in_end && c.room() >= kMinRoom) {
    const Stop stop = c.has_stride() ? kernel_(c) : escape::take_short(c, kernel_);
    if (stop == Stop::at_end) continue;
    // Odd ones come in company.
    for (int calm = 0; calm < 4 && c.in != c.in_end && c.room() >= kMinRoom; ++calm) {
      if (take_character(c)) calm = -1;
    }
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
