// Every message comes out as it went in, however it is framed.
#include "buffer/frame_writer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Prefer = FrameWriter::Options::Prefer;
using testing::ResponseBench;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kFirst =
    kFrameBytes - HeadWriter::kMaxHead - 32;  // what the first frame holds
constexpr std::size_t kOther = kFrameBytes - 32;
constexpr std::size_t kFull = kFirst + (FrameWriter::kWindow - 1) * kOther;  // the window

std::string message_of(std::size_t size) {
  static const std::string all = [] {
    std::string text(3 * kFull + 6, ' ');
    for (std::size_t i = 0; i < text.size(); ++i)
      text[i] = static_cast<char>('a' + (i * 7 + i / 251) % 26);
    return text;
  }();
  return all.substr(0, size);
}

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> out{0, 1, 100};
  for (const std::size_t border :
       {FrameWriter::kMinRoom, kFirst - FrameWriter::kMinRoom, kFirst, kFirst + kOther,
        kFull - FrameWriter::kMinRoom, kFull, kFull + kOther, 3 * kFull})
    for (const std::size_t size :
         {border - 7, border - 6, border - 1, border, border + 1, border + 6})
      out.push_back(size);
  return out;
}

struct Case {
  Prefer prefer;
  bool takes_json;
  bool takes_events;
  bool chunked;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Prefer prefer : {Prefer::automatic, Prefer::json, Prefer::events})
    for (const auto& [json, events] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true)})
      for (const bool chunked : {true, false}) out.push_back({prefer, json, events, chunked});
  return out;
}

/// The rules of framing, told anew.
bool goes_as_events(const Case& c, bool fits) {
  if (!c.takes_json) return true;
  if (!c.takes_events) return false;
  if (c.prefer == Prefer::automatic) return fits;
  return c.prefer == Prefer::events;
}

void run_case(const Case& c, std::size_t size, std::size_t piece, std::size_t most,
              std::size_t at_once = 0) {
  SCOPED_TRACE(::testing::Message()
               << "prefer " << static_cast<int>(c.prefer) << " json " << c.takes_json << " events "
               << c.takes_events << " chunked " << c.chunked << " size " << size << " piece "
               << piece << " most " << most << " at once " << at_once);
  const std::string message = message_of(size);
  ResponseBench bench;
  bench.options = {c.takes_json, c.takes_events, c.prefer, c.chunked};
  bench.heads.longest = size % 2 == 1;
  bench.transport.most = most;
  bench.transport.at_once = at_once;
  ASSERT_TRUE(bench.start());
  std::size_t most_frames = 0;
  Result<> result;
  testing::run(bench.io, testing::send(bench.writer, message, piece, most_frames, result));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(bench.pool.in_use(), 0U);
  EXPECT_LE(most_frames, FrameWriter::kWindow);
  EXPECT_EQ(bench.heads.written, 1U);
  EXPECT_EQ(bench.writer.bytes_sent(), bench.transport.bytes.size());

  const auto response = bench.response();
  const bool fits = response.field("Content-Length").has_value();
  EXPECT_TRUE(piece != kAll || fits == (size <= kFull));
  EXPECT_EQ(response.field("Transfer-Encoding").has_value(), !fits && c.chunked);
  const bool events = goes_as_events(c, fits);
  EXPECT_EQ(response.field("Content-Type"), events ? "text/event-stream" : "application/json");
  EXPECT_TRUE(!fits || most != kAll || bench.transport.writes == 1U);
  if (!events) {
    EXPECT_TRUE(response.body == message);
  } else if (size > 0) {
    const auto stream = testing::decode_events(response.body);
    ASSERT_EQ(stream.events.size(), 1U);
    EXPECT_TRUE(stream.events[0] == message);
  }
}

TEST(FrameWriter, GivesBackTheMessageInEveryFramingAndSize) {
  for (const Case& c : cases())
    for (const std::size_t size : sizes()) run_case(c, size, kAll, kAll);
}

TEST(FrameWriter, GivesBackTheMessageWhateverThePiecesAre) {
  for (const Case& c : cases())
    for (const std::size_t piece : {100U, 2048U, 65535U})
      for (const std::size_t size : {std::size_t{5000}, kFirst + 1, kFull, kFull + 1, 2 * kFull})
        run_case(c, size, piece, kAll);
}

TEST(FrameWriter, GivesBackTheMessageWhereEveryWriteTakesOneByte) {
  for (const Case& c : cases()) run_case(c, 3000, kAll, 1);
  run_case({Prefer::automatic, true, true, true}, kFull + 10, kAll, 7);
}

TEST(FrameWriter, GivesBackTheMessageWhereEveryWriteTakesALittle) {
  for (const Case& c : cases())
    for (const std::size_t most : {997U, 4096U, 65535U, 65536U, 65537U, 200000U})
      run_case(c, 2 * kFull + 3, 5000, most);
}

TEST(FrameWriter, GivesBackTheMessageWhereWritesNeedNoWait) {
  for (const std::size_t at_once : {std::size_t{5000}, kFrameBytes, kAll})
    for (const Case& c : cases())
      for (const std::size_t most : {std::size_t{997}, std::size_t{65536}, kAll})
        for (const std::size_t size : {std::size_t{100}, kFirst + 1, kFull, kFull + 1, 2 * kFull})
          run_case(c, size, 5000, most, at_once);
}

TEST(FrameWriter, SendsASmallMessageInOneTurnWhereTheWriteNeedsNone) {
  ResponseBench bench;
  bench.transport.at_once = kAll;
  ASSERT_TRUE(bench.start());
  std::size_t most_frames = 0;
  Result<> result = Errc::cancelled;
  boost::asio::co_spawn(bench.io, testing::send(bench.writer, "{}", kAll, most_frames, result),
                        boost::asio::detached);
  EXPECT_EQ(bench.io.run_one(), 1U);
  EXPECT_TRUE(result);
  EXPECT_EQ(bench.message(), "{}");
  EXPECT_EQ(bench.transport.writes, 1U);
}

/// `[xx,xx,...]` with a break behind each comma.
Awaitable<void> send_list(FrameWriter& writer, std::size_t elements, std::size_t length,
                          Result<>& result) {
  const std::string element(length, 'x');
  for (std::size_t i = 0; i <= elements; ++i) {
    const auto ready = co_await writer.wait_room();
    if (!ready) {
      result = ready;
      co_return;
    }
    if (i == elements) {
      writer.put("]");
      break;
    }
    writer.put(i == 0 ? "[" : ",");
    if (i > 0) writer.line_break();
    std::size_t unused = 0;
    const auto produced = co_await testing::produce(writer, element, kAll, unused);
    if (!produced) {
      result = produced;
      co_return;
    }
  }
  const auto finished = co_await writer.finish();
  result = finished;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(FrameWriter, BreaksLinesOnlyBetweenTokens) {
  for (const Case& c : cases())
    for (const auto& [elements, length] :
         {std::pair(1U, 10U), std::pair(2U, 10U), std::pair(63U, 10U), std::pair(65U, 10U),
          std::pair(66U, 10U), std::pair(500U, 10U), std::pair(3U, 70000U), std::pair(40U, 20000U),
          std::pair(31U, 2047U), std::pair(200U, 2048U), std::pair(130U, 2037U)}) {
      ResponseBench bench;
      bench.options = {c.takes_json, c.takes_events, c.prefer, c.chunked};
      ASSERT_TRUE(bench.start());
      Result<> result;
      testing::run(bench.io, send_list(bench.writer, elements, length, result));
      ASSERT_TRUE(result);
      std::string expected = "[";
      for (std::size_t i = 0; i < elements; ++i)
        expected += (i == 0 ? "" : ",") + std::string(length, 'x');
      expected += ']';
      EXPECT_TRUE(without_blanks(bench.message()) == expected);
      EXPECT_EQ(bench.pool.in_use(), 0U);
    }
}

TEST(FrameWriter, KeepsTheLinesOfAnEventShortWhereTheMessageHasBreaks) {
  ResponseBench bench;
  bench.options.takes_json = false;
  ASSERT_TRUE(bench.start());
  Result<> result;
  testing::run(bench.io, send_list(bench.writer, 50, 9000, result));
  ASSERT_TRUE(result);
  const std::string message = bench.message();
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 49);
}

TEST(FrameWriter, CompletesAnyMessageWithASingleFrame) {
  for (const Case& c : cases())
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{10}, kFirst, kFirst + 1, 3 * kFull}) {
      const std::string message = message_of(size);
      ResponseBench bench(1);
      bench.options = {c.takes_json, c.takes_events, c.prefer, c.chunked};
      ASSERT_TRUE(bench.start());
      std::size_t most_frames = 0;
      Result<> result;
      testing::run(bench.io, testing::send(bench.writer, message, kAll, most_frames, result));
      ASSERT_TRUE(result);
      EXPECT_LE(most_frames, 1U);
      EXPECT_EQ(bench.pool.in_use(), 0U);
      const bool has_message =
          size > 0 || bench.response().field("Content-Type") == "application/json";
      EXPECT_TRUE(!has_message || bench.message() == message) << size;
    }
}

TEST(FrameWriter, DoesNotStartWithoutAFrame) {
  ResponseBench bench(0);
  EXPECT_FALSE(bench.start());
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

TEST(FrameWriter, SendsOneResponseAfterTheOther) {
  ResponseBench bench;
  for (const std::size_t size :
       {std::size_t{10}, 2 * kFull, std::size_t{1}, kFull, std::size_t{20}}) {
    const std::string message = message_of(size);
    bench.transport.bytes.clear();
    ASSERT_TRUE(bench.start());
    std::size_t most_frames = 0;
    Result<> result;
    testing::run(bench.io, testing::send(bench.writer, message, kAll, most_frames, result));
    ASSERT_TRUE(result);
    EXPECT_TRUE(bench.message() == message);
    EXPECT_EQ(bench.pool.in_use(), 0U);
  }
}

}  // namespace
}  // namespace sluice
