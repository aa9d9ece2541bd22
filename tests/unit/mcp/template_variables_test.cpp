#include "mcp/template_variables.hpp"

#include <gtest/gtest.h>

namespace sluice::mcp {
namespace {

TemplateVariables made(std::string_view uri_template, std::string_view schema = {}) {
  std::string problem;
  auto out = TemplateVariables::make(uri_template, schema, problem);
  EXPECT_TRUE(out) << problem;
  return std::move(*out);
}

std::string found(const TemplateVariables& variables, std::string_view uri) {
  const auto values = variables.find(uri, 100'000);
  if (!values) return "(none)";
  return values->problem.empty() ? values->json : values->problem;
}

std::string refused(std::string_view uri_template, std::string_view schema = {}) {
  std::string problem;
  EXPECT_FALSE(TemplateVariables::make(uri_template, schema, problem));
  return problem;
}

TEST(TemplateVariables, AreTextsUnlessSaidOtherwise) {
  const auto variables = made("x://{id}{?q,l*}");
  EXPECT_EQ(found(variables, "x://7"), R"({"id":"7"})");
  EXPECT_EQ(found(variables, "x://a%22b?l=1&l=true&q="),
            R"({"id":"a\"b","l":["1","true"],"q":""})");
  EXPECT_EQ(found(variables, "y://7"), "(none)");
}

TEST(TemplateVariables, AreNeededWhereThereIsNoUriWithoutThem) {
  const auto variables = made("x://a/{id}{?q}");
  EXPECT_NE(found(variables, "x://a/").find("does not fit the resource template"),
            std::string::npos);
  EXPECT_EQ(found(variables, "x://a/b"), R"({"id":"b"})");
}

TEST(TemplateVariables, HaveTheTypesOfTheirSchema) {
  const auto variables = made(
      "x://{n}{?b,list}",
      R"({"type":"object","properties":{"n":{"type":"integer"},"b":{"type":"boolean","default":false},
          "list":{"type":"array","items":{"type":"number"}}},"required":["n"]})");
  EXPECT_EQ(found(variables, "x://12345678901234567890"),
            R"({"n":12345678901234567890,"b":false})");
  EXPECT_EQ(found(variables, "x://1?b=true&list=1.50,2"), R"({"n":1,"b":true,"list":[1.50,2]})");
  for (const std::string_view wrong :
       {"x://one", "x://1.5", "x://01", "x://1?b=yes", "x://1?list=a"})
    EXPECT_NE(found(variables, wrong).find("does not fit"), std::string::npos) << wrong;
}

TEST(TemplateVariables, SayWhatDoesNotFit) {
  const auto variables =
      made("x://{id}",
           R"({"type":"object","properties":{"id":{"type":"string","pattern":"^[a-z]+$"}}})");
  EXPECT_EQ(found(variables, "x://abc"), R"({"id":"abc"})");
  const std::string text = found(variables, "x://A1");
  EXPECT_NE(text.find("/id: "), std::string::npos) << text;
  EXPECT_NE(text.find("pattern"), std::string::npos) << text;
}

TEST(TemplateVariables, NeedATemplateThatCanBeTakenApart) {
  EXPECT_NE(refused("x://{id").find("not closed"), std::string::npos);
  EXPECT_NE(refused("{id}").find("begin with a scheme"), std::string::npos);
  EXPECT_NE(refused("{+base}/x").find("begin with a scheme"), std::string::npos);
  EXPECT_NE(refused("x://{a}{b}").find("where {a} ends"), std::string::npos);
  EXPECT_NE(refused("x://{a}", R"({"type":"strin"})").find("parameters"), std::string::npos);
}

}  // namespace
}  // namespace sluice::mcp
