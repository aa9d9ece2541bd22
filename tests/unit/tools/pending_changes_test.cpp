#include "tools/pending_changes.hpp"

#include <gtest/gtest.h>

namespace sluice::tools {
namespace {

using Names = std::vector<std::string>;

TEST(PendingChanges, AreOneHoweverOften) {
  PendingChanges pending;
  EXPECT_TRUE(pending.empty());
  for (int i = 0; i < 100; ++i) pending.written("a");
  pending.written("b");
  EXPECT_FALSE(pending.empty());
  const auto changes = pending.take();
  EXPECT_EQ(changes.files, (Names{"a", "b"}));
  EXPECT_FALSE(changes.list);
  EXPECT_FALSE(changes.all);
  EXPECT_TRUE(pending.empty());
}

TEST(PendingChanges, TellOfFilesThatComeAndGo) {
  PendingChanges pending;
  pending.came("new");
  pending.written("new");
  pending.went("old");
  const auto changes = pending.take();
  EXPECT_EQ(changes.files, (Names{"new", "old"}));
  EXPECT_TRUE(changes.list);
}

TEST(PendingChanges, SayNothingOfAFileThatNobodyCouldSee) {
  PendingChanges pending;
  pending.came("temporary");
  pending.written("temporary");
  pending.went("temporary");
  const auto changes = pending.take();
  EXPECT_TRUE(changes.files.empty());
  EXPECT_FALSE(changes.list);
}

TEST(PendingChanges, KnowAFileThatWasAwayForAMoment) {
  PendingChanges pending;
  pending.went("a");
  pending.came("a");
  const auto changes = pending.take();
  EXPECT_EQ(changes.files, Names{"a"});
  EXPECT_FALSE(changes.list);
}

TEST(PendingChanges, AreEverythingWhereTheyAreTooMany) {
  PendingChanges pending;
  for (std::size_t i = 0; i <= FileWatcher::kMaxNames; ++i) pending.written(std::to_string(i));
  pending.came("x");
  const auto changes = pending.take();
  EXPECT_TRUE(changes.all);
  EXPECT_TRUE(changes.list);
  EXPECT_TRUE(changes.files.empty());
}

TEST(PendingChanges, TellOfDirectoriesAsAWhole) {
  PendingChanges pending;
  pending.directory("a/");
  const auto changes = pending.take();
  EXPECT_EQ(changes.directories, Names{"a/"});
  EXPECT_TRUE(changes.list);
}

}  // namespace
}  // namespace sluice::tools
