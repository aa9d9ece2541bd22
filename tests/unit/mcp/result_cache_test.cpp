#include "mcp/result_cache.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstring>
#include <string>

namespace sluice::mcp {
namespace {

using namespace std::chrono_literals;
using IfMissing = ResultCache::IfMissing;
using End = Recording::End;

struct Bench {
  explicit Bench(std::uint64_t max_bytes = 1 << 20) : cache({10s, max_bytes, false}) {}
  ResultCache::Found find(const std::string& key, IfMissing if_missing = IfMissing::begin) {
    return cache.find(key, if_missing, io.get_executor(), now);
  }
  /// Makes a result of `size` bytes.
  void make(const std::string& key, std::size_t size, End end = End::good) {
    const auto found = find(key);
    ASSERT_TRUE(found.is_new) << key;
    fill(*found.recording, size);
    found.recording->finish(end);
    cache.ended(key, found.recording, now);
  }
  static void fill(Recording& recording, std::size_t size) {
    while (size > 0) {
      const auto room = recording.room();
      ASSERT_FALSE(room.empty());
      const std::size_t n = std::min(size, room.size());
      std::memset(room.data(), 'x', n);
      recording.commit(n);
      size -= n;
    }
  }
  boost::asio::io_context io;
  ResultCache cache;
  ResultCache::Clock::time_point now = ResultCache::Clock::now();
};

TEST(ResultCache, GivesOneRecordingToAllWhoAskForTheSame) {
  Bench bench;
  const auto first = bench.find("a");
  ASSERT_TRUE(first.is_new);
  const auto second = bench.find("a");
  EXPECT_FALSE(second.is_new);
  EXPECT_EQ(second.recording, first.recording);
  EXPECT_TRUE(bench.find("b").is_new);
  first.recording->finish(End::good);
  bench.cache.ended("a", first.recording, bench.now);
  EXPECT_EQ(bench.find("a").recording, first.recording);
}

TEST(ResultCache, BeginsNothingForThoseWhoMayNot) {
  Bench bench;
  EXPECT_EQ(bench.find("a", IfMissing::nothing).recording, nullptr);
  const auto begun = bench.find("a");
  EXPECT_EQ(bench.find("a", IfMissing::nothing).recording, begun.recording);
  begun.recording->finish(End::good);
}

TEST(ResultCache, ForgetsWhatIsOlderThanItsTime) {
  Bench bench;
  bench.make("a", 10);
  bench.now += 9999ms;
  EXPECT_FALSE(bench.find("a").is_new);
  bench.now += 1ms;
  EXPECT_TRUE(bench.find("a").is_new);
}

TEST(ResultCache, KeepsNoFailures) {
  Bench bench;
  bench.make("failed", 10, End::failed);
  bench.make("broken", 10, End::broken);
  EXPECT_TRUE(bench.find("failed").is_new);
  EXPECT_TRUE(bench.find("broken").is_new);
}

TEST(ResultCache, DropsTheOldestWhereMemoryIsShort) {
  Bench bench(100'000);
  bench.make("a", 30'000);
  bench.make("b", 30'000);
  bench.make("c", 50'000);
  EXPECT_FALSE(bench.find("c").is_new);
  EXPECT_EQ(bench.find("a", IfMissing::nothing).recording, nullptr);
}

TEST(ResultCache, CountsWhatIsStillBeingReadAndKeepsNothingThatDoesNotFitBesideIt) {
  Bench bench(140'000);
  bench.make("a", 100'000);
  auto a = bench.find("a").recording;
  ASSERT_NE(a, nullptr);
  const auto b = bench.find("b");
  bench.fill(*b.recording, 20'000);
  b.recording->finish(End::good);
  bench.cache.ended("b", b.recording, bench.now);
  EXPECT_FALSE(b.recording->is_whole()) << "a is gone from the cache, not from memory";
  EXPECT_EQ(bench.find("b").recording, nullptr) << "what did not fit is not shared for a while";
  EXPECT_FALSE(bench.find("b").is_new);
  bench.now += 10s;
  EXPECT_TRUE(bench.find("b").is_new);
}

TEST(ResultCache, GivesMemoryBackInTimeWhereNobodyAsks) {
  Bench bench;
  bench.make("a", 30'000);
  const std::weak_ptr<Recording> kept = bench.find("a").recording;
  bench.cache.sweep(bench.now + 9s);
  EXPECT_FALSE(kept.expired());
  bench.cache.sweep(bench.now + 10s);
  EXPECT_TRUE(kept.expired());
}

TEST(ResultCache, RecordingsOutliveIt) {
  boost::asio::io_context io;
  auto cache = std::make_unique<ResultCache>(CachePolicy{});
  const auto found =
      cache->find("a", IfMissing::begin, io.get_executor(), ResultCache::Clock::now());
  Bench::fill(*found.recording, 1000);
  cache.reset();
  Bench::fill(*found.recording, 1000);
  found.recording->finish(End::good);
  EXPECT_EQ(found.recording->size(), 2000U);
}

}  // namespace
}  // namespace sluice::mcp
