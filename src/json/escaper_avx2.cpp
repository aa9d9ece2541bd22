#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>

#include "json/escaper_kernel.hpp"
#include "json/escaper_tables.hpp"

SLUICE_TARGET_BEGIN("avx2,bmi,bmi2,popcnt,lzcnt")
namespace sluice::json::escape {
namespace {

class Vector;
using Mask = Vector;

/// Thirty-two bytes; as a mask, what counts of each is its upper bit.
class Vector {
 public:
  static constexpr std::size_t kBytes = 32;

  Vector() noexcept = default;
  static Vector load(const char* from) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  void store(char* to) const noexcept {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes_);
  }
  static Vector splat(unsigned char byte) noexcept {
    return _mm256_set1_epi8(static_cast<char>(byte));
  }
  static Vector table(const Table& table) noexcept {
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table.at)));
  }

  Vector operator|(Vector other) const noexcept { return _mm256_or_si256(bytes_, other.bytes_); }
  Vector operator&(Vector other) const noexcept { return _mm256_and_si256(bytes_, other.bytes_); }
  Vector operator^(Vector other) const noexcept { return _mm256_xor_si256(bytes_, other.bytes_); }
  Vector without(Vector other) const noexcept { return _mm256_andnot_si256(other.bytes_, bytes_); }
  Vector minus(Vector other) const noexcept { return _mm256_subs_epu8(bytes_, other.bytes_); }
  Vector lower_halves() const noexcept { return *this & splat(0x0f); }
  Vector upper_halves() const noexcept {
    return Vector(_mm256_srli_epi16(bytes_, 4)).lower_halves();
  }
  /// REQUIRES: below 16.
  Vector at(Vector index) const noexcept { return _mm256_shuffle_epi8(bytes_, index.bytes_); }
  /// From 16 on, 0: the sum then has its upper bit set, for which the machine gives that.
  Vector at_or_zero(Vector index) const noexcept {
    return at(_mm256_adds_epu8(index.bytes_, splat(0x70).bytes_));
  }
  template <int kN>
  Vector behind(Vector before) const noexcept {
    const __m256i middle = _mm256_permute2x128_si256(before.bytes_, bytes_, 0x21);
    return _mm256_alignr_epi8(bytes_, middle, 16 - kN);
  }

  Mask operator==(Vector other) const noexcept { return _mm256_cmpeq_epi8(bytes_, other.bytes_); }
  Mask zero() const noexcept { return *this == splat(0); }
  Mask nonzero() const noexcept { return zero() ^ splat(0xff); }
  Mask at_most(unsigned char limit) const noexcept {
    return Vector(_mm256_min_epu8(bytes_, splat(limit).bytes_)) == *this;
  }
  Mask high() const noexcept { return *this; }
  bool is_any() const noexcept { return _mm256_movemask_epi8(bytes_) != 0; }
  static std::uint64_t bits(const Mask (&masks)[2]) noexcept {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(masks[0].bytes_)) |
           static_cast<std::uint64_t>(_mm256_movemask_epi8(masks[1].bytes_)) << 32;
  }

  char* expand(std::uint64_t special, char* out) const noexcept {
    out = expand(_mm256_castsi256_si128(bytes_), special, out);
    return expand(_mm256_extracti128_si256(bytes_, 1), special >> 16, out);
  }

 private:
  Vector(__m256i bytes) noexcept : bytes_(bytes) {}

  static char* expand(__m128i bytes, std::uint64_t special, char* out) noexcept {
    const __m128i backslashes = _mm_set1_epi8('\\');
    out = expand_eight(_mm_unpacklo_epi64(bytes, backslashes), special & 0xff, out);
    return expand_eight(_mm_unpackhi_epi64(bytes, backslashes), special >> 8 & 0xff, out);
  }
  static char* expand_eight(__m128i bytes, std::uint64_t special, char* out) noexcept {
    const auto* row = reinterpret_cast<const __m128i*>(kExpansions[special].at);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(bytes, _mm_load_si128(row)));
    return out + 8 + std::popcount(special);
  }

  __m256i bytes_;
};

#include "json/escaper_lookup.hpp"

}  // namespace

Stop take_avx2(Cursor& c) noexcept { return take(c); }

}  // namespace sluice::json::escape
SLUICE_TARGET_END

#endif
