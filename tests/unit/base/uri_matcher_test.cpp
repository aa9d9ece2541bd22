#include "base/uri_matcher.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sluice {
namespace {

using Lists = std::vector<std::string_view>;
using Values = std::map<std::string, std::vector<std::string>>;

std::optional<UriMatcher> make(std::string_view text, std::string& problem,
                               const Lists& lists = {}) {
  const auto parsed = UriTemplate::parse(text, problem);
  if (!parsed) return std::nullopt;
  return UriMatcher::make(*parsed, lists, problem);
}

/// What is found; "no match" is a value of its own.
Values found(std::string_view text, std::string_view uri, const Lists& lists = {}) {
  std::string problem;
  const auto matcher = make(text, problem, lists);
  EXPECT_TRUE(matcher) << text << ": " << problem;
  Values out;
  if (!matcher) return out;
  const auto bindings = matcher->match(uri);
  if (!bindings) return {{"no match", {}}};
  for (const auto& binding : *bindings) out[binding.name] = binding.values;
  return out;
}

const Values kNoMatch{{"no match", {}}};

std::string refused(std::string_view text, const Lists& lists = {}) {
  std::string problem;
  EXPECT_FALSE(make(text, problem, lists)) << text;
  return problem;
}

TEST(UriMatcher, FindsTheValuesOfASegment) {
  EXPECT_EQ(found("test://template/{id}/data", "test://template/123/data"),
            (Values{{"id", {"123"}}}));
  EXPECT_EQ(found("x://{a}/{b}.md", "x://one/two.md"), (Values{{"a", {"one"}}, {"b", {"two"}}}));
  EXPECT_EQ(found("x://{a}/{b}.md", "x://one/two.md.md"),
            (Values{{"a", {"one"}}, {"b", {"two.md"}}}));
  EXPECT_EQ(found("x://{a}/b", "x://one/two/b"), kNoMatch);
  EXPECT_EQ(found("x://{a}", "y://one"), kNoMatch);
  EXPECT_EQ(found("x://{a}/", "x://one"), kNoMatch);
}

TEST(UriMatcher, DecodesValues) {
  EXPECT_EQ(found("x://{a}", "x://a%2Fb%20c%C3%A9"), (Values{{"a", {"a/b cé"}}}));
  EXPECT_EQ(found("x://{a}", "x://caf\xC3\xA9"), (Values{{"a", {"café"}}}));
  EXPECT_EQ(found("x://{+a}", "x://a%2Fb/c"), (Values{{"a", {"a/b/c"}}}));
}

TEST(UriMatcher, ComparesNormalForms) {
  EXPECT_EQ(found("X://caf%c3%a9/{a}", "x://café/b"), (Values{{"a", {"b"}}}));
  EXPECT_EQ(found("x://~/{a}", "x://%7E/b"), (Values{{"a", {"b"}}}));
}

TEST(UriMatcher, TakesReservedCharactersThatTheTemplateDoesNotUse) {
  EXPECT_EQ(found("x://{a}", "x://b:c@d"), (Values{{"a", {"b:c@d"}}}));
  EXPECT_EQ(found("x://{a}@{b}", "x://b%40c@d"), (Values{{"a", {"b@c"}}, {"b", {"d"}}}));
  EXPECT_EQ(found("x://{a}@{b}", "x://b@c@d"), kNoMatch);
  EXPECT_EQ(found("x://{a}", "x://b/c"), kNoMatch);
  EXPECT_EQ(found("x://{a}", "x://b?c"), kNoMatch);
  EXPECT_EQ(found("x://{a}", "x://b#c"), kNoMatch);
}

TEST(UriMatcher, LeavesOutWhatTheUriLeavesOut) {
  EXPECT_EQ(found("x://a{/b}", "x://a"), Values{});
  EXPECT_EQ(found("x://a{/b}", "x://a/c"), (Values{{"b", {"c"}}}));
  EXPECT_EQ(found("x://a{/b}", "x://a/"), (Values{{"b", {""}}}));
  EXPECT_EQ(found("x://a{/b}/end", "x://a/end"), Values{});
  EXPECT_EQ(found("x://a{/b}/end", "x://a/end/end"), (Values{{"b", {"end"}}}));
  EXPECT_EQ(found("x://a/{b}", "x://a/"), Values{});
  EXPECT_EQ(found("x://a{#b}", "x://a"), Values{});
}

TEST(UriMatcher, FindsPathsAndWhatFollowsThem) {
  EXPECT_EQ(found("file:///{+path}", "file:///a/b/c.txt"), (Values{{"path", {"a/b/c.txt"}}}));
  EXPECT_EQ(found("x://{+path}/{id}", "x://a/b/c"), (Values{{"path", {"a/b"}}, {"id", {"c"}}}));
  EXPECT_EQ(found("x://{a}/{+path}/{b}", "x://1/2/3/4"),
            (Values{{"a", {"1"}}, {"path", {"2/3"}}, {"b", {"4"}}}));
  EXPECT_EQ(found("x://{+path}{?rev}", "x://a/b?rev=7"),
            (Values{{"path", {"a/b"}}, {"rev", {"7"}}}));
  EXPECT_EQ(found("x://{+path}{#part}", "x://a/b#c/d"),
            (Values{{"path", {"a/b"}}, {"part", {"c/d"}}}));
}

TEST(UriMatcher, FindsNamedValuesInAnyOrder) {
  EXPECT_EQ(found("x://a{?b,c}", "x://a?b=1&c=2"), (Values{{"b", {"1"}}, {"c", {"2"}}}));
  EXPECT_EQ(found("x://a{?b,c}", "x://a?c=2&b=1"), (Values{{"b", {"1"}}, {"c", {"2"}}}));
  EXPECT_EQ(found("x://a{?b,c}", "x://a?c="), (Values{{"c", {""}}}));
  EXPECT_EQ(found("x://a{?b,c}", "x://a"), Values{});
  EXPECT_EQ(found("x://a{?b}", "x://a?b=1:2/3"), (Values{{"b", {"1:2/3"}}}));
  EXPECT_EQ(found("x://a?f=1{&b}", "x://a?f=1&b=2"), (Values{{"b", {"2"}}}));
  EXPECT_EQ(found("x://a{?b}&f=1", "x://a?b=2&f=1"), (Values{{"b", {"2"}}}));
  EXPECT_EQ(found("x://a{;b,c}/d", "x://a;b=1;c/d"), (Values{{"b", {"1"}}, {"c", {""}}}));
  EXPECT_EQ(found("x://a{?b}", "x://a?b"), kNoMatch);
  EXPECT_EQ(found("x://a{?b}", "x://a?other=1"), kNoMatch);
  EXPECT_EQ(found("x://a{?b}", "x://a?b=1&b=2"), kNoMatch);
  EXPECT_EQ(found("x://a{?b}", "x://a?b=1&other=2"), kNoMatch);
}

TEST(UriMatcher, FindsLists) {
  EXPECT_EQ(found("x://{l}", "x://a,b%2C,c", {"l"}), (Values{{"l", {"a", "b,", "c"}}}));
  EXPECT_EQ(found("x:/{/l*}", "x://a/b"), (Values{{"l", {"a", "b"}}}));
  EXPECT_EQ(found("x:/{/l*}/{id}", "x://a/b/c"), (Values{{"l", {"a", "b"}}, {"id", {"c"}}}));
  EXPECT_EQ(found("x://a{?l*}", "x://a?l=1&l=2"), (Values{{"l", {"1", "2"}}}));
  EXPECT_EQ(found("x://a{?l,b}", "x://a?l=1,2&b=3", {"l"}),
            (Values{{"l", {"1", "2"}}, {"b", {"3"}}}));
  EXPECT_EQ(found("x://{l}", "x://one", {"l"}), (Values{{"l", {"one"}}}));
}

TEST(UriMatcher, FindsRowsThatAreComplete) {
  EXPECT_EQ(found("x://{a,b}", "x://1,2"), (Values{{"a", {"1"}}, {"b", {"2"}}}));
  EXPECT_EQ(found("x://{a,b}", "x://1"), kNoMatch);
  EXPECT_EQ(found("x://{a,b}", "x://1,2,3"), kNoMatch);
  EXPECT_EQ(found("x:/{/a,b}", "x://1/2"), (Values{{"a", {"1"}}, {"b", {"2"}}}));
}

TEST(UriMatcher, HoldsRepeatedVariablesTogether) {
  EXPECT_EQ(found("x://{a}/{a}", "x://1/1"), (Values{{"a", {"1"}}}));
  EXPECT_EQ(found("x://{a}/{a}", "x://1/2"), kNoMatch);
  EXPECT_EQ(found("x://{a:2}/{a}", "x://ab/abc"), (Values{{"a", {"abc"}}}));
  EXPECT_EQ(found("x://{a:2}/{a}", "x://a/a"), (Values{{"a", {"a"}}}));
  EXPECT_EQ(found("x://{a:2}/{a}", "x://ac/abc"), kNoMatch);
  EXPECT_EQ(found("x://{a:2}/{a}", "x://a/abc"), kNoMatch);
}

TEST(UriMatcher, RefusesWhatCannotBeTakenApart) {
  EXPECT_NE(refused("x://{a:3}").find("loses the rest"), std::string::npos);
  EXPECT_NE(refused("x://{a}{b}").find("where {a} ends and {b} begins"), std::string::npos);
  EXPECT_NE(refused("x://{a}-{b}").find("where {a} ends"), std::string::npos);
  EXPECT_NE(refused("x://{a}{.b}").find("where {a} ends"), std::string::npos);
  EXPECT_NE(refused("x://{+a}/{+b}").find("where {a} ends"), std::string::npos);
  EXPECT_NE(refused("x://{+a,b}").find("hold commas"), std::string::npos);
  EXPECT_NE(refused("x://a{.b,c}").find("hold dots"), std::string::npos);
  EXPECT_NE(refused("x://a{.b*}").find("hold dots"), std::string::npos);
  EXPECT_NE(refused("x:/{/a}{/b}").find("may be missing"), std::string::npos);
  EXPECT_NE(refused("x://{a,l}", {"l"}).find("the list {l} ends"), std::string::npos);
  EXPECT_NE(refused("x:/{/l*}{/m*}").find("may be missing"), std::string::npos);
}

TEST(UriMatcher, EndsWithinItsSteps) {
  std::string problem;
  const auto matcher = make("x://{a}/{+b}/{c}/z{?d}", problem);
  ASSERT_TRUE(matcher) << problem;
  std::string uri = "x://";
  for (int i = 0; i < 4000; ++i) uri += "/y";
  EXPECT_FALSE(matcher->match(uri));
  EXPECT_TRUE(matcher->match(uri + "/z"));
}

TEST(UriMatcher, GivesBackWhatWasExpanded) {
  const std::vector<std::string> texts{"a",  "a/b", "é ü", "%", "%41", "a,b;c=d&e?f#g",
                                       "..", ".",   "~"};
  for (const std::string_view text : {"x://{a}/{b}", "x://{a}{/b}", "x://{a}{?b}", "x://{a}{;b}",
                                      "x://{a}{#b}", "x://y{?a,b}", "x://{a,b}", "x://y{?a}{&b}"}) {
    std::string problem;
    const auto parsed = UriTemplate::parse(text, problem);
    ASSERT_TRUE(parsed);
    const auto matcher = UriMatcher::make(*parsed, {}, problem);
    ASSERT_TRUE(matcher) << text << ": " << problem;
    for (const auto& a : texts)
      for (const auto& b : texts) {
        if (text.find('#') != std::string_view::npos && b.find('%') != std::string::npos) continue;
        const auto uri = parsed->expand({{"a", a}, {"b", b}});
        const auto found = matcher->match(*uri);
        ASSERT_TRUE(found) << text << " " << *uri;
        for (const auto& binding : *found)
          EXPECT_EQ(binding.values.at(0), binding.name == "a" ? a : b) << text << " " << *uri;
      }
  }
}

}  // namespace
}  // namespace sluice
