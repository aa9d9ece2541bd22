#pragma once

#include "base/simd.hpp"
#include "json/raw_json_block.hpp"

namespace sluice::json {

/// Checks the text from `at` to `end` as far as it is sure that all is well, in blocks, and says
/// how far that is. Line breaks between tokens become spaces on the way.
using RawJsonBlocks = char* (*)(char* at, char* end, RawJsonSpot& spot) noexcept;

/// nullptr where there is none: the portable way is the one by bytes.
/// REQUIRES: this processor can run `simd`.
[[nodiscard]] RawJsonBlocks raw_json_blocks(Simd simd) noexcept;

}  // namespace sluice::json
