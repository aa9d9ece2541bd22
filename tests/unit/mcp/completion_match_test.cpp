#include "mcp/completion_match.hpp"

#include <gtest/gtest.h>

namespace sluice::mcp {
namespace {

using Values = std::vector<std::string>;

TEST(CompletionMatch, TakesWhatBeginsWithTheTextThenWhatHoldsIt) {
  const Values values{"carpark", "Paris", "oslo", "park", "spa"};
  EXPECT_EQ(matching(values, "pa").values, (Values{"Paris", "park", "carpark", "spa"}));
  EXPECT_EQ(matching(values, "PAR").values, (Values{"Paris", "park", "carpark"}));
  EXPECT_EQ(matching(values, "").values, values);
  EXPECT_TRUE(matching(values, "x").values.empty());
  EXPECT_EQ(matching(values, "x").total, 0U);
}

TEST(CompletionMatch, GivesAtMostAHundredAndSaysHowManyThereAre) {
  Values values;
  for (int i = 0; i < 250; ++i) values.push_back("v" + std::to_string(i));
  const auto found = matching(values, "v");
  EXPECT_EQ(found.values.size(), kMaxCompletions);
  EXPECT_EQ(found.values.back(), "v99");
  EXPECT_EQ(found.total, 250U);
}

}  // namespace
}  // namespace sluice::mcp
