#if defined(__aarch64__)

#include <arm_neon.h>

#include <bit>
#include <cstring>

#include "json/escaper_forms.hpp"
#include "json/escaper_kernel.hpp"
#include "json/escaper_tables.hpp"

namespace sluice::json::escape {
namespace {

class Vector;
using Mask = Vector;

/// Sixteen bytes; as a mask, each of them 0 or 255.
class Vector {
 public:
  static constexpr std::size_t kBytes = 16;

  Vector() noexcept = default;
  static Vector load(const char* from) noexcept {
    return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from));
  }
  void store(char* to) const noexcept { vst1q_u8(reinterpret_cast<std::uint8_t*>(to), bytes_); }
  static Vector splat(unsigned char byte) noexcept { return vdupq_n_u8(byte); }
  static Vector table(const Table& table) noexcept { return vld1q_u8(table.at); }

  Vector operator|(Vector other) const noexcept { return vorrq_u8(bytes_, other.bytes_); }
  Vector operator&(Vector other) const noexcept { return vandq_u8(bytes_, other.bytes_); }
  Vector operator^(Vector other) const noexcept { return veorq_u8(bytes_, other.bytes_); }
  Vector without(Vector other) const noexcept { return vbicq_u8(bytes_, other.bytes_); }
  Vector minus(Vector other) const noexcept { return vqsubq_u8(bytes_, other.bytes_); }
  Vector lower_halves() const noexcept { return *this & splat(0x0f); }
  Vector upper_halves() const noexcept { return vshrq_n_u8(bytes_, 4); }
  Vector at(Vector index) const noexcept { return vqtbl1q_u8(bytes_, index.bytes_); }
  /// By the lower half of an index.
  Vector at_lower(Vector index) const noexcept { return at(index.lower_halves()); }
  Vector where(Mask mask) const noexcept { return *this & mask; }
  template <int kN>
  Vector behind(Vector before) const noexcept {
    return vextq_u8(before.bytes_, bytes_, 16 - kN);
  }

  Mask operator==(Vector other) const noexcept { return vceqq_u8(bytes_, other.bytes_); }
  Mask zero() const noexcept { return vceqzq_u8(bytes_); }
  Mask nonzero() const noexcept { return vtstq_u8(bytes_, bytes_); }
  Mask at_most(unsigned char limit) const noexcept { return vcleq_u8(bytes_, vdupq_n_u8(limit)); }
  Mask high() const noexcept { return vcgeq_u8(bytes_, vdupq_n_u8(0x80)); }
  bool is_any() const noexcept { return vmaxvq_u8(bytes_) != 0; }
  bool is_zero() const noexcept { return !is_any(); }
  static std::uint64_t bits(const Mask (&masks)[4]) noexcept {
    // One bit of each byte, then neighbours added up until eight have become one byte.
    const uint8x16_t places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    const uint8x16_t lower =
        vpaddq_u8(vandq_u8(masks[0].bytes_, places), vandq_u8(masks[1].bytes_, places));
    const uint8x16_t upper =
        vpaddq_u8(vandq_u8(masks[2].bytes_, places), vandq_u8(masks[3].bytes_, places));
    const uint8x16_t all = vpaddq_u8(lower, upper);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
  }

  std::uint64_t bits() const noexcept {
    const Mask masks[4] = {*this, {}, {}, {}};
    return bits(masks) & 0xffff;
  }

  /// Writes all bytes, a backslash in front of those that are `special`; eight more may be touched.
  char* expand(std::uint64_t special, char* out) const noexcept {
    const uint8x8_t backslashes = vdup_n_u8('\\');
    expand_eight(vcombine_u8(vget_low_u8(bytes_), backslashes), special & 0xff, out);
    out += std::popcount(special & 0xff);
    expand_eight(vcombine_u8(vget_high_u8(bytes_), backslashes), special >> 8, out + 8);
    return out + 16 + std::popcount(special >> 8);
  }

 private:
  Vector(uint8x16_t bytes) noexcept : bytes_(bytes) {}

  static void expand_eight(uint8x16_t bytes, std::uint64_t special, char* out) noexcept {
    const uint8x16_t row = vld1q_u8(kExpansions[special].at);
    vst1q_u8(reinterpret_cast<std::uint8_t*>(out), vqtbl1q_u8(bytes, row));
  }

  uint8x16_t bytes_;
};

#include "json/escaper_lookup.inc"

}  // namespace

Stop take_neon(Cursor& c) noexcept { return take(c); }

}  // namespace sluice::json::escape

#endif
