#include "tools/glob.hpp"

#include <gtest/gtest.h>

namespace sluice::tools {
namespace {

TEST(Glob, MatchesWithinASegment) {
  EXPECT_TRUE(glob_matches("a/*.md", "a/b.md"));
  EXPECT_FALSE(glob_matches("a/*.md", "a/b/c.md"));
  EXPECT_TRUE(glob_matches("a/?.md", "a/b.md"));
  EXPECT_FALSE(glob_matches("a/?.md", "a/bc.md"));
  EXPECT_TRUE(glob_matches("a/*b*c", "a/xbybzc"));
  EXPECT_FALSE(glob_matches("a/*b*c", "a/xbybz"));
  EXPECT_TRUE(glob_matches("a/[a-c]x", "a/bx"));
  EXPECT_FALSE(glob_matches("a/[a-c]x", "a/dx"));
  EXPECT_TRUE(glob_matches("a/[!a-c]x", "a/dx"));
  EXPECT_TRUE(glob_matches("a/[]x]y", "a/]y"));
  EXPECT_TRUE(glob_matches("a/[x", "a/[x"));
  EXPECT_FALSE(glob_matches("A/b", "a/b"));
}

TEST(Glob, MatchesAnyNumberOfSegments) {
  EXPECT_TRUE(glob_matches("**", "a"));
  EXPECT_TRUE(glob_matches("**", "a/b/c"));
  EXPECT_TRUE(glob_matches("**/c", "c"));
  EXPECT_TRUE(glob_matches("**/c", "a/b/c"));
  EXPECT_TRUE(glob_matches("a/**/c", "a/c"));
  EXPECT_TRUE(glob_matches("a/**/c", "a/b/b/c"));
  EXPECT_FALSE(glob_matches("a/**/c", "b/c"));
  EXPECT_TRUE(glob_matches("a/**", "a/b"));
  EXPECT_FALSE(glob_matches("a/**", "a"));
  EXPECT_TRUE(glob_matches("**/a/**/b", "x/a/y/a/b"));
}

TEST(Glob, WithoutASlashMeansTheLastSegment) {
  EXPECT_TRUE(glob_matches("*.md", "a.md"));
  EXPECT_TRUE(glob_matches("*.md", "a/b/c.md"));
  EXPECT_FALSE(glob_matches("*.md", "a.md/b"));
}

TEST(Glob, TakesADotInFrontOnlyWhereOneIsWritten) {
  for (const std::string_view pattern : {"*", "?git", "[.]git", "**", "*/*", "**/*", "*.md"})
    for (const std::string_view path : {".git", ".git/x", "a/.git", ".md", ".a/b.md"})
      EXPECT_FALSE(glob_matches(pattern, path)) << pattern << " " << path;
  EXPECT_TRUE(glob_matches(".*", ".git"));
  EXPECT_TRUE(glob_matches(".git/*", ".git/x"));
  EXPECT_TRUE(glob_matches("**/.env", "a/.env"));
}

TEST(Glob, EndsSoonWhateverThePattern) {
  std::string pattern, path;
  for (int i = 0; i < 40; ++i) {
    pattern += "*a";
    path += "aaaaaaaaaa";
  }
  EXPECT_FALSE(glob_matches(pattern + "b", path));
  pattern.clear();
  path.clear();
  for (int i = 0; i < 40; ++i) {
    pattern += "**/a/";
    path += "a/a/a/a/a/";
  }
  EXPECT_FALSE(glob_matches(pattern + "b", path + "c"));
}

TEST(PathFilter, TakesAllThatIsNotHiddenByDefault) {
  const PathFilter filter({}, {});
  EXPECT_TRUE(filter.takes("a"));
  EXPECT_TRUE(filter.takes("a/b.c"));
  EXPECT_FALSE(filter.takes(".a"));
  EXPECT_FALSE(filter.takes("a/.b/c"));
  EXPECT_TRUE(filter.enters("a"));
  EXPECT_FALSE(filter.enters("a/.b"));
}

TEST(PathFilter, LeavesOutWhatIsExcludedAndWhatIsBelowIt) {
  const PathFilter filter({"**/*.md", ".notes/**"}, {"drafts", "*secret*"});
  EXPECT_TRUE(filter.takes("a/b.md"));
  EXPECT_TRUE(filter.takes(".notes/x"));
  EXPECT_FALSE(filter.takes("a/b.txt"));
  EXPECT_FALSE(filter.takes("a/drafts/b.md"));
  EXPECT_FALSE(filter.takes("a/my-secret.md"));
  EXPECT_FALSE(filter.takes("my-secrets/a.md"));
  EXPECT_TRUE(filter.enters("a"));
  EXPECT_TRUE(filter.enters(".notes"));
  EXPECT_FALSE(filter.enters("a/drafts"));
  EXPECT_FALSE(filter.enters("a/drafts/x"));
}

}  // namespace
}  // namespace sluice::tools
