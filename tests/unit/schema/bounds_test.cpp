#include <gtest/gtest.h>

#include <string>

#include "check.hpp"
#include "schema/schema.hpp"

namespace sluice::schema {
namespace {

std::string repeat(std::string_view text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

void expect_exhausted(std::string_view schema, std::string_view value,
                      std::uint64_t steps = 1'000'000) {
  const auto s = compiled(schema);
  ASSERT_TRUE(s);
  const Verdict verdict = check(*s, value, steps);
  EXPECT_TRUE(verdict.out_of_steps) << schema;
  EXPECT_FALSE(verdict.violations.empty()) << "not valid, and says so";
  EXPECT_TRUE(verdict.defaults.empty());
}

TEST(Bounds, EndlessReferencesEnd) {
  expect_exhausted(R"({"$ref":"#"})", "1");
  expect_exhausted(
      R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})", "1");
  expect_exhausted(R"({"allOf":[{"$ref":"#"},{"$ref":"#"}]})", "1");
  expect_exhausted(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})", "1");
  expect_exhausted(R"({"oneOf":[{"$ref":"#"},true]})", "1");
  expect_exhausted(R"({"not":{"$ref":"#"}})", "1");
  expect_exhausted(R"({"if":{"$ref":"#"},"then":true})", "1");
  expect_exhausted(R"({"$dynamicAnchor":"a","$dynamicRef":"#a"})", "1");
  expect_exhausted(R"({"dependentSchemas":{"a":{"$ref":"#"}}})", R"({"a":1})");
  expect_exhausted(R"({"unevaluatedProperties":false,"anyOf":[{"$ref":"#"}]})", R"({"a":1})");
}

TEST(Bounds, StepsEndABranchingSchema) {
  // Every level tries the next one twice.
  std::string defs;
  for (int i = 0; i < 60; ++i) {
    const std::string next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + "\"}";
    defs += "\"d" + std::to_string(i) + R"(":{"anyOf":[)" + next + "," + next + "]},";
  }
  expect_exhausted(R"({"$ref":"#/$defs/d0","$defs":{)" + defs + R"("d60":false}})", "1");
}

TEST(Bounds, StepsEndLargeValues) {
  expect_exhausted(R"({"items":{"type":"integer"}})", "[" + repeat("1,", 5000) + "1]", 1000);
  expect_exhausted(R"({"uniqueItems":true})", "[" + repeat("[[1]],", 5000) + "1]", 1000);
  expect_exhausted(R"({"additionalProperties":{"maximum":3}})",
                   "{" + repeat("\"a\":1,", 5000) + "\"b\":1}", 1000);
  // Each text matches in the end, but only after much trying.
  expect_exhausted(R"({"items":{"pattern":"^(a+)+$|b$"}})",
                   "[" + repeat("\"aaaaaaaaaaaaab\",", 2000) + "\"b\"]");
}

TEST(Bounds, ObjectsOfManyMembersInAnotherOrderEndToo) {
  std::string a;
  std::string b;
  for (int i = 0; i < 3000; ++i) {
    a += (i ? ",\"" : "\"") + std::to_string(i) + "\":1";
    b = "\"" + std::to_string(i) + "\":1" + (i ? "," : "") + b;
  }
  expect_exhausted(R"({"const":{)" + a + "}}", "{" + b + "}");
}

TEST(Bounds, ACostlyPatternIsAViolation) {
  const auto s = compiled(R"({"pattern":"^(a+)+$"})");
  const auto verdict = check(*s, "\"" + std::string(50, 'a') + "b\"");
  EXPECT_FALSE(verdict.out_of_steps);
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].message,
            "is too costly to match against the pattern ^(a+)+$; send a shorter text");
  EXPECT_FALSE(is_valid(R"({"patternProperties":{"^(a+)+$":true}})",
                        "{\"" + std::string(50, 'a') + "b\":1}"));
}

TEST(Bounds, DeepValuesAreCheckedOrRefused) {
  constexpr std::string_view kTree = R"({"allOf":[{"items":{"$ref":"#"}}]})";
  EXPECT_TRUE(is_valid(kTree, repeat("[", 128) + repeat("]", 128)));
  expect_exhausted(kTree, repeat("[", 500) + repeat("]", 500));
}

TEST(Bounds, SchemasNestSoFar) {
  EXPECT_EQ(compile_error(repeat(R"({"not":)", 128) + "true" + repeat("}", 128)), "");
  const std::string error = compile_error(repeat(R"({"not":)", 129) + "true" + repeat("}", 129));
  EXPECT_TRUE(error.ends_with("is nested deeper than 128 schemas")) << error;
  EXPECT_NE(compile_error(repeat(R"({"not":)", 5000) + "true" + repeat("}", 5000)), "");
}

TEST(Bounds, ADocumentHoldsSoManySchemas) {
  EXPECT_EQ(compile_error(R"({"anyOf":[)" + repeat("true,", 99'998) + "true]}"), "");
  EXPECT_EQ(compile_error(R"({"anyOf":[)" + repeat("true,", 99'999) + "true]}"),
            "/anyOf/99999: is one schema too many; a document may hold 100000");
}

TEST(Bounds, ADefaultThatCannotBeCheckedIsAnError) {
  EXPECT_EQ(compile_error(R"({"$ref":"#","default":1})"),
            "/default: takes too many steps to check");
}

}  // namespace
}  // namespace sluice::schema
