// The client is gone and the handler runs on.
#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

enum class When { fresh, undecided, writing, window_full };

void bring_to(ResponseBench& bench, When when, std::string_view message, std::size_t& most_frames,
              Result<>& result, bool& over) {
  if (when == When::undecided) {
    ASSERT_FALSE(bench.writer.room().empty());
    bench.writer.put("{");
  }
  if (when == When::writing) {
    ASSERT_FALSE(bench.writer.room().empty());
    bench.writer.put("{");
    bench.writer.heartbeat();
    ASSERT_TRUE(bench.writer.is_writing());
  }
  if (when == When::window_full) {
    boost::asio::co_spawn(bench.io, testing::send(bench.writer, message, kAll, most_frames, result),
                          [&over](std::exception_ptr) { over = true; });
    bench.poll();
    ASSERT_EQ(bench.writer.frames_held(), FrameWriter::kWindow);
  }
}

TEST(FrameWriter, RunsOnInOneFrameAndSendsNothingWhenDiscarded) {
  for (const When when : {When::fresh, When::undecided, When::writing, When::window_full}) {
    ResponseBench bench;
    bench.transport.hold = true;
    ASSERT_TRUE(bench.start());
    const std::string message(30 * kFrameBytes, 'm');
    std::size_t most_frames = 0;
    Result<> result = Errc::misuse;
    bool over = false;
    bring_to(bench, when, message, most_frames, result, over);
    bench.writer.discard();
    bench.transport.let_through();
    bench.poll();
    const std::size_t writes = bench.transport.writes;
    if (when != When::window_full) {
      EXPECT_EQ(bench.pool.in_use(), 1U);
      most_frames = 0;
      boost::asio::co_spawn(bench.io,
                            testing::send(bench.writer, message, kAll, most_frames, result),
                            [&over](std::exception_ptr) { over = true; });
    }
    testing::run_until(bench.io, [&] { return over; });
    EXPECT_TRUE(result);
    EXPECT_LE(most_frames, when == When::window_full ? FrameWriter::kWindow : 1U);
    EXPECT_EQ(bench.transport.writes, writes);
    EXPECT_EQ(bench.pool.in_use(), 0U);
    EXPECT_EQ(bench.writer.event("{}"), FrameWriter::Event::refused);
  }
}

TEST(FrameWriter, DropsLineBreaksAndHeartbeatsWhenDiscarded) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  bench.writer.discard();
  ASSERT_FALSE(bench.writer.room().empty());
  bench.writer.put("[1,");
  bench.writer.line_break();
  bench.writer.heartbeat();
  bench.poll();
  EXPECT_EQ(bench.transport.writes, 0U);
  bench.writer.abort();
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

TEST(FrameWriter, GivesItsFrameBackWhenAbortedAfterDiscard) {
  for (const bool writing : {false, true}) {
    ResponseBench bench;
    bench.transport.hold = true;
    ASSERT_TRUE(bench.start());
    ASSERT_FALSE(bench.writer.room().empty());
    bench.writer.put("{");
    if (writing) bench.writer.heartbeat();
    bench.writer.discard();
    bench.writer.abort();
    testing::run(bench.io, bench.writer.settle());
    EXPECT_EQ(bench.pool.in_use(), 0U) << writing;
  }
}

TEST(FrameWriter, DiscardsWithASingleFrameInThePool) {
  ResponseBench bench(1);
  ASSERT_TRUE(bench.start());
  bench.writer.discard();
  const std::string message(9 * kFrameBytes, 'm');
  std::size_t most_frames = 0;
  Result<> result = Errc::misuse;
  testing::run(bench.io, testing::send(bench.writer, message, kAll, most_frames, result));
  EXPECT_TRUE(result);
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

}  // namespace
}  // namespace sluice
