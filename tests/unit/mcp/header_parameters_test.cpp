#include "mcp/header_parameters.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

std::vector<HeaderParameter> find(std::string_view schema, std::string& problem) {
  json::Document document;
  const auto root = document.parse_copy(schema);
  EXPECT_TRUE(root) << schema;
  return find_header_parameters(*root, problem);
}

TEST(HeaderParameters, AreFoundAlongProperties) {
  std::string problem;
  const auto found = find(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "plain":{"type":"string"},
      "deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"Deep-N"},
                                            "b":{"type":"boolean","x-mcp-header":"deep-b"}}}}})",
                          problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].header, "Mcp-Param-Region");
  EXPECT_EQ(found[0].path, std::vector<std::string>{"region"});
  EXPECT_EQ(found[1].header, "Mcp-Param-Deep-N");
  EXPECT_EQ(found[1].path, (std::vector<std::string>{"deep", "n"}));
  EXPECT_EQ(found[2].path, (std::vector<std::string>{"deep", "b"}));
}

TEST(HeaderParameters, MayBeCalledLikeKeywords) {
  std::string problem;
  const auto found = find(R"({"properties":{"properties":{"type":"string","x-mcp-header":"P"},
                                            "x-mcp-header":{"type":"string"},"default":{"type":"string","x-mcp-header":"D"}}})",
                          problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, std::vector<std::string>{"properties"});
  EXPECT_EQ(found[1].path, std::vector<std::string>{"default"});
}

TEST(HeaderParameters, AreRefusedWhereTheyBreakTheRules) {
  for (
      const std::string_view schema :
      {R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})",
       R"({"properties":{"a":{"type":"string","x-mcp-header":"a b"}}})",
       R"({"properties":{"a":{"type":"string","x-mcp-header":"é"}}})",
       R"({"properties":{"a":{"type":"string","x-mcp-header":"a:b"}}})",
       R"({"properties":{"a":{"type":"string","x-mcp-header":5}}})",
       R"({"properties":{"a":{"type":"number","x-mcp-header":"A"}}})",
       R"({"properties":{"a":{"type":"object","x-mcp-header":"A"}}})",
       R"({"properties":{"a":{"x-mcp-header":"A"}}})",
       R"({"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}})",
       R"({"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}})",
       R"({"x-mcp-header":"A","type":"string"})",
       R"({"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}})",
       R"({"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]})",
       R"({"$defs":{"d":{"type":"string","x-mcp-header":"A"}}})",
       R"({"patternProperties":{"a":{"type":"string","x-mcp-header":"A"}}})",
       R"({"additionalProperties":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}})",
       R"({"if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}})"}) {
    std::string problem;
    const auto found = find(schema, problem);
    EXPECT_NE(problem, "") << schema;
  }
}

TEST(HeaderParameters, AreNotLookedForInValues) {
  std::string problem;
  const auto found = find(R"({"default":{"x-mcp-header":"A"},"examples":[{"x-mcp-header":"A"}],
                              "properties":{"a":{"const":{"x-mcp-header":"A"},"enum":[{"x-mcp-header":"A"}]}}})",
                          problem);
  EXPECT_EQ(problem, "");
  EXPECT_TRUE(found.empty());
}

TEST(HeaderParameters, TakeTimeInProportionToTheSchemaHoweverDeepItIs) {
  std::string schema = "true";
  for (int i = 0; i < 60; ++i) schema = R"({"not":)" + schema + "}";
  std::string problem;
  EXPECT_TRUE(find(schema, problem).empty());  // doubled at every level, this would not end
  EXPECT_EQ(problem, "");
}

TEST(HeaderValue, IsDecodedBeforeItIsCompared) {
  struct Case {
    std::string_view sent;
    std::optional<std::string> decoded;
  };
  for (const Case& c : std::vector<Case>{{"echo", "echo"},
                                         {"=?base64?ZWNobw==?=", "echo"},
                                         {"=?base64?Z3LDtsOfZQ==?=", "größe"},
                                         {"=?base64?\?=", ""},
                                         {"=?BASE64?ZWNobw==?=", "=?BASE64?ZWNobw==?="},
                                         {"=?base64?ZWNobw?=", std::nullopt},
                                         {"=?base64?Z*==?=", std::nullopt},
                                         {"=?base64?/w==?=", "\xff"},
                                         {"gr\xc3\xb6\xc3\x9f\x65", std::nullopt},
                                         {"  echo \t", "echo"},
                                         {" =?base64?ZWNobw==?= ", "echo"},
                                         {"Echo", "Echo"},
                                         {"a b", "a b"},
                                         {"", ""},
                                         {"a\x01"
                                          "b",
                                          std::nullopt},
                                         {"a\x7f", std::nullopt},
                                         {"=?base64?=", "=?base64?="},
                                         {"=?base64?PT9iYXNlNjQ/eD89?=", "=?base64?x?="},
                                         {"=?base64?x?=", std::nullopt}})
    EXPECT_EQ(decode_header_value(c.sent), c.decoded) << c.sent;
}

TEST(HeaderValue, MatchesAnArgumentByWhatItSays) {
  struct Case {
    std::string_view sent;
    std::string_view argument;
    bool same;
  };
  for (const Case c : {Case{"a", R"("a")", true},
                       Case{"A", R"("a")", false},
                       Case{"é", R"("\u00e9")", true},
                       Case{"5", R"("5")", true},
                       Case{"5", "5", true},
                       Case{"5", "5.0", true},
                       Case{"5.0", "5", true},
                       Case{"100", "1e2", true},
                       Case{"05", "5", false},
                       Case{"+5", "5", false},
                       Case{"0x5", "5", false},
                       Case{"-0", "0", true},
                       Case{"6", "5", false},
                       Case{"", "0", false},
                       Case{"5 ", "5", false},
                       Case{"[5]", "5", false},
                       Case{"5,6", "5", false},
                       Case{"\"5\"", "5", false},
                       Case{"9007199254740993", "9007199254740993", true},
                       Case{"9007199254740992", "9007199254740993", false},
                       Case{"9223372036854775807", "9223372036854775806", false},
                       Case{"18446744073709551616", "18446744073709551616", true},
                       Case{"18446744073709551616", "18446744073709551617", false},
                       Case{"inf", "1e999", false},
                       Case{"true", "true", true},
                       Case{"True", "true", false},
                       Case{"1", "true", false},
                       Case{"false", "false", true},
                       Case{"null", "null", false},
                       Case{"{}", "{}", false}}) {
    json::Document document;
    const auto argument = document.parse_copy(c.argument);
    ASSERT_TRUE(argument);
    EXPECT_EQ(header_matches(c.sent, *argument), c.same) << c.sent << " and " << c.argument;
  }
}

}  // namespace
}  // namespace sluice::mcp
