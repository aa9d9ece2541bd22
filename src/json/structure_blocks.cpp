#include "json/structure_blocks.hpp"

#include <cstring>

#include "json/block_bytes.hpp"

namespace sluice::json {
namespace {

/// The bytes behind a backslash that escapes: every second one of a run, which the carry of a
/// subtraction crosses. `carry`: 1 where the first byte is one, and set for the byte behind.
[[gnu::always_inline]] inline std::uint64_t escaped_bytes(std::uint64_t backslashes, unsigned n,
                                                          std::uint64_t& carry) noexcept {
  constexpr std::uint64_t kOdd = 0xaaaaaaaaaaaaaaaa;
  const std::uint64_t starts = backslashes & ~carry;
  const std::uint64_t behind_runs = ((starts << 1 | kOdd) - starts) ^ kOdd;
  const std::uint64_t escaped = behind_runs ^ (backslashes | carry);
  carry = (behind_runs & backslashes) >> (n - 1) & 1;
  return escaped;
}

/// A byte at a time.
bool index_plainly(const char* text, std::size_t n, StructureBlock* blocks,
                   StructureCarry& carry) noexcept {
  bool in_string = carry.in_string != 0;
  bool escaped = carry.escaped != 0;
  bool has_backslash = false;
  for (std::size_t i = 0; i < n; ++i) {
    StructureBlock& block = blocks[i / 64];
    if (i % 64 == 0) block = {};
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    const char c = text[i];
    if (in_string || c == '"' || c == '\\') {
      has_backslash |= c == '\\';
      if (c == '"' && !escaped) {
        in_string = !in_string;
        block.quotes |= bit;
      } else if (!in_string) {
        block.scalars |= bit;
      }
      escaped = c == '\\' && !escaped;
      continue;
    }
    escaped = false;
    switch (c) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        break;
      case '{':
      case '[':
        block.marks |= bit;
        block.opens |= bit;
        ++block.open_count;
        break;
      case '}':
      case ']':
        block.marks |= bit;
        block.closes |= bit;
        ++block.close_count;
        break;
      case ',':
      case ':':
        block.marks |= bit;
        break;
      default:
        block.scalars |= bit;
    }
  }
  carry = {in_string ? ~std::uint64_t{0} : 0, escaped ? 1U : 0U};
  return has_backslash;
}

/// A byte at a time.
std::size_t skip_plainly(const StructureBlock* blocks, std::size_t size, std::size_t at,
                         std::uint64_t& depth) noexcept {
  for (; at < size; ++at) {
    const StructureBlock& block = blocks[at / 64];
    depth += block.opens >> (at % 64) & 1;
    if ((block.closes >> (at % 64) & 1) != 0 && --depth == 0) return at + 1;
  }
  return size;
}

}  // namespace

#if defined(__x86_64__)

namespace sse2 {
namespace {
#include "json/structure_blocks.inc"
}  // namespace
}  // namespace sse2

SLUICE_TARGET_BEGIN("avx2,bmi,bmi2,lzcnt,pclmul,popcnt")
namespace avx2 {
namespace {
#include "json/structure_blocks.inc"
}  // namespace
}  // namespace avx2
SLUICE_TARGET_END

SLUICE_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,pclmul,popcnt")
namespace avx512 {
namespace {
#include "json/structure_blocks.inc"
}  // namespace
}  // namespace avx512
SLUICE_TARGET_END

#elif defined(__aarch64__)

namespace neon {
namespace {
#include "json/structure_blocks.inc"
}  // namespace
}  // namespace neon

#endif

StructureKernel structure_kernel(Simd simd) noexcept {
  switch (simd) {
#if defined(__x86_64__)
    case Simd::sse2:
    case Simd::sse42:
      return sse2::index;
    case Simd::avx2:
      return avx2::index;
    case Simd::avx512:
      return avx512::index;
#elif defined(__aarch64__)
    case Simd::neon:
      return neon::index;
#endif
    default:
      return index_plainly;
  }
}

StructureSkip structure_skip(Simd simd) noexcept {
  switch (simd) {
#if defined(__x86_64__)
    case Simd::sse2:
    case Simd::sse42:
      return sse2::skip;
    case Simd::avx2:
      return avx2::skip;
    case Simd::avx512:
      return avx512::skip;
#elif defined(__aarch64__)
    case Simd::neon:
      return neon::skip;
#endif
    default:
      return skip_plainly;
  }
}

}  // namespace sluice::json
