#include "buffer/block_cache.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace sluice {
namespace {

TEST(BlockCache, GivesAgainWhatItGotBack) {
  BlockCache cache;
  void* const first = cache.take(1000);
  ASSERT_NE(first, nullptr);
  cache.give(first);
  EXPECT_EQ(cache.take(1000), first);
  void* const second = cache.take(1000);
  EXPECT_NE(second, first);
  cache.give(first);
  EXPECT_EQ(cache.take(900), first);
  EXPECT_EQ(cache.bytes(), 2000u);
  cache.give(first);
  cache.give(second);
  EXPECT_EQ(cache.bytes(), 2000u);
}

TEST(BlockCache, TakesTheBlockThatFitsBest) {
  BlockCache cache;
  void* const large = cache.take(3000);
  void* const small = cache.take(1500);
  cache.give(large);
  cache.give(small);
  EXPECT_EQ(cache.take(1400), small);
  EXPECT_EQ(cache.take(1400), large);
  cache.give(large);
  cache.give(small);
}

TEST(BlockCache, DoesNotSpendALargeBlockOnASmallRequest) {
  BlockCache cache;
  void* const large = cache.take(100'000);
  cache.give(large);
  void* const small = cache.take(100);
  EXPECT_NE(small, large);
  EXPECT_EQ(cache.take(100'000), large);
  cache.give(small);
  cache.give(large);
}

TEST(BlockCache, DropsABlockThatHasBecomeTooSmall) {
  BlockCache cache;
  for (std::size_t size = 1000; size < 100'000; size += 1000) cache.give(cache.take(size));
  EXPECT_EQ(cache.bytes(), 99'000u);
}

TEST(BlockCache, ServesMoreThanItCanKeep) {
  BlockCache cache;
  std::vector<void*> held;
  for (int i = 0; i < 200; ++i) {
    held.push_back(cache.take(64));
    std::memset(held.back(), i, 64);
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    EXPECT_EQ(static_cast<unsigned char*>(held[i])[63], i);
    cache.give(held[i]);
  }
  cache.give(nullptr);
  EXPECT_LE(cache.bytes(), 64 * 64u);
}

TEST(BlockCache, KeepsBlocksApartWhateverTheOrder) {
  std::mt19937 random(1);
  BlockCache cache;
  struct Held {
    unsigned char* data;
    std::size_t size;
    unsigned char mark;
  };
  std::vector<Held> held;
  for (int i = 0; i < 5000; ++i) {
    if (held.size() < 80 && random() % 2 == 0) {
      const std::size_t size = random() % 3 == 0 ? random() % 20'000 : random() % 300;
      Held block{static_cast<unsigned char*>(cache.take(size)), size,
                 static_cast<unsigned char>(random())};
      ASSERT_NE(block.data, nullptr);
      std::memset(block.data, block.mark, block.size);
      held.push_back(block);
    } else if (!held.empty()) {
      std::swap(held[random() % held.size()], held.back());
      const Held& block = held.back();
      for (std::size_t k = 0; k < block.size; ++k) ASSERT_EQ(block.data[k], block.mark);
      cache.give(block.data);
      held.pop_back();
    }
  }
  for (const Held& block : held) cache.give(block.data);
}

}  // namespace
}  // namespace sluice
