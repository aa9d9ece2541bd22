#include "schema/pattern.hpp"

#include <gtest/gtest.h>

#include <string>

#include "check.hpp"

namespace sluice::schema {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  Pattern compiled_pattern;
  std::string error;
  EXPECT_TRUE(compiled_pattern.compile(pattern, error)) << pattern << ": " << error;
  Budget budget(1'000'000);
  return error.empty() && compiled_pattern.match(text, budget) == Pattern::Outcome::matches;
}

std::string problem(std::string_view pattern) {
  Pattern compiled_pattern;
  std::string error;
  return compiled_pattern.compile(pattern, error) ? "" : error;
}

TEST(Pattern, ClassesAreAsEcmaHasThem) {
  EXPECT_FALSE(matches("^\\d$", "\u09ea"));
  EXPECT_FALSE(matches("^\\w$", "\u00e9"));
  EXPECT_TRUE(matches("^\\W$", "\u00e9"));
  for (const std::string_view space : {" ", "\t", "\v", "\u00a0", "\ufeff", "\u2029", "\u2003"}) {
    EXPECT_TRUE(matches("^\\s$", space));
    EXPECT_FALSE(matches("^\\S$", space));
    EXPECT_TRUE(matches("^[\\s]$", space));
    EXPECT_FALSE(matches("^[a\\S]$", space));
    EXPECT_TRUE(matches("^[^\\S]$", space));
  }
  EXPECT_FALSE(matches("^\\s$", "\u0001"));
  EXPECT_FALSE(matches("^\\s$", "\u200b"));
}

TEST(Pattern, SetsBesideAHyphenMakeNoRange) {
  EXPECT_TRUE(matches("^[\\s-.]$", "-"));
  EXPECT_FALSE(matches("^[\\s-.]$", "+"));
  EXPECT_TRUE(matches("^[+-\\s]$", "-"));
  EXPECT_TRUE(matches("^[\\w.-]+$", "a-b.c"));
  EXPECT_TRUE(matches("^[a-c-]+$", "b-"));
}

TEST(Pattern, TheEndIsTheEnd) {
  EXPECT_FALSE(matches("^a$", "a\n"));
  EXPECT_FALSE(matches("^a$", "b\na"));
  EXPECT_FALSE(matches("^.$", "\n"));
  EXPECT_FALSE(matches("^.$", "\u2028"));
  EXPECT_TRUE(matches("^.$", "\u0085"));
  EXPECT_TRUE(matches("^.$", "\U0001F432"));
}

TEST(Pattern, TakesTheEscapesOfEcma) {
  EXPECT_TRUE(matches("^\\u0041\\x42\\u{1F432}\\uD83D\\uDC32\\cI\\v\\0$",
                      std::string("AB\U0001F432\U0001F432\t\v\0", 13)));
  EXPECT_TRUE(matches("^\\p{Letter}cole$", "\u00c9cole"));
  EXPECT_TRUE(matches("^\\p{Script=Greek}+\\P{gc=Decimal_Number}$", "\u03b1\u03b2x"));
  EXPECT_TRUE(matches("^(?<y>a)\\k<y>\\1$", "aaa"));
  EXPECT_TRUE(matches("^(?:(a)|b)\\1c$", "bc"));
  EXPECT_TRUE(matches("^[^]$", "\n"));
  EXPECT_FALSE(matches("[]", "a"));
  EXPECT_TRUE(matches("^[[:a]+$", "[a:"));
  EXPECT_TRUE(matches("^a{,2}$", "a{,2}"));
  EXPECT_TRUE(matches("^\\/\\-\\_\\@$", "/-_@"));
  EXPECT_TRUE(matches("^[\\b]$", "\b"));
  EXPECT_TRUE(matches("(?<=a)b(?!c)", "abd"));
}

TEST(Pattern, RefusesWhatIsOfPerlOnly) {
  for (const std::string_view bad :
       {"(?i)a", "(?>a)", "(*UTF)a", "\\Aa", "a\\Z", "\\Qa\\E", "a++", "a{1}+", "\\h", "\\a",
        "[\\B]", "\\uD83D", "\\u12", "\\x1", "\\c1", "\\01", "a\\", "(?#x)", "\\k"}) {
    EXPECT_NE(problem(bad), "") << bad;
  }
}

TEST(Pattern, RefusesWhatIsNoExpression) {
  for (const std::string_view bad :
       {"(", "[a", "a)", "*a", "a**", "\\2(a)", "[b-a]", "a{2,1}", "\\p{Nope}"}) {
    EXPECT_NE(problem(bad), "") << bad;
  }
}

TEST(Pattern, StopsABacktrackingMatch) {
  Pattern pattern;
  std::string error;
  ASSERT_TRUE(pattern.compile("^(a+)+$", error));
  Budget budget(1'000'000);
  EXPECT_EQ(pattern.match(std::string(40, 'a') + "b", budget), Pattern::Outcome::too_costly);
  EXPECT_FALSE(budget.is_exhausted());
  EXPECT_LE(budget.left(), 1'000'000 - Pattern::kMaxWork);
}

TEST(Pattern, CountsTheWorkOfEveryStartPosition) {
  Pattern pattern;
  std::string error;
  ASSERT_TRUE(pattern.compile("\\d+$", error));
  Budget budget(1'000'000);
  EXPECT_EQ(pattern.match(std::string(1 << 16, '1') + "x", budget), Pattern::Outcome::too_costly);
}

TEST(Pattern, MatchesLongTextsOfOrdinaryKind) {
  EXPECT_TRUE(matches("^[a-z0-9-]+$", std::string(1 << 20, 'a')));
  EXPECT_FALSE(matches("foo", std::string(1 << 20, 'a')));
}

TEST(Pattern, ExhaustsTheBudgetWhereThatIsSmaller) {
  Pattern pattern;
  std::string error;
  ASSERT_TRUE(pattern.compile("^(a+)+$", error));
  Budget budget(100);
  EXPECT_NE(pattern.match(std::string(40, 'a') + "b", budget), Pattern::Outcome::matches);
  EXPECT_TRUE(budget.is_exhausted());
}

}  // namespace
}  // namespace sluice::schema
