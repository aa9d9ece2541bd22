#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "base/simd.hpp"

// Bytes: sixty-four of them, as an instruction set holds them, and the masks that it can make: bit
// n speaks of byte n. One in the namespace of each set that this kind of machine may have; code that
// is written for all of them stands in an .inc file, which is included into each.
//
//   load(from)    REQUIRES: 64 readable bytes.
//   with_bit5()   Bit 5 is set in each, as it is in lower case.
//   equals(c), at_most(c), digits()    By unsigned value.
//   has_any(a, b, c, d)
//   bit<n>()
//   parity(mask)  Bit n is set where an odd number of the bits up to n are.

namespace sluice::json {

/// By shifts, where the instruction set has no product without carries.
[[nodiscard]] inline std::uint64_t parity_by_shifts(std::uint64_t bits) noexcept {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

#if defined(__x86_64__)

namespace sse2 {

struct Bytes {
  __m128i part[4];

  static Bytes load(const char* from) noexcept {
    const auto* parts = reinterpret_cast<const __m128i*>(from);
    return {{_mm_loadu_si128(parts), _mm_loadu_si128(parts + 1), _mm_loadu_si128(parts + 2),
             _mm_loadu_si128(parts + 3)}};
  }
  static std::uint64_t mask(__m128i a, __m128i b, __m128i c, __m128i d) noexcept {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(a)) |
                                      static_cast<unsigned>(_mm_movemask_epi8(b)) << 16) |
           static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(c)) |
                                      static_cast<unsigned>(_mm_movemask_epi8(d)) << 16)
               << 32;
  }
  [[nodiscard]] Bytes with_bit5() const noexcept {
    const __m128i five = _mm_set1_epi8(0x20);
    return {{_mm_or_si128(part[0], five), _mm_or_si128(part[1], five), _mm_or_si128(part[2], five),
             _mm_or_si128(part[3], five)}};
  }
  [[nodiscard]] std::uint64_t equals(char c) const noexcept {
    const __m128i all = _mm_set1_epi8(c);
    return mask(_mm_cmpeq_epi8(part[0], all), _mm_cmpeq_epi8(part[1], all),
                _mm_cmpeq_epi8(part[2], all), _mm_cmpeq_epi8(part[3], all));
  }
  [[nodiscard]] std::uint64_t at_most(char c) const noexcept {
    const __m128i all = _mm_set1_epi8(c);
    return mask(_mm_cmpeq_epi8(_mm_min_epu8(part[0], all), part[0]),
                _mm_cmpeq_epi8(_mm_min_epu8(part[1], all), part[1]),
                _mm_cmpeq_epi8(_mm_min_epu8(part[2], all), part[2]),
                _mm_cmpeq_epi8(_mm_min_epu8(part[3], all), part[3]));
  }
  [[nodiscard]] std::uint64_t digits() const noexcept {
    const __m128i zero = _mm_set1_epi8('0');
    return Bytes{{_mm_sub_epi8(part[0], zero), _mm_sub_epi8(part[1], zero),
                  _mm_sub_epi8(part[2], zero), _mm_sub_epi8(part[3], zero)}}
        .at_most(9);
  }
  [[nodiscard]] bool has_any(char a, char b, char c, char d) const noexcept {
    __m128i found = _mm_setzero_si128();
    for (const __m128i& bytes : part) {
      found = _mm_or_si128(found, _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(a)),
                                               _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b))));
      found = _mm_or_si128(found, _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)),
                                               _mm_cmpeq_epi8(bytes, _mm_set1_epi8(d))));
    }
    return _mm_movemask_epi8(found) != 0;
  }
  template <int n>
  [[nodiscard]] std::uint64_t bit() const noexcept {
    // Moved to the top of its byte; what comes in from the byte below is not looked at.
    return mask(_mm_slli_epi16(part[0], 7 - n), _mm_slli_epi16(part[1], 7 - n),
                _mm_slli_epi16(part[2], 7 - n), _mm_slli_epi16(part[3], 7 - n));
  }
  static std::uint64_t parity(std::uint64_t bits) noexcept { return parity_by_shifts(bits); }
};

}  // namespace sse2

SLUICE_TARGET_BEGIN("avx2,bmi,bmi2,lzcnt,pclmul")
namespace avx2 {

struct Bytes {
  __m256i low;
  __m256i high;

  static Bytes load(const char* from) noexcept {
    const auto* parts = reinterpret_cast<const __m256i*>(from);
    return {_mm256_loadu_si256(parts), _mm256_loadu_si256(parts + 1)};
  }
  static std::uint64_t mask(__m256i a, __m256i b) noexcept {
    return static_cast<unsigned>(_mm256_movemask_epi8(a)) |
           static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(b))) << 32;
  }
  [[nodiscard]] Bytes with_bit5() const noexcept {
    const __m256i five = _mm256_set1_epi8(0x20);
    return {_mm256_or_si256(low, five), _mm256_or_si256(high, five)};
  }
  [[nodiscard]] std::uint64_t equals(char c) const noexcept {
    const __m256i all = _mm256_set1_epi8(c);
    return mask(_mm256_cmpeq_epi8(low, all), _mm256_cmpeq_epi8(high, all));
  }
  [[nodiscard]] std::uint64_t at_most(char c) const noexcept {
    const __m256i all = _mm256_set1_epi8(c);
    return mask(_mm256_cmpeq_epi8(_mm256_min_epu8(low, all), low),
                _mm256_cmpeq_epi8(_mm256_min_epu8(high, all), high));
  }
  [[nodiscard]] std::uint64_t digits() const noexcept {
    const __m256i zero = _mm256_set1_epi8('0');
    return Bytes{_mm256_sub_epi8(low, zero), _mm256_sub_epi8(high, zero)}.at_most(9);
  }
  [[nodiscard]] bool has_any(char a, char b, char c, char d) const noexcept {
    __m256i found = _mm256_setzero_si256();
    for (const __m256i& bytes : {low, high}) {
      found =
          _mm256_or_si256(found, _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(a)),
                                                 _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b))));
      found =
          _mm256_or_si256(found, _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)),
                                                 _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(d))));
    }
    return _mm256_movemask_epi8(found) != 0;
  }
  template <int n>
  [[nodiscard]] std::uint64_t bit() const noexcept {
    return mask(_mm256_slli_epi16(low, 7 - n), _mm256_slli_epi16(high, 7 - n));
  }
  static std::uint64_t parity(std::uint64_t bits) noexcept {
    // A product without carries by all ones.
    const __m128i factor = _mm_cvtsi64_si128(static_cast<long long>(bits));
    const __m128i product = _mm_clmulepi64_si128(factor, _mm_set1_epi8(-1), 0);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
};

}  // namespace avx2
SLUICE_TARGET_END

SLUICE_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,pclmul")
namespace avx512 {

struct Bytes {
  __m512i all;

  static Bytes load(const char* from) noexcept { return {_mm512_loadu_si512(from)}; }
  [[nodiscard]] Bytes with_bit5() const noexcept {
    return {_mm512_or_si512(all, _mm512_set1_epi8(0x20))};
  }
  [[nodiscard]] std::uint64_t equals(char c) const noexcept {
    return _mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8(c));
  }
  [[nodiscard]] std::uint64_t at_most(char c) const noexcept {
    return _mm512_cmple_epu8_mask(all, _mm512_set1_epi8(c));
  }
  [[nodiscard]] std::uint64_t digits() const noexcept {
    return Bytes{_mm512_sub_epi8(all, _mm512_set1_epi8('0'))}.at_most(9);
  }
  [[nodiscard]] bool has_any(char a, char b, char c, char d) const noexcept {
    return (equals(a) | equals(b) | equals(c) | equals(d)) != 0;
  }
  template <int n>
  [[nodiscard]] std::uint64_t bit() const noexcept {
    return _mm512_test_epi8_mask(all, _mm512_set1_epi8(static_cast<char>(1U << n)));
  }
  static std::uint64_t parity(std::uint64_t bits) noexcept {
    // A product without carries by all ones.
    const __m128i factor = _mm_cvtsi64_si128(static_cast<long long>(bits));
    const __m128i product = _mm_clmulepi64_si128(factor, _mm_set1_epi8(-1), 0);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
};

}  // namespace avx512
SLUICE_TARGET_END

#elif defined(__aarch64__)

namespace neon {

struct Bytes {
  uint8x16_t part[4];

  static Bytes load(const char* from) noexcept {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
    return {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
  }
  /// One bit of each lane that is all ones, then pairs are added until eight lanes are left.
  static std::uint64_t mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) noexcept {
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    const uint8x16_t ab = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
    const uint8x16_t cd = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
    const uint8x16_t abcd = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(abcd, abcd)), 0);
  }
  [[nodiscard]] Bytes with_bit5() const noexcept {
    const uint8x16_t five = vdupq_n_u8(0x20);
    return {{vorrq_u8(part[0], five), vorrq_u8(part[1], five), vorrq_u8(part[2], five),
             vorrq_u8(part[3], five)}};
  }
  [[nodiscard]] std::uint64_t equals(char c) const noexcept {
    const uint8x16_t all = vdupq_n_u8(static_cast<std::uint8_t>(c));
    return mask(vceqq_u8(part[0], all), vceqq_u8(part[1], all), vceqq_u8(part[2], all),
                vceqq_u8(part[3], all));
  }
  [[nodiscard]] std::uint64_t at_most(char c) const noexcept {
    const uint8x16_t all = vdupq_n_u8(static_cast<std::uint8_t>(c));
    return mask(vcleq_u8(part[0], all), vcleq_u8(part[1], all), vcleq_u8(part[2], all),
                vcleq_u8(part[3], all));
  }
  [[nodiscard]] std::uint64_t digits() const noexcept {
    const uint8x16_t zero = vdupq_n_u8('0');
    return Bytes{{vsubq_u8(part[0], zero), vsubq_u8(part[1], zero), vsubq_u8(part[2], zero),
                  vsubq_u8(part[3], zero)}}
        .at_most(9);
  }
  [[nodiscard]] bool has_any(char a, char b, char c, char d) const noexcept {
    uint8x16_t found = vdupq_n_u8(0);
    for (const char wanted : {a, b, c, d}) {
      const uint8x16_t all = vdupq_n_u8(static_cast<std::uint8_t>(wanted));
      for (const uint8x16_t& bytes : part) found = vorrq_u8(found, vceqq_u8(bytes, all));
    }
    return vmaxvq_u8(found) != 0;
  }
  template <int n>
  [[nodiscard]] std::uint64_t bit() const noexcept {
    const uint8x16_t one = vdupq_n_u8(1U << n);
    return mask(vtstq_u8(part[0], one), vtstq_u8(part[1], one), vtstq_u8(part[2], one),
                vtstq_u8(part[3], one));
  }
  static std::uint64_t parity(std::uint64_t bits) noexcept { return parity_by_shifts(bits); }
};

}  // namespace neon

#endif

}  // namespace sluice::json
