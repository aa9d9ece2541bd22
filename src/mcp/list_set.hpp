#pragma once

#include <array>
#include <cstdint>

#include <sluice/notifier.hpp>

namespace sluice::mcp {

inline constexpr std::array<List, 3> kLists{List::tools, List::prompts, List::resources};

/// Some of the lists.
class ListSet {
 public:
  constexpr ListSet() = default;
  [[nodiscard]] static constexpr ListSet all() noexcept {
    ListSet set;
    for (const List list : kLists) set.add(list);
    return set;
  }

  [[nodiscard]] constexpr bool has(List list) const noexcept { return (bits_ & bit(list)) != 0; }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr void add(List list) noexcept { bits_ = static_cast<std::uint8_t>(bits_ | bit(list)); }
  constexpr void remove(List list) noexcept {
    bits_ = static_cast<std::uint8_t>(bits_ & ~bit(list));
  }
  constexpr bool operator==(const ListSet&) const = default;

 private:
  [[nodiscard]] static constexpr std::uint8_t bit(List list) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(list));
  }
  std::uint8_t bits_ = 0;
};

}  // namespace sluice::mcp
