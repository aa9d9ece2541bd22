#include "json/structure.hpp"

namespace sluice::json {

std::size_t Structure::skip(std::size_t at, std::uint64_t& depth) const noexcept {
  std::uint64_t mask = ~std::uint64_t{0} << (at % 64);
  for (std::size_t block = at / 64; block * 64 < size_; ++block) {
    const StructureBlock& here = blocks_[block];
    // Whole, unless it may hold the bracket that is looked for.
    if (mask == ~std::uint64_t{0} && depth > here.close_count) {
      depth = depth + here.open_count - here.close_count;
      continue;
    }
    std::uint64_t left = (here.opens | here.closes) & mask;
    mask = ~std::uint64_t{0};
    for (; left != 0; left &= left - 1) {
      if ((here.opens & left & -left) != 0) {
        ++depth;
      } else if (--depth == 0) {
        return block * 64 + static_cast<std::size_t>(std::countr_zero(left)) + 1;
      }
    }
  }
  return size_;
}

}  // namespace sluice::json
