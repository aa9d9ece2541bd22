#pragma once

#include <gtest/gtest.h>

#include "base/simd.hpp"
#include "json/raw_json.hpp"
#include "support.hpp"

namespace sluice::json::test {

struct Passed {
  Errc verdict;
  std::string text;  ///< What was written, where it was accepted.

  [[nodiscard]] friend bool operator==(const Passed&, const Passed&) = default;
};

inline Passed pass_with(Simd simd, const std::vector<std::string_view>& pieces,
                        std::uint32_t max_depth = 1024) {
  RawJson checker(max_depth, simd);
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

/// What the portable way says, which takes a byte at a time and is the model of the others: all
/// that this processor can run have to say the same.
inline Passed pass(const std::vector<std::string_view>& pieces, std::uint32_t max_depth = 1024) {
  Passed expected = pass_with(Simd::portable, pieces, max_depth);
  for (const Simd simd : supported_simd()) {
    const Passed passed = pass_with(simd, pieces, max_depth);
    EXPECT_EQ(passed.verdict, expected.verdict) << name_of(simd);
    EXPECT_EQ(passed.text, expected.text) << name_of(simd);
  }
  return expected;
}

}  // namespace sluice::json::test
