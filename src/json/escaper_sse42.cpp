#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>

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
  /// From 16 on, 0: the sum then has its upper bit set, for which the machine gives that.
  Vector at_or_zero(Vector index) const noexcept {
    return at(_mm_adds_epu8(index.bytes_, splat(0x70).bytes_));
  }
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
  static std::uint64_t bits(const Mask (&masks)[4]) noexcept {
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) {
      const auto sixteen = static_cast<std::uint32_t>(_mm_movemask_epi8(masks[i].bytes_));
      bits |= std::uint64_t{sixteen} << (i * 16);
    }
    return bits;
  }

  char* expand(std::uint64_t special, char* out) const noexcept {
    const __m128i backslashes = _mm_set1_epi8('\\');
    out = expand_eight(_mm_unpacklo_epi64(bytes_, backslashes), special & 0xff, out);
    return expand_eight(_mm_unpackhi_epi64(bytes_, backslashes), special >> 8 & 0xff, out);
  }

 private:
  Vector(__m128i bytes) noexcept : bytes_(bytes) {}

  static char* expand_eight(__m128i bytes, std::uint64_t special, char* out) noexcept {
    const auto* row = reinterpret_cast<const __m128i*>(kExpansions[special].at);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(bytes, _mm_load_si128(row)));
    return out + 8 + std::popcount(special);
  }

  __m128i bytes_;
};

#include "json/escaper_lookup.hpp"

}  // namespace

Stop take_sse42(Cursor& c) noexcept { return take(c); }

}  // namespace sluice::json::escape
SLUICE_TARGET_END

#endif
