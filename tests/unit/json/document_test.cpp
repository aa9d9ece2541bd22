#include "json/document.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "support.hpp"

namespace sluice::json::test {
namespace {

Errc verdict(std::string_view text, std::uint32_t max_depth = 128) {
  Document document;
  const auto json = document.parse_copy(text, max_depth);
  return json.has_value() ? Errc::ok : static_cast<Errc>(json.error().value());
}

std::string nested(std::size_t depth, std::string_view open, std::string_view inside,
                   std::string_view close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += inside;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(Document, KeepsTheBytesOfEveryValue) {
  const std::string text =
      " \t{ \"a\" : [ 1.10 , 12345678901234567890,-0 ,\n\"\\u00e9x\" ] , \"b\":{ } ,\"c\": [] "
      "}\r\n";
  Document document;
  const Json json = document.parse_copy(text).value();
  EXPECT_EQ(json.raw(), text.substr(2, text.size() - 4));
  const Json list = json.find("a");
  EXPECT_EQ(list.raw(), "[ 1.10 , 12345678901234567890,-0 ,\n\"\\u00e9x\" ]");
  std::vector<std::string_view> raws;
  for (const Json element : list) raws.push_back(element.raw());
  EXPECT_EQ(raws,
            (std::vector<std::string_view>{"1.10", "12345678901234567890", "-0", "\"\\u00e9x\""}));
  EXPECT_EQ(json.find("b").raw(), "{ }");
  EXPECT_EQ(json.find("c").raw(), "[]");
  EXPECT_EQ(json.node()[1].raw, "\"a\"");
}

TEST(Document, PointsIntoTheTextItWasGiven) {
  std::string text = R"([ 1, "two" ])";
  text.reserve(text.size() + kPadding);
  Document document;
  const Json json = document.parse(text, text.capacity(), 4).value();
  EXPECT_EQ(json.raw().data(), text.data());
  EXPECT_EQ(json.node()[2].raw.data(), text.data() + 5);
}

TEST(Document, KeepsNumbersOfAnySize) {
  const std::string digits =
      "-" + std::string(5000, '9') + "." + std::string(5000, '1') + "E+" + std::string(500, '7');
  Document document;
  EXPECT_EQ(document.parse_copy(digits).value().raw(), digits);
  EXPECT_EQ(document.parse_copy("[" + digits + "]").value().node()[1].raw, digits);
}

TEST(Document, UndoesEscapes) {
  Document document;
  const Json json =
      document
          .parse_copy(R"(["\"\\\/\b\f\n\r\t","\u0041\u00e9\u4e2d\ud83d\ude00","\u0000","plain"])")
          .value();
  std::vector<std::string_view> strings;
  for (const Json element : json) strings.push_back(element.as_string().value());
  EXPECT_EQ(strings[0], "\"\\/\b\f\n\r\t");
  EXPECT_EQ(strings[1], "A\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80");
  EXPECT_EQ(strings[2], std::string_view("\0", 1));
  EXPECT_EQ(strings[3], "plain");
}

TEST(Document, KeepsManyUnescapedStringsApart) {
  std::string text = "[";
  for (int i = 0; i < 3000; ++i)
    text += (i > 0 ? "," : "") + std::string("\"\\n") + std::to_string(i) + "\\t\"";
  text += "]";
  Document document;
  int i = 0;
  for (const Json element : document.parse_copy(text).value()) {
    ASSERT_EQ(element.as_string(), "\n" + std::to_string(i++) + "\t");
  }
  EXPECT_EQ(i, 3000);
}

TEST(Document, TakesScalarsAsTheWholeText) {
  for (const char* text :
       {"1", "-0.5e+7", "\"\"", "\"a\\n\"", "true", "false", "null", " 0 ", "\n\"x\"\t"}) {
    EXPECT_EQ(verdict(text), Errc::ok) << text;
  }
}

TEST(Document, RefusesWhatIsNotOneValue) {
  for (const std::string text : {"",
                                 " ",
                                 "\n\t ",
                                 "1 2",
                                 "1,",
                                 "[1]]",
                                 "{}{}",
                                 "[] x",
                                 "\"a\" \"b\"",
                                 "null null",
                                 "\xef\xbb\xbf{}",
                                 "\xef\xbb\xbf",
                                 "]",
                                 "}",
                                 ",",
                                 ":",
                                 "nul",
                                 "nulll",
                                 "tru",
                                 "truefalse",
                                 "True",
                                 "fals",
                                 "NaN",
                                 "-",
                                 "+1",
                                 "01",
                                 "-01",
                                 "1.",
                                 ".5",
                                 "1e",
                                 "1e+",
                                 "0x1",
                                 "1a",
                                 "1\"\"",
                                 "\"\"1",
                                 "--1",
                                 "1-",
                                 "\"",
                                 "\"\\",
                                 "\"\\\"",
                                 "'a'"}) {
    EXPECT_EQ(verdict(text), Errc::parse_error) << text;
    if (text != "]" && text != "[1]]") {
      EXPECT_EQ(verdict("[" + text), Errc::parse_error) << text;
    }
  }
}

TEST(Document, RefusesContainersThatAreNotWellFormed) {
  for (const char* text : {"[",
                           "{",
                           "[}",
                           "{]",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "[1,,2]",
                           "[1:2]",
                           "[\"a\":1]",
                           "{1:2}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\" 1}",
                           "{\"a\":1,}",
                           "{,\"a\":1}",
                           "{\"a\":1 \"b\":2}",
                           "{\"a\":1,,\"b\":2}",
                           "{\"a\"::1}",
                           "{\"a\":1:2}",
                           "{\"a\":1,2}",
                           "{\"a\",\"b\":1}",
                           "{a:1}",
                           "{null:1}",
                           "[[1]",
                           "[1]]",
                           "{\"a\":[1}",
                           "{\"a\":{}",
                           "[{]}",
                           "[truE]",
                           "[nul]",
                           "[1true]",
                           "[\"a\"b]",
                           "[\"a\"\"b\"]",
                           "[1/**/]",
                           "[\f1]",
                           "[\xc2\xa0]",
                           "{\"a\":1}}",
                           "[1}",
                           "{\"a\":1]",
                           "[[],",
                           "{\"a\":{},",
                           "[\"x\",truex]",
                           "{\"a\":1x}",
                           "{\"a\"x:1}",
                           "{x\"a\":1}",
                           "[1.e1]",
                           "[1 .5]"}) {
    EXPECT_EQ(verdict(text), Errc::parse_error) << text;
  }
}

TEST(Document, RefusesStringsThatAreNotWellFormed) {
  for (const std::string& inside :
       {std::string("\n"), std::string("\x1f"), std::string("\0", 1), std::string("\\x"),
        std::string("\\u12"), std::string("\\u12g4"), std::string("\\"), std::string("\xff"),
        std::string("\xc0\x80"), std::string("\xed\xa0\x80"), std::string("\xe2\x80"),
        std::string("\xf4\x90\x80\x80"), std::string("\\ud800"), std::string("\\udc00"),
        std::string("\\ud800\\ud800"), std::string("\\ud800x"), std::string("\\ud800\\n"),
        std::string("\\udc00\\ud800")}) {
    EXPECT_EQ(verdict("\"" + inside + "\""), Errc::parse_error) << inside;
    EXPECT_EQ(verdict("[\"" + inside + "\"]"), Errc::parse_error) << inside;
    EXPECT_EQ(verdict("{\"" + inside + "\":1}"), Errc::parse_error) << inside;
    EXPECT_EQ(verdict("{\"a\":\"" + inside + "\"}"), Errc::parse_error) << inside;
  }
}

TEST(Document, IsNotMisledByWhatStandsBehindTheText) {
  // The spare bytes may hold anything, such as the rest of an earlier text.
  for (const std::string_view text : {"[1", "[", "{\"a\":1", "{\"a\":", "[[1]", "{\"a\":{\"b\":1}",
                                      "1", "\"a", "tru", "[1,", "[1]", "nul"}) {
    for (const std::string_view behind :
         {"]", "}", ",", ",2]", "]]", "}}", "\"", "\"]", ":1}", "e", "l", "1", " ]", "[1]", "{}"}) {
      std::string bytes(text);
      bytes += behind;
      bytes.resize(bytes.size() + kPadding + 8, behind[0]);
      Document document;
      const bool accepted =
          document.parse(std::string_view(bytes).substr(0, text.size()), bytes.size(), 16)
              .has_value();
      EXPECT_EQ(accepted, text == "1" || text == "[1]") << text << " | " << behind;
    }
  }
}

TEST(Document, NestsExactlyAsDeepAsItMay) {
  for (const std::uint32_t depth : {1U, 2U, 63U, 64U, 65U, 128U, 1023U, 1024U}) {
    for (const auto& [open, inside, close] :
         {std::tuple{"[", "", "]"}, std::tuple{"[", "1", "]"}, std::tuple{"{\"a\":", "1", "}"},
          std::tuple{"{\"a\":", "\"\"", "}"}, std::tuple{" [ 1 , ", "2", " , 3 ]"}}) {
      EXPECT_EQ(verdict(nested(depth, open, inside, close), depth), Errc::ok) << depth << open;
      EXPECT_EQ(verdict(nested(depth + 1, open, inside, close), depth), Errc::too_deep)
          << depth << open;
    }
  }
  EXPECT_EQ(verdict("1", 0), Errc::ok);
  EXPECT_EQ(verdict("[]", 0), Errc::too_deep);
}

TEST(Document, StopsEarlyAtAFloodOfBrackets) {
  for (const std::string_view open : {"[", "{\"a\":", "[{\"a\":", "[[],"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_NE(verdict(text, 1024), Errc::ok);
    EXPECT_EQ(verdict(text + "]", 1024) == Errc::ok, false);
  }
  EXPECT_EQ(verdict(std::string(100000, '[') + std::string(100000, ']'), 1024), Errc::too_deep);
  EXPECT_EQ(verdict(std::string(100000, ']'), 1024), Errc::parse_error);
}

TEST(Document, CountsDepthByBranchNotByText) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += "[[]],";
  EXPECT_EQ(verdict(text + "[]]", 3), Errc::ok);
  EXPECT_EQ(verdict(text + "[[[]]]]", 3), Errc::too_deep);
}

TEST(Document, LinksNodesSoThatEverySubtreeCanBeSkipped) {
  Document document;
  const Json json = document.parse_copy(R"([[[1,2],{"a":[3]}],{"b":{"c":4}},[],{}])").value();
  EXPECT_EQ(json.node()->next, 16U);
  std::vector<std::string_view> raws;
  for (const Json element : json) raws.push_back(element.raw());
  EXPECT_EQ(raws, (std::vector<std::string_view>{R"([[1,2],{"a":[3]}])", R"({"b":{"c":4}})", "[]",
                                                 "{}"}));
}

TEST(Document, HasNoRootAfterAFailure) {
  Document document;
  EXPECT_FALSE(document.root());
  EXPECT_TRUE(document.parse_copy("[1]").has_value());
  EXPECT_TRUE(document.root());
  EXPECT_FALSE(document.parse_copy("[1").has_value());
  EXPECT_FALSE(document.root());
  EXPECT_TRUE(document.parse_copy("[2]").has_value());
  EXPECT_EQ(document.root().raw(), "[2]");
}

TEST(Document, CanBeMoved) {
  Document first;
  EXPECT_TRUE(first.parse_copy(R"(["\n"])").has_value());
  Document second = std::move(first);
  EXPECT_EQ(second.root().node()[1].string, "\n");
  EXPECT_TRUE(second.parse_copy("{}").has_value());
}

TEST(Document, TakesTextsOfAllSizesInTurn) {
  Document document;
  for (const std::size_t count : {1UL, 100000UL, 3UL, 2000UL, 300000UL, 10UL}) {
    std::string text = "[\"\\n\"";
    for (std::size_t i = 0; i < count; ++i) text += ",1";
    const auto json = document.parse_copy(text + "]");
    ASSERT_TRUE(json.has_value());
    ASSERT_EQ(json->size(), count + 1);
    EXPECT_EQ(json->node()[1].string, "\n");
  }
}

}  // namespace
}  // namespace sluice::json::test
