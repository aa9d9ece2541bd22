#include "base/units.hpp"

#include <array>
#include <charconv>

namespace sluice {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array kByteUnits{Unit{"GiB", 1ull << 30},
                                Unit{"MiB", 1ull << 20},
                                Unit{"KiB", 1ull << 10},
                                Unit{"GB", 1'000'000'000},
                                Unit{"MB", 1'000'000},
                                Unit{"kB", 1'000},
                                Unit{"B", 1}};
constexpr std::array kTimeUnits{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                                Unit{"s", 1'000}, Unit{"ms", 1}};

template <std::size_t N>
std::optional<std::uint64_t> parse(std::string_view text, const std::array<Unit, N>& units,
                                   std::optional<std::uint64_t> bare) noexcept {
  std::uint64_t number = 0;
  const auto [rest, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc{}) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.empty())
    return number == 0 ? number : (bare ? std::optional(number * *bare) : std::nullopt);
  for (const auto& u : units) {
    if (unit != u.name) continue;
    if (u.factor != 0 && number > UINT64_MAX / u.factor) return std::nullopt;
    return number * u.factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) noexcept {
  return parse(text, kByteUnits, 1);
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept {
  const auto ms = parse(text, kTimeUnits, std::nullopt);
  if (!ms || *ms > static_cast<std::uint64_t>(std::chrono::milliseconds::max().count()) / 1'000'000)
    return std::nullopt;
  return std::chrono::milliseconds(*ms);
}

std::string format_bytes(std::uint64_t bytes) {
  for (const auto& u : kByteUnits)
    if ((u.factor & (u.factor - 1)) == 0 && bytes != 0 && bytes % u.factor == 0 && u.factor > 1)
      return std::to_string(bytes / u.factor) + std::string(u.name);
  return std::to_string(bytes);
}

std::string format_duration(std::chrono::milliseconds time) {
  const auto ms = static_cast<std::uint64_t>(time.count());
  for (const auto& u : kTimeUnits)
    if (ms != 0 && ms % u.factor == 0) return std::to_string(ms / u.factor) + std::string(u.name);
  return "0s";
}

}  // namespace sluice
