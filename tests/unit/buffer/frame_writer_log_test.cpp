// Event streams whose client may lose the connection: ids, and what the log is told.
#include "buffer/event_log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Event = FrameWriter::Event;
using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Came {
  std::string id;
  std::string retry;
  std::string data;
};

/// Events by their fields; data lines joined without anything between them.
std::vector<Came> events_of(std::string_view body) {
  std::vector<Came> events;
  for (std::size_t end; (end = body.find("\n\n")) != std::string_view::npos;) {
    std::string_view block = body.substr(0, end + 1);
    body.remove_prefix(end + 2);
    Came event;
    bool has_data = false;
    for (std::size_t line; (line = block.find('\n')) != std::string_view::npos;
         block.remove_prefix(line + 1)) {
      const auto text = block.substr(0, line);
      const auto value = [&](std::string_view name) {
        return std::string(text.substr(std::min(text.size(), name.size() + 2)));
      };
      if (text.starts_with("id:")) event.id = value("id");
      if (text.starts_with("retry:")) event.retry = value("retry");
      if (text.starts_with("data:")) event.data += value("data");
      has_data = has_data || text.starts_with("data:");
    }
    if (has_data) events.push_back(event);
  }
  return events;
}

/// Remembers what it is told.
struct Log final : EventLog {
  bool primes() const noexcept override { return !priming.empty(); }
  std::string_view prime() override { return priming; }
  std::string_view event(std::string_view json) override {
    EXPECT_TRUE(kept.empty()) << "an event behind the result";
    events.emplace_back(json);
    fields = "id: " + std::to_string(events.size()) + "\n";
    return fields;
  }
  void result(std::string_view bytes) override { kept += bytes; }
  void end(End how) override {
    ++ends;
    last_end = how;
  }

  std::string priming = "id: 0\nretry: 5\ndata:\n\n";
  std::vector<std::string> events;
  std::string fields;
  std::string kept;
  int ends = 0;
  End last_end = End::broken;
};

/// A response with a log, whose transport may be held.
struct Logged : ResponseBench {
  explicit Logged(bool primes = true) {
    if (!primes) log.priming.clear();
    options.log = &log;
    EXPECT_TRUE(start());
  }
  ~Logged() {
    transport.abort();
    writer.abort();
    poll();
  }

  void write(std::string_view message, std::size_t piece = kAll) {
    bool ok = false;
    boost::asio::co_spawn(io, testing::produce(writer, message, piece, most_frames),
                          [&ok](std::exception_ptr, Result<> r) { ok = r.has_value(); });
    testing::run_until(io, [&] { return ok; });
  }
  /// Writes the rest and ends.
  void finish(std::string_view message, std::size_t piece = kAll) {
    Result<> result = Errc::misuse;
    testing::run(io, testing::send(writer, message, piece, most_frames, result));
  }
  [[nodiscard]] std::vector<Came> came() const { return events_of(response().body); }

  Log log;
  std::size_t most_frames = 0;
};

std::string without_breaks(std::string text) {
  for (auto at = text.find("\ndata: "); at != std::string::npos; at = text.find("\ndata: "))
    text.erase(at, 7);
  return text;
}

TEST(FrameWriterLog, IsToldNothingOfAResultThatStartsAtOnce) {
  for (const std::size_t size : {std::size_t{100}, 2 * kFrameBytes, 9 * kFrameBytes}) {
    Logged response;
    response.finish(std::string(size, 'x'));
    EXPECT_EQ(response.log.kept, "");
    EXPECT_EQ(response.log.ends, 0);
    EXPECT_EQ(response.transport.bytes.find("id:"), std::string::npos);
  }
}

TEST(FrameWriterLog, PutsAnEventAheadOfAllOthersAndGivesIds) {
  Logged response;
  EXPECT_EQ(response.writer.event(R"({"n":1})"), Event::sent);
  EXPECT_EQ(response.writer.event(R"({"n":2})"), Event::sent);
  response.poll();
  response.finish(R"({"result":{}})", 3);
  const auto came = response.came();
  ASSERT_EQ(came.size(), 4U);
  EXPECT_EQ(came[0].data, "");
  EXPECT_EQ(came[0].id, "0");
  EXPECT_EQ(came[0].retry, "5");
  EXPECT_EQ(came[1].data, R"({"n":1})");
  EXPECT_EQ(came[1].id, "1");
  EXPECT_EQ(came[2].id, "2");
  EXPECT_EQ(came[3].data, R"({"result":{}})");
  EXPECT_EQ(response.log.events.size(), 2U);
  EXPECT_EQ(response.log.kept, R"({"result":{}})");
  EXPECT_EQ(response.log.ends, 1);
  EXPECT_EQ(response.log.last_end, EventLog::End::whole);
}

TEST(FrameWriterLog, PutsTheSameAheadOfASignOfLife) {
  Logged response;
  response.writer.heartbeat();
  response.poll();
  EXPECT_NE(response.transport.bytes.find("id: 0\n"), std::string::npos);
  EXPECT_EQ(response.transport.bytes.find(": keep-alive"), std::string::npos);
  response.writer.heartbeat();
  response.poll();
  EXPECT_NE(response.transport.bytes.find(": keep-alive"), std::string::npos);
  response.finish(R"({"result":{}})");
  EXPECT_EQ(response.log.kept, R"({"result":{}})");
}

TEST(FrameWriterLog, PutsNothingAheadForAClientThatWouldNotUnderstandIt) {
  Logged response(false);
  response.writer.heartbeat();
  response.poll();
  EXPECT_EQ(response.transport.bytes.find("id:"), std::string::npos);
  EXPECT_NE(response.transport.bytes.find(": keep-alive"), std::string::npos);
  EXPECT_EQ(response.writer.event(R"({"n":1})"), Event::sent);
  response.finish("{}");
  ASSERT_EQ(response.came().size(), 2U);
  EXPECT_EQ(response.came()[0].id, "1");
  EXPECT_EQ(response.log.kept, "{}");
}

TEST(FrameWriterLog, IsToldNothingWhereTheClientGotNoId) {
  Logged response(false);
  response.writer.heartbeat();
  response.finish("{}");
  EXPECT_EQ(response.log.kept, "");
  EXPECT_EQ(response.log.ends, 0);

  Logged json;
  json.options.takes_events = false;
  ASSERT_TRUE(json.start());
  json.writer.heartbeat();
  json.poll();
  json.finish("{}");
  EXPECT_EQ(json.log.ends, 0);
  EXPECT_EQ(json.response().body, " {}");
}

TEST(FrameWriterLog, IsToldOfWhatStoodThereBeforeTheStreamOpened) {
  for (std::size_t size = 1; size < 4 * kFrameBytes - 8000; size += 16381) {
    Logged response;
    response.write(std::string(size, 'm'));
    ASSERT_FALSE(response.writer.room().empty());
    response.writer.line_break();
    response.writer.put(" ");
    ASSERT_EQ(response.writer.event(R"({"n":1})"), Event::sent) << size;
    const std::string rest(3 * kFrameBytes, 'r');
    response.finish(rest, 5000);
    EXPECT_TRUE(without_breaks(response.log.kept) == std::string(size, 'm') + " " + rest) << size;
    const auto came = response.came();
    ASSERT_EQ(came.size(), 3U);
    EXPECT_EQ(came[0].data, "");
    EXPECT_EQ(came[1].data, R"({"n":1})");
  }
}

TEST(FrameWriterLog, IsToldOfAllWhereverTheConnectionIsLost) {
  const std::string message(6 * kFrameBytes + 123, 'm');
  for (std::size_t lost = 0; lost < 12; ++lost) {
    Logged response;
    response.transport.fail_at = lost / 2 + 1;
    ASSERT_EQ(response.writer.event(R"({"n":1})"), Event::sent);
    response.poll();
    if (lost % 2 == 0) response.writer.discard();
    ASSERT_EQ(response.writer.event(R"({"n":2})"), Event::sent);
    response.finish(message, 7001);
    EXPECT_EQ(response.log.events.size(), 2U);
    EXPECT_TRUE(response.log.kept == message) << lost;
    EXPECT_EQ(response.log.ends, 1);
    EXPECT_EQ(response.log.last_end, EventLog::End::whole);
    EXPECT_EQ(response.pool.in_use(), 0U);
  }
}

struct Sending {
  Sending(Logged& response, std::string_view json) {
    boost::asio::co_spawn(response.io, response.writer.send_event(json),
                          [this](std::exception_ptr thrown, Result<> sent) {
                            is_over = true;
                            if (!thrown) result = sent;
                          });
    response.poll();
  }
  Result<> result = Errc::misuse;
  bool is_over = false;
};

TEST(FrameWriterLog, IsToldOfMessagesOfEverySizeThatHaveToBeSent) {
  for (const bool primes : {false, true})
    for (const std::size_t size :
         {std::size_t{10}, kFrameBytes - 5000, kFrameBytes, 9 * kFrameBytes}) {
      Logged response(primes);
      const std::string message = '"' + std::string(size, 'q') + '"';
      const Sending one(response, message);
      const Sending two(response, message);
      ASSERT_TRUE(one.result && two.result) << size;
      EXPECT_TRUE(response.log.events == (std::vector<std::string>{message, message})) << size;
      response.finish(R"({"result":{}})");
      EXPECT_EQ(response.log.kept, R"({"result":{}})");
      auto came = response.came();
      if (primes) came.erase(came.begin());
      ASSERT_EQ(came.size(), 3U) << size;
      EXPECT_TRUE(came[0].data == message && came[1].data == message) << size;
      EXPECT_EQ(came[0].id, "1");
      EXPECT_EQ(came[1].id, "2");
    }
}

TEST(FrameWriterLog, HasAllOfALongMessageWhereverTheConnectionIsLost) {
  const std::string message = '"' + std::string(9 * kFrameBytes, 'q') + '"';
  for (std::size_t lost = 1; lost < 6; ++lost) {
    Logged response;
    response.transport.fail_at = lost;
    const Sending sending(response, message);
    ASSERT_TRUE(sending.is_over && sending.result) << lost;
    EXPECT_TRUE(response.writer.is_resumable());
    EXPECT_FALSE(response.writer.error());
    const Sending next(response, message);
    EXPECT_TRUE(next.result);
    EXPECT_EQ(response.log.events.size(), 2U);
    response.finish("{}");
    EXPECT_EQ(response.log.kept, "{}");
    EXPECT_EQ(response.log.last_end, EventLog::End::whole);
    EXPECT_EQ(response.pool.in_use(), 0U);
  }
}

TEST(FrameWriterLog, IsToldOfSharedPiecesToo) {
  const std::string first(3000, 'a');
  const std::string second(kFrameBytes + 5, 'b');
  const std::array<BodyPiece, 2> pieces{BodyPiece{first}, BodyPiece{second, true}};
  for (const bool lost : {false, true}) {
    Logged response;
    ASSERT_EQ(response.writer.event(R"({"n":1})"), Event::sent);
    response.poll();
    if (lost) response.writer.discard();
    Result<> result = Errc::misuse;
    const auto send = [](FrameWriter& writer, std::span<const BodyPiece> all,
                         Result<>& out) -> Awaitable<void> {
      const auto sent = co_await writer.finish_with(all);
      out = sent;
    };
    testing::run(response.io, send(response.writer, pieces, result));
    EXPECT_TRUE(result);
    EXPECT_TRUE(without_breaks(response.log.kept) == first + second);
    EXPECT_EQ(response.log.ends, 1);
  }
}

TEST(FrameWriterLog, IsToldOfAResultThatBreaksOff) {
  Logged response;
  ASSERT_EQ(response.writer.event(R"({"n":1})"), Event::sent);
  response.write("{\"result\":");
  response.writer.abort();
  EXPECT_EQ(response.log.ends, 1);
  EXPECT_EQ(response.log.last_end, EventLog::End::broken);
}

bool hang_up(Logged& response) {
  bool left = false;
  const auto leave = [](FrameWriter& writer, bool& out) -> Awaitable<void> {
    const bool did = co_await writer.hang_up();
    out = did;
  };
  testing::run(response.io, leave(response.writer, left));
  return left;
}

TEST(FrameWriterLog, GetsTheRestAloneOnceTheWriterHasHungUp) {
  for (const bool after_event : {false, true}) {
    Logged response;
    if (after_event) ASSERT_EQ(response.writer.event(R"({"n":1})"), Event::sent);
    ASSERT_TRUE(hang_up(response));
    EXPECT_TRUE(response.transport.ended);
    const auto came = response.came();  // complete, with its last chunk
    EXPECT_EQ(came.size(), after_event ? 2U : 1U);
    const auto bytes = response.transport.bytes;
    EXPECT_EQ(response.writer.event(R"({"n":2})"), Event::sent);
    EXPECT_FALSE(response.writer.error());
    response.finish(R"({"result":{}})");
    EXPECT_EQ(response.transport.bytes, bytes);
    EXPECT_EQ(response.log.events.back(), R"({"n":2})");
    EXPECT_EQ(response.log.kept, R"({"result":{}})");
    EXPECT_EQ(response.pool.in_use(), 0U);
  }
}

TEST(FrameWriterLog, LetsNobodyHangUpWhoseClientCannotComeBack) {
  Logged no_id(false);
  EXPECT_FALSE(hang_up(no_id));
  EXPECT_FALSE(no_id.writer.is_committed());
  no_id.finish("{}");
  Logged begun;
  begun.write("{");
  EXPECT_FALSE(hang_up(begun));
  begun.finish("}");
  EXPECT_EQ(begun.message(), "{}");
  Logged json;
  json.options.takes_events = false;
  ASSERT_TRUE(json.start());
  EXPECT_FALSE(hang_up(json));
  json.finish("{}");
  EXPECT_EQ(json.message(), "{}");
}

}  // namespace
}  // namespace sluice
