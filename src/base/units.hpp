#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

inline namespace literals {
constexpr std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }
constexpr std::size_t operator""_GiB(unsigned long long n) { return n << 30; }
}  // namespace literals

/// "512", "64KiB", "4MiB", "1GiB", "10kB", "2MB", "1GB" (powers of ten without the i); nullopt for
/// anything else, for fractions, and for what does not fit in 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text) noexcept;
/// "250ms", "30s", "5m", "2h", "1d"; a unit is required except for 0.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(
    std::string_view text) noexcept;
/// The shortest exact form that parse_bytes reads: 65536 is "64KiB", 1000 is "1000".
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);
/// Likewise: 1500 is "1500ms", 60000 is "1m".
[[nodiscard]] std::string format_duration(std::chrono::milliseconds time);

}  // namespace sluice
