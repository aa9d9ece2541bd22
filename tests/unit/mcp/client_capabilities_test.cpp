#include "mcp/client_capabilities.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

ClientCapabilities read(std::string_view json) {
  json::Document document;
  return ClientCapabilities(*document.parse_copy(json));
}

TEST(ClientCapabilities, HaveTwoLevelsOfNames) {
  const auto c = read(
      R"({"sampling":{"tools":{}},"roots":{"listChanged":true},"extensions":{"io.example/x":{"y":1}}})");
  for (const char* name : {"sampling", "sampling.tools", "roots", "roots.listChanged", "extensions",
                           "extensions.io.example/x"})
    EXPECT_TRUE(c.has(name)) << name;
  for (const char* name : {"", "elicitation", "sampling.context", "tools", "extensions.y"})
    EXPECT_FALSE(c.has(name)) << name;
}

TEST(ClientCapabilities, AreNoneWhereNothingWasDeclared) {
  EXPECT_FALSE(ClientCapabilities(Json()).has("roots"));
  EXPECT_FALSE(read("{}").has("roots"));
  EXPECT_FALSE(read(R"({"roots":null,"sampling":false})").has("roots"));
  EXPECT_FALSE(read(R"({"roots":{"listChanged":false}})").has("roots.listChanged"));
}

TEST(ClientCapabilities, ElicitationThatNamesNoModeIsForms) {
  EXPECT_TRUE(read(R"({"elicitation":{}})").has("elicitation.form"));
  EXPECT_FALSE(read(R"({"elicitation":{}})").has("elicitation.url"));
  EXPECT_TRUE(read(R"({"elicitation":{"form":{}}})").has("elicitation.form"));
  const auto url = read(R"({"elicitation":{"url":{}}})");
  EXPECT_TRUE(url.has("elicitation.url"));
  EXPECT_FALSE(url.has("elicitation.form"));
  const auto both = read(R"({"elicitation":{"url":{},"form":{}}})");
  EXPECT_TRUE(both.has("elicitation.url") && both.has("elicitation.form"));
}

TEST(ClientCapabilities, ComeBackFromTheirText) {
  for (const char* json :
       {"{}", R"({"roots":{}})", R"({"elicitation":{"form":{},"url":{}},"a":{"b":{}},"c":{}})"}) {
    const auto c = read(json);
    const auto again = ClientCapabilities::from_text(c.text());
    for (const char* name : {"roots", "elicitation.form", "elicitation.url", "a", "a.b", "c"})
      EXPECT_EQ(again.has(name), c.has(name)) << json << name;
    EXPECT_EQ(again.text(), c.text());
  }
  for (const char* text : {"", "zz", ",a"})
    EXPECT_FALSE(ClientCapabilities::from_text(text).has("roots"));
}

TEST(ClientCapabilities, AreKeptWithinBounds) {
  std::string json = "{";
  for (int i = 0; i < 1000; ++i) json += "\"n" + std::to_string(i) + "\":{},";
  const auto c = read(json + R"("roots":{},"with blank":{},"with,comma":{}})");
  EXPECT_LE(c.text().size(), 8 + ClientCapabilities::kMostText);
  EXPECT_TRUE(c.has("n0"));
  EXPECT_FALSE(c.has("n999"));
  EXPECT_TRUE(c.has("roots")) << "what the revisions know always fits";
  EXPECT_FALSE(read(R"({"with blank":{}})").has("with blank"));
  EXPECT_FALSE(read(R"({"with,comma":{}})").has("with,comma"));
}

TEST(ClientCapabilities, ThatAreMissingAreToldAsOneObject) {
  const std::vector<std::string> none;
  EXPECT_EQ(required_capabilities(none), "{}");
  const std::vector<std::string> some{"sampling", "elicitation.url", "roots", "elicitation.form"};
  EXPECT_EQ(required_capabilities(some),
            R"({"sampling":{},"elicitation":{"url":{},"form":{}},"roots":{}})");
}

}  // namespace
}  // namespace sluice::mcp
