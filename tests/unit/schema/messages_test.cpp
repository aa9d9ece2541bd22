#include <gtest/gtest.h>

#include "check.hpp"
#include "schema/schema.hpp"

namespace sluice::schema {
namespace {

TEST(Messages, SayWhatMustBeAndWhatIs) {
  EXPECT_EQ(complaints(R"({"maximum":20})", "21"), " must be at most 20, is 21");
  EXPECT_EQ(complaints(R"({"minimum":1.50})", "1"), " must be at least 1.50, is 1");
  EXPECT_EQ(complaints(R"({"exclusiveMaximum":20})", "20"), " must be less than 20, is 20");
  EXPECT_EQ(complaints(R"({"exclusiveMinimum":20})", "20"), " must be greater than 20, is 20");
  EXPECT_EQ(complaints(R"({"multipleOf":0.01})", "1.005"), " must be a multiple of 0.01, is 1.005");
  EXPECT_EQ(complaints(R"({"type":"string"})", "5"), " must be string, is integer");
  EXPECT_EQ(complaints(R"({"type":["string","null"]})", "5.5"),
            " must be null or string, is number");
  EXPECT_EQ(complaints(R"({"type":["number","array","boolean"]})", "{}"),
            " must be boolean, number or array, is object");
  EXPECT_EQ(complaints(R"({"enum":["twse","nyse"]})", R"("x")"),
            R"( must be one of "twse", "nyse"; is "x")");
  EXPECT_EQ(complaints(R"({"const":"a"})", R"({"b":1})"), R"( must be "a", is {"b":1})");
  EXPECT_EQ(complaints(R"({"minLength":2})", R"("x")"), " must have at least 2 characters, has 1");
  EXPECT_EQ(complaints(R"({"maxLength":1})", "\"\u00e9\u00e9\""),
            " must have at most 1 character, has 2");
  EXPECT_EQ(complaints(R"({"pattern":"^[a-z]+\\d$"})", R"("X")"),
            R"( must match the pattern ^[a-z]+\d$, is "X")");
  EXPECT_EQ(complaints(R"({"minItems":1})", "[]"), " must have at least 1 item, has 0");
  EXPECT_EQ(complaints(R"({"maxProperties":1})", R"({"a":1,"b":2})"),
            " must have at most 1 member, has 2");
  EXPECT_EQ(complaints(R"({"uniqueItems":true})", "[1,2,1]"),
            " must not repeat an item; items 0 and 2 are equal");
  EXPECT_EQ(complaints(R"({"contains":{"const":7}})", "[1]"),
            R"( must have at least 1 item like {"const":7}, has 0)");
  EXPECT_EQ(complaints(R"({"not":{"type":"string"}})", R"("x")"),
            R"( must not match {"type":"string"})");
}

TEST(Messages, NameMembers) {
  constexpr std::string_view kSchema =
      R"({"type":"object","properties":{"a":{"type":"string"},"b":{"maximum":3}},"required":["a"],"additionalProperties":false})";
  EXPECT_EQ(complaints(kSchema, R"({"b":4,"c":1})"),
            " \"a\" is required\n/b must be at most 3, is 4\n/c is not allowed here; known: a, b");
  EXPECT_EQ(complaints(R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})"),
            R"( "b" is required where "a" is given)");
  EXPECT_EQ(complaints(R"({"propertyNames":{"maxLength":2}})", R"({"abc":1})"),
            "/abc as a name, must have at most 2 characters, has 3");
  EXPECT_EQ(complaints(R"({"properties":{"a":true},"unevaluatedProperties":false})", R"({"x":1})"),
            "/x is not allowed here; known: a");
  EXPECT_EQ(complaints(R"({"patternProperties":{"^x-":true},"additionalProperties":false})",
                       R"({"y":1})"),
            "/y is not allowed here; or a name that matches ^x-");
  EXPECT_EQ(complaints(R"({"prefixItems":[true],"items":false})", "[1,2]"),
            "/1 is not allowed here; at most 1 item");
}

TEST(Messages, PathsAreJsonPointers) {
  EXPECT_EQ(complaints(R"({"properties":{"a/b~c":{"items":{"properties":{"x":{"type":"null"}}}}}})",
                       R"({"z":[{}],"a/b~c":[{},{"y":0,"x":1}]})"),
            "/a~1b~0c/1/x must be null, is integer");
  const auto s =
      compiled(R"({"$defs":{"a/b":{"maximum":1}},"properties":{"x":{"$ref":"#/$defs/a~1b"}}})");
  const auto verdict = check(*s, R"({"x":2})");
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].rule, "/$defs/a~1b/maximum");
}

TEST(Messages, AlternativesNameTheNearest) {
  constexpr std::string_view kSchema = R"({"anyOf":[{"type":"string"},
    {"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
    {"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]})";
  EXPECT_EQ(complaints(kSchema, R"({"kind":"square","side":"2"})"),
            " matches none of the 3 alternatives; the nearest, no. 3, says: /side must be number, "
            "is string");
  EXPECT_EQ(complaints(R"({"oneOf":[{"type":"integer"},{"minimum":2}]})", "3"),
            " must match exactly one of the 2 alternatives, matches no. 1 and no. 2");
  EXPECT_EQ(
      complaints(R"({"oneOf":[{"type":"integer"},{"type":"null"}]})", "\"x\""),
      " matches none of the 2 alternatives; the nearest, no. 1, says: must be integer, is string");
}

TEST(Messages, AreCutAtACharacterAndShowControls) {
  std::string text = "\"";
  for (int i = 0; i < 100; ++i) text += "\u00e9";
  const auto said = complaints(R"({"const":1})", text + "\"");
  EXPECT_LT(said.size(), 100u);
  EXPECT_TRUE(said.ends_with("\u00e9\u2026")) << said;
  EXPECT_EQ(complaints(R"({"const":1})", "\"\\u0000\u007f\u0085\u2028\""),
            R"( must be 1, is "\u0000\u007f\u0085\u2028")");
  EXPECT_EQ(complaints(R"({"const":1})", "{\n\"a\":\t1}"), " must be 1, is { \"a\": 1}");
  EXPECT_EQ(complaints(R"({"required":["\u0000\"x"]})", "{}"), R"( "\u0000\"x" is required)");
}

TEST(Messages, AreBounded) {
  std::string schema = R"({"enum":[)";
  for (int i = 0; i < 1000; ++i) schema += "\"value-" + std::to_string(i) + "\",";
  const auto said = complaints(schema + "0]}", "1");
  EXPECT_LT(said.size(), 600u);
  EXPECT_NE(said.find(" more; is 1"), std::string::npos) << said;

  std::string object = "{";
  for (int i = 0; i < 100; ++i) object += "\"n" + std::to_string(i) + "\":0,";
  const auto s = compiled(R"({"additionalProperties":false})");
  EXPECT_EQ(check(*s, object + "\"z\":1}").violations.size(), Schema::kMaxViolations);

  std::string nested = R"({"type":"null"})";
  for (int i = 0; i < 6; ++i) nested = R"({"anyOf":[)" + nested + "," + nested + "]}";
  EXPECT_LT(complaints(nested, "1").size(), 1100u);

  const std::string name(1 << 20, 'n');
  EXPECT_LT(
      complaints(R"({"additionalProperties":{"type":"null"}})", "{\"" + name + "\":1}").size(),
      1200u);
}

}  // namespace
}  // namespace sluice::schema
