#include "json/base64_kernels.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sluice::json {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The two characters for every twelve bits: half the look-ups, in 8 KiB of first-level cache.
using Pair = std::array<char, 2>;
constexpr std::array<Pair, 4096> make_pairs() {
  std::array<Pair, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kAlphabet[i >> 6], kAlphabet[i & 63]};
  return pairs;
}
constexpr std::array<Pair, 4096> kPairs = make_pairs();

/// SSE2 too: without a shuffle of bytes, vectors gain nothing on this.
void encode_portable(const unsigned char* from, std::size_t groups, char* to) noexcept {
  for (; groups > 0; --groups, from += 3, to += 4) {
    const unsigned bits = unsigned{from[0]} << 16 | unsigned{from[1]} << 8 | from[2];
    std::memcpy(to, &kPairs[bits >> 12], 2);
    std::memcpy(to + 2, &kPairs[bits & 0xfff], 2);
  }
}

// The vector ways are those of Muła and Lemire ("Faster Base64 Encoding and Decoding using AVX2
// Instructions", 2018; "Base64 encoding and decoding at almost the speed of a memory copy", 2020).
// Bytes b0 b1 b2 of a group are laid out as b1 b0 b2 b1, so that in a little-endian word each of
// the four values of six bits is a run of bits: b0's at 10, then at 4, at 22 and at 16.

#if defined(__x86_64__)

SLUICE_TARGET_BEGIN("sse4.2,popcnt")

/// 0 to 63 to characters: what to add is one of thirteen constants, found by a shuffle: 13 stands
/// for A to Z, 0 for a to z, 1 to 10 for digits, 11 and 12 for the rest.
inline __m128i characters(__m128i values) noexcept {
  const __m128i shifts =
      _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                    '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  const __m128i is_upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), values);
  const __m128i which = _mm_or_si128(_mm_subs_epu8(values, _mm_set1_epi8(51)),
                                     _mm_and_si128(is_upper, _mm_set1_epi8(13)));
  return _mm_add_epi8(values, _mm_shuffle_epi8(shifts, which));
}

/// A multiplication per 16 bits shifts each half by an amount of its own.
inline __m128i sixes(__m128i bytes) noexcept {
  const __m128i words =
      _mm_shuffle_epi8(bytes, _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
  const __m128i even =
      _mm_mulhi_epu16(_mm_and_si128(words, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
  const __m128i odd =
      _mm_mullo_epi16(_mm_and_si128(words, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
  return _mm_or_si128(even, odd);
}

void encode_sse42(const unsigned char* from, std::size_t groups, char* to) noexcept {
  // Twelve of sixteen loaded bytes are used, so two groups more have to be there.
  for (; groups >= 6; groups -= 4, from += 12, to += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), characters(sixes(bytes)));
  }
  encode_portable(from, groups, to);
}

SLUICE_TARGET_END
SLUICE_TARGET_BEGIN("avx2,bmi,bmi2")

inline __m256i characters(__m256i values) noexcept {
  const __m256i shifts = _mm256_broadcastsi128_si256(
      _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                    '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0));
  const __m256i is_upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values);
  const __m256i which = _mm256_or_si256(_mm256_subs_epu8(values, _mm256_set1_epi8(51)),
                                        _mm256_and_si256(is_upper, _mm256_set1_epi8(13)));
  return _mm256_add_epi8(values, _mm256_shuffle_epi8(shifts, which));
}

inline __m256i sixes(__m256i bytes) noexcept {
  const __m256i order =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
  const __m256i words = _mm256_shuffle_epi8(bytes, order);
  const __m256i even = _mm256_mulhi_epu16(_mm256_and_si256(words, _mm256_set1_epi32(0x0fc0fc00)),
                                          _mm256_set1_epi32(0x04000040));
  const __m256i odd = _mm256_mullo_epi16(_mm256_and_si256(words, _mm256_set1_epi32(0x003f03f0)),
                                         _mm256_set1_epi32(0x01000010));
  return _mm256_or_si256(even, odd);
}

void encode_avx2(const unsigned char* from, std::size_t groups, char* to) noexcept {
  // Twelve bytes for each half; the second load ends four bytes behind them.
  for (; groups >= 10; groups -= 8, from += 24, to += 32) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 12));
    const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), characters(sixes(bytes)));
  }
  encode_sse42(from, groups, to);
}

SLUICE_TARGET_END
SLUICE_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2")

void encode_avx512(const unsigned char* from, std::size_t groups, char* to) noexcept {
  alignas(64) static constexpr std::array<std::uint8_t, 64> kOrder = [] {
    std::array<std::uint8_t, 64> order{};
    for (std::uint8_t group = 0; group < 16; ++group) {
      const auto byte = static_cast<std::uint8_t>(3 * group);
      order[4 * group] = order[4 * group + 3] = static_cast<std::uint8_t>(byte + 1);
      order[4 * group + 1] = byte;
      order[4 * group + 2] = static_cast<std::uint8_t>(byte + 2);
    }
    return order;
  }();
  const __m512i order = _mm512_load_si512(kOrder.data());
  const __m512i alphabet = _mm512_loadu_si512(kAlphabet);
  // The places of the runs of six bits in 64 bits, the lowest byte of the result first.
  const __m512i places = _mm512_set1_epi64(0x3036242a1016040a);
  while (groups > 0) {
    const std::size_t now = groups < 16 ? groups : 16;
    const __mmask64 in = ~std::uint64_t{0} >> (64 - 3 * now);
    const __mmask64 out = ~std::uint64_t{0} >> (64 - 4 * now);
    const __m512i bytes = _mm512_maskz_loadu_epi8(in, from);
    const __m512i sixes =
        _mm512_multishift_epi64_epi8(places, _mm512_permutexvar_epi8(order, bytes));
    // The two bits above each six belong to its neighbour; the look-up ignores them.
    _mm512_mask_storeu_epi8(to, out, _mm512_permutexvar_epi8(sixes, alphabet));
    groups -= now;
    from += 48;
    to += 64;
  }
}

SLUICE_TARGET_END

#elif defined(__aarch64__)

void encode_neon(const unsigned char* from, std::size_t groups, char* to) noexcept {
  const auto* letters = reinterpret_cast<const std::uint8_t*>(kAlphabet);
  const uint8x16x4_t alphabet = {
      {vld1q_u8(letters), vld1q_u8(letters + 16), vld1q_u8(letters + 32), vld1q_u8(letters + 48)}};
  const uint8x16_t six = vdupq_n_u8(63);
  for (; groups >= 16; groups -= 16, from += 48, to += 64) {
    const uint8x16x3_t b = vld3q_u8(from);
    const uint8x16_t first = vshrq_n_u8(b.val[0], 2);
    const uint8x16_t second = vandq_u8(vsliq_n_u8(vshrq_n_u8(b.val[1], 4), b.val[0], 4), six);
    const uint8x16_t third = vandq_u8(vsliq_n_u8(vshrq_n_u8(b.val[2], 6), b.val[1], 2), six);
    const uint8x16_t fourth = vandq_u8(b.val[2], six);
    const uint8x16x4_t text = {{vqtbl4q_u8(alphabet, first), vqtbl4q_u8(alphabet, second),
                                vqtbl4q_u8(alphabet, third), vqtbl4q_u8(alphabet, fourth)}};
    vst4q_u8(reinterpret_cast<std::uint8_t*>(to), text);
  }
  encode_portable(from, groups, to);
}

#endif

}  // namespace

Base64Kernel base64_kernel(Simd simd) noexcept {
  switch (simd) {
#if defined(__x86_64__)
    case Simd::sse42:
      return encode_sse42;
    case Simd::avx2:
      return encode_avx2;
    case Simd::avx512:
      return encode_avx512;
#elif defined(__aarch64__)
    case Simd::neon:
      return encode_neon;
#endif
    default:
      return encode_portable;
  }
}

}  // namespace sluice::json
