#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "schema/compile.hpp"

namespace sluice::schema {

/// Reads the value of one keyword into the frame's schema. `name` is the node of the keyword.
using Handler = bool (*)(Compiler& compiler, Compiler::Frame& frame, const JsonNode* name,
                         Json value);

struct Keyword {
  std::string_view name;
  bool in_2020_12;
  bool in_draft_07;
  Handler read;
};
inline constexpr std::size_t kMaxKeywords = 80;

/// The keyword of that name in the dialect, or null for one that is not known. `index` tells them
/// apart.
[[nodiscard]] const Keyword* find_keyword(std::string_view name, Dialect dialect,
                                          std::size_t& index) noexcept;

// The tables, by subject; each in a file of its own name.
struct KeywordTable {
  const Keyword* first;
  std::size_t size;
};
[[nodiscard]] KeywordTable assertion_keywords() noexcept;
[[nodiscard]] KeywordTable applicator_keywords() noexcept;
[[nodiscard]] KeywordTable core_keywords() noexcept;

/// The group of rules, made where it is not there yet.
template <class T>
T& group(std::unique_ptr<T>& slot) {
  if (!slot) slot = std::make_unique<T>();
  return *slot;
}

}  // namespace sluice::schema
