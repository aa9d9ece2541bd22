#include "json/path.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sluice::json::test {
namespace {

using Kind = Path::Selector::Kind;

Path parse(std::string_view text) {
  Path::Problem problem;
  auto path = Path::parse(text, problem);
  EXPECT_TRUE(path.has_value()) << text << ": " << problem.text << " at " << problem.offset;
  return path.value_or(Path());
}

/// What is said of a path that is refused: "7: a name or * ..."
std::string problem_of(std::string_view text) {
  Path::Problem problem;
  if (Path::parse(text, problem)) return "accepted";
  return std::to_string(problem.offset) + ": " + problem.text;
}

std::string name_in(std::string_view text) {
  const Path path = parse(text);
  if (path.segments().size() != 1 || path.segments()[0].selectors.size() != 1) return "no name";
  return path.segments()[0].selectors[0].name;
}

TEST(Path, ReadsTheRoot) {
  const Path path = parse("$");
  EXPECT_TRUE(path.segments().empty());
  EXPECT_TRUE(path.is_definite());
}

TEST(Path, ReadsNamesBehindDotsAndInBrackets) {
  for (const char* text : {"$.rows.a", "$['rows']['a']", "$[\"rows\"].a", "$ .rows\n[ 'a' ]"}) {
    const Path path = parse(text);
    ASSERT_EQ(path.segments().size(), 2U) << text;
    EXPECT_EQ(path.segments()[0].selectors[0].name, "rows");
    EXPECT_EQ(path.segments()[1].selectors[0].name, "a");
    EXPECT_TRUE(path.is_definite());
  }
  EXPECT_EQ(name_in("$._a1"), "_a1");
  EXPECT_EQ(name_in("$.\xe2\x98\xba"), "\xe2\x98\xba");
  EXPECT_EQ(name_in("$['']"), "");
}

TEST(Path, UndoesTheEscapesOfNames) {
  EXPECT_EQ(name_in(R"($['\'\\\/\b\f\n\r\t"'])"), "'\\/\b\f\n\r\t\"");
  EXPECT_EQ(name_in(R"($["\"'"])"), "\"'");
  EXPECT_EQ(name_in(R"($['\u263A\u00e9\uD83d\uDE00'])"), "\xe2\x98\xba\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(name_in(R"($["\u0000"])"), std::string(1, '\0'));
}

TEST(Path, ReadsIndicesSlicesAndWildcards) {
  const Path path = parse("$[7, 1:5:2 ,:9, ::3, 4: , *]..*");
  ASSERT_EQ(path.segments().size(), 2U);
  const auto& all = path.segments()[0].selectors;
  ASSERT_EQ(all.size(), 6U);
  const auto is = [&](std::size_t i, std::uint64_t from, std::uint64_t to, std::uint64_t step) {
    return all[i].kind == Kind::elements && all[i].from == from && all[i].to == to &&
           all[i].step == step;
  };
  EXPECT_TRUE(is(0, 7, 8, 1) && all[0].is_index);
  EXPECT_TRUE(is(1, 1, 5, 2) && !all[1].is_index);
  EXPECT_TRUE(is(2, 0, 9, 1));
  EXPECT_TRUE(is(3, 0, Path::kNoEnd, 3));
  EXPECT_TRUE(is(4, 4, Path::kNoEnd, 1));
  EXPECT_EQ(all[5].kind, Kind::wildcard);
  EXPECT_TRUE(path.segments()[1].is_descendant);
  EXPECT_EQ(path.segments()[1].selectors[0].kind, Kind::wildcard);
}

TEST(Path, KnowsWhatIsDefinite) {
  EXPECT_TRUE(parse("$.a[3]['b']").is_definite());
  for (const char* text : {"$.*", "$[0:1]", "$['a','b']", "$..a", "$.a[*]"})
    EXPECT_FALSE(parse(text).is_definite()) << text;
  EXPECT_EQ(parse("$.a.b[:3].c").definite_segments(), 2U);
  EXPECT_EQ(parse("$..a").definite_segments(), 0U);
}

TEST(Path, RefusesWhatCannotBeFollowedInOnePass) {
  EXPECT_EQ(problem_of("$.rows[-1]"),
            "7: a negative index counts from the end of an array, which is not known while it "
            "streams by");
  EXPECT_EQ(problem_of("$.rows[-3:]"),
            "7: a negative bound counts from the end of an array, which is not known while it "
            "streams by");
  EXPECT_EQ(problem_of("$[1:-1]"),
            "4: a negative bound counts from the end of an array, which is not known while it "
            "streams by");
  EXPECT_EQ(problem_of("$[::-1]"),
            "4: a slice with a negative step runs backwards, and an array streams by once, "
            "forwards");
  EXPECT_EQ(problem_of("$.rows[?@.price < 10]"),
            "7: filters cannot be used: what they look at may come after what they decide on, and "
            "an array streams by once");
}

TEST(Path, SaysWhereAPathIsWrong) {
  EXPECT_EQ(problem_of(""), "0: a path begins with $");
  EXPECT_EQ(problem_of(" $"), "0: a path begins with $");
  EXPECT_EQ(problem_of("rows"), "0: a path begins with $");
  EXPECT_EQ(problem_of("$.a "), "3: blanks may stand between segments, not behind them");
  EXPECT_EQ(problem_of("$a"), "1: a segment begins with a dot or [");
  EXPECT_EQ(problem_of("$."), "2: a name or * stands behind a dot");
  EXPECT_EQ(problem_of("$. a"), "2: a name or * stands behind a dot");
  EXPECT_EQ(problem_of("$.."), "3: a name or * stands behind a dot");
  EXPECT_EQ(problem_of("$...a"), "3: a name or * stands behind a dot");
  EXPECT_EQ(problem_of("$.1"), "2: a name behind a dot begins with no digit; write ['...']");
  EXPECT_EQ(problem_of("$.a-b"), "3: a segment begins with a dot or [");
  EXPECT_EQ(problem_of("$[]"), "2: a name in quotes, an index, a slice or * stands in brackets");
  EXPECT_EQ(problem_of("$[a]"), "2: a name in quotes, an index, a slice or * stands in brackets");
  EXPECT_EQ(problem_of("$[0"), "3: a comma or ] stands behind a selector");
  EXPECT_EQ(problem_of("$[0,]"), "4: a name in quotes, an index, a slice or * stands in brackets");
  EXPECT_EQ(problem_of("$['a"), "2: the closing quote is missing");
  EXPECT_EQ(problem_of("$['a\\x']"), "4: no such escape");
  EXPECT_EQ(problem_of("$['\\\"']"), "3: no such escape");
  EXPECT_EQ(problem_of("$[\"\\'\"]"), "3: no such escape");
  EXPECT_EQ(problem_of("$['\\ud800']"), "3: a high surrogate stands before a low one");
  EXPECT_EQ(problem_of("$['\\udc00']"), "3: a low surrogate stands behind a high one");
  EXPECT_EQ(problem_of("$['\\u00g0']"), "3: \\u stands before four hexadecimal digits");
  EXPECT_EQ(problem_of("$['\n']"), "3: control characters are written as escapes");
  EXPECT_EQ(problem_of("$['\xff']"), "3: not UTF-8");
  EXPECT_EQ(problem_of("$.a\xff"), "3: not UTF-8");
  EXPECT_EQ(problem_of("$[01]"), "2: a number begins with no 0");
  EXPECT_EQ(problem_of("$[-0]"), "2: 0 has no sign");
  EXPECT_EQ(problem_of("$[-]"), "2: digits stand behind a minus");
  EXPECT_EQ(problem_of("$[9007199254740992]"), "2: a number is at most 9007199254740991");
  EXPECT_EQ(problem_of("$[99999999999999999999999999]"), "2: a number is at most 9007199254740991");
}

}  // namespace
}  // namespace sluice::json::test
