// Whatever fails, the message ends well, or not at all.
#include <gtest/gtest.h>

#include "json/base64.hpp"
#include "mcp/json_result_writer.hpp"
#include "result_bench.hpp"

namespace sluice::mcp::test {
namespace {

TEST(JsonResultWriter, KeepsWhatWasWrittenWhenItFails) {
  for (const bool committed : {false, true}) {
    ResultBench bench;
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.text("whole")));
    ASSERT_TRUE(bench.now(bench.out.write("half \xe6\xbc")));
    if (committed) bench.commit();
    ASSERT_TRUE(bench.now(bench.out.fail("the source \"broke\"")));
    const Json result = bench.finish_result();
    const Json content = result.find("content");
    ASSERT_EQ(content.size(), 3U);
    EXPECT_EQ(str(at(content, 0)), "whole");
    EXPECT_EQ(str(at(content, 1)), "half \ufffd");
    EXPECT_EQ(str(at(content, 2)), "the source \"broke\"");
    EXPECT_EQ(result.find("isError").as_bool(), true);
  }
}

TEST(JsonResultWriter, FailsBeforeAnythingWasWritten) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.fail("")));
  ASSERT_TRUE(bench.now(bench.out.fail("again")));
  const Json content = bench.finish_result().find("content");
  ASSERT_EQ(content.size(), 2U);
  EXPECT_EQ(str(at(content, 0)), "");
  EXPECT_EQ(str(at(content, 1)), "again");
}

TEST(JsonResultWriter, ClosesAnImageThatBreaksOff) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::image, .mime_type = "i/i"})));
  ASSERT_TRUE(bench.now(bench.out.write("abcd")));
  ASSERT_TRUE(bench.now(bench.out.fail("cut")));
  const Json content = bench.finish_result().find("content");
  EXPECT_EQ(json::base64_decode(*at(content, 0).find("data").as_string()), "abcd");
  EXPECT_EQ(str(at(content, 1)), "cut");
}

TEST(JsonResultWriter, WritesStructuredContentByteForByte) {
  const std::string_view json =
      R"({ "n" : 12345678901234567890, "d":1.10,"e":1E400, "s":"\u00e9é" })";
  for (std::size_t cut = 0; cut <= json.size(); ++cut) {
    ResultBench bench;
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.text("mirror")));
    ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::structured})));
    ASSERT_TRUE(bench.now(bench.out.write(json.substr(0, cut))));
    ASSERT_TRUE(bench.now(bench.out.write(json.substr(cut))));
    const Json result = bench.finish_result();
    EXPECT_EQ(result.find("structuredContent").raw(), json);
    EXPECT_EQ(result.find("content").size(), 1U);
    EXPECT_FALSE(result.find("isError"));
  }
}

TEST(JsonResultWriter, PutsStructuredContentOnOneLineOfAnEvent) {
  ResultBench bench;
  bench.options.takes_json = false;
  ASSERT_TRUE(bench.start());
  ASSERT_TRUE(bench.now(bench.out.structured("{\n\"a\":\r\n1}\n")));
  const Json result = bench.finish_result();
  EXPECT_EQ(result.find("structuredContent").find("a").raw(), "1");
  EXPECT_EQ(std::count(bench.text.begin(), bench.text.end(), '\n'), 0);
}

TEST(JsonResultWriter, TakesBackStructuredContentThatFailsBeforeItHasLeft) {
  const std::string large = "[\"" + std::string(150000, 'x');
  for (const std::string_view begun : {std::string_view(""), std::string_view("{\"a\":"),
                                       std::string_view("[1]"), std::string_view(large)}) {
    ResultBench bench;
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.text("before")));
    ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::structured})));
    ASSERT_TRUE(bench.now(bench.out.write(begun)));
    ASSERT_TRUE(bench.now(bench.out.fail("broke")));
    ASSERT_TRUE(bench.now(bench.out.text("more may follow")));
    const Json result = bench.finish_result();
    EXPECT_FALSE(result.find("structuredContent"));
    ASSERT_EQ(result.find("content").size(), 3U);
    EXPECT_EQ(str(at(result.find("content"), 1)), "broke");
    EXPECT_EQ(result.find("isError").as_bool(), true);
  }
}

TEST(JsonResultWriter, CannotEndStructuredContentThatFailsAfterItHasLeft) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::structured})));
  ASSERT_TRUE(bench.now(bench.out.write("{\"a\":")));
  bench.commit();
  EXPECT_EQ(bench.now(bench.out.fail("broke")).error(), Errc::not_json);
  EXPECT_TRUE(bench.out.is_broken());
  EXPECT_EQ(bench.now(bench.out.close()).error(), Errc::not_json);
  bench.give_up();
  EXPECT_TRUE(bench.transport.aborted);
}

TEST(JsonResultWriter, MarksAWholeStructuredResultThatHasLeftWhenTheToolFailsAfterIt) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.structured("{\"a\":1}")));
  bench.commit();
  EXPECT_TRUE(bench.now(bench.out.fail("afterwards")));
  const Json result = bench.finish_result();
  EXPECT_EQ(result.find("structuredContent").raw(), "{\"a\":1}");
  EXPECT_EQ(result.find("isError").as_bool(), true);
}

TEST(JsonResultWriter, SaysSoWhereStructuredContentIsNotOneValue) {
  for (const std::string_view broken : {"", "{", "[1,", "\"cut", "tru", "nan"}) {
    ResultBench bench;
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::structured})));
    const auto written = bench.now(bench.out.write(broken));
    static_cast<void>(written);
    const Json result = bench.finish_result();
    EXPECT_FALSE(result.find("structuredContent")) << broken;
    EXPECT_EQ(result.find("content").size(), 1U);
    EXPECT_EQ(result.find("isError").as_bool(), true);
  }
}

TEST(JsonResultWriter, TellsTheHandlerThatStructuredContentIsBroken) {
  for (const std::string_view broken :
       {"{} {}", "{\"a\":1,}", "[\"\xff\"]", "[[[[[[[[[[[[[[[[[["}) {
    ResultBench bench;
    ASSERT_TRUE(bench.start_json());
    ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::structured})));
    EXPECT_FALSE(bench.now(bench.out.write(broken))) << broken;
    ASSERT_TRUE(bench.now(bench.out.fail("said")));
    EXPECT_EQ(str(at(bench.finish_result().find("content"), 0)), "said");
  }
}

TEST(JsonResultWriter, LetsNothingFollowStructuredContent) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.structured("{}")));
  EXPECT_EQ(bench.now(bench.out.text("x")).error(), Errc::misuse);
  EXPECT_EQ(bench.now(bench.out.write("x")).error(), Errc::misuse);
  EXPECT_EQ(bench.now(bench.out.structured("{}")).error(), Errc::misuse);
  EXPECT_EQ(bench.now(bench.out.raw_block("{}")).error(), Errc::misuse);
  EXPECT_EQ(bench.finish_result().find("structuredContent").raw(), "{}");
}

TEST(JsonResultWriter, LetsNothingFollowTheEnd) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.close()));
  EXPECT_EQ(bench.now(bench.out.text("x")).error(), Errc::misuse);
  EXPECT_EQ(bench.now(bench.out.fail("x")).error(), Errc::misuse);
  EXPECT_EQ(bench.finish_result().find("content").size(), 0U);
}

TEST(JsonResultWriter, KnowsWhichStructuredContentARevisionTakes) {
  struct Case {
    std::string_view revision;
    bool objects;
    bool others;
  };
  for (const Case c : {Case{"2026-07-28", true, true}, Case{"2025-11-25", true, false},
                       Case{"2025-06-18", true, false}, Case{"2025-03-26", false, false},
                       Case{"2024-11-05", false, false}}) {
    ResultBench bench(*find_revision(c.revision));
    EXPECT_EQ(bench.out.takes_structured('{'), c.objects) << c.revision;
    for (const char first : {'[', '"', 'n', '5'})
      EXPECT_EQ(bench.out.takes_structured(first), c.others) << c.revision;
  }
}

TEST(JsonResultWriter, RunsOnWhenTheClientIsGone) {
  ResultBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.text("a")));
  bench.writer.discard();
  ASSERT_TRUE(bench.now(bench.out.text(std::string(500000, 'x'))));
  ASSERT_TRUE(bench.now(bench.out.structured("{\"a\":1}")));
  EXPECT_TRUE(bench.now(bench.out.close()));
  EXPECT_TRUE(bench.now(bench.writer.finish()));
  EXPECT_EQ(bench.transport.writes, 0U);
  EXPECT_EQ(bench.pool.in_use(), 0U);
}

}  // namespace
}  // namespace sluice::mcp::test
