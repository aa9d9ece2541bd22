#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "escape_model.hpp"
#include "json/escaper.hpp"
#include "support.hpp"

namespace sluice::json::test {

/// Escapes the pieces one after the other, each time with as much room as `room` says, and holds
/// every step to the contract: it stays inside its span, and stops only where the input or the room
/// ends.
inline std::string escape(const std::vector<std::string_view>& pieces,
                          const std::function<std::size_t()>& room) {
  Escaper escaper;
  std::string text;
  for (const std::string_view piece : pieces) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    do {
      GuardedRoom out(room());
      const Escaper::Step step = escaper.step(left, {out.data(), out.size()});
      EXPECT_TRUE(out.is_intact());
      EXPECT_LE(step.read, left.size());
      EXPECT_LE(step.written, out.size());
      if (step.read < left.size()) {
        EXPECT_LT(out.size() - step.written, Escaper::kMinRoom);
      }
      text.append(out.data(), step.written);
      left.remove_prefix(step.read);
      if (testing::Test::HasFailure()) return text;
    } while (!left.empty());
  }
  GuardedRoom out(Escaper::kMinRoom);
  const std::size_t carried = escaper.carried();
  const std::size_t written = escaper.finish({out.data(), out.size()});
  EXPECT_TRUE(out.is_intact());
  EXPECT_EQ(written > 0, carried > 0);
  EXPECT_EQ(escaper.carried(), 0U);
  text.append(out.data(), written);
  return text;
}

inline std::string escape_whole(std::string_view text) {
  return escape({text}, [&text] { return text.size() * 6 + Escaper::kMinRoom; });
}

}  // namespace sluice::json::test
