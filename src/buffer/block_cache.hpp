#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace sluice {

/// Memory for a library that takes and returns the same few blocks for each thing it does: what it
/// returns is kept for when it asks again, so that it allocates nothing once warm.
///
/// Ownership: all blocks were given back before it dies.
/// Threads:   one at a time.
/// Bounds:    about what was ever in use at once: a block that has become too small makes way for the
///            larger one.
class BlockCache {
 public:
  BlockCache() noexcept = default;
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;
  ~BlockCache() {
    for (const Block& block : blocks_) std::free(block.data);
  }

  /// At least `size` bytes, or null.
  [[nodiscard]] void* take(std::size_t size) noexcept {
    size = std::max<std::size_t>(size, 1);
    Block* fits = nullptr;   // the smallest that does
    Block* small = nullptr;  // the largest that does not
    Block* empty = nullptr;
    for (Block& block : blocks_) {
      if (block.in_use) continue;
      if (block.data == nullptr) {
        empty = &block;
      } else if (block.size >= size) {
        // A small request may not hold a large block, for which others will ask.
        if (block.size / kSlack <= size && (fits == nullptr || block.size < fits->size))
          fits = &block;
      } else if (size / kSlack <= block.size && (small == nullptr || block.size > small->size)) {
        small = &block;
      }
    }
    if (fits != nullptr) {
      fits->in_use = true;
      return fits->data;
    }
    if (small != nullptr) {
      bytes_ -= small->size;
      std::free(small->data);
      *small = {};
      empty = small;
    }
    void* const data = std::malloc(size);
    // Where the table is full the block is not kept.
    if (data != nullptr && empty != nullptr) {
      *empty = {data, size, true};
      bytes_ += size;
    }
    return data;
  }

  void give(void* data) noexcept {
    if (data == nullptr) return;
    for (Block& block : blocks_) {
      if (block.data != data) continue;
      block.in_use = false;
      return;
    }
    std::free(data);
  }

  /// Held now, in use or kept.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Block {
    void* data = nullptr;
    std::size_t size = 0;
    bool in_use = false;
  };

  static constexpr std::size_t kSlack = 4;

  std::array<Block, 64> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace sluice
