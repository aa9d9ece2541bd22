#include "mcp/request_state.hpp"

#include <gtest/gtest.h>

namespace sluice::mcp {
namespace {

using std::chrono::seconds;

const Sealer::Time kNow{seconds(1'800'000'000)};
const Sealer::Time kLater = kNow + seconds(60);

Sealer sealer() { return Sealer({*SealingKey::parse(std::string(64, '1'))}); }

RequestState some() {
  RequestState state;
  state.entries = {{"name", "digest 1", R"({"action":"accept","content":{"n":1.10}})"},
                   {"a \"key\"", "digest 2", ""}};
  return state;
}

TEST(RequestState, ComesBackAsItWas) {
  const Sealer s = sealer();
  const auto state = RequestState::open(s, "binding", some().seal(s, "binding", kLater), kNow);
  ASSERT_TRUE(state);
  ASSERT_EQ(state->entries.size(), 2U);
  EXPECT_EQ(state->entries[0].key, "name");
  EXPECT_EQ(state->entries[0].question, "digest 1");
  EXPECT_EQ(state->entries[0].answer, R"({"action":"accept","content":{"n":1.10}})");
  EXPECT_EQ(state->entries[1].key, "a \"key\"");
  EXPECT_EQ(state->entries[1].answer, "");
}

TEST(RequestState, MayBeEmpty) {
  const Sealer s = sealer();
  const auto state = RequestState::open(s, "b", RequestState().seal(s, "b", kLater), kNow);
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->entries.empty());
}

TEST(RequestState, OpensForItsCallerAndItsRequestAlone) {
  const Sealer s = sealer();
  const std::string sealed = some().seal(s, "binding", kLater);
  for (const char* other : {"", "bindin", "Binding", "another"})
    EXPECT_EQ(RequestState::open(s, other, sealed, kNow).error(), Errc::forged) << other;
  EXPECT_EQ(RequestState::open(s, "binding", sealed, kLater).error(), Errc::expired);
  EXPECT_EQ(RequestState::open(s, "binding", sealed + "-TAMPERED", kNow).error(), Errc::forged);
}

TEST(RequestState, IsNothingElseThatWasSealed) {
  const Sealer s = sealer();
  for (const char* purpose : {"session", "request state", "binding"})
    EXPECT_FALSE(RequestState::open(s, "binding", s.seal(purpose, "[]", kLater), kNow)) << purpose;
}

}  // namespace
}  // namespace sluice::mcp
