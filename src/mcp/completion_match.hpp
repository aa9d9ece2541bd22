#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <sluice/completion.hpp>

namespace sluice::mcp {

/// What completion/complete may answer at most (2025-06-18, Completion, Completion Results).
inline constexpr std::size_t kMaxCompletions = 100;

/// Those of `values` that begin with `typed`, then those that hold it elsewhere, in their order;
/// case does not count (of ASCII). At most kMaxCompletions of them, and how many there are.
[[nodiscard]] Completions matching(std::span<const std::string> values, std::string_view typed);

}  // namespace sluice::mcp
