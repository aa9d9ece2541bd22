// Back pressure: the producer is never further ahead than the window.
#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Sending {
  std::size_t most_frames = 0;
  Result<> result = Errc::misuse;
  bool over = false;
};

void begin_sending(ResponseBench& bench, std::string_view message, Sending& sending) {
  boost::asio::co_spawn(
      bench.io, testing::send(bench.writer, message, kAll, sending.most_frames, sending.result),
      [&sending](std::exception_ptr e) {
        if (e) std::rethrow_exception(e);
        sending.over = true;
      });
}

TEST(FrameWriter, MakesTheProducerWaitWhenTheWindowIsFull) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  const std::string message(20 * kFrameBytes, 'm');
  Sending sending;
  begin_sending(bench, message, sending);
  std::size_t steps = 0;
  for (bench.poll(); !sending.over; bench.poll()) {
    ASSERT_TRUE(bench.transport.is_held());
    EXPECT_EQ(bench.writer.frames_held(), bench.pool.in_use());
    EXPECT_LE(bench.pool.in_use(), FrameWriter::kWindow);
    bench.poll();
    EXPECT_EQ(bench.transport.writes, steps + 1) << "nothing moves while the write is held";
    bench.transport.let_through();
    ++steps;
  }
  EXPECT_TRUE(sending.result);
  EXPECT_LE(sending.most_frames, FrameWriter::kWindow);
  EXPECT_TRUE(bench.message() == message);
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

TEST(FrameWriter, SendsNothingBeforeTheWindowIsFullOrTheMessageEnds) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  std::size_t most_frames = 0;
  const std::string some(3 * kFrameBytes, 'm');
  const auto produced = [&] {
    bool ok = false;
    boost::asio::co_spawn(bench.io, testing::produce(bench.writer, some, kAll, most_frames),
                          [&ok](std::exception_ptr, Result<> r) { ok = r.has_value(); });
    bench.poll();
    return ok;
  };
  ASSERT_TRUE(produced());
  EXPECT_EQ(bench.transport.writes, 0U);
  EXPECT_FALSE(bench.writer.is_committed());
  ASSERT_TRUE(produced());
  EXPECT_TRUE(bench.writer.is_committed());
  EXPECT_EQ(bench.writer.form(), BodyForm::json);
  bench.writer.abort();
  bench.poll();
}

TEST(FrameWriter, SendsTheHeadAndTheFirstBytesInOneWrite) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  const std::string message(6 * kFrameBytes, 'm');
  Sending sending;
  begin_sending(bench, message, sending);
  bench.poll();
  bench.transport.let_through();
  bench.poll();
  EXPECT_TRUE(bench.transport.bytes.starts_with("HTTP/1.1 200 OK"));
  EXPECT_GT(bench.transport.bytes.size(), 3 * kFrameBytes);
  bench.transport.abort();
  bench.writer.abort();
  testing::run_until(bench.io, [&] { return sending.over; });
}

TEST(FrameWriter, WaitsForItsLastByteBeforeItIsFinished) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  Sending sending;
  begin_sending(bench, "{}", sending);
  bench.poll();
  EXPECT_FALSE(sending.over);
  EXPECT_FALSE(bench.writer.is_idle());
  bench.transport.let_through();
  bench.poll();
  EXPECT_TRUE(sending.over);
  EXPECT_TRUE(bench.writer.is_idle());
}

TEST(FrameWriter, WaitsForItsOwnFrameWhereTheOthersHaveTakenAll) {
  ResponseBench bench(2);
  ASSERT_TRUE(bench.start());
  Frame taken = bench.pool.take();
  const std::string message(5 * kFrameBytes, 'm');
  Sending sending;
  begin_sending(bench, message, sending);
  testing::run_until(bench.io, [&] { return sending.over; });
  EXPECT_TRUE(sending.result);
  EXPECT_TRUE(bench.message() == message);
  EXPECT_EQ(bench.pool.in_use(), 1U);
}

}  // namespace
}  // namespace sluice
