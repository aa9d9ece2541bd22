#include "json/raw_json_blocks.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "json/block_bytes.hpp"

namespace sluice::json {

using namespace raw_json_block;

#if defined(__x86_64__)

namespace sse2 {
namespace {
#include "json/raw_json_blocks.inc"
}  // namespace
}  // namespace sse2

SLUICE_TARGET_BEGIN("avx2,bmi,bmi2,lzcnt,pclmul")
namespace avx2 {
namespace {
#include "json/raw_json_blocks.inc"
}  // namespace
}  // namespace avx2
SLUICE_TARGET_END

SLUICE_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,pclmul")
namespace avx512 {
namespace {
#include "json/raw_json_blocks.inc"
}  // namespace
}  // namespace avx512
SLUICE_TARGET_END

#elif defined(__aarch64__)

namespace neon {
namespace {
#include "json/raw_json_blocks.inc"
}  // namespace
}  // namespace neon

#endif

RawJsonBlocks raw_json_blocks(Simd simd) noexcept {
  switch (simd) {
#if defined(__x86_64__)
    case Simd::sse2:
    case Simd::sse42:
      return sse2::check;
    case Simd::avx2:
      return avx2::check;
    case Simd::avx512:
      return avx512::check;
#elif defined(__aarch64__)
    case Simd::neon:
      return neon::check;
#endif
    default:
      return nullptr;
  }
}

}  // namespace sluice::json
