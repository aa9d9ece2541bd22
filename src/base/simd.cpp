#include "base/simd.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sluice {
namespace {

struct Supported {
  std::array<Simd, 6> all{};
  std::size_t count = 0;
  void add(Simd simd) noexcept { all[count++] = simd; }
};

Supported detect() noexcept {
  Supported found;
  found.add(Simd::portable);
#if defined(__x86_64__)
  __builtin_cpu_init();
  found.add(Simd::sse2);
  if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) found.add(Simd::sse42);
  const bool bmi = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                   __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("pclmul");
  if (bmi && __builtin_cpu_supports("avx2")) found.add(Simd::avx2);
  if (bmi && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2"))
    found.add(Simd::avx512);
#elif defined(__aarch64__)
  found.add(Simd::neon);
#endif
  return found;
}

const Supported& supported() noexcept {
  static const Supported found = detect();
  return found;
}

constexpr std::array<std::string_view, 6> kNames = {"portable", "sse2", "sse42",
                                                    "neon",     "avx2", "avx512"};

/// What SLUICE_SIMD asks for.
std::string_view wish() noexcept {
  const char* text = std::getenv("SLUICE_SIMD");
  return text == nullptr ? std::string_view() : std::string_view(text);
}

std::optional<Simd> choice() noexcept {
  const auto named = parse_simd(wish());
  const auto all = supported_simd();
  if (!named || std::find(all.begin(), all.end(), *named) == all.end()) return std::nullopt;
  return named;
}

}  // namespace

Simd simd() noexcept {
  static const Simd chosen = choice().value_or(supported_simd().back());
  return chosen;
}

std::span<const Simd> supported_simd() noexcept {
  return {supported().all.data(), supported().count};
}

bool is_simd_choice_valid() noexcept { return wish().empty() || choice().has_value(); }

std::string_view name_of(Simd simd) noexcept { return kNames[static_cast<std::size_t>(simd)]; }

std::optional<Simd> parse_simd(std::string_view name) noexcept {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Simd>(found - kNames.begin());
}

}  // namespace sluice
