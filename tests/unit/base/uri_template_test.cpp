#include "base/uri_template.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using List = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

UriTemplate parsed(std::string_view text) {
  std::string problem;
  auto out = UriTemplate::parse(text, problem);
  EXPECT_TRUE(out) << text << ": " << problem;
  return out.value_or(UriTemplate());
}

std::string refused(std::string_view text) {
  std::string problem;
  EXPECT_FALSE(UriTemplate::parse(text, problem)) << text;
  return problem;
}

const std::vector<UriVariable>& values() {
  static const std::vector<UriVariable> all{
      {"id", "a/b c"},  {"path", "x/y?z"},
      {"empty", ""},    {"list", List{"red", "green"}},
      {"none", List{}}, {"keys", Pairs{{"k", "v;"}, {"e", ""}}},
      {"greek", "αβγ"}};
  return all;
}

std::string expanded(std::string_view text) {
  return parsed(text).expand(values()).value_or("(nothing)");
}

TEST(UriTemplate, PutsValuesInByTheRuleOfTheOperator) {
  EXPECT_EQ(expanded("x://{id}"), "x://a%2Fb%20c");
  EXPECT_EQ(expanded("x://{+path}"), "x://x/y?z");
  EXPECT_EQ(expanded("x{#path}"), "x#x/y?z");
  EXPECT_EQ(expanded("x{.id}"), "x.a%2Fb%20c");
  EXPECT_EQ(expanded("x{/id,empty}"), "x/a%2Fb%20c/");
  EXPECT_EQ(expanded("x{;id,empty}"), "x;id=a%2Fb%20c;empty");
  EXPECT_EQ(expanded("x{?id,empty}"), "x?id=a%2Fb%20c&empty=");
  EXPECT_EQ(expanded("x?a=b{&id}"), "x?a=b&id=a%2Fb%20c");
}

TEST(UriTemplate, SpreadsListsAndPairs) {
  EXPECT_EQ(expanded("{list}"), "red,green");
  EXPECT_EQ(expanded("{/list*}"), "/red/green");
  EXPECT_EQ(expanded("{?list*}"), "?list=red&list=green");
  EXPECT_EQ(expanded("{keys}"), "k,v%3B,e,");
  EXPECT_EQ(expanded("{;keys*}"), ";k=v%3B;e");
  EXPECT_EQ(expanded("{?keys*}"), "?k=v%3B&e=");
}

TEST(UriTemplate, LeavesOutWhatHasNoValue) {
  EXPECT_EQ(expanded("x{/missing}{?none,id}"), "x?id=a%2Fb%20c");
  EXPECT_EQ(expanded("x{none}{?none*}"), "x");
  EXPECT_EQ(expanded("{empty}"), "");
}

TEST(UriTemplate, CutsAPrefixAtCharacters) {
  EXPECT_EQ(expanded("{greek:2}"), "%CE%B1%CE%B2");
  EXPECT_EQ(expanded("{greek:9999}"), "%CE%B1%CE%B2%CE%B3");
  EXPECT_EQ(expanded("{list:1}"), "(nothing)");
  EXPECT_EQ(expanded("{keys:1}"), "(nothing)");
}

TEST(UriTemplate, NamesEachVariableOnce) {
  const auto text = parsed("x://{a}/{b:1}{?b,c*}");
  EXPECT_EQ(text.names(), (std::vector<std::string_view>{"a", "b", "c"}));
}

TEST(UriTemplate, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refused("x://{id"), "at character 5: a \"{\" that is not closed");
  EXPECT_EQ(refused("x://{{id}}"), "at character 5: a \"{\" that is not closed");
  EXPECT_EQ(refused("x://id}"), "at character 7: a \"}\" that closes nothing");
  EXPECT_EQ(refused("x y"), "at character 2: a URI holds no blanks and no controls");
  EXPECT_EQ(refused("x%4"), "at character 2: a percent sign begins two hexadecimal digits");
  EXPECT_NE(refused("x{}").find("names a variable"), std::string::npos);
  EXPECT_NE(refused("x{a:0}").find("1 to 9999"), std::string::npos);
  EXPECT_NE(refused("x{a-b}").find("no variable's name"), std::string::npos);
}

}  // namespace
}  // namespace sluice
