#include <gtest/gtest.h>

#include "json/base64.hpp"
#include "mcp/json_result_writer.hpp"
#include "result_bench.hpp"

namespace sluice::mcp::test {
namespace {

/// The longest beginning of `text` in whole characters that has at most `max` bytes.
std::string model_cut(std::string_view text, std::size_t max) {
  std::size_t end = 0;
  for (std::size_t i = 0; i <= text.size() && i <= max; ++i)
    if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) end = i;
  return std::string(text.substr(0, end));
}

void expect_notice(Json content, std::uint64_t bytes) {
  const std::string notice = str(at(content, content.size() - 1));
  EXPECT_NE(notice.find("limits.result (9B)"), std::string::npos) << notice;
  EXPECT_NE(notice.find(" " + std::to_string(bytes) + " bytes"), std::string::npos) << notice;
}

TEST(JsonResultWriter, CutsTextBetweenCharactersAtTheLimit) {
  const std::string text = "aé漢🙂é";
  for (std::size_t limit = 0; limit < text.size(); ++limit)
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
      ResultBench bench(kModern, limit);
      ASSERT_TRUE(bench.start_json());
      Result<> last;
      for (std::size_t i = 0; i < text.size() && last; i += piece)
        last = bench.now(bench.out.write(std::string_view(text).substr(i, piece)));
      EXPECT_EQ(last.error(), Errc::result_too_large);
      const Json result = bench.finish_result();
      const Json content = result.find("content");
      ASSERT_EQ(content.size(), 2U);
      const std::string kept = model_cut(text, limit);
      EXPECT_EQ(str(at(content, 0)), kept) << limit << ' ' << piece;
      EXPECT_EQ(bench.out.bytes(), kept.size()) << limit << ' ' << piece;
      expect_notice(content, kept.size());
      EXPECT_EQ(result.find("isError").as_bool(), true);
    }
}

TEST(JsonResultWriter, TakesAResultOfExactlyTheLimit) {
  ResultBench bench(kModern, 4);
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.write("ab")));
  ASSERT_TRUE(bench.now(bench.out.write("cd")));
  ASSERT_TRUE(bench.now(bench.out.write("")));
  const Json result = bench.finish_result();
  EXPECT_EQ(result.find("content").size(), 1U);
  EXPECT_FALSE(result.find("isError"));
}

TEST(JsonResultWriter, CutsBinaryAtTheLimit) {
  const std::string bytes = "0123456789";
  for (std::size_t limit = 0; limit < bytes.size(); ++limit)
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
      ResultBench bench(kModern, limit);
      ASSERT_TRUE(bench.start_json());
      ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::image, .mime_type = "i/i"})));
      Result<> last;
      for (std::size_t i = 0; i < bytes.size() && last; i += piece)
        last = bench.now(bench.out.write(std::string_view(bytes).substr(i, piece)));
      EXPECT_EQ(last.error(), Errc::result_too_large);
      const Json content = bench.finish_result().find("content");
      ASSERT_EQ(content.size(), 2U);
      EXPECT_EQ(json::base64_decode(*at(content, 0).find("data").as_string()),
                bytes.substr(0, limit));
      expect_notice(content, limit);
    }
}

TEST(JsonResultWriter, TakesNothingMoreAfterTheLimit) {
  ResultBench bench(kModern, 3);
  ASSERT_TRUE(bench.start_json());
  EXPECT_EQ(bench.now(bench.out.text("abcdef")).error(), Errc::result_too_large);
  EXPECT_EQ(bench.now(bench.out.text("x")).error(), Errc::result_too_large);
  EXPECT_EQ(bench.now(bench.out.begin({})).error(), Errc::result_too_large);
  EXPECT_EQ(bench.now(bench.out.raw_block("{}")).error(), Errc::result_too_large);
  EXPECT_EQ(bench.now(bench.out.link({.uri = "a:a", .name = "a"})).error(), Errc::result_too_large);
  EXPECT_TRUE(bench.now(bench.out.fail("the handler says so too")));
  EXPECT_EQ(bench.finish_result().find("content").size(), 2U);
}

TEST(JsonResultWriter, CountsRawBlocksAgainstTheLimit) {
  ResultBench bench(kModern, 20);
  ASSERT_TRUE(bench.start_json());
  const std::string_view block = R"({"type":"text"})";
  ASSERT_TRUE(bench.now(bench.out.raw_block(block)));
  EXPECT_EQ(bench.out.bytes(), block.size());
  EXPECT_EQ(bench.now(bench.out.raw_block(block)).error(), Errc::result_too_large);
  const Json content = bench.finish_result().find("content");
  EXPECT_EQ(content.size(), 2U);
  expect_notice(content, block.size());
}

TEST(JsonResultWriter, ReplacesStructuredContentThatIsTooLargeByTheNotice) {
  ResultBench bench(kModern, 5);
  ASSERT_TRUE(bench.start_json());
  EXPECT_EQ(bench.now(bench.out.structured(R"({"a":"long"})")).error(), Errc::result_too_large);
  const Json result = bench.finish_result();
  EXPECT_FALSE(result.find("structuredContent"));
  EXPECT_EQ(result.find("content").size(), 1U);
  EXPECT_EQ(result.find("isError").as_bool(), true);
}

TEST(JsonResultWriter, IsBrokenByStructuredContentThatIsTooLargeAndHasLeft) {
  ResultBench bench(kModern, 5);
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.out.begin({.kind = BlockKind::structured})));
  ASSERT_TRUE(bench.now(bench.out.write("[1,")));
  bench.commit();
  EXPECT_FALSE(bench.now(bench.out.write("2,3,4,5]")));
  EXPECT_TRUE(bench.out.is_broken());
  EXPECT_FALSE(bench.now(bench.out.close()));
  bench.give_up();
}

}  // namespace
}  // namespace sluice::mcp::test
