// A result that waits while messages go ahead of it.
#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Event = FrameWriter::Event;
using Prefer = FrameWriter::Options::Prefer;
using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

void put(ResponseBench& bench, std::string_view bytes) {
  std::size_t most_frames = 0;
  bool ok = false;
  boost::asio::co_spawn(bench.io, testing::produce(bench.writer, bytes, kAll, most_frames),
                        [&ok](std::exception_ptr, Result<> r) { ok = r.has_value(); });
  bench.poll();
  ASSERT_TRUE(ok);
}

std::vector<std::string> finish(ResponseBench& bench, std::string_view rest) {
  std::size_t most_frames = 0;
  Result<> result = Errc::misuse;
  testing::run(bench.io, testing::send(bench.writer, rest, kAll, most_frames, result));
  EXPECT_TRUE(result);
  EXPECT_LE(most_frames, FrameWriter::kWindow + 1);
  EXPECT_EQ(bench.pool.in_use(), 0U);
  return testing::decode_events(bench.response().body).events;
}

std::string number(int n) { return R"({"n":)" + std::to_string(n) + "}"; }

TEST(FrameWriterHeld, LetsManyEventsGoAheadOfAResultThatGrows) {
  for (const std::size_t piece : {1U, 1000U, 8191U, 30000U}) {
    ResponseBench bench;
    bench.heads.longest = true;
    ASSERT_TRUE(bench.start());
    std::string all;
    std::vector<std::string> wanted;
    for (int n = 0; n < 8; ++n) {
      const std::string part(piece, static_cast<char>('a' + n));
      put(bench, part);
      all += part;
      ASSERT_EQ(bench.writer.event(number(n)), Event::sent) << piece << ' ' << n;
      wanted.push_back(number(n));
      bench.poll();
    }
    EXPECT_EQ(bench.transport.bytes.find("aa"), std::string::npos) << "it waits";
    wanted.push_back(all + "!");
    EXPECT_TRUE(finish(bench, "!") == wanted) << piece;
  }
}

TEST(FrameWriterHeld, KeepsTheResultBackUntilItsEnd) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  put(bench, "RESULT");
  ASSERT_EQ(bench.writer.event("{}"), Event::sent);
  bench.poll();
  EXPECT_EQ(bench.transport.bytes.find("RESULT"), std::string::npos);
  EXPECT_EQ(bench.transport.writes, 1U);
  EXPECT_EQ(finish(bench, ""), (std::vector<std::string>{"{}", "RESULT"}));
  EXPECT_EQ(bench.transport.writes, 2U);
}

TEST(FrameWriterHeld, LetsAResultThatBeganBehindAnEventWaitToo) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  ASSERT_EQ(bench.writer.event(number(1)), Event::sent);
  bench.poll();
  put(bench, "RESULT");
  ASSERT_EQ(bench.writer.event(number(2)), Event::sent);
  bench.poll();
  EXPECT_EQ(bench.transport.bytes.find("RESULT"), std::string::npos);
  EXPECT_EQ(finish(bench, ""), (std::vector<std::string>{number(1), number(2), "RESULT"}));
}

TEST(FrameWriterHeld, TakesOneEventAtATime) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  put(bench, "RESULT");
  ASSERT_EQ(bench.writer.event(number(1)), Event::sent);
  EXPECT_EQ(bench.writer.event(number(2)), Event::full);
  EXPECT_TRUE(bench.writer.is_writing());
  bench.transport.hold = false;
  bench.transport.let_through();
  bench.poll();
  EXPECT_EQ(bench.writer.event(number(2)), Event::sent);
  EXPECT_EQ(finish(bench, ""), (std::vector<std::string>{number(1), number(2), "RESULT"}));
}

TEST(FrameWriterHeld, LetsTheResultGoWhenTheWindowIsFull) {
  for (const Prefer prefer : {Prefer::automatic, Prefer::events})
    for (const std::size_t frames : {64U, 2U}) {
      ResponseBench bench(frames);
      bench.options.prefer = prefer;
      ASSERT_TRUE(bench.start());
      put(bench, "RESULT");
      ASSERT_EQ(bench.writer.event(number(1)), Event::sent);
      bench.poll();
      const std::string rest(6 * kFrameBytes, 'r');
      put(bench, rest);
      EXPECT_EQ(bench.writer.event(number(2)), Event::refused);
      const auto events = finish(bench, "!");
      ASSERT_EQ(events.size(), 2U);
      EXPECT_TRUE(events[1] == "RESULT" + rest + "!");
    }
}

TEST(FrameWriterHeld, LetsTheResultGoWithAHeartbeat) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  put(bench, "RESULT");
  ASSERT_EQ(bench.writer.event(number(1)), Event::sent);
  bench.poll();
  bench.writer.heartbeat();
  bench.poll();
  EXPECT_NE(bench.transport.bytes.find("RESULT"), std::string::npos);
  EXPECT_EQ(bench.writer.event(number(2)), Event::refused);
  EXPECT_EQ(finish(bench, ""), (std::vector<std::string>{number(1), "RESULT"}));
}

TEST(FrameWriterHeld, CanBeLookedAtAndTakenBackWhileItWaits) {
  for (const std::size_t size : {1U, 60000U, 100000U})
    for (const bool is_writing : {false, true}) {
      ResponseBench bench;
      ASSERT_TRUE(bench.start());
      put(bench, "kept ");
      const auto mark = bench.writer.mark();
      const std::string part(size, 'x');
      put(bench, part);
      bench.transport.hold = is_writing;
      ASSERT_EQ(bench.writer.event(number(1)), Event::sent);
      bench.poll();
      EXPECT_TRUE(bench.writer.copy_since(mark) == part);
      const auto later = bench.writer.mark();
      put(bench, "yz");
      EXPECT_EQ(bench.writer.copy_since(later), "yz");
      EXPECT_TRUE(bench.writer.copy_since(mark) == part + "yz");
      ASSERT_TRUE(bench.writer.rollback(mark));
      bench.transport.hold = false;
      bench.transport.let_through();
      bench.poll();
      EXPECT_EQ(bench.writer.copy_since(mark), "");
      EXPECT_EQ(finish(bench, "rest"), (std::vector<std::string>{number(1), "kept rest"}));
    }
}

TEST(FrameWriterHeld, IsNotToBeTakenBackOnceItHasLeft) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  put(bench, "kept ");
  const auto mark = bench.writer.mark();
  put(bench, "more");
  ASSERT_EQ(bench.writer.event(number(1)), Event::sent);
  bench.poll();
  bench.writer.heartbeat();
  bench.poll();
  EXPECT_FALSE(bench.writer.copy_since(mark));
  EXPECT_FALSE(bench.writer.rollback(mark));
  EXPECT_EQ(finish(bench, ""), (std::vector<std::string>{number(1), "kept more"}));
}

}  // namespace
}  // namespace sluice
