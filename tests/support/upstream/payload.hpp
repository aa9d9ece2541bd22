#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace upstream {

/// The reference table as compact JSON, as long as it can be without passing `bytes`, the same on
/// every run (tests/support/make_payload.py writes the same bytes).
///
/// Threads: any.
/// Bounds:  each size is made once and kept; `bytes` is 128 MiB at most, and 16 sizes are kept.
[[nodiscard]] std::shared_ptr<const std::string> payload(std::size_t bytes);

inline constexpr std::size_t kMaxPayload = std::size_t{128} << 20;

}  // namespace upstream
