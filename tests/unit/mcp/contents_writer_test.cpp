#include "mcp/contents_writer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "json/document.hpp"
#include "support/response_bench.hpp"

namespace sluice::mcp {
namespace {

constexpr std::string_view kUri = "x://a";
constexpr std::string_view kEnvelope = R"({"jsonrpc":"2.0","id":"7","result":{"contents":[)";

/// A writer over frames over memory; operations run to their end, one at a time.
struct Bench : testing::ResponseBench {
  explicit Bench(ContentsWriter::Options changed = {}) : out(writer, complete(changed)) {}

  static ContentsWriter::Options complete(ContentsWriter::Options options) {
    options.id = "\"7\"";
    options.envelope = kEnvelope;
    options.uri = kUri;
    if (options.max_bytes == 0) options.max_bytes = UINT64_MAX;
    options.limit_name = "limits.result (9B)";
    return options;
  }
  [[nodiscard]] bool start_json() {
    options.takes_events = false;
    return start();
  }
  Result<> now(Awaitable<Result<>> operation) {
    Result<> result = Errc::misuse;
    bool done = false;
    boost::asio::co_spawn(io, std::move(operation), [&](std::exception_ptr e, Result<> r) {
      if (e) std::rethrow_exception(e);
      result = r;
      done = true;
    });
    testing::run_until(io, [&] { return done; });
    return result;
  }
  Json finish() {
    EXPECT_TRUE(now(out.close()));
    EXPECT_TRUE(now(writer.finish()));
    EXPECT_EQ(pool.in_use(), 0U);
    text = message();
    const auto parsed = document.parse_copy(text);
    EXPECT_TRUE(parsed) << text.substr(0, 1000);
    return parsed ? *parsed : Json();
  }
  Json contents() { return finish().find("result").find("contents"); }
  void commit() {
    writer.heartbeat();
    io.restart();
    io.poll();
    ASSERT_TRUE(writer.is_committed());
  }

  ContentsWriter out;
  std::string text;
  json::Document document;
};

Json at(Json array, std::size_t index) {
  for (const Json element : array)
    if (index-- == 0) return element;
  return {};
}

TEST(ContentsWriter, WritesTextAsText) {
  Bench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.write("a \"b\"\n")));
  ASSERT_TRUE(bench.now(bench.out.write("c\xff")));
  EXPECT_EQ(bench.contents().raw(), R"([{"uri":"x://a","text":"a \"b\"\nc)"
                                    "\xEF\xBF\xBD"
                                    R"("}])");
}

TEST(ContentsWriter, WritesEverythingElseAsBase64) {
  for (const auto kind : {BlockKind::image, BlockKind::audio, BlockKind::resource_blob}) {
    Bench bench;
    ASSERT_TRUE(bench.start_json());
    const Block block{.kind = kind, .mime_type = "a/b"};
    ASSERT_TRUE(bench.now(bench.out.block(block, {"\0\xff\x01", 3})));
    const Json contents = bench.contents();
    ASSERT_EQ(contents.size(), 1U);
    EXPECT_EQ(at(contents, 0).raw(), R"({"uri":"x://a","mimeType":"a/b","blob":"AP8B"})");
  }
}

TEST(ContentsWriter, WritesStructuredContentAsTheTextOfAJsonDocument) {
  Bench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.structured("{\"a\":1}")));
  EXPECT_EQ(at(bench.contents(), 0).raw(),
            R"({"uri":"x://a","mimeType":"application/json","text":"{\"a\":1}"})");
}

TEST(ContentsWriter, SaysWhatIsDeclaredOfTheResource) {
  Bench bench({.mime_type = "text/html", .meta = "{\"ui\":\n1}"});
  ASSERT_TRUE(bench.start_json());
  const Block block{.kind = BlockKind::resource_text, .mime_type = "text/plain", .uri = kUri};
  ASSERT_TRUE(bench.now(bench.out.block(block, "x")));
  EXPECT_EQ(at(bench.contents(), 0).raw(),
            R"({"uri":"x://a","mimeType":"text/html","_meta":{"ui": 1},"text":"x"})");
}

TEST(ContentsWriter, TakesSeveralElementsThatNameThemselves) {
  Bench bench({.mime_type = "text/html"});
  ASSERT_TRUE(bench.start_json());
  const Block first{.kind = BlockKind::resource_text, .mime_type = "text/plain", .uri = "x://b"};
  ASSERT_TRUE(bench.now(bench.out.block(first, "1")));
  ASSERT_TRUE(bench.now(bench.out.text("2")));
  const Json contents = bench.contents();
  ASSERT_EQ(contents.size(), 2U);
  EXPECT_EQ(at(contents, 0).raw(), R"({"uri":"x://b","mimeType":"text/plain","text":"1"})");
  EXPECT_EQ(at(contents, 1).raw(), R"({"uri":"x://a","mimeType":"text/html","text":"2"})");
}

TEST(ContentsWriter, HasOneEmptyElementForAnEmptyResource) {
  Bench bench({.mime_type = "text/plain"});
  ASSERT_TRUE(bench.start_json());
  EXPECT_EQ(bench.contents().raw(), R"([{"uri":"x://a","mimeType":"text/plain","text":""}])");
}

TEST(ContentsWriter, KnowsNoLinks) {
  Bench bench;
  ASSERT_TRUE(bench.start_json());
  EXPECT_EQ(bench.now(bench.out.link({.uri = "x://b", .name = "b"})).error(), Errc::misuse);
  EXPECT_EQ(bench.now(bench.out.raw_block("{}")).error(), Errc::misuse);
  EXPECT_FALSE(bench.out.takes_structured('{'));
  EXPECT_EQ(bench.contents().size(), 1U);
}

TEST(ContentsWriter, AnswersWithAnErrorWhereAllIsStillAtHand) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{10}, std::size_t{150'000}}) {
    Bench bench;
    ASSERT_TRUE(bench.start_json());
    if (bytes > 0) {
      ASSERT_TRUE(bench.now(bench.out.write(std::string(bytes, 'x') + "\xe6")));
    }
    ASSERT_TRUE(bench.now(bench.out.fail("it \"broke\"")));
    EXPECT_TRUE(bench.out.is_error());
    EXPECT_EQ(bench.now(bench.out.write("more")).error(), Errc::misuse);
    ASSERT_TRUE(bench.now(bench.out.fail("once more")));
    bench.finish();
    EXPECT_EQ(bench.text,
              R"({"jsonrpc":"2.0","id":"7","error":{"code":-32603,"message":"it \"broke\""}})");
  }
}

TEST(ContentsWriter, CannotEndWhereBytesHaveLeft) {
  Bench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.write("half")));
  bench.commit();
  EXPECT_EQ(bench.now(bench.out.fail("broke")).error(), Errc::source_failed);
  EXPECT_TRUE(bench.out.is_broken());
  EXPECT_EQ(bench.now(bench.out.close()).error(), Errc::source_failed);
  bench.writer.abort();
  EXPECT_TRUE(bench.transport.aborted);
}

TEST(ContentsWriter, SaysThatAResourceIsNotThereAsTheRevisionDoes) {
  for (const auto& revision : kRevisions) {
    Bench bench({.revision = &revision});
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.not_found("There is no such file.")));
    const Json error = bench.finish().find("error");
    EXPECT_EQ(error.find("code").as_int(), revision.is_modern ? -32602 : -32002);
    EXPECT_EQ(error.find("data").raw(), R"({"uri":"x://a"})");
  }
}

TEST(ContentsWriter, TreatsALimitAsAFailure) {
  for (const bool committed : {false, true}) {
    Bench bench({.max_bytes = 9});
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.write("12345")));
    ASSERT_TRUE(bench.now(bench.out.write("6789")));
    if (committed) bench.commit();
    EXPECT_EQ(bench.now(bench.out.write("0")).error(), Errc::result_too_large);
    EXPECT_EQ(bench.now(bench.out.write("0")).error(), Errc::result_too_large);
    EXPECT_EQ(bench.now(bench.out.begin({})).error(), Errc::result_too_large);
    EXPECT_EQ(bench.out.is_broken(), committed);
    if (committed) continue;
    EXPECT_EQ(bench.finish().find("error").find("message").as_string(),
              "The resource is larger than limits.result (9B) allows.");
  }
}

TEST(ContentsWriter, GoesOnWhereACancelledOperationLeftOff) {
  // The envelope and the head are longer than a frame, so that their writing waits.
  const std::string meta = "{\"m\":\"" + std::string(400'000, 'm') + "\"}";
  Bench bench({.meta = meta});
  bench.transport.hold = true;
  ASSERT_TRUE(bench.start_json());
  boost::asio::cancellation_signal signal;
  bool ended = false;
  boost::asio::co_spawn(bench.io, bench.out.begin({}),
                        boost::asio::bind_cancellation_slot(
                            signal.slot(), [&](std::exception_ptr, Result<>) { ended = true; }));
  bench.poll();
  ASSERT_FALSE(ended);
  signal.emit(boost::asio::cancellation_type::terminal);
  bench.poll();
  ASSERT_TRUE(ended);
  bench.transport.hold = false;
  bench.transport.let_through();
  ASSERT_TRUE(bench.now(bench.out.write("x")));
  const Json contents = bench.contents();
  EXPECT_EQ(at(contents, 0).find("text").as_string(), "x");
  EXPECT_EQ(at(contents, 0).find("_meta").raw(), meta);
}

}  // namespace
}  // namespace sluice::mcp
