#include "tools/source_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tools/media_type.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

using config::ResultKind;
using config::Structured;

struct Source {
  ResultShape shape;
  std::string media_type;
  std::string bytes;
  std::size_t piece = 64 * 1024;
  std::string failure;
};

Awaitable<Result<>> relay(mcp::InnerCall& call, ResultWriter& out, const Source& source) {
  SourceResult result(call, out, source.shape, source.media_type);
  std::string_view left = source.bytes;
  while (!left.empty()) {
    const auto written = co_await result.write(left.substr(0, source.piece));
    if (!written) co_return written;
    left.remove_prefix(std::min(source.piece, left.size()));
  }
  if (!source.failure.empty()) {
    const auto failed = co_await result.fail(source.failure);
    co_return failed;
  }
  const auto finished = co_await result.finish();
  co_return finished;
}

void run(Bench& bench, const Source& source) {
  bench.run(relay(bench.call, bench.out, source));
  ASSERT_TRUE(bench.is_done);
  ASSERT_FALSE(bench.was_cancelled);
  EXPECT_EQ(bench.call.frames().in_use(), 0u);
}

Source json_source(Structured structured, std::string bytes) {
  Source source;
  source.shape.kind = ResultKind::json;
  source.shape.structured = structured;
  source.bytes = std::move(bytes);
  return source;
}

TEST(SourceResult, MakesOneTextBlockOfText) {
  Bench bench;
  run(bench, {{}, "", "some text", 2, ""});
  ASSERT_EQ(bench.out.blocks.size(), 1u);
  EXPECT_EQ(bench.out.blocks[0].kind, BlockKind::text);
  EXPECT_EQ(bench.out.all(), "some text");
  EXPECT_FALSE(bench.out.open);
}

TEST(SourceResult, LeavesNoBlockWhereTheSourceGaveNothing) {
  for (const auto kind : {ResultKind::text, ResultKind::json, ResultKind::image}) {
    Bench bench;
    Source source;
    source.shape.kind = kind;
    run(bench, source);
    EXPECT_TRUE(bench.out.blocks.empty());
    EXPECT_FALSE(bench.out.is_error);
  }
}

TEST(SourceResult, KeepsAnEmptyDocumentAsOne) {
  Bench bench;
  Source source;
  source.shape.kind = ResultKind::blob;
  source.shape.uri = "sluice://t/x";
  run(bench, source);
  ASSERT_EQ(bench.out.blocks.size(), 1u);
  EXPECT_EQ(bench.out.blocks[0].kind, BlockKind::resource_blob);
  EXPECT_EQ(bench.out.blocks[0].uri, "sluice://t/x");
}

TEST(SourceResult, PrefersTheMediaTypeOfTheConfiguration) {
  Bench bench;
  Source source{
      {ResultKind::image, Structured::off, "image/webp", ""}, "image/png; q=1", "x", 1, ""};
  run(bench, source);
  EXPECT_EQ(bench.out.blocks.at(0).mime_type, "image/webp");
  Bench other;
  source.shape.mime_type.clear();
  run(other, source);
  EXPECT_EQ(other.out.blocks.at(0).mime_type, "image/png");
  EXPECT_EQ(other.out.blocks.at(0).kind, BlockKind::image);
}

TEST(SourceResult, DecidesByTheMediaTypeWhereAsked) {
  const std::pair<const char*, BlockKind> cases[] = {
      {"", BlockKind::text},
      {"text/html; charset=utf-8", BlockKind::text},
      {"Application/JSON", BlockKind::text},
      {"application/problem+json", BlockKind::text},
      {"application/atom+xml", BlockKind::text},
      {"application/x-www-form-urlencoded", BlockKind::text},
      {"application/yaml", BlockKind::text},
      {"image/svg+xml", BlockKind::image},
      {"AUDIO/mpeg", BlockKind::audio},
      {"application/pdf", BlockKind::resource_blob},
      {"application/octet-stream", BlockKind::resource_blob},
      {"video/mp4", BlockKind::resource_blob},
  };
  for (const auto& [type, kind] : cases) {
    Bench bench;
    Source source;
    source.shape.kind = ResultKind::automatic;
    source.media_type = type;
    source.bytes = "abc";
    run(bench, source);
    EXPECT_EQ(bench.out.blocks.at(0).kind, kind) << type;
    SourceResult result(bench.call, bench.out, source.shape, type);
    EXPECT_EQ(result.is_text(), kind == BlockKind::text) << type;
  }
}

TEST(SourceResult, SendsStructuredContentAloneWhereTheClientTakesIt) {
  for (const std::size_t piece : {1u, 2u, 3u, 100u}) {
    Bench bench;
    Source source = json_source(Structured::on, " \n{\"a\": 1.10}");
    source.piece = piece;
    run(bench, source);
    ASSERT_EQ(bench.out.blocks.size(), 1u);
    EXPECT_EQ(bench.out.all(BlockKind::structured), "{\"a\": 1.10}");
  }
}

TEST(SourceResult, FallsBackToTextForValuesThatTheRevisionDoesNotKnow) {
  for (const std::size_t piece : {1u, 2u, 100u}) {
    Bench bench;
    bench.out.structured_others = false;
    Source source = json_source(Structured::on, " \n[1, 2]\n");
    source.piece = piece;
    run(bench, source);
    ASSERT_EQ(bench.out.blocks.size(), 1u);
    EXPECT_EQ(bench.out.all(), " \n[1, 2]\n");
  }
}

TEST(SourceResult, SendsTextAloneToClientsWithoutStructuredContent) {
  for (const auto structured : {Structured::on, Structured::both}) {
    Bench bench;
    bench.out.structured_others = bench.out.structured_objects = false;
    run(bench, json_source(structured, " {\"a\":1}"));
    ASSERT_EQ(bench.out.blocks.size(), 1u);
    EXPECT_EQ(bench.out.all(), " {\"a\":1}");
  }
}

TEST(SourceResult, SkipsAByteOrderMarkBeforeStructuredContent) {
  for (const std::size_t piece : {1u, 2u, 100u}) {
    Bench bench;
    Source source = json_source(Structured::on, "\xEF\xBB\xBF {\"a\":1}");
    source.piece = piece;
    run(bench, source);
    EXPECT_EQ(bench.out.all(BlockKind::structured), "{\"a\":1}");
  }
}

TEST(SourceResult, SaysWhenThereIsNoValueAtAll) {
  for (const auto structured : {Structured::on, Structured::both}) {
    Bench bench;
    run(bench, json_source(structured, " \n"));
    EXPECT_TRUE(bench.out.is_error);
    EXPECT_EQ(bench.out.failures.size(), 1u);
  }
}

TEST(SourceResult, HandsOnWhatTheWriterSays) {
  Bench bench;
  bench.out.fail_with = Errc::not_json;
  run(bench, json_source(Structured::on, "{nonsense"));
  ASSERT_FALSE(bench.result.has_value());
  EXPECT_EQ(bench.result.error(), Errc::not_json);
}

TEST(SourceResult, SendsTheTextAndThenItsStructure) {
  for (const std::size_t piece : {1u, 7u, 100u}) {
    Bench bench;
    bench.call.spool = "/nonexistent";  // a small value needs no file
    Source source = json_source(Structured::both, " {\"a\":\n[1.10, \"\xC3\xA9\"]}\n");
    source.piece = piece;
    run(bench, source);
    ASSERT_TRUE(bench.result.has_value());
    ASSERT_EQ(bench.out.blocks.size(), 2u);
    EXPECT_EQ(bench.out.all(), "{\"a\":\n[1.10, \"\xC3\xA9\"]}\n");
    EXPECT_EQ(bench.out.all(BlockKind::structured), "{\"a\": [1.10, \"\xC3\xA9\"]} ");
    EXPECT_FALSE(bench.out.is_error);
  }
}

std::string large_value(std::size_t bytes) {
  std::string value = "[0";
  for (std::size_t i = 1; value.size() < bytes; ++i) value += "," + std::to_string(i);
  return value + "]";
}

TEST(SourceResult, SpoolsALargeValueOnceMore) {
  for (const std::size_t size :
       {kFrameBytes - 3, kFrameBytes, kFrameBytes + 1, 2 * kFrameBytes, 1000 * 1000ul}) {
    Bench bench;
    const std::string value = large_value(size);
    Source source = json_source(Structured::both, value);
    source.piece = 10'007;
    run(bench, source);
    ASSERT_TRUE(bench.result.has_value());
    EXPECT_TRUE(bench.out.failures.empty());
    EXPECT_TRUE(bench.out.all() == value);
    EXPECT_TRUE(bench.out.all(BlockKind::structured) == value);
    EXPECT_LE(bench.out.largest_write, kFrameBytes);
  }
}

TEST(SourceResult, KeepsTheTextWhereTheSpoolFails) {
  Bench bench;
  bench.call.spool = "/nonexistent";
  const std::string value = large_value(300'000);
  run(bench, json_source(Structured::both, value));
  EXPECT_TRUE(bench.result.has_value());
  EXPECT_TRUE(bench.out.all() == value);
  EXPECT_EQ(bench.out.all(BlockKind::structured), "");
  ASSERT_EQ(bench.out.failures.size(), 1u);
  EXPECT_NE(bench.out.failure().find("server.spool"), std::string::npos);
}

TEST(SourceResult, KeepsTheTextWhereTheDiskIsFull) {
  Bench bench;
  bench.call.spool = "/dev/full";  // no directory, and nothing can be written
  run(bench, json_source(Structured::both, large_value(200'000)));
  EXPECT_EQ(bench.out.failures.size(), 1u);
}

TEST(SourceResult, SaysThatACopyIsNoJson) {
  for (const char* text : {"{\"a\":1", "{\"a\":1} x", "<html>", "{\"a\":01}"}) {
    Bench bench;
    run(bench, json_source(Structured::both, text));
    EXPECT_EQ(bench.out.all(), text);
    EXPECT_EQ(bench.out.all(BlockKind::structured), "");
    EXPECT_EQ(bench.out.failure(), "The tool did not give one JSON value.");
  }
}

TEST(SourceResult, SaysThatACopyIsTooDeep) {
  Bench bench;
  bench.call.nesting = 2;
  run(bench, json_source(Structured::both, "[[[1]]]"));
  EXPECT_NE(bench.out.failure().find("limits.nesting"), std::string::npos);
}

TEST(SourceResult, LeavesOutAStructureThatTheLimitWouldCut) {
  Bench bench;
  bench.call.result_limit = 20;
  run(bench, json_source(Structured::both, "[1,2,3,4,5,6]"));
  EXPECT_EQ(bench.out.all(), "[1,2,3,4,5,6]");
  EXPECT_EQ(bench.out.all(BlockKind::structured), "");
  EXPECT_TRUE(bench.out.is_error);
}

TEST(SourceResult, KeepsTheTextWhereNoFrameIsLeft) {
  Bench bench;
  std::vector<Frame> all;
  while (Frame frame = bench.call.frames().take()) all.push_back(std::move(frame));
  bench.run(relay(bench.call, bench.out, json_source(Structured::both, "[1]")));
  EXPECT_EQ(bench.out.all(), "[1]");
  EXPECT_NE(bench.out.failure().find("limits.frames"), std::string::npos);
}

TEST(SourceResult, KeepsWhatWasSentBeforeAFailure) {
  Bench bench;
  Source source;
  source.bytes = "half";
  source.failure = "The upstream went away.";
  run(bench, source);
  EXPECT_EQ(bench.out.all(), "half");
  EXPECT_EQ(bench.out.failure(), "The upstream went away.");
}

TEST(MediaType, IsKnownForTheEndingsOfNames) {
  EXPECT_EQ(media_type_of("a/b.d/REPORT.MD"), "text/markdown");
  EXPECT_EQ(media_type_of("x.tar.gz"), "application/gzip");
  EXPECT_EQ(media_type_of("p.JPeG"), "image/jpeg");
  EXPECT_EQ(media_type_of("a.md/file"), "application/octet-stream");
  EXPECT_EQ(media_type_of(".json"), "application/octet-stream");
  EXPECT_EQ(media_type_of("file."), "application/octet-stream");
  EXPECT_EQ(media_type_of(""), "application/octet-stream");
}

}  // namespace
}  // namespace sluice::tools
