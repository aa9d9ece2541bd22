#include "json/text_limit.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

namespace sluice::json::test {
namespace {

using Cut = TextLimiter::Cut;

struct Limited {
  std::string text;
  Cut cut = Cut::nothing;
  std::uint64_t read = 0;
  std::uint64_t lines_read = 0;
  std::uint64_t lines = 0;
  bool is_done = false;

  [[nodiscard]] friend bool operator==(const Limited&, const Limited&) = default;
};

Limited limit_pieces(TextLimiter::Limits limits, const std::vector<std::string_view>& pieces,
                     std::size_t room) {
  TextLimiter limiter(limits);
  Limited out;
  const auto take = [&](std::string_view piece) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    while (true) {
      GuardedRoom into(room);
      const Step step = limiter.step(left, {into.data(), into.size()});
      EXPECT_TRUE(into.is_intact());
      out.text.append(into.data(), step.written);
      left.remove_prefix(step.read);
      if (left.empty() && step.written < room) break;
    }
  };
  for (const std::string_view piece : pieces) take(piece);
  limiter.finish();
  take({});
  EXPECT_EQ(limiter.written(), out.text.size());
  out.cut = limiter.cut();
  out.read = limiter.read();
  out.lines_read = limiter.lines_read();
  out.lines = limiter.lines_written();
  out.is_done = limiter.is_done();
  return out;
}

Limited limit(std::string_view text, TextLimiter::Limits limits) {
  const Limited whole = limit_pieces(limits, {text}, text.size() + 1);
  for (const std::size_t length : {std::size_t{1}, std::size_t{7}, text.size() + 1}) {
    for (const std::size_t room : {1U, 13U, 5000U}) {
      const Limited again = limit_pieces(limits, cut_every(text, length), room);
      EXPECT_EQ(again.text, whole.text);
      EXPECT_TRUE(again == whole) << length << ' ' << room;
    }
  }
  return whole;
}

TEST(TextLimiter, PassesWhatFits) {
  const std::string text = "one\ntwo\nthree";
  for (const TextLimiter::Limits limits :
       {TextLimiter::Limits{}, TextLimiter::Limits{13, 3, 100}, TextLimiter::Limits{.max_lines = 3},
        TextLimiter::Limits{.max_bytes = 13}}) {
    const Limited all = limit(text, limits);
    EXPECT_EQ(all.text, text);
    EXPECT_EQ(all.cut, Cut::nothing);
    EXPECT_FALSE(all.is_done);
    EXPECT_EQ(all.read, 13U);
    EXPECT_EQ(all.lines, 2U);
  }
  EXPECT_EQ(limit("a\nb\n", {.max_lines = 2}).cut, Cut::nothing);
  EXPECT_EQ(limit("", {.max_bytes = 0}).cut, Cut::nothing);
}

TEST(TextLimiter, CutsBehindLines) {
  const Limited two = limit("a\nbb\r\nccc\nd", {.max_lines = 2});
  EXPECT_EQ(two.text, "a\nbb\r\n");
  EXPECT_EQ(two.cut, Cut::lines);
  EXPECT_TRUE(two.is_done);
  EXPECT_EQ(two.lines, 2U);
  EXPECT_EQ(two.lines_read, 3U);
  EXPECT_EQ(two.read, 11U);
  EXPECT_EQ(limit("a\nb", {.max_lines = 0}).text, "");
}

TEST(TextLimiter, CutsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "\xf0\x9f\x98\x80";
  for (std::uint64_t max = 0; max < 80; ++max) {
    const Limited cut = limit(text, {.max_bytes = max});
    EXPECT_EQ(cut.text.size(), max / 4 * 4);
    EXPECT_EQ(cut.cut, Cut::bytes);
  }
}

TEST(TextLimiter, CutsBehindALineWhereThatLeavesHalf) {
  const std::string text = "0123456789\n0123456789\n0123456789\n";
  EXPECT_EQ(limit(text, {.max_bytes = 25}).text, text.substr(0, 22));
  EXPECT_EQ(limit(text, {.max_bytes = 22}).text, text.substr(0, 22));
  EXPECT_EQ(limit(text, {.max_bytes = 21}).text, text.substr(0, 11));
  // The window does not reach back to the line break.
  EXPECT_EQ(limit(text, {.max_bytes = 25, .window = 2}).text, text.substr(0, 25));
  EXPECT_EQ(limit("0\n" + std::string(50, 'x'), {.max_bytes = 30}).text,
            "0\n" + std::string(28, 'x'));
}

TEST(TextLimiter, HoldsNoMoreThanItsWindow) {
  const std::string text(1000, 'x');
  TextLimiter limiter({.max_bytes = 900, .window = 100});
  std::string out(1000, ' ');
  EXPECT_EQ(limiter.step(std::string_view(text).substr(0, 850), out).written, 800U);
  EXPECT_EQ(limiter.step(std::string_view(text).substr(0, 51), out).written, 100U);
  EXPECT_TRUE(limiter.is_done());
}

TEST(TextLimiter, StopsAtTheFirstOfBothLimits) {
  EXPECT_EQ(limit("aaaa\nbbbb\ncccc\n", {.max_bytes = 12, .max_lines = 1}).cut, Cut::lines);
  EXPECT_EQ(limit("aaaa\nbbbb\ncccc\n", {.max_bytes = 12, .max_lines = 3}).cut, Cut::bytes);
}

}  // namespace
}  // namespace sluice::json::test
