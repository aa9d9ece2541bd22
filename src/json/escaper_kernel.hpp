#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd.hpp"

namespace sluice::json::escape {

/// Input that is looked at together.
inline constexpr std::size_t kStride = 64;
/// Room that a stride asks for: each byte doubled. No store reaches further.
inline constexpr std::size_t kStrideRoom = 2 * kStride;

/// Both sides of a step, and how far it got.
struct Cursor {
  const char* in;
  const char* in_end;
  char* out;
  char* out_end;

  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(in_end - in); }
  [[nodiscard]] std::size_t room() const noexcept {
    return static_cast<std::size_t>(out_end - out);
  }
  [[nodiscard]] bool has_stride() const noexcept {
    return left() >= kStride && room() >= kStrideRoom;
  }
};

/// Why a kernel stopped.
enum class Stop : std::uint8_t {
  at_end,  ///< Less than a stride of input or room is left.
  at_odd,  ///< The next character is one that the caller writes.
};

/// The inner loop, one for each instruction set: takes whole strides while there are any, checks
/// them, and escapes what has a short form. Stops in front of the first character that is odd: a
/// control without a short form, a separator that splits lines, or what is not UTF-8. The cursor
/// stands between two characters, before and after. May stop in front of others too, as long as
/// it is not for ever.
///
/// Bounds: writes nothing past out_end; reads nothing past in_end, nor in front of in.
using Kernel = Stop (*)(Cursor&) noexcept;

Stop take_portable(Cursor& c) noexcept;
#if defined(__x86_64__)
Stop take_sse2(Cursor& c) noexcept;
Stop take_sse42(Cursor& c) noexcept;
Stop take_avx2(Cursor& c) noexcept;
Stop take_avx512(Cursor& c) noexcept;
#elif defined(__aarch64__)
Stop take_neon(Cursor& c) noexcept;
#endif

/// The plainer one of what every machine of this kind can run.
#if defined(__SSE2__)
inline constexpr Kernel take_plain = take_sse2;
#else
inline constexpr Kernel take_plain = take_portable;
#endif
/// REQUIRES: one that this program is built with.
[[nodiscard]] Kernel kernel_for(Simd simd) noexcept;

/// Of what stands between `begin` and `at`, all of it UTF-8 but perhaps for a last character that
/// is not whole: the length of that.
[[nodiscard]] inline std::size_t unfinished(const char* begin, const char* at) noexcept {
  for (std::size_t n = 1; n <= 3 && n <= static_cast<std::size_t>(at - begin); ++n) {
    const auto byte = static_cast<unsigned char>(*(at - n));
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const std::size_t length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > n ? n : 0;
  }
  return 0;
}

}  // namespace sluice::json::escape
