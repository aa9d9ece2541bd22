// Messages ahead of the result, and signs of life.
#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Event = FrameWriter::Event;
using Prefer = FrameWriter::Options::Prefer;
using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

void finish(ResponseBench& bench, std::string_view rest) {
  std::size_t most_frames = 0;
  Result<> result = Errc::misuse;
  testing::run(bench.io, testing::send(bench.writer, rest, kAll, most_frames, result));
  ASSERT_TRUE(result);
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

std::vector<std::string> events_of(const ResponseBench& bench) {
  const auto response = bench.response();
  EXPECT_EQ(response.field("Content-Type"), "text/event-stream");
  return testing::decode_events(response.body).events;
}

TEST(FrameWriter, SendsAnEventAtOnceBeforeTheResultBegins) {
  for (const Prefer prefer : {Prefer::automatic, Prefer::json, Prefer::events}) {
    ResponseBench bench;
    bench.options.prefer = prefer;
    ASSERT_TRUE(bench.start());
    EXPECT_EQ(bench.writer.event(R"({"n":1})"), Event::sent);
    bench.poll();
    EXPECT_TRUE(bench.transport.bytes.ends_with("data: {\"n\":1}\n\n\r\n"));
    EXPECT_EQ(bench.writer.event(R"({"n":2})"), Event::sent);
    bench.poll();
    finish(bench, R"({"result":{}})");
    EXPECT_EQ(events_of(bench),
              (std::vector<std::string>{R"({"n":1})", R"({"n":2})", R"({"result":{}})"}));
  }
}

TEST(FrameWriter, SendsAnEventAheadOfAResultThatHasNotLeft) {
  for (std::size_t size = 1; size < 4 * kFrameBytes - 6000; size += 8191) {
    ResponseBench bench;
    bench.heads.longest = true;
    ASSERT_TRUE(bench.start());
    const std::string part(size, 'm');
    std::size_t most_frames = 0;
    bool ok = false;
    boost::asio::co_spawn(bench.io, testing::produce(bench.writer, part, kAll, most_frames),
                          [&ok](std::exception_ptr, Result<> r) { ok = r.has_value(); });
    bench.poll();
    ASSERT_TRUE(ok);
    ASSERT_FALSE(bench.writer.is_committed());
    ASSERT_EQ(bench.writer.event(R"({"n":1})"), Event::sent) << size;
    EXPECT_EQ(bench.writer.event(R"({"n":2})"), Event::full);
    const std::string rest(5 * kFrameBytes, 'r');
    finish(bench, rest);
    const auto events = events_of(bench);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0], R"({"n":1})");
    EXPECT_TRUE(events[1] == part + rest) << size;
  }
}

TEST(FrameWriter, HoldsNoMoreThanTheWindowAndTheEventAheadOfIt) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  const std::string part(4 * kFrameBytes - 6000, 'm');
  std::size_t most_frames = 0;
  bool ok = false;
  boost::asio::co_spawn(bench.io, testing::produce(bench.writer, part, kAll, most_frames),
                        [&ok](std::exception_ptr, Result<> r) { ok = r.has_value(); });
  bench.poll();
  ASSERT_TRUE(ok);
  ASSERT_EQ(bench.writer.event("{}"), Event::sent);
  while (!bench.writer.room().empty()) bench.writer.commit(bench.writer.room().size());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bench.writer.room().empty());
  EXPECT_EQ(bench.writer.frames_held(), FrameWriter::kWindow + 1);
  EXPECT_EQ(bench.pool.in_use(), FrameWriter::kWindow + 1);
  bench.transport.abort();
  bench.writer.abort();
  bench.poll();
}

TEST(FrameWriter, BreaksTheLinesOfAResultBehindAnEventToo) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  ASSERT_FALSE(bench.writer.room().empty());
  bench.writer.put("[1,");
  bench.writer.line_break();
  ASSERT_EQ(bench.writer.event("{}"), Event::sent);
  finish(bench, "2]");
  EXPECT_EQ(events_of(bench), (std::vector<std::string>{"{}", "[1,\n2]"}));
}

TEST(FrameWriter, RefusesEventsThatTheClientWouldNotTake) {
  ResponseBench bench;
  bench.options.takes_events = false;
  ASSERT_TRUE(bench.start());
  EXPECT_EQ(bench.writer.event("{}"), Event::refused);
  finish(bench, "[]");
  EXPECT_EQ(bench.message(), "[]");
}

TEST(FrameWriter, RefusesEventsOnceTheResultLeavesAsJson) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  const std::string message(5 * kFrameBytes, 'm');
  std::size_t most_frames = 0;
  boost::asio::co_spawn(bench.io, testing::produce(bench.writer, message, kAll, most_frames),
                        [](std::exception_ptr, Result<>) {});
  bench.poll();
  ASSERT_EQ(bench.writer.form(), BodyForm::json);
  EXPECT_EQ(bench.writer.event("{}"), Event::refused);
  finish(bench, "");
  EXPECT_TRUE(bench.message() == message);
}

TEST(FrameWriter, RefusesAnEventThatFitsInNoFrame) {
  ResponseBench bench;
  ASSERT_TRUE(bench.start());
  EXPECT_EQ(bench.writer.event(std::string(kFrameBytes, 'e')), Event::refused);
  for (std::size_t size = kFrameBytes - 2200; size < kFrameBytes; ++size) {
    ResponseBench fresh;
    fresh.heads.longest = true;
    ASSERT_TRUE(fresh.start());
    const std::string event(size, 'e');
    const auto sent = fresh.writer.event(event);
    finish(fresh, "[]");
    if (sent == Event::refused) break;
    const auto events = events_of(fresh);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_TRUE(events[0] == event);
  }
  finish(bench, "[]");
}

TEST(FrameWriter, LetsEventsShareAFrameWhileAWriteIsInProgress) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(bench.writer.event(R"({"n":)" + std::to_string(i) + "}"), Event::sent);
  EXPECT_LE(bench.writer.frames_held(), 2U);
  EXPECT_EQ(bench.transport.writes, 1U);
  bench.transport.let_through();
  bench.poll();
  EXPECT_EQ(bench.transport.writes, 2U);
  bench.transport.abort();
  bench.writer.abort();
  bench.poll();
}

TEST(FrameWriter, SaysThatTheWindowIsFullOfEvents) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  const std::string event(10000, 'e');
  std::size_t sent = 0;
  Event last = Event::sent;
  while ((last = bench.writer.event(event)) == Event::sent) ++sent;
  EXPECT_EQ(last, Event::full);
  EXPECT_EQ(bench.pool.in_use(), FrameWriter::kWindow);
  EXPECT_TRUE(bench.writer.is_writing());
  bench.transport.let_through();
  bench.poll();
  EXPECT_EQ(bench.writer.event(event), Event::sent);
  ++sent;
  bench.transport.hold = false;
  bench.transport.most = 5000;
  bench.transport.let_through();
  finish(bench, "[]");
  EXPECT_EQ(events_of(bench).size(), sent + 1);
}

TEST(FrameWriter, GivesTheResultRoomBehindEventsOfAnySize) {
  for (std::size_t size = 61000; size < 63500; size += 1) {
    ResponseBench bench;
    bench.transport.hold = true;
    ASSERT_TRUE(bench.start());
    ASSERT_EQ(bench.writer.event("{}"), Event::sent);
    const auto sent = bench.writer.event(std::string(size, 'e'));
    const auto room = bench.writer.room();
    EXPECT_TRUE(room.empty() || room.size() >= FrameWriter::kMinRoom) << size;
    bench.transport.abort();
    bench.writer.abort();
    bench.poll();
    if (sent != Event::sent) break;
  }
}

TEST(FrameWriter, SendsACommentAsHeartbeatWhereEventsAreTaken) {
  for (const Prefer prefer : {Prefer::automatic, Prefer::events}) {
    ResponseBench bench;
    bench.options.prefer = prefer;
    ASSERT_TRUE(bench.start());
    for (std::size_t i = 1; i <= 3; ++i) {
      bench.writer.heartbeat();
      bench.poll();
      EXPECT_EQ(bench.transport.writes, i);
    }
    EXPECT_EQ(bench.writer.event("{}"), Event::sent);
    finish(bench, "[]");
    const auto stream = testing::decode_events(bench.response().body);
    EXPECT_EQ(stream.comments, 3U);
    EXPECT_EQ(stream.events, (std::vector<std::string>{"{}", "[]"}));
  }
}

TEST(FrameWriter, SendsWhiteSpaceAsHeartbeatWhereOnlyJsonIsTakenOrWanted) {
  for (const bool chunked : {true, false})
    for (const bool takes_events : {true, false}) {
      ResponseBench bench;
      bench.options.takes_events = takes_events;
      bench.options.prefer = Prefer::json;
      bench.options.chunked = chunked;
      ASSERT_TRUE(bench.start());
      bench.writer.heartbeat();
      bench.poll();
      bench.writer.heartbeat();
      bench.poll();
      EXPECT_EQ(bench.writer.event("{}"), Event::refused);
      finish(bench, "[]");
      EXPECT_EQ(bench.message(), "  []");
    }
}

TEST(FrameWriter, SendsWhatThereIsOfTheResultAsHeartbeat) {
  struct Case {
    Prefer prefer;
    bool takes_json;
    BodyForm form;
  };
  for (const Case c :
       {Case{Prefer::automatic, true, BodyForm::json}, Case{Prefer::json, true, BodyForm::json},
        Case{Prefer::events, true, BodyForm::event_stream},
        Case{Prefer::json, false, BodyForm::event_stream}}) {
    ResponseBench bench;
    bench.options.prefer = c.prefer;
    bench.options.takes_json = c.takes_json;
    ASSERT_TRUE(bench.start());
    for (const std::string_view part : {"[1,", "2,", "3,"}) {
      ASSERT_FALSE(bench.writer.room().empty());
      bench.writer.put(part);
      bench.writer.heartbeat();
      bench.poll();
      bench.writer.heartbeat();  // nothing new: nothing is sent
      bench.poll();
    }
    EXPECT_EQ(bench.transport.writes, 3U);
    EXPECT_EQ(bench.writer.form(), c.form);
    EXPECT_EQ(bench.writer.event("{}"), Event::refused);
    finish(bench, "4]");
    EXPECT_EQ(bench.message(), "[1,2,3,4]");
  }
}

TEST(FrameWriter, SendsAHeartbeatThatTheClientTakesWhateverIsPreferred) {
  for (const Prefer prefer : {Prefer::automatic, Prefer::json, Prefer::events})
    for (const bool takes_json : {true, false}) {
      ResponseBench bench;
      bench.options = {takes_json, !takes_json, prefer, true};
      ASSERT_TRUE(bench.start());
      bench.writer.heartbeat();
      EXPECT_EQ(bench.writer.form(), takes_json ? BodyForm::json : BodyForm::event_stream);
      bench.poll();
      finish(bench, "[]");
    }
}

TEST(FrameWriter, SendsNoHeartbeatWhileAWriteIsInProgressOrAfterTheEnd) {
  ResponseBench bench;
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start());
  bench.writer.heartbeat();
  bench.writer.heartbeat();
  EXPECT_EQ(bench.transport.writes, 1U);
  bench.transport.let_through();
  bench.transport.hold = false;
  bench.poll();
  EXPECT_EQ(bench.transport.writes, 1U);
  finish(bench, "[]");
  const std::size_t writes = bench.transport.writes;
  bench.writer.heartbeat();
  bench.poll();
  EXPECT_EQ(bench.transport.writes, writes);
}

TEST(FrameWriter, EndsAnHttp10BodyThatHasLeftWithoutAWriteOfNothing) {
  ResponseBench bench;
  bench.options = {true, false, Prefer::automatic, false};
  ASSERT_TRUE(bench.start());
  ASSERT_FALSE(bench.writer.room().empty());
  bench.writer.put("[]");
  bench.writer.heartbeat();
  bench.poll();
  finish(bench, "");
  EXPECT_EQ(bench.message(), "[]");
  EXPECT_EQ(bench.transport.writes, 1U);
}

TEST(FrameWriter, SendsEventsWithASingleFrameInThePool) {
  ResponseBench bench(1);
  ASSERT_TRUE(bench.start());
  ASSERT_EQ(bench.writer.event("{}"), Event::sent);
  EXPECT_EQ(bench.writer.event("{}"), Event::full);
  EXPECT_TRUE(bench.writer.is_writing());
  bench.poll();
  EXPECT_EQ(bench.writer.event("{}"), Event::sent);
  bench.poll();
  finish(bench, "[]");
  EXPECT_EQ(events_of(bench).size(), 3U);
}

}  // namespace
}  // namespace sluice
