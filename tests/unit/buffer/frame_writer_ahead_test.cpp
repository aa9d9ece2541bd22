// Messages that have to go ahead of the result, of any size; results that are taken back.
#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <optional>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Event = FrameWriter::Event;
using Need = FrameWriter::Need;
using Prefer = FrameWriter::Options::Prefer;
using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Sending {
  explicit Sending(ResponseBench& bench, std::string_view json) {
    boost::asio::co_spawn(bench.io, bench.writer.send_event(json),
                          boost::asio::bind_cancellation_slot(
                              cancel.slot(), [this](std::exception_ptr thrown, Result<> r) {
                                is_over = true;
                                was_cancelled = static_cast<bool>(thrown);
                                if (!thrown) result = r;
                              }));
    bench.poll();
  }
  boost::asio::cancellation_signal cancel;
  Result<> result = Errc::misuse;
  bool is_over = false;
  bool was_cancelled = false;
};

void put(ResponseBench& bench, std::string_view text) {
  std::size_t most_frames = 0;
  boost::asio::co_spawn(bench.io, testing::produce(bench.writer, text, kAll, most_frames),
                        [](std::exception_ptr, Result<> r) { ASSERT_TRUE(r); });
  bench.poll();
}

void finish(ResponseBench& bench, std::string_view rest) {
  std::size_t most_frames = 0;
  Result<> result = Errc::misuse;
  testing::run(bench.io, testing::send(bench.writer, rest, kAll, most_frames, result));
  ASSERT_TRUE(result);
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

std::vector<std::string> events_of(const ResponseBench& bench) {
  return testing::decode_events(bench.response().body).events;
}

TEST(FrameWriterAhead, SendsWhatHasToBeSentWhereJsonWasAskedFor) {
  ResponseBench bench;
  bench.options.prefer = Prefer::json;
  bench.options.quiet = true;
  ASSERT_TRUE(bench.start());
  EXPECT_EQ(bench.writer.event("{}"), Event::refused);
  EXPECT_FALSE(bench.writer.is_committed());
  EXPECT_EQ(bench.writer.event(R"({"n":1})", Need::required), Event::sent);
  EXPECT_EQ(bench.writer.event("{}"), Event::refused);
  finish(bench, R"({"result":{}})");
  EXPECT_EQ(events_of(bench), (std::vector<std::string>{R"({"n":1})", R"({"result":{}})"}));
}

TEST(FrameWriterAhead, SendsMessagesOfEverySize) {
  for (const std::size_t size : {1UL, 1000UL, kFrameBytes - 5000, kFrameBytes - 100, kFrameBytes,
                                 kFrameBytes + 1, 3 * kFrameBytes, 20 * kFrameBytes + 77}) {
    ResponseBench bench;
    ASSERT_TRUE(bench.start());
    const std::string message = '"' + std::string(size, 'q') + '"';
    const Sending sending(bench, message);
    ASSERT_TRUE(sending.is_over && sending.result) << size;
    const Sending again(bench, message);
    ASSERT_TRUE(again.is_over && again.result) << size;
    EXPECT_LE(bench.writer.frames_held(), FrameWriter::kWindow);
    finish(bench, "{}");
    const auto events = events_of(bench);
    ASSERT_EQ(events.size(), 3U) << size;
    EXPECT_TRUE(events[0] == message && events[1] == message && events[2] == "{}") << size;
  }
}

TEST(FrameWriterAhead, WaitsForASlowClientWithinTheWindow) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  const std::string message = '"' + std::string(20 * kFrameBytes, 'q') + '"';
  Sending sending(bench, message);
  EXPECT_FALSE(sending.is_over);
  EXPECT_EQ(bench.writer.frames_held(), FrameWriter::kWindow);
  // Half a message cannot be followed by anything.
  sending.cancel.emit(boost::asio::cancellation_type::terminal);
  bench.poll();
  EXPECT_TRUE(sending.is_over && sending.was_cancelled);
  EXPECT_TRUE(bench.transport.aborted);
  bench.poll();
}

TEST(FrameWriterAhead, RefusesALongMessageOnceTheResultHasBegun) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  put(bench, "{");
  const Sending large(bench, std::string(2 * kFrameBytes, '1'));
  EXPECT_EQ(large.result.error(), Errc::cannot_ask);
  const Sending small(bench, "1");
  EXPECT_TRUE(small.result) << "which still finds room ahead of what has not left";
  finish(bench, "}");
  EXPECT_EQ(events_of(bench), (std::vector<std::string>{"1", "{}"}));
}

TEST(FrameWriterAhead, RefusesWhereTheClientTakesNoEvents) {
  ResponseBench bench;
  bench.options.takes_events = false;
  ASSERT_TRUE(bench.start());
  for (const std::size_t size : {1UL, 2 * kFrameBytes}) {
    const Sending sending(bench, std::string(size, '1'));
    EXPECT_EQ(sending.result.error(), Errc::cannot_ask);
  }
  finish(bench, "{}");
  EXPECT_EQ(bench.message(), "{}");
}

TEST(FrameWriterAhead, TakesAResultBackThatHasNotLeft) {
  for (const std::size_t size : {0UL, 10UL, 3 * kFrameBytes}) {
    ResponseBench bench(4);
    ASSERT_TRUE(bench.start());
    if (size > 0) put(bench, std::string(size, 'x'));
    ASSERT_TRUE(bench.writer.take_back()) << size;
    EXPECT_LE(bench.writer.frames_held(), 1U);
    finish(bench, R"({"another":1})");
    EXPECT_EQ(bench.message(), R"({"another":1})");
  }
}

TEST(FrameWriterAhead, TakesAResultBackThatWaitsBehindMessages) {
  for (const bool held : {false, true}) {
    ResponseBench bench;
    bench.transport.hold = held;
    ASSERT_TRUE(bench.start());
    put(bench, "taken back");
    EXPECT_EQ(bench.writer.event("1"), Event::sent);
    put(bench, std::string(2 * kFrameBytes, 'x'));
    ASSERT_TRUE(bench.writer.take_back());
    bench.transport.hold = false;
    bench.transport.let_through();
    finish(bench, R"({"another":1})");
    EXPECT_EQ(events_of(bench), (std::vector<std::string>{"1", R"({"another":1})"}));
  }
}

TEST(FrameWriterAhead, TakesNothingBackOfWhatHasLeft) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  EXPECT_EQ(bench.writer.event("1"), Event::sent);
  EXPECT_TRUE(bench.writer.take_back()) << "a message of its own is no part of the result";
  const std::string large(6 * kFrameBytes, 'x');
  put(bench, large);
  EXPECT_FALSE(bench.writer.take_back());
  finish(bench, "y");
  EXPECT_EQ(events_of(bench), (std::vector<std::string>{"1", large + "y"}));
}

TEST(FrameWriterAhead, KeepsAFrameForWhatFollowsWhereThereIsNoOther) {
  ResponseBench bench(1);
  ASSERT_TRUE(bench.start());
  put(bench, "taken back");
  ASSERT_TRUE(bench.writer.take_back());
  auto other = bench.pool.take();
  EXPECT_FALSE(other);
  finish(bench, "{}");
  EXPECT_EQ(bench.message(), "{}");
}

}  // namespace
}  // namespace sluice
