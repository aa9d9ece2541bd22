#include "tools/template.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

using Kind = config::JsonTemplate::Kind;

class TemplateTest : public ::testing::Test {
 protected:
  Json parse(std::string_view text) {
    const auto parsed = document_.parse_copy(text);
    EXPECT_TRUE(parsed.has_value());
    return *parsed;
  }

  static config::JsonTemplate literal(std::string text) {
    config::JsonTemplate t;
    t.literal = std::move(text);
    return t;
  }
  static config::JsonTemplate string(std::string_view text) {
    config::JsonTemplate t;
    t.kind = Kind::string;
    t.string = text_template(text);
    return t;
  }

 private:
  json::Document document_;
};

TEST_F(TemplateTest, TakesTheValueOfAString) {
  const Json arguments = parse(R"({"a":"x\n\"y\u00e9"})");
  EXPECT_EQ(argument_text(arguments, "a"), "x\n\"y\xC3\xA9");
}

TEST_F(TemplateTest, KeepsTheDigitsOfNumbers) {
  const Json arguments = parse(R"({"a":12345678901234567890,"b":1.10,"c":0,"d":false})");
  EXPECT_EQ(expand(text_template("{a}/{b}/{c}/{d}"), arguments),
            "12345678901234567890/1.10/0/false");
}

TEST_F(TemplateTest, HasNoTextForNullOrForWhatIsMissing) {
  const Json arguments = parse(R"({"a":null,"b":""})");
  EXPECT_EQ(argument_text(arguments, "a"), std::nullopt);
  EXPECT_EQ(argument_text(arguments, "c"), std::nullopt);
  EXPECT_EQ(argument_text(arguments, "b"), "");
  EXPECT_EQ(argument_text(Json(), "b"), std::nullopt);
  EXPECT_EQ(expand(text_template("x{a}"), arguments), std::nullopt);
  EXPECT_EQ(expand(text_template("x{b}"), arguments), "x");
  EXPECT_EQ(expand(text_template("plain"), Json()), "plain");
  EXPECT_EQ(expand(text_template(""), Json()), "");
}

TEST_F(TemplateTest, DoesNotLookForSlotsInValues) {
  const Json arguments = parse(R"({"a":"{b}","b":"secret"})");
  EXPECT_EQ(expand(text_template("{a}"), arguments), "{b}");
}

TEST_F(TemplateTest, GivesASlotThatIsAWholeStringItsOwnType) {
  const Json arguments = parse(R"({"n":1.10,"o":{"k": [1]},"s":"a\"b","z":null})");
  EXPECT_EQ(expand(string("{n}"), arguments), "1.10");
  EXPECT_EQ(expand(string("{o}"), arguments), R"({"k": [1]})");
  EXPECT_EQ(expand(string("{s}"), arguments), R"("a\"b")");
  EXPECT_EQ(expand(string("{z}"), arguments), "null");
  EXPECT_EQ(expand(string("n={n} s={s}"), arguments), R"("n=1.10 s=a\"b")");
  EXPECT_EQ(expand(string("{missing}"), arguments), "");
}

TEST_F(TemplateTest, LeavesOutMembersAndElementsWithoutAValue) {
  config::JsonTemplate list;
  list.kind = Kind::array;
  list.elements = {string("{no}"), string("{a}"), string("x{no}"), literal("2"), string("{no}")};
  config::JsonTemplate body;
  body.kind = Kind::object;
  body.members = {{"first", string("{no}")},
                  {"q\"", string("{a}")},
                  {"gone", string("a {no}")},
                  {"list", list},
                  {"off", literal("false")}};
  EXPECT_EQ(expand(body, parse(R"({"a":"v"})")), R"({"q\"":"v","list":["v",2],"off":false})");
  EXPECT_EQ(expand(body, parse("{}")), R"({"list":[2],"off":false})");
}

}  // namespace
}  // namespace sluice::tools
