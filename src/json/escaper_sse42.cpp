#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstring>

#include "json/escaper_forms.hpp"
#include "json/escaper_kernel.hpp"
#include "json/escaper_tables.hpp"

SLUICE_TARGET_BEGIN("sse4.2,popcnt")
namespace sluice::json::escape {
namespace {

class Vector;
using Mask = Vector;

/// Sixteen bytes; as a mask, what counts of each is its upper bit.
class Vector {
 public:
  static constexpr std::size_t kBytes = 16;

  Vector() noexcept = default;
  static Vector load(const char* from) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  void store(char* to) const noexcept { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes_); }
  static Vector splat(unsigned char byte) noexcept {
    return _mm_set1_epi8(static_cast<char>(byte));
  }
  static Vector table(const Table& table) noexcept {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(table.at));
  }

  Vector operator|(Vector other) const noexcept { return _mm_or_si128(bytes_, other.bytes_); }
  Vector operator&(Vector other) const noexcept { return _mm_and_si128(bytes_, other.bytes_); }
  Vector operator^(Vector other) const noexcept { return _mm_xor_si128(bytes_, other.bytes_); }
  Vector without(Vector other) const noexcept { return _mm_andnot_si128(other.bytes_, bytes_); }
  Vector minus(Vector other) const noexcept { return _mm_subs_epu8(bytes_, other.bytes_); }
  Vector lower_halves() const noexcept { return *this & splat(0x0f); }
  Vector upper_halves() const noexcept { return Vector(_mm_srli_epi16(bytes_, 4)).lower_halves(); }
  /// REQUIRES: below 16.
  Vector at(Vector index) const noexcept { return _mm_shuffle_epi8(bytes_, index.bytes_); }
  /// By the lower half of an index; 0, or by that too, where its upper bit is set.
  Vector at_lower(Vector index) const noexcept { return at(index); }
  Vector where(Mask mask) const noexcept { return *this & mask; }
  template <int kN>
  Vector behind(Vector before) const noexcept {
    return _mm_alignr_epi8(bytes_, before.bytes_, 16 - kN);
  }

  Mask operator==(Vector other) const noexcept { return _mm_cmpeq_epi8(bytes_, other.bytes_); }
  Mask zero() const noexcept { return *this == splat(0); }
  Mask nonzero() const noexcept { return zero() ^ splat(0xff); }
  Mask at_most(unsigned char limit) const noexcept {
    return Vector(_mm_min_epu8(bytes_, splat(limit).bytes_)) == *this;
  }
  Mask high() const noexcept { return *this; }
  bool is_any() const noexcept { return _mm_movemask_epi8(bytes_) != 0; }
  bool is_zero() const noexcept { return _mm_testz_si128(bytes_, bytes_) != 0; }
  std::uint64_t bits() const noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes_));
  }
  static std::uint64_t bits(const Mask (&masks)[4]) noexcept {
    return masks[0].bits() | masks[1].bits() << 16 | masks[2].bits() << 32 | masks[3].bits() << 48;
  }

  /// Writes all bytes, a backslash in front of those that are `special`; eight more may be touched.
  char* expand(std::uint64_t special, char* out) const noexcept {
    const __m128i backslashes = _mm_set1_epi8('\\');
    const std::uint64_t first = special << 4 & kRows;
    const std::uint64_t second = special >> 4 & kRows;
    expand_eight(_mm_blend_epi16(bytes_, backslashes, 0xf0), first, out);
    out += std::popcount(first);
    expand_eight(_mm_unpackhi_epi64(bytes_, backslashes), second, out + 8);
    return out + 16 + std::popcount(second);
  }

 private:
  /// The place of a row in bytes, which is its number times sixteen, and so has as many bits set.
  static constexpr std::uint64_t kRows = 0xff0;

  Vector(__m128i bytes) noexcept : bytes_(bytes) {}

  static void expand_eight(__m128i bytes, std::uint64_t place, char* out) noexcept {
    const char* const row = reinterpret_cast<const char*>(kExpansions.data()) + place;
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(out),
        _mm_shuffle_epi8(bytes, _mm_load_si128(reinterpret_cast<const __m128i*>(row))));
  }

  __m128i bytes_;
};

#include "json/escaper_lookup.inc"

}  // namespace

Stop take_sse42(Cursor& c) noexcept { return take(c); }

}  // namespace sluice::json::escape
SLUICE_TARGET_END

#endif
