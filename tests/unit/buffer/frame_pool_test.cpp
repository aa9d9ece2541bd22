#include "buffer/frame_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace sluice {
namespace {

TEST(FramePool, GivesAsManyFramesAsTheBudgetHolds) {
  for (const std::size_t frames : {0U, 1U, 2U, 7U}) {
    FrameBudget budget(frames * kFrameBytes + kFrameBytes - 1);
    FramePool pool(budget);
    std::vector<Frame> held;
    for (std::size_t i = 0; i < frames; ++i) {
      held.push_back(pool.take());
      ASSERT_TRUE(held.back());
      std::memset(held.back().data(), 'x', kFrameBytes);
    }
    EXPECT_FALSE(pool.take());
    EXPECT_EQ(pool.in_use(), frames);
    EXPECT_EQ(budget.used(), frames);
  }
}

TEST(FramePool, HandsOutAFrameAgainThatCameBack) {
  FrameBudget budget(kFrameBytes * 4);
  FramePool pool(budget);
  Frame first = pool.take();
  const char* data = first.data();
  first.reset();
  EXPECT_EQ(pool.in_use(), 0U);
  Frame second = pool.take();
  EXPECT_EQ(second.data(), data);
}

TEST(FramePool, GivesBackWhatWasNotNeededSinceItWasLastAsked) {
  FrameBudget budget(kFrameBytes * 64);
  FramePool pool(budget);
  const auto use = [&](std::size_t frames) {
    std::vector<Frame> held;
    for (std::size_t i = 0; i < frames; ++i) held.push_back(pool.take());
  };
  use(10);
  EXPECT_EQ(budget.used(), 10U);
  pool.trim();
  EXPECT_EQ(budget.used(), 10U) << "all were in use since then";
  use(4);
  use(3);
  pool.trim();
  EXPECT_EQ(budget.used(), 4U);
  pool.trim();
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_EQ(pool.free(), 0U);
  EXPECT_TRUE(pool.take());
}

TEST(FramePool, DoesNotKeepFreeFramesThatAnotherLoopNeeds) {
  FrameBudget budget(kFrameBytes * 8);
  FramePool one(budget);
  FramePool other(budget);
  {
    std::vector<Frame> held;
    for (int i = 0; i < 8; ++i) held.push_back(one.take());
    EXPECT_FALSE(other.take());
  }
  std::vector<Frame> held;
  for (int i = 0; i < 4; ++i) {
    held.push_back(other.take());
    EXPECT_TRUE(held.back()) << i;
  }
}

TEST(FramePool, IsLeftInOrderByMovesOfFrames) {
  FrameBudget budget(kFrameBytes * 4);
  FramePool pool(budget);
  Frame a = pool.take();
  Frame b = std::move(a);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): that it is empty is the point
  EXPECT_TRUE(b);
  a = pool.take();
  a = std::move(b);
  b.reset();
  EXPECT_EQ(pool.in_use(), 1U);
  a.reset();
  a.reset();
  EXPECT_EQ(pool.in_use(), 0U);
}

TEST(FrameBudget, IsNeverExceededByLoopsThatTakeAtOnce) {
  constexpr std::size_t kFrames = 5;
  FrameBudget budget(kFrames * kFrameBytes);
  std::atomic<std::size_t> held{0};
  std::atomic<bool> exceeded{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20000; ++i) {
        if (!budget.take()) continue;
        if (held.fetch_add(1) >= kFrames) exceeded = true;
        held.fetch_sub(1);
        budget.give();
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace sluice
