#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sluice::json {

/// Sixteen bytes looked at together. Bit n of a mask speaks of byte n.
///
/// Nothing but loads, stores and compares, of what every processor of its kind has. What is chosen
/// at run time stands elsewhere (base/simd.hpp).
class Block {
 public:
  static constexpr std::size_t kBytes = 16;

  /// REQUIRES: kBytes readable bytes at `from`.
  [[nodiscard]] static Block load(const char* from) noexcept {
    Block block;
    std::memcpy(&block.bytes_, from, kBytes);
    return block;
  }
  /// REQUIRES: kBytes writable bytes at `to`.
  void store(char* to) const noexcept { std::memcpy(to, &bytes_, kBytes); }

#if defined(__SSE2__)
  /// `"`, `\` and controls: what cannot stand in a JSON string as it is.
  [[nodiscard]] std::uint32_t special() const noexcept {
    const __m128i quote = _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\\'));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes_, _mm_set1_epi8(0x1f)), bytes_);
    return mask(_mm_or_si128(_mm_or_si128(quote, backslash), control));
  }
  /// `"` and `\`.
  [[nodiscard]] std::uint32_t quote_or_backslash() const noexcept {
    return mask(_mm_or_si128(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8('"')),
                             _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\\'))));
  }
  [[nodiscard]] std::uint32_t equals(char c) const noexcept {
    return mask(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)));
  }
  /// What is not ASCII.
  [[nodiscard]] std::uint32_t high() const noexcept { return mask(bytes_); }

 private:
  [[nodiscard]] static std::uint32_t mask(__m128i lanes) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(lanes));
  }

  __m128i bytes_;
#else
  [[nodiscard]] std::uint32_t special() const noexcept {
    return mask([](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; });
  }
  [[nodiscard]] std::uint32_t quote_or_backslash() const noexcept {
    return mask([](unsigned char c) { return c == '"' || c == '\\'; });
  }
  [[nodiscard]] std::uint32_t equals(char wanted) const noexcept {
    return mask([wanted](unsigned char c) { return c == static_cast<unsigned char>(wanted); });
  }
  [[nodiscard]] std::uint32_t high() const noexcept {
    return mask([](unsigned char c) { return c >= 0x80; });
  }

 private:
  // Without branches, so that compilers turn it into what vectors the machine has.
  template <class Test>
  [[nodiscard]] std::uint32_t mask(Test test) const noexcept {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kBytes; ++i) {
      bits |= static_cast<std::uint32_t>(test(bytes_[i])) << i;
    }
    return bits;
  }

  unsigned char bytes_[kBytes];
#endif
};

}  // namespace sluice::json
