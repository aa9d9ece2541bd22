#include <gtest/gtest.h>

#include "check.hpp"
#include "schema/schema.hpp"

namespace sluice::schema {
namespace {

/// The value with its defaults put in; checks that the result is JSON, valid, and needs no more of
/// them.
std::string filled(std::string_view schema, std::string_view value) {
  const auto s = compiled(schema);
  if (!s) return "";
  const Verdict verdict = check(*s, value);
  EXPECT_TRUE(verdict.violations.empty()) << verdict.violations[0].message;
  const std::string out = apply(value, verdict.defaults);
  const Verdict again = check(*s, out);
  EXPECT_TRUE(again.violations.empty()) << out;
  return out;
}

TEST(Defaults, ArePutBeforeTheClosingBrace) {
  constexpr std::string_view kSchema =
      R"({"properties":{"a":{"default":1},"b":{"default":"x"},"c":{"default":{ "d": [] }},"e":{}}})";
  EXPECT_EQ(filled(kSchema, "{}"), R"({"a":1,"b":"x","c":{ "d": [] }})");
  EXPECT_EQ(filled(kSchema, "{ }"), R"({ "a":1,"b":"x","c":{ "d": [] }})");
  EXPECT_EQ(filled(kSchema, R"({"a":2 })"), R"({"a":2 ,"b":"x","c":{ "d": [] }})");
  EXPECT_EQ(filled(kSchema, R"({"a":2,"b":null,"c":0})"), R"({"a":2,"b":null,"c":0})");
  EXPECT_EQ(filled(kSchema, "[]"), "[]");
}

TEST(Defaults, ReachNestedObjects) {
  constexpr std::string_view kSchema = R"({"properties":{
    "o":{"properties":{"x":{"default":1}}},
    "l":{"items":{"properties":{"y":{"default":2}}}},
    "p":{"prefixItems":[true,{"properties":{"z":{"default":3}}}]},
    "q":{"default":4}},
    "additionalProperties":{"properties":{"w":{"default":5}}}})";
  EXPECT_EQ(
      filled(kSchema, R"({"o":{},"l":[{},{"y":0},{"k":1}],"p":[{},{}],"other":{}})"),
      R"({"o":{"x":1},"l":[{"y":2},{"y":0},{"k":1,"y":2}],"p":[{},{"z":3}],"other":{"w":5},"q":4})");
}

TEST(Defaults, FollowReferencesAndBranchesThatApply) {
  EXPECT_EQ(
      filled(R"({"$ref":"#/$defs/a","$defs":{"a":{"properties":{"x":{"default":1}}}}})", "{}"),
      R"({"x":1})");
  EXPECT_EQ(
      filled(R"({"allOf":[{"properties":{"x":{"default":1}}},{"properties":{"y":{"default":2}}}]})",
             "{}"),
      R"({"x":1,"y":2})");
  constexpr std::string_view kBranch =
      R"({"if":{"required":["t"],"properties":{"no":{"default":0}}},"then":{"properties":{"x":{"default":1}}},"else":{"properties":{"y":{"default":2}}}})";
  EXPECT_EQ(filled(kBranch, R"({"t":0})"), R"({"t":0,"x":1})");
  EXPECT_EQ(filled(kBranch, "{}"), R"({"y":2})");
  EXPECT_EQ(
      filled(R"({"dependentSchemas":{"t":{"properties":{"x":{"default":1}}}}})", R"({"t":0})"),
      R"({"t":0,"x":1})");
  EXPECT_EQ(filled(R"({"dependentSchemas":{"t":{"properties":{"x":{"default":1}}}}})", "{}"), "{}");
}

TEST(Defaults, ComeFromTheFirstAlternativeThatMatches) {
  constexpr std::string_view kAlternatives = R"([
    {"properties":{"k":{"const":"a"},"x":{"default":1}},"required":["k"]},
    {"properties":{"k":{"const":"b"},"x":{"default":2}},"required":["k"]},
    {"properties":{"y":{"default":3}},"required":["k"]}])";
  const std::string any = R"({"anyOf":)" + std::string(kAlternatives) + "}";
  EXPECT_EQ(filled(any, R"({"k":"a"})"), R"({"k":"a","x":1})");
  EXPECT_EQ(filled(any, R"({"k":"b"})"), R"({"k":"b","x":2})");
  EXPECT_EQ(filled(any, R"({"k":"c"})"), R"({"k":"c","y":3})");
  // With marks asked for, all alternatives are tried; still the first one gives.
  const std::string all =
      R"({"unevaluatedProperties":true,"anyOf":)" + std::string(kAlternatives) + "}";
  EXPECT_EQ(filled(all, R"({"k":"a"})"), R"({"k":"a","x":1})");
  EXPECT_EQ(
      filled(
          R"({"oneOf":[{"properties":{"x":{"default":1}},"required":["q"]},{"properties":{"y":{"default":2}}}]})",
          "{}"),
      R"({"y":2})");
}

TEST(Defaults, DoNotComeFromConditionsAndNegations) {
  EXPECT_EQ(filled(R"({"not":{"properties":{"x":{"default":1}},"required":["q"]}})", "{}"), "{}");
  EXPECT_EQ(filled(R"({"not":{"not":{"properties":{"x":{"default":1}}}}})", "{}"), "{}");
  EXPECT_EQ(filled(R"({"if":{"properties":{"x":{"default":1}}}})", "{}"), "{}");
  EXPECT_EQ(filled(R"({"contains":{"properties":{"x":{"default":1}}}})", "[{}]"), "[{}]");
}

TEST(Defaults, GiveAMemberOnlyOnce) {
  EXPECT_EQ(
      filled(
          R"({"properties":{"x":{"default":1}},"allOf":[{"properties":{"x":{"default":2},"y":{"default":3}}}]})",
          "{}"),
      R"({"x":1,"y":3})");
  EXPECT_EQ(
      filled(
          R"({"properties":{"x":{"default":1}},"$ref":"#/$defs/a","$defs":{"a":{"properties":{"x":{"default":1}}}}})",
          "{}"),
      R"({"x":1})");
}

TEST(Defaults, KeepNamesAndDigitsAsWritten) {
  EXPECT_EQ(filled(R"({"properties":{"a\"\u00e9":{"default":12345678901234567890.10}}})", "{}"),
            R"({"a\"\u00e9":12345678901234567890.10})");
}

TEST(Defaults, AreNotGivenToInvalidValues) {
  const auto s = compiled(R"({"properties":{"x":{"default":1}},"required":["y"]})");
  const auto verdict = check(*s, "{}");
  EXPECT_FALSE(verdict.violations.empty());
  EXPECT_TRUE(verdict.defaults.empty());
}

TEST(Defaults, MustFitTheirSchema) {
  EXPECT_EQ(compile_error(R"({"properties":{"n":{"type":"integer","maximum":3,"default":5}}})"),
            "/properties/n/default: is not valid here: must be at most 3, is 5");
  EXPECT_EQ(
      compile_error(
          R"({"properties":{"n":{"$ref":"#/$defs/n","default":"x"}},"$defs":{"n":{"type":"integer"}}})"),
      "/properties/n/default: is not valid here: must be integer, is string");
  EXPECT_EQ(
      compile_error(
          R"({"default":{"a":{"b":1}},"additionalProperties":{"additionalProperties":{"type":"null"}}})"),
      "/default: is not valid here: /a/b must be null, is integer");
}

}  // namespace
}  // namespace sluice::schema
