#pragma once

#include <cstddef>

#include "base/simd.hpp"

namespace sluice::json {

/// Writes `groups` groups of three bytes as four characters each. Reads exactly 3 * groups bytes
/// and writes exactly 4 * groups.
using Base64Kernel = void (*)(const unsigned char* from, std::size_t groups, char* to) noexcept;

/// REQUIRES: this processor can run `simd`.
[[nodiscard]] Base64Kernel base64_kernel(Simd simd) noexcept;

}  // namespace sluice::json
