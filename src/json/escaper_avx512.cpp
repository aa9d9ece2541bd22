#if defined(__x86_64__)

#if !defined(__clang__)
// A false alarm of g++ 12: the intrinsics start from values that do not matter.
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <immintrin.h>

#include <bit>
#include <cstring>

#include "json/escaper_forms.hpp"
#include "json/escaper_kernel.hpp"
#include "json/escaper_tables.hpp"

SLUICE_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt,lzcnt")
namespace sluice::json::escape {
namespace {

class Mask {
 public:
  Mask() noexcept = default;
  Mask(__mmask64 bits) noexcept : bits_(bits) {}
  Mask operator|(Mask other) const noexcept { return bits_ | other.bits_; }
  Mask operator&(Mask other) const noexcept { return bits_ & other.bits_; }
  Mask without(Mask other) const noexcept { return bits_ & ~other.bits_; }
  bool is_any() const noexcept { return bits_ != 0; }
  std::uint64_t bits() const noexcept { return bits_; }

 private:
  __mmask64 bits_;
};

/// Sixty-four bytes.
class Vector {
 public:
  static constexpr std::size_t kBytes = 64;

  Vector() noexcept = default;
  static Vector load(const char* from) noexcept { return _mm512_loadu_si512(from); }
  void store(char* to) const noexcept { _mm512_storeu_si512(to, bytes_); }
  static Vector splat(unsigned char byte) noexcept {
    return _mm512_set1_epi8(static_cast<char>(byte));
  }
  static Vector table(const Table& table) noexcept {
    return _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(table.at)));
  }

  Vector operator|(Vector other) const noexcept { return _mm512_or_si512(bytes_, other.bytes_); }
  Vector operator&(Vector other) const noexcept { return _mm512_and_si512(bytes_, other.bytes_); }
  Vector operator^(Vector other) const noexcept { return _mm512_xor_si512(bytes_, other.bytes_); }
  Vector minus(Vector other) const noexcept { return _mm512_subs_epu8(bytes_, other.bytes_); }
  Vector lower_halves() const noexcept { return *this & splat(0x0f); }
  Vector upper_halves() const noexcept {
    return Vector(_mm512_srli_epi16(bytes_, 4)).lower_halves();
  }
  /// REQUIRES: below 16.
  Vector at(Vector index) const noexcept { return _mm512_shuffle_epi8(bytes_, index.bytes_); }
  /// By the lower half of an index; 0, or by that too, where its upper bit is set.
  Vector at_lower(Vector index) const noexcept { return at(index); }
  Vector where(Mask mask) const noexcept { return _mm512_maskz_mov_epi8(mask.bits(), bytes_); }
  template <int kN>
  Vector behind(Vector before) const noexcept {
    const __m512i middle = _mm512_alignr_epi64(bytes_, before.bytes_, 6);
    return _mm512_alignr_epi8(bytes_, middle, 16 - kN);
  }

  Mask operator==(Vector other) const noexcept {
    return _mm512_cmpeq_epi8_mask(bytes_, other.bytes_);
  }
  Mask zero() const noexcept { return _mm512_testn_epi8_mask(bytes_, bytes_); }
  Mask nonzero() const noexcept { return _mm512_test_epi8_mask(bytes_, bytes_); }
  Mask at_most(unsigned char limit) const noexcept {
    return _mm512_cmple_epu8_mask(bytes_, splat(limit).bytes_);
  }
  Mask high() const noexcept { return _mm512_movepi8_mask(bytes_); }
  bool is_zero() const noexcept { return !nonzero().is_any(); }
  static std::uint64_t bits(const Mask (&masks)[1]) noexcept { return masks[0].bits(); }

  /// Pairs of a backslash and a byte, of which the backslashes that are not wanted drop out.
  char* expand(std::uint64_t special, char* out) const noexcept {
    alignas(64) static constexpr unsigned char kTwice[64] = {
        0,  0,  1,  1,  2,  2,  3,  3,  4,  4,  5,  5,  6,  6,  7,  7,  8,  8,  9,  9,  10, 10,
        11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21,
        22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 31};
    const __m512i lower = _mm512_load_si512(kTwice);
    const __m512i upper = _mm512_or_si512(lower, _mm512_set1_epi8(32));
    out = expand_half(lower, special & 0xffffffff, out);
    return expand_half(upper, special >> 32, out);
  }

 private:
  Vector(__m512i bytes) noexcept : bytes_(bytes) {}

  char* expand_half(__m512i index, std::uint64_t special, char* out) const noexcept {
    constexpr std::uint64_t kBytesOfPairs = 0xaaaaaaaaaaaaaaaa;
    const __m512i pairs =
        _mm512_mask_permutexvar_epi8(_mm512_set1_epi8('\\'), kBytesOfPairs, index, bytes_);
    const __mmask64 kept = _pdep_u64(special, ~kBytesOfPairs) | kBytesOfPairs;
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(kept, pairs));
    return out + 32 + std::popcount(special);
  }

  __m512i bytes_;
};

#include "json/escaper_lookup.inc"

}  // namespace

Stop take_avx512(Cursor& c) noexcept { return take(c); }

}  // namespace sluice::json::escape
SLUICE_TARGET_END

#endif
