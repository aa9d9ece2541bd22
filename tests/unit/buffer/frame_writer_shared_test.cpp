// Bytes that many responses share are sent from where they lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "buffer/frame_writer.hpp"
#include "support/response_bench.hpp"

namespace sluice {
namespace {

using Prefer = FrameWriter::Options::Prefer;
using testing::ResponseBench;

std::vector<BodyPiece> pieces_of(std::string_view text, std::size_t size) {
  std::vector<BodyPiece> out;
  for (std::size_t at = 0; at < text.size(); at += size)
    out.push_back({text.substr(at, size), at != 0 && out.size() % 3 == 0});
  return out;
}

std::string text_of(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 251) % 26);
  return text;
}

Result<> send(ResponseBench& bench, std::string_view front, std::span<const BodyPiece> pieces) {
  Result<> result;
  testing::run(bench.io,
               [](FrameWriter& writer, std::string_view head, std::span<const BodyPiece> rest,
                  Result<>& out) -> Awaitable<void> {
                 const BodyPiece piece{head};
                 const auto put = co_await writer.put_pieces({&piece, 1});
                 if (!put) {
                   out = put;
                   co_return;
                 }
                 out = co_await writer.finish_with(rest);
               }(bench.writer, front, pieces, result));
  return result;
}

std::string without_breaks(std::string text) {
  std::erase(text, '\n');
  std::erase(text, ' ');
  return text;
}

TEST(FrameWriterShared, ArrivesAsItIsInEveryFormHoweverLittleAWriteTakes) {
  for (const std::size_t size : {0U, 1U, 100U, 65536U, 300000U, 3000000U})
    for (const std::size_t piece : {1000U, 65536U})
      for (const auto prefer : {Prefer::automatic, Prefer::json, Prefer::events})
        for (const std::size_t most : {std::size_t{997}, std::size_t{70001}, SIZE_MAX}) {
          if (size > 500000 && most < 1000) continue;
          const std::string text = text_of(size);
          ResponseBench bench;
          bench.options.prefer = prefer;
          bench.transport.most = most;
          ASSERT_TRUE(bench.start());
          const auto pieces = pieces_of(text, piece);
          ASSERT_TRUE(send(bench, "front:", pieces));
          const auto response = bench.response();
          ASSERT_TRUE(response.field("Content-Length")) << "its length is known";
          const bool fits = size + 6 <= FrameWriter::kWindow * kFrameBytes;
          EXPECT_EQ(response.field("Content-Type") == "text/event-stream",
                    prefer == Prefer::events || (prefer == Prefer::automatic && fits));
          EXPECT_TRUE(without_breaks(bench.message()) == "front:" + text)
              << size << ' ' << piece << ' ' << most;
          EXPECT_EQ(bench.pool.in_use(), 0U);
        }
}

TEST(FrameWriterShared, BreaksTheLinesOfEventsWhereThatIsAllowedAndChangesNoJson) {
  const std::vector<BodyPiece> pieces{{"[1", false}, {",2]", true}};
  ResponseBench events;
  events.options.prefer = Prefer::events;
  ASSERT_TRUE(events.start());
  ASSERT_TRUE(send(events, "{", pieces));
  EXPECT_EQ(events.response().body, "data: {[1\ndata: ,2]\n\n");
  ResponseBench json;
  json.options.prefer = Prefer::json;
  ASSERT_TRUE(json.start());
  ASSERT_TRUE(send(json, "{", pieces));
  EXPECT_EQ(json.response().body, "{[1,2]");
}

TEST(FrameWriterShared, HoldsOneFrameAndNeedsOneWriteWhereTheSocketTakesAll) {
  const std::string text = text_of(600000);
  ResponseBench bench(1);
  bench.transport.keep = false;
  ASSERT_TRUE(bench.start());
  ASSERT_TRUE(send(bench, "x", pieces_of(text, 65536)));
  EXPECT_EQ(bench.transport.writes, 1U);
}

TEST(FrameWriterShared, IsCopiedBehindWhatHasAlreadyLeft) {
  for (const bool chunked : {true, false}) {
    const std::string text = text_of(400000);
    ResponseBench bench;
    bench.options.chunked = chunked;
    ASSERT_TRUE(bench.start());
    ASSERT_EQ(bench.writer.event("{}"), FrameWriter::Event::sent);
    bench.poll();
    ASSERT_TRUE(send(bench, "front:", pieces_of(text, 65536)));
    EXPECT_FALSE(bench.response().field("Content-Length"));
    EXPECT_TRUE(without_breaks(bench.message()) == "front:" + text);
  }
}

TEST(FrameWriterShared, EndsWithTheErrorOfAnyWriteAndGivesItsFrameBack) {
  const std::string text = text_of(600000);
  for (std::size_t fail_at = 0; fail_at < 9; ++fail_at) {
    ResponseBench bench;
    bench.transport.most = 70000;
    bench.transport.fail_at = fail_at;
    ASSERT_TRUE(bench.start());
    const auto sent = send(bench, "x", pieces_of(text, 65536));
    EXPECT_EQ(sent.has_value(), fail_at > 8) << fail_at;
    EXPECT_EQ(bench.pool.in_use(), 0U);
  }
}

TEST(FrameWriterShared, LeavesTheWriterFitForTheNextResponse) {
  const std::string text = text_of(100000);
  ResponseBench bench;
  for (int i = 0; i < 3; ++i) {
    bench.transport.bytes.clear();
    ASSERT_TRUE(bench.start());
    ASSERT_TRUE(send(bench, "front:", pieces_of(text, 65536)));
    EXPECT_TRUE(without_breaks(bench.message()) == "front:" + text);
    bench.transport.bytes.clear();
    ASSERT_TRUE(bench.start());
    Result<> result;
    std::size_t most = 0;
    testing::run(bench.io, testing::send(bench.writer, "plain", 5, most, result));
    ASSERT_TRUE(result);
    EXPECT_EQ(bench.message(), "plain");
  }
}

}  // namespace
}  // namespace sluice
