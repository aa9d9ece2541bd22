#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// Writes `kept`, then `dropped`, takes the latter back and writes `rest`.
Awaitable<void> send_with_rollback(FrameWriter& writer, std::string_view kept,
                                   std::string_view dropped, std::string_view rest,
                                   bool& rolled_back, Result<>& result) {
  std::size_t most_frames = 0;
  const auto done = co_await testing::produce(writer, kept, kAll, most_frames);
  static_cast<void>(done);
  const auto mark = writer.mark();
  const auto wasted = co_await testing::produce(writer, dropped, kAll, most_frames);
  static_cast<void>(wasted);
  rolled_back = writer.rollback(mark);
  const auto more = co_await testing::produce(writer, rest, kAll, most_frames);
  static_cast<void>(more);
  const auto finished = co_await writer.finish();
  result = finished;
}

TEST(FrameWriter, TakesBackWhatHasNotLeftAcrossFrames) {
  for (const std::size_t kept : {1U, 2000U, 60000U, 63456U, 63457U, 100000U, 150000U})
    for (const std::size_t dropped : {0U, 1U, 2048U, 60000U, 64000U, 100000U})
      for (const bool json : {true, false}) {
        ResponseBench bench;
        bench.options.takes_json = json;
        bench.options.takes_events = !json;
        ASSERT_TRUE(bench.start());
        const std::string a(kept, 'a');
        const std::string b(dropped, 'b');
        bool rolled_back = false;
        Result<> result;
        testing::run(bench.io, send_with_rollback(bench.writer, a, b, "cc", rolled_back, result));
        ASSERT_TRUE(result);
        ASSERT_TRUE(rolled_back);
        EXPECT_TRUE(bench.message() == a + "cc") << kept << ' ' << dropped;
        EXPECT_EQ(bench.pool.in_use(), 0U);
      }
}

TEST(FrameWriter, TakesNothingBackOnceBytesMayHaveLeft) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  const std::string a(1000, 'a');
  const std::string b(5 * kFrameBytes, 'b');
  bool rolled_back = true;
  Result<> result;
  testing::run(bench.io, send_with_rollback(bench.writer, a, b, "cc", rolled_back, result));
  ASSERT_TRUE(result);
  EXPECT_FALSE(rolled_back);
  EXPECT_TRUE(bench.message() == a + b + "cc");
}

TEST(FrameWriter, TakesBackTheLineBreaksToo) {
  ResponseBench bench;
  bench.options.takes_json = false;
  ASSERT_TRUE(bench.start());
  ASSERT_FALSE(bench.writer.room().empty());
  bench.writer.put("[1,");
  bench.writer.line_break();
  bench.writer.put("2");
  const auto mark = bench.writer.mark();
  bench.writer.put(",");
  bench.writer.line_break();
  bench.writer.put("3");
  ASSERT_TRUE(bench.writer.rollback(mark));
  bench.writer.put(",\"a longer text that stands where the break was\"]");
  std::size_t most_frames = 0;
  Result<> result;
  testing::run(bench.io, testing::send(bench.writer, "", kAll, most_frames, result));
  ASSERT_TRUE(result);
  EXPECT_EQ(bench.message(), "[1,\n2,\"a longer text that stands where the break was\"]");
}

}  // namespace
}  // namespace sluice
