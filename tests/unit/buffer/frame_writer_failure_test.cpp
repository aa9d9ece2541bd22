#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Prefer = FrameWriter::Options::Prefer;
using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

TEST(FrameWriter, TellsTheProducerWhicheverWriteFails) {
  for (const std::size_t size : {std::size_t{10}, 3 * kFrameBytes, 9 * kFrameBytes})
    for (const std::size_t most : {kAll, std::size_t{30000}})
      for (std::size_t n = 0;; ++n) {
        ResponseBench bench;
        bench.transport.fail_at = n;
        bench.transport.most = most;
        ASSERT_TRUE(bench.start());
        const std::string message(size, 'm');
        std::size_t most_frames = 0;
        Result<> result;
        testing::run(bench.io, testing::send(bench.writer, message, kAll, most_frames, result));
        EXPECT_EQ(bench.pool.in_use(), 0U);
        EXPECT_TRUE(bench.writer.is_idle());
        if (result) {
          EXPECT_EQ(bench.transport.writes, n);
          EXPECT_TRUE(bench.message() == message);
          break;
        }
        EXPECT_EQ(result.error(), boost::asio::error::broken_pipe);
        EXPECT_EQ(bench.transport.writes, n + 1) << "nothing is written after a failure";
      }
}

TEST(FrameWriter, GivesFramesBackAtOnceWhenAWriteFailsWhileTheProducerIsBusy) {
  ResponseBench bench;
  bench.transport.fail_at = 0;
  ASSERT_TRUE(bench.start());
  ASSERT_FALSE(bench.writer.room().empty());
  bench.writer.put("{");
  bench.writer.heartbeat();
  bench.poll();
  EXPECT_EQ(bench.pool.in_use(), 0U);
  EXPECT_TRUE(bench.writer.room().empty());
  EXPECT_EQ(bench.writer.event("{}"), FrameWriter::Event::refused);
  bench.writer.heartbeat();
  EXPECT_TRUE(bench.writer.is_idle());
  EXPECT_FALSE(bench.transport.aborted);
}

TEST(FrameWriter, StartsAfreshAfterAFailure) {
  ResponseBench bench;
  bench.transport.fail_at = 0;
  ASSERT_TRUE(bench.start());
  std::size_t most_frames = 0;
  Result<> result;
  testing::run(bench.io, testing::send(bench.writer, "{}", kAll, most_frames, result));
  ASSERT_FALSE(result);
  bench.transport.fail_at = kAll;
  ASSERT_TRUE(bench.start());
  testing::run(bench.io, testing::send(bench.writer, "[]", kAll, most_frames, result));
  ASSERT_TRUE(result);
  EXPECT_EQ(bench.message(), "[]");
}

TEST(FrameWriter, ResetsTheConnectionOnAbortOnlyWhereBytesHaveLeft) {
  for (const bool committed : {false, true}) {
    ResponseBench bench;
    ASSERT_TRUE(bench.start());
    ASSERT_FALSE(bench.writer.room().empty());
    bench.writer.put("{");
    if (committed) bench.writer.heartbeat();
    bench.poll();
    bench.writer.abort();
    EXPECT_EQ(bench.transport.aborted, committed);
    EXPECT_EQ(bench.pool.in_use(), 0U);
    EXPECT_EQ(bench.writer.error(),
              committed ? make_error_code(Errc::cancelled) : boost::system::error_code());
    if (committed) {
      EXPECT_TRUE(bench.writer.room().empty());
      continue;
    }
    ASSERT_TRUE(bench.start()) << "the connection can go on";
    std::size_t most_frames = 0;
    Result<> result;
    testing::run(bench.io, testing::send(bench.writer, "[]", kAll, most_frames, result));
    EXPECT_EQ(bench.message(), "[]");
  }
}

TEST(FrameWriter, KeepsItsFramesUntilTheWriteInProgressHasEndedOnAbort) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  ASSERT_FALSE(bench.writer.room().empty());
  bench.writer.put("{");
  bench.writer.heartbeat();
  bench.writer.abort();
  EXPECT_GT(bench.pool.in_use(), 0U);
  testing::run(bench.io, bench.writer.settle());
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

TEST(FrameWriter, WakesTheProducerThatWaitsForRoomOnAbort) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  const std::string message(9 * kFrameBytes, 'm');
  std::size_t most_frames = 0;
  Result<> result;
  bool over = false;
  boost::asio::co_spawn(bench.io, testing::send(bench.writer, message, kAll, most_frames, result),
                        [&over](std::exception_ptr) { over = true; });
  bench.poll();
  ASSERT_FALSE(over);
  bench.writer.abort();
  testing::run_until(bench.io, [&] { return over; });
  EXPECT_EQ(result.error(), make_error_code(Errc::cancelled));
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

}  // namespace
}  // namespace sluice
