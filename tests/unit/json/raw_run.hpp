#pragma once

#include <gtest/gtest.h>

#include "json/raw_json.hpp"
#include "support.hpp"

namespace sluice::json::test {

struct Passed {
  Errc verdict;
  std::string text;  ///< What was written, where it was accepted.
};

inline Passed pass(const std::vector<std::string_view>& pieces, std::uint32_t max_depth = 1024) {
  RawJson checker(max_depth);
  Passed passed{Errc::ok, {}};
  for (const std::string_view piece : pieces) {
    const ExactBytes bytes(piece);
    GuardedRoom out(piece.size());
    const auto n = checker.step(bytes.view(), {out.data(), out.size()});
    EXPECT_TRUE(out.is_intact());
    if (!n.has_value()) return {static_cast<Errc>(n.error().value()), {}};
    EXPECT_EQ(*n, piece.size());
    passed.text.append(out.data(), *n);
  }
  const auto end = checker.finish();
  if (!end.has_value()) return {static_cast<Errc>(end.error().value()), {}};
  return passed;
}

}  // namespace sluice::json::test
