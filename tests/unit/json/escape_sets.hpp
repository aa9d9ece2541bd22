#pragma once

#include <gtest/gtest.h>

#include "escape_run.hpp"

namespace sluice::json::test {

/// Tests of every escaper that this machine can run.
class EachEscaper : public testing::TestWithParam<Simd> {
 protected:
  static std::string escape(const std::vector<std::string_view>& pieces,
                            const std::function<std::size_t()>& room) {
    Escaped escaped = escape_pieces(GetParam(), pieces, room);
    EXPECT_EQ(escaped.broken, nullptr) << escaped.broken;
    return std::move(escaped.text);
  }
  static std::string escape_whole(std::string_view text) {
    return escape({text}, [&text] { return text.size() * 6 + Escaper::kMinRoom; });
  }
  /// Without guards, for millions of texts: one step and the end. REQUIRES: a short text.
  static std::string escape_quickly(std::string_view text) {
    Escaper escaper(GetParam());
    char out[2048];
    const Escaper::Step step = escaper.step(text, out);
    std::string escaped(out, step.written);
    escaped.append(out, escaper.finish(out));
    return escaped;
  }
};

inline std::string name_of_set(const testing::TestParamInfo<Simd>& info) {
  return std::string(name_of(info.param));
}

}  // namespace sluice::json::test
