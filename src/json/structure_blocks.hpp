#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd.hpp"

namespace sluice::json {

/// The tokens in 64 bytes of JSON text: bit n speaks of byte n. What lies behind the end of a piece
/// is nothing at all.
struct StructureBlock {
  std::uint64_t quotes;   ///< Those that start and end strings.
  std::uint64_t marks;    ///< `{ } [ ] : ,` outside of strings, as all below.
  std::uint64_t opens;    ///< `{` and `[`
  std::uint64_t closes;   ///< `}` and `]`
  std::uint64_t scalars;  ///< Neither blank nor any of the above: numbers, literals, and mistakes.
  std::uint32_t open_count;
  std::uint32_t close_count;
};

/// What a piece leaves for the next one.
struct StructureCarry {
  std::uint64_t in_string = 0;  ///< All bits set in a string, else none.
  std::uint64_t escaped = 0;    ///< 1: the next byte stands behind a backslash that escapes it.
};

/// Fills a block for each 64 bytes begun. Returns whether there is a backslash.
using StructureKernel = bool (*)(const char* text, std::size_t n, StructureBlock* blocks,
                                 StructureCarry& carry) noexcept;

/// As Structure::skip(), in blocks of `size` bytes together.
using StructureSkip = std::size_t (*)(const StructureBlock* blocks, std::size_t size,
                                      std::size_t at, std::uint64_t& depth) noexcept;

// REQUIRES: this processor can run `simd`.
[[nodiscard]] StructureKernel structure_kernel(Simd simd) noexcept;
[[nodiscard]] StructureSkip structure_skip(Simd simd) noexcept;

}  // namespace sluice::json
