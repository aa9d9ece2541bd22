#include "load_answer.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace load {
namespace {

/// What a message says, taken in two parts.
Answer read_split(std::string_view json, std::size_t split,
                  std::optional<std::string_view> expected = std::nullopt) {
  AnswerReader reader(expected);
  EXPECT_TRUE(reader.take(json.substr(0, split))) << reader.why();
  EXPECT_TRUE(reader.take(json.substr(split))) << reader.why();
  EXPECT_TRUE(reader.finish()) << reader.why();
  return reader.answer();
}

std::string result_with(std::string_view text) {
  return R"({"jsonrpc":"2.0","id":10000007,"result":{"_meta":{"text":"not this"},"content":[)"
         R"({"text":")" +
         std::string(text) + R"(","type":"text"},{"type":"text","text":"nor this"}],)" +
         R"("structuredContent":{"content":[{"text":"nor that"}]},"isError":false}})";
}

TEST(LoadAnswerReader, ComparesTheFirstTextHoweverTheMessageIsSplit) {
  const auto json = result_with(R"(a \"b\" \\ \/ \b\f\n\r\t \u00e9 \u53F0 \ud83d\ude00 台)");
  const std::string_view text = "a \"b\" \\ / \b\f\n\r\t \u00e9 \u53f0 \U0001F600 \u53f0";
  for (std::size_t split = 0; split <= json.size(); ++split) {
    const auto answer = read_split(json, split, text);
    EXPECT_TRUE(answer.is_response);
    EXPECT_FALSE(answer.is_error);
    EXPECT_EQ(answer.id, "10000007");
    EXPECT_EQ(answer.text_start, text) << split;
    EXPECT_EQ(answer.text_bytes, text.size()) << split;
    EXPECT_FALSE(answer.differs_at) << split << " at " << *answer.differs_at;
  }
}

TEST(LoadAnswerReader, TellsTheFirstByteThatDiffers) {
  const auto json = result_with("hello");
  EXPECT_EQ(read_split(json, 0, "hello").differs_at, std::nullopt);
  EXPECT_EQ(read_split(json, 0, "help!").differs_at, 3);
  EXPECT_EQ(read_split(json, 0, "hell").differs_at, 4);
  EXPECT_EQ(read_split(json, 0, "hello, world").differs_at, 5);
  EXPECT_EQ(read_split(json, 0, "").differs_at, 0);
  EXPECT_EQ(read_split(R"({"id":1,"result":{"content":[]}})", 0, "hello").differs_at, 0);
}

TEST(LoadAnswerReader, PutsTheReplacementForHalfAPairOfSurrogates) {
  EXPECT_FALSE(
      read_split(result_with(R"(\ud83dx\ude00\ud83d)"), 0, "\uFFFDx\uFFFD\uFFFD").differs_at);
}

TEST(LoadAnswerReader, SeesErrorsOfBothKinds) {
  const auto refused = read_split(
      R"({"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no \"such\" tool"}})", 9);
  EXPECT_TRUE(refused.is_response);
  EXPECT_TRUE(refused.is_error);
  EXPECT_EQ(refused.error_message, "no \"such\" tool");
  EXPECT_EQ(refused.id, "\"x\"");
  const auto failed = read_split(
      R"({"id":1,"result":{"content":[{"type":"text","text":"it broke"}],"isError":true}})", 9);
  EXPECT_TRUE(failed.is_error);
  EXPECT_EQ(failed.text_start, "it broke");
}

TEST(LoadAnswerReader, IsNotMisledByTheSameNamesElsewhere) {
  const auto answer = read_split(
      R"({"id":1,"result":{"x":{"isError":true,"error":1},"content":[{"type":"text","text":"a"}]}})",
      9);
  EXPECT_FALSE(answer.is_error);
  EXPECT_FALSE(read_split(R"({"method":"x","params":{"result":{"id":2}}})", 9).is_response);
}

TEST(LoadAnswerReader, RefusesWhatIsNoWholeMessage) {
  for (const std::string_view json :
       {"", "[", "{", R"({"a":"b)", "hello", "{}{}", "{]", "{\"a\":\"\n\"}", R"({"a":"\x"})",
        R"({"a":"\u12g4"})", R"("text")"}) {
    AnswerReader reader(std::nullopt);
    EXPECT_FALSE(reader.take(json) && reader.finish()) << json;
  }
}

TEST(LoadEventReader, FindsTheResponseAmongOtherEventsHoweverTheyAreSplit) {
  for (const std::string_view line_end : {"\n", "\r\n", "\r"}) {
    std::string stream;
    for (const std::string_view line :
         {": a comment", "", "id: 1", "retry: 5", "data:", "", "event: message",
          R"(data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"result":1}})", "",
          R"(data:{"jsonrpc":"2.0","id":7,)", "id: 2",
          R"(data: "result":{"content":[{"type":"text",)", R"(data:  "text":"hello"}]}})", "",
          ": kept alive", ""}) {
      stream += line;
      stream += line_end;
    }
    for (std::size_t split = 0; split <= stream.size(); ++split) {
      EventReader reader("hello");
      ASSERT_TRUE(reader.take(std::string_view(stream).substr(0, split))) << reader.why();
      ASSERT_TRUE(reader.take(std::string_view(stream).substr(split))) << reader.why();
      ASSERT_TRUE(reader.answer().has_value()) << split;
      EXPECT_EQ(reader.answer()->id, "7");
      EXPECT_EQ(reader.answer()->text_start, "hello");
      EXPECT_FALSE(reader.answer()->differs_at);
    }
  }
}

TEST(LoadEventReader, HasNoAnswerBeforeItsEventHasEnded) {
  EventReader reader(std::nullopt);
  EXPECT_TRUE(reader.take("data: {\"id\":1,\"result\":{}}\n"));
  EXPECT_FALSE(reader.answer().has_value());
  EXPECT_TRUE(reader.take("\n"));
  EXPECT_TRUE(reader.answer().has_value());
}

}  // namespace
}  // namespace load
