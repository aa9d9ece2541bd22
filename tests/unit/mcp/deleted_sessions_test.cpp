#include "mcp/deleted_sessions.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::mcp {
namespace {

using std::chrono::seconds;

const Sealer::Time kStart{seconds(1'800'000'000)};

TEST(DeletedSessions, AreRememberedUntilTheyExpire) {
  DeletedSessions deleted(100);
  EXPECT_TRUE(deleted.add("a", kStart + seconds(1)));
  EXPECT_FALSE(deleted.add("a", kStart + seconds(1)));
  EXPECT_TRUE(deleted.add("b", kStart + seconds(2)));
  EXPECT_TRUE(deleted.has("a") && deleted.has("b"));
  EXPECT_FALSE(deleted.has("c"));
  deleted.sweep(kStart);
  EXPECT_EQ(deleted.size(), 2U);
  deleted.sweep(kStart + seconds(1));
  EXPECT_FALSE(deleted.has("a"));
  EXPECT_TRUE(deleted.has("b"));
}

TEST(DeletedSessions, ForgetTheOneThatExpiresFirstWhereThereIsNoPlaceLeft) {
  DeletedSessions deleted(2);
  EXPECT_TRUE(deleted.add("late", kStart + seconds(9)));
  EXPECT_TRUE(deleted.add("soon", kStart + seconds(1)));
  EXPECT_TRUE(deleted.add("later", kStart + seconds(5)));
  EXPECT_EQ(deleted.size(), 2U);
  EXPECT_FALSE(deleted.has("soon"));
  EXPECT_TRUE(deleted.has("late") && deleted.has("later"));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(deleted.add(std::to_string(i), kStart + seconds(10)));
  EXPECT_EQ(deleted.size(), 2U);
}

TEST(DeletedSessions, MayBeNone) {
  DeletedSessions deleted(0);
  EXPECT_TRUE(deleted.add("a", kStart));
  EXPECT_FALSE(deleted.has("a"));
  EXPECT_EQ(deleted.size(), 0U);
}

}  // namespace
}  // namespace sluice::mcp
