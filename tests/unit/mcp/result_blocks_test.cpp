// What each kind of block looks like, by the eyes of a JSON parser.
#include "mcp/json_result_writer.hpp"

#include <gtest/gtest.h>

#include "json/base64.hpp"
#include "result_bench.hpp"

namespace sluice::mcp::test {
namespace {

TEST(JsonResultWriter, WritesAnEmptyResultWithAContentArray) {
  for (const Revision& revision : kRevisions) {
    ResultBench bench(revision);
    ASSERT_TRUE(bench.start_json());
    const Json message = bench.finish();
    EXPECT_EQ(message.find("jsonrpc").as_string(), "2.0");
    const Json result = message.find("result");
    EXPECT_TRUE(result.find("content").is(JsonKind::array));
    EXPECT_EQ(result.find("content").size(), 0U);
    EXPECT_FALSE(result.find("isError"));
    EXPECT_FALSE(result.find("structuredContent"));
    if (revision.is_modern) {
      EXPECT_EQ(result.find("resultType").as_string(), "complete");
      EXPECT_EQ(
          result.find("_meta").find("io.modelcontextprotocol/serverInfo").find("name").as_string(),
          "s");
    } else {
      EXPECT_FALSE(result.find("resultType"));
      EXPECT_FALSE(result.find("_meta"));
    }
  }
}

TEST(JsonResultWriter, EchoesTheIdAsTheBytesThatCame) {
  for (const std::string_view id : {"0", "-7", "2147483648", "1774232524389", "9007199254740993",
                                    R"("1")", R"("")", R"("q\"\\\u00e9\n")"}) {
    ResultBench bench(kNewestLegacy, UINT64_MAX, id);
    ASSERT_TRUE(bench.start_json());
    EXPECT_EQ(bench.finish().find("id").raw(), id);
  }
}

TEST(JsonResultWriter, WritesTextAsItIs) {
  const std::string text(
      "quote \" back \\ line \n cr \r tab \t nul \0 del \x7f é漢🙂 \xe2\x80\xa8 \xc2\x85", 58);
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.text(text)));
  const Json content = bench.finish_result().find("content");
  ASSERT_EQ(content.size(), 1U);
  EXPECT_EQ(at(content, 0).find("type").as_string(), "text");
  EXPECT_EQ(str(at(content, 0)), text);
  EXPECT_EQ(bench.out.bytes(), text.size());
}

TEST(JsonResultWriter, ReplacesWhatIsNoUtf8) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.text("\377\376caf\351 end\xe6\xbc")));
  EXPECT_EQ(str(at(bench.finish_result().find("content"), 0)), "\ufffd\ufffdcaf\ufffd end\ufffd");
}

TEST(JsonResultWriter, WritesTheSameTextWhereverItIsCut) {
  const std::string text = "aé漢🙂\"\\\n\u2028z";
  for (std::size_t i = 0; i <= text.size(); ++i)
    for (std::size_t j = i; j <= text.size(); ++j) {
      ResultBench bench;
      ASSERT_TRUE(bench.start_json());
      const std::string_view all = text;
      ASSERT_TRUE(bench.now(bench.out.write(all.substr(0, i))));
      ASSERT_TRUE(bench.now(bench.out.write(all.substr(i, j - i))));
      ASSERT_TRUE(bench.now(bench.out.write(all.substr(j))));
      const Json content = bench.finish_result().find("content");
      ASSERT_EQ(content.size(), 1U);
      EXPECT_EQ(str(at(content, 0)), text) << i << ' ' << j;
    }
}

TEST(JsonResultWriter, WritesBinaryBlocksInBase64) {
  std::string bytes(1000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  for (const BlockKind kind : {BlockKind::image, BlockKind::audio})
    for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 1000U})
      for (const std::size_t cut : {0U, 1U, 2U}) {
        ResultBench bench;
        ASSERT_TRUE(bench.start_json());
        const std::string_view all = std::string_view(bytes).substr(0, size);
        const std::size_t at_byte = std::min(cut, size);
        ASSERT_TRUE(bench.now(bench.out.begin({.kind = kind, .mime_type = "x/\"y\""})));
        ASSERT_TRUE(bench.now(bench.out.write(all.substr(0, at_byte))));
        ASSERT_TRUE(bench.now(bench.out.write(all.substr(at_byte))));
        const Json block = at(bench.finish_result().find("content"), 0);
        EXPECT_EQ(block.find("type").as_string(), kind == BlockKind::image ? "image" : "audio");
        EXPECT_EQ(block.find("mimeType").as_string(), "x/\"y\"");
        EXPECT_EQ(json::base64_decode(*block.find("data").as_string()), all);
      }
}

TEST(JsonResultWriter, WritesEmbeddedResources) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.block(
      {.kind = BlockKind::resource_text, .mime_type = "text/plain", .uri = "file:///a\"b"},
      "some\ntext")));
  ASSERT_TRUE(
      bench.now(bench.out.block({.kind = BlockKind::resource_blob, .uri = "x:y"}, "\x01\x02")));
  const Json content = bench.finish_result().find("content");
  ASSERT_EQ(content.size(), 2U);
  const Json text = at(content, 0).find("resource");
  EXPECT_EQ(at(content, 0).find("type").as_string(), "resource");
  EXPECT_EQ(text.find("uri").as_string(), "file:///a\"b");
  EXPECT_EQ(text.find("mimeType").as_string(), "text/plain");
  EXPECT_EQ(text.find("text").as_string(), "some\ntext");
  const Json blob = at(content, 1).find("resource");
  EXPECT_FALSE(blob.find("mimeType"));
  EXPECT_EQ(json::base64_decode(*blob.find("blob").as_string()), "\x01\x02");
}

TEST(JsonResultWriter, WritesLinksWithTheMembersThatAreSet) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  Annotations annotations;
  annotations.priority = 0.25;
  ASSERT_TRUE(bench.now(bench.out.link({.uri = "a:b", .name = "n\n"})));
  ASSERT_TRUE(bench.now(bench.out.link({.uri = "a:b",
                                        .name = "n",
                                        .title = "t",
                                        .description = "d",
                                        .mime_type = "m/m",
                                        .size = 18446744073709551615ULL,
                                        .annotations = &annotations})));
  const Json content = bench.finish_result().find("content");
  EXPECT_EQ(at(content, 0).raw(), R"({"type":"resource_link","uri":"a:b","name":"n\n"})");
  const Json full = at(content, 1);
  EXPECT_EQ(full.size(), 8U);
  EXPECT_EQ(full.find("title").as_string(), "t");
  EXPECT_EQ(full.find("description").as_string(), "d");
  EXPECT_EQ(full.find("mimeType").as_string(), "m/m");
  EXPECT_EQ(full.find("size").raw(), "18446744073709551615");
  EXPECT_EQ(full.find("annotations").find("priority").as_double(), 0.25);
}

TEST(JsonResultWriter, WritesAnnotationsThatAreSet) {
  struct Case {
    Annotations annotations;
    std::string_view json;
  };
  const std::vector<Case> cases{
      {{}, ""},
      {{.for_user = true, .for_assistant = false, .priority = {}, .last_modified = {}},
       R"({"audience":["user"]})"},
      {{.for_user = true, .for_assistant = true, .priority = 1, .last_modified = {}},
       R"({"audience":["user","assistant"],"priority":1})"},
      {{.for_user = false,
        .for_assistant = true,
        .priority = 0.5,
        .last_modified = "2026-01-02T03:04:05Z"},
       R"({"audience":["assistant"],"priority":0.5,"lastModified":"2026-01-02T03:04:05Z"})"},
      {{.for_user = false, .for_assistant = false, .priority = {}, .last_modified = "\""},
       R"({"lastModified":"\""})"},
      {{.for_user = true,
        .for_assistant = false,
        .priority = std::numeric_limits<double>::quiet_NaN(),
        .last_modified = {}},
       R"({"audience":["user"]})"},
  };
  for (const Case& c : cases) {
    ResultBench bench;
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.block({.annotations = &c.annotations}, "x")));
    const Json annotations = at(bench.finish_result().find("content"), 0).find("annotations");
    EXPECT_EQ(annotations ? annotations.raw() : "", c.json);
  }
}

TEST(JsonResultWriter, WritesTheMetaOfABlockOnOneLine) {
  ResultBench bench;
  bench.options.takes_json = false;
  ASSERT_TRUE(bench.start());
  ASSERT_TRUE(bench.now(bench.out.block({.meta = "{\"a\":\r\n  [1,\n2]}"}, "x")));
  EXPECT_EQ(at(bench.finish_result().find("content"), 0).find("_meta").find("a").size(), 2U);
  EXPECT_EQ(bench.text.find('\n'), std::string::npos);
}

TEST(JsonResultWriter, PassesRawBlocksButForTheirLineBreaks) {
  ResultBench bench;
  bench.options.takes_json = false;
  ASSERT_TRUE(bench.start());
  ASSERT_TRUE(bench.now(bench.out.text("a")));
  ASSERT_TRUE(
      bench.now(bench.out.raw_block("{\n\"type\":\r\n\"text\",\"text\":\"b\\n\",\"n\":1.10}")));
  ASSERT_TRUE(bench.now(bench.out.text("c")));
  const Json content = bench.finish_result().find("content");
  ASSERT_EQ(content.size(), 3U);
  EXPECT_EQ(str(at(content, 1)), "b\n");
  EXPECT_EQ(at(content, 1).find("n").raw(), "1.10");
  EXPECT_EQ(str(at(content, 2)), "c");
}

TEST(JsonResultWriter, WritesNothingOfARawBlockThatIsBroken) {
  for (const std::string_view broken : {"{\"type\":", "nonsense", "{} {}", "{\"a\":1,}", ""})
    for (const bool first : {true, false}) {
      ResultBench bench;
      ASSERT_TRUE(bench.start_json());
      if (!first) {
        ASSERT_TRUE(bench.now(bench.out.text("before")));
        bench.commit();
      }
      EXPECT_EQ(bench.now(bench.out.raw_block(broken)).error(), Errc::not_json);
      ASSERT_TRUE(bench.now(bench.out.fail("said")));
      const Json result = bench.finish_result();
      EXPECT_EQ(result.find("content").size(), first ? 1U : 2U);
      EXPECT_EQ(result.find("isError").as_bool(), true);
    }
}

TEST(JsonResultWriter, ClosesOneBlockBeforeTheNext) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.write("implicit")));
  ASSERT_TRUE(bench.now(bench.out.begin({})));
  ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::image, .mime_type = "i/i"})));
  ASSERT_TRUE(bench.now(bench.out.write("abcd")));
  ASSERT_TRUE(bench.now(bench.out.end()));
  ASSERT_TRUE(bench.now(bench.out.end()));
  ASSERT_TRUE(bench.now(bench.out.link({.uri = "u:u", .name = "n"})));
  const Json content = bench.finish_result().find("content");
  ASSERT_EQ(content.size(), 4U);
  EXPECT_EQ(str(at(content, 0)), "implicit");
  EXPECT_EQ(str(at(content, 1)), "");
  EXPECT_EQ(at(content, 2).find("data").as_string(), "YWJjZA==");
}

TEST(JsonResultWriter, StaysWellFormedAcrossFramesInEveryForm) {
  const std::string text(30000, '\n');
  for (const auto& [json, events] :
       {std::pair(true, true), std::pair(true, false), std::pair(false, true)})
    for (const std::size_t blocks : {1U, 3U, 5U, 20U, 100U}) {
      ResultBench bench;
      bench.options.takes_json = json;
      bench.options.takes_events = events;
      ASSERT_TRUE(bench.start());
      for (std::size_t i = 0; i < blocks; ++i) ASSERT_TRUE(bench.now(bench.out.text(text)));
      const Json content = bench.finish_result().find("content");
      ASSERT_EQ(content.size(), blocks);
      for (const Json block : content) EXPECT_TRUE(str(block) == text);
    }
}

TEST(JsonResultWriter, GivesTheErrorOfTheWriteThatFailsWhicheverItIs) {
  const std::string text(100000, 'x');
  for (std::size_t n = 0;; ++n) {
    ResultBench bench;
    bench.transport.fail_at = n;
    ASSERT_TRUE(bench.start_json());
    Result<> result;
    for (int i = 0; i < 10 && result; ++i) result = bench.now(bench.out.text(text));
    if (result) result = bench.now(bench.out.close());
    if (result) result = bench.now(bench.writer.finish());
    EXPECT_EQ(bench.pool.in_use(), 0U);
    if (result) break;
    EXPECT_EQ(result.error(), boost::asio::error::broken_pipe);
    EXPECT_FALSE(bench.now(bench.out.fail("why")));
  }
}

}  // namespace
}  // namespace sluice::mcp::test
