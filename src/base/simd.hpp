#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// SLUICE_TARGET_BEGIN("avx2,bmi") ... SLUICE_TARGET_END: functions compiled for more than the
/// machine that the program as a whole is built for. No header may be included in between, and
/// nothing in between may be called where simd() does not say that the processor has it.
#define SLUICE_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define SLUICE_TARGET_BEGIN(features) \
  SLUICE_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define SLUICE_TARGET_END SLUICE_PRAGMA(clang attribute pop)
#else
#define SLUICE_TARGET_BEGIN(features) \
  SLUICE_PRAGMA(GCC push_options)     \
  SLUICE_PRAGMA(GCC target(features))
#define SLUICE_TARGET_END SLUICE_PRAGMA(GCC pop_options)
#endif

namespace sluice {

/// The instruction sets that hot loops are written for, the plainest first.
enum class Simd : std::uint8_t {
  portable,
  sse2,
  sse42,   ///< With SSSE3 and POPCNT.
  neon,    ///< AArch64.
  avx2,    ///< With BMI1, BMI2, LZCNT and PCLMUL.
  avx512,  ///< F, BW, VL, VBMI and VBMI2: Ice Lake, Zen 4 and later.
};

/// What this process uses: the best that the processor has, or what the environment variable
/// SLUICE_SIMD names. The same for the whole life of the process. Threads: any.
[[nodiscard]] Simd simd() noexcept;
/// What this processor can run, the plainest first.
[[nodiscard]] std::span<const Simd> supported_simd() noexcept;
/// False where SLUICE_SIMD names nothing that this processor can run; simd() then ignores it.
[[nodiscard]] bool is_simd_choice_valid() noexcept;

/// "portable", "sse2", "sse42", "neon", "avx2", "avx512".
[[nodiscard]] std::string_view name_of(Simd simd) noexcept;
[[nodiscard]] std::optional<Simd> parse_simd(std::string_view name) noexcept;

}  // namespace sluice
