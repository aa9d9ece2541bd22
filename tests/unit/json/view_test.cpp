#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sluice/json.hpp>

#include "json/document.hpp"

namespace sluice::json::test {
namespace {

class View : public testing::Test {
 protected:
  Json parse(std::string_view text) {
    const auto json = document_.parse_copy(text);
    EXPECT_TRUE(json.has_value()) << text;
    return json.has_value() ? *json : Json();
  }
  std::optional<std::int64_t> as_int(std::string_view text) { return parse(text).as_int(); }
  std::optional<double> as_double(std::string_view text) { return parse(text).as_double(); }

  Document document_;
};

TEST_F(View, ReadsIntegersHoweverTheyAreWritten) {
  EXPECT_EQ(as_int("0"), 0);
  EXPECT_EQ(as_int("-0"), 0);
  EXPECT_EQ(as_int("-0.0e-5"), 0);
  EXPECT_EQ(as_int("0e99999999999999999999"), 0);
  EXPECT_EQ(as_int("1.0"), 1);
  EXPECT_EQ(as_int("1e2"), 100);
  EXPECT_EQ(as_int("1E+2"), 100);
  EXPECT_EQ(as_int("-1.5e1"), -15);
  EXPECT_EQ(as_int("100e-2"), 1);
  EXPECT_EQ(as_int("10.20e1"), 102);
  EXPECT_EQ(as_int("0.000000000000000000000001e24"), 1);
  EXPECT_EQ(as_int("1000000000000000000000000e-24"), 1);
  EXPECT_EQ(as_int("120.0"), 120);
  EXPECT_EQ(as_int("2026"), 2026);
}

TEST_F(View, KnowsTheEdgesOfIntegers) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(as_int("9223372036854775807"), kMax);
  EXPECT_EQ(as_int("9223372036854775808"), std::nullopt);
  EXPECT_EQ(as_int("-9223372036854775808"), kMin);
  EXPECT_EQ(as_int("-9223372036854775809"), std::nullopt);
  EXPECT_EQ(as_int("9223372036854775807.0"), kMax);
  EXPECT_EQ(as_int("0.9223372036854775807e19"), kMax);
  EXPECT_EQ(as_int("9e18"), 9000000000000000000);
  EXPECT_EQ(as_int("1e19"), std::nullopt);
  EXPECT_EQ(as_int("18446744073709551616"), std::nullopt);
  EXPECT_EQ(as_int("18446744073709551617"), std::nullopt);
  EXPECT_EQ(as_int("1e99999999999999999999999"), std::nullopt);
}

TEST_F(View, HasNoIntegerForAnythingElse) {
  for (const char* text : {"1.5", "1e-1", "0.1", "-0.5", "1e-99999999999999999999", "\"1\"", "true",
                           "null", "[1]", "{}"}) {
    EXPECT_EQ(as_int(text), std::nullopt) << text;
  }
}

TEST_F(View, ReadsTheNearestDouble) {
  EXPECT_EQ(as_double("0.1"), 0.1);
  EXPECT_EQ(as_double("-2.5e3"), -2500.0);
  EXPECT_EQ(as_double("12345678901234567890"), 12345678901234567890.0);
  EXPECT_EQ(as_double("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(as_double("-1e-400").value()));
  EXPECT_TRUE(std::signbit(as_double("-0").value()));
  EXPECT_EQ(as_double("1" + std::string(500, '0') + "e-500"), 1.0);
  EXPECT_EQ(as_double("0." + std::string(500, '0') + "1e501"), 1.0);
  EXPECT_EQ(as_double("1" + std::string(500, '0')), std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double("4.9406564584124654e-324"), 4.9406564584124654e-324);
  EXPECT_EQ(as_double("\"1\""), std::nullopt);
}

TEST_F(View, AnswersOnlyForItsKind) {
  EXPECT_EQ(parse("true").as_bool(), true);
  EXPECT_EQ(parse("false").as_bool(), false);
  EXPECT_EQ(parse("1").as_bool(), std::nullopt);
  EXPECT_EQ(parse("\"a\\n\"").as_string(), "a\n");
  EXPECT_EQ(parse("null").as_string(), std::nullopt);
  EXPECT_TRUE(parse("null").is(JsonKind::null));
}

TEST_F(View, FindsMembersByTheirUnescapedName) {
  const Json json = parse(R"({"a":1,"\u0062":{"c":[true]},"":null})");
  EXPECT_EQ(json.find("a").raw(), "1");
  EXPECT_EQ(json.find("b").find("c").raw(), "[true]");
  EXPECT_TRUE(json.find("").is(JsonKind::null));
  EXPECT_FALSE(json.find("A"));
  EXPECT_FALSE(json.find("c"));
}

TEST_F(View, FindsTheLastOfARepeatedName) {
  EXPECT_EQ(parse(R"({"a":1,"b":2,"a":[3]})").find("a").raw(), "[3]");
}

TEST_F(View, LetsFindsBeChainedPastWhatIsNotThere) {
  const Json json = parse(R"({"a":[1]})");
  EXPECT_FALSE(json.find("x").find("y").find("z"));
  EXPECT_FALSE(json.find("a").find("y"));
  EXPECT_FALSE(Json().find("y"));
  EXPECT_FALSE(Json().is(JsonKind::null));
}

TEST_F(View, WalksElementsAndMembersInOrder) {
  const Json json = parse(R"({"list":[1,[2,3],{"x":4},"5"],"more":{"p":[],"q":{}}})");
  std::string seen;
  for (const Json element : json.find("list")) seen += std::string(element.raw()) + ";";
  for (const Json::Member member : json.find("more").members()) {
    seen += std::string(member.name) + "=" + std::string(member.value.raw()) + ";";
  }
  EXPECT_EQ(seen, R"(1;[2,3];{"x":4};"5";p=[];q={};)");
  EXPECT_EQ(json.find("list").size(), 4U);
  EXPECT_EQ(json.size(), 2U);
}

TEST_F(View, HasNothingToWalkInOtherKinds) {
  for (const Json element : parse("{\"a\":1}")) FAIL() << element.raw();
  for (const Json element : parse("\"abc\"")) FAIL() << element.raw();
  for (const Json element : Json()) FAIL() << element.raw();
  for (const Json::Member member : parse("[1]").members()) FAIL() << member.name;
  for (const Json::Member member : Json().members()) FAIL() << member.name;
}

}  // namespace
}  // namespace sluice::json::test
