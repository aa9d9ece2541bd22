#include "json/limit.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"
#include "path_model.hpp"
#include "random_json.hpp"
#include "step_run.hpp"

namespace sluice::json::test {
namespace {

using Cut = JsonLimiter::Cut;

struct Limited {
  Stepped out;
  Cut cut = Cut::nothing;
  std::uint64_t elements = 0;
  std::uint64_t read = 0;
  bool is_done = false;

  [[nodiscard]] friend bool operator==(const Limited&, const Limited&) = default;
  friend std::ostream& operator<<(std::ostream& to, const Limited& l) {
    return to << l.out << " cut " << static_cast<int>(l.cut) << " elements " << l.elements
              << " read " << l.read << " done " << l.is_done;
  }
};

Limited limit_pieces(Simd simd, JsonLimiter::Limits limits,
                     const std::vector<std::string_view>& pieces, std::size_t room) {
  JsonLimiter limiter(limits, simd);
  Limited result;
  result.out = run_steps(limiter, pieces, room);
  result.cut = limiter.cut();
  result.elements = limiter.elements();
  result.read = limiter.read();
  result.is_done = limiter.is_done();
  return result;
}

/// As a whole; by every instruction set, with pieces and rooms of several sizes the same.
Limited limit(std::string_view text, std::uint64_t max_bytes, std::size_t window = 64_KiB,
              std::uint32_t max_depth = 100) {
  const JsonLimiter::Limits limits{max_bytes, max_depth, window};
  const Limited whole = limit_pieces(Simd::portable, limits, {text}, text.size() + 100);
  for (const Simd simd : supported_simd()) {
    for (const std::size_t length : {std::size_t{1}, std::size_t{7}, text.size() + 1}) {
      for (const std::size_t room : {1U, 13U, 5000U}) {
        EXPECT_EQ(limit_pieces(simd, limits, cut_every(text, length), room), whole)
            << name_of(simd) << ' ' << length << ' ' << room;
      }
    }
  }
  EXPECT_LE(whole.out.text.size(), max_bytes);
  return whole;
}

TEST(JsonLimiter, PassesWhatFits) {
  for (const std::string text :
       {R"({"a":[1,2,{"b":"c"}],"d":null})", "[]", "\"text\"", "17", "true"}) {
    for (const std::size_t more : {0U, 1U, 100U}) {
      const Limited all = limit(text, text.size() + more);
      EXPECT_EQ(all.out.text, text);
      EXPECT_EQ(all.out.verdict, Errc::ok);
      EXPECT_EQ(all.cut, Cut::nothing);
      EXPECT_FALSE(all.is_done);
    }
    EXPECT_EQ(limit(text + "  \n", text.size()).out.verdict, Errc::ok);
    EXPECT_EQ(compact(limit(text + "  \n", text.size()).out.text), text);
  }
}

TEST(JsonLimiter, CutsBetweenTheElementsOfTheOutermostArray) {
  const std::string text = R"({"total":4,"rows":[[1,"a"],[2,"b"],[3,"c"],[4,"d"]],"more":1})";
  const Limited two = limit(text, 36);
  EXPECT_EQ(two.out.text, R"({"total":4,"rows":[[1,"a"],[2,"b"]]})");
  EXPECT_EQ(two.cut, Cut::elements);
  EXPECT_EQ(two.elements, 2U);
  EXPECT_TRUE(two.is_done);
  EXPECT_EQ(two.read, text.size());
  EXPECT_EQ(limit(text, 35).out.text, R"({"total":4,"rows":[[1,"a"]]})");
  EXPECT_EQ(limit(text, 35).elements, 1U);
}

TEST(JsonLimiter, CutsFurtherInWhereThatLosesLess) {
  const std::string text = R"({"rows":[{"id":1,"tags":["aaaa","bbbb","cccc","dddd"],"x":1}]})";
  const Limited members = limit(text, 45);
  EXPECT_EQ(members.out.text, R"({"rows":[{"id":1,"tags":["aaaa","bbbb"]}]})");
  EXPECT_EQ(members.cut, Cut::elements);
  EXPECT_EQ(members.elements, 2U);
  const Limited object = limit(R"({"title":"a title","body":{"x":[[[1]]]}})", 25);
  EXPECT_EQ(object.out.text, R"({"title":"a title"})");
  EXPECT_EQ(object.cut, Cut::members);
}

TEST(JsonLimiter, CutsALongStringBetweenCharacters) {
  const std::string text = R"({"t":"x","body":")" + std::string(100, 'y') + R"("})";
  const Limited letters = limit(text, 60);
  EXPECT_EQ(letters.out.text, text.substr(0, 58) + "\"}");
  EXPECT_EQ(letters.cut, Cut::string);
  // Euro signs: three bytes each.
  std::string euros = "[\"";
  for (int i = 0; i < 30; ++i) euros += "\xe2\x82\xac";
  euros += "\"]";
  for (std::uint64_t max = 10; max < 60; ++max) {
    const Limited cut = limit(euros, max);
    EXPECT_EQ(cut.out.text, euros.substr(0, 2 + (max - 4) / 3 * 3) + "\"]");
  }
  EXPECT_EQ(limit("\"" + std::string(50, 'z') + "\"", 20).out.text,
            "\"" + std::string(18, 'z') + "\"");
}

TEST(JsonLimiter, CutsNoEscapeAndNoPairOfSurrogates) {
  for (const std::string unit : {"\\n", "\\\\", "\\\"", "\\u00e9", "\\ud83d\\ude00", "a\\\\\\\""}) {
    std::string text = "[\"";
    while (text.size() < 300) text += unit;
    text += "\"]";
    for (const std::size_t window : {40U, 300U}) {
      for (std::uint64_t max = 60; max < 100; ++max) {
        const Limited cut = limit(text, max, window);
        ASSERT_EQ(cut.cut, Cut::string);
        ASSERT_GE(cut.out.text.size() + unit.size(), max - 1);
        Document document;
        ASSERT_TRUE(document.parse_copy(cut.out.text).has_value()) << cut.out.text;
      }
    }
  }
}

TEST(JsonLimiter, CutsNoNameAndNoNumber) {
  EXPECT_EQ(limit(R"({"a":1,"a name that is long":2})", 15).out.text, R"({"a":1})");
  EXPECT_EQ(limit("[1234567890123456789012345678901234567890]", 20).out.text, "[]");
  EXPECT_EQ(limit("1234567890", 5).out.verdict, Errc::result_too_large);
  EXPECT_EQ(limit("[1]", 1).out.verdict, Errc::result_too_large);
  EXPECT_EQ(limit("[1]", 0).out.verdict, Errc::result_too_large);
}

TEST(JsonLimiter, HoldsNoMoreThanItsWindow) {
  std::string text = "[";
  for (int i = 0; i < 100; ++i)
    text += std::string(i == 0 ? "" : ",") + "[" + std::to_string(1000 + i) + "]";
  text += "]";
  const Limited whole = limit(text, 300);
  EXPECT_EQ(limit(text, 300, 20), whole);
  EXPECT_EQ(whole.elements, 42U);
  JsonLimiter limiter({300, 10, 20});
  std::string out(text.size(), ' ');
  EXPECT_EQ(limiter.step(std::string_view(text).substr(0, 290), out)->written, 280U);
}

TEST(JsonLimiter, CountsElementsThatPassedLongBefore) {
  std::string text = "{\"a\":[1,2],\"rows\":[";
  for (int i = 0; i < 200; ++i)
    text += i % 3 == 0 ? "[1,2]," : i % 3 == 1 ? "7," : "{\"b\":[3,4]},";
  text += "0]}";
  const Limited cut = limit(text, 1200, 20);
  EXPECT_EQ(cut, limit(text, 1200));
  EXPECT_EQ(cut.cut, Cut::elements);
  Document document;
  const auto root = document.parse_copy(cut.out.text);
  ASSERT_TRUE(root.has_value());
  std::uint64_t rows = 0;
  for ([[maybe_unused]] const Json row : root->find("rows")) ++rows;
  EXPECT_EQ(cut.elements, rows);
}

TEST(JsonLimiter, FindsAPlaceInAWindowThatHoldsNoWholeElement) {
  std::string text = "[[";
  while (text.size() < 1000) text += "12,";
  text += "1]]";
  const Limited cut = limit(text, 500, 50);
  EXPECT_EQ(cut.out.text, text.substr(0, 496) + "]]");
  EXPECT_EQ(limit("[{\"" + std::string(500, 'n') + "\":1}]", 300, 50).out.verdict,
            Errc::result_too_large);
}

TEST(JsonLimiter, SaysWhatIsWrong) {
  const auto verdict = [](std::string_view text) { return limit(text, 1000, 64_KiB, 3).out; };
  EXPECT_EQ(verdict("[1}").offset, 2U);
  EXPECT_EQ(verdict("[1]]").offset, 3U);
  EXPECT_EQ(verdict("[1] 2").offset, 4U);
  EXPECT_EQ(verdict("]").offset, 0U);
  EXPECT_EQ(verdict("1,2").offset, 1U);
  EXPECT_EQ(verdict("[[[[").offset, 3U);
  EXPECT_EQ(verdict("[[[[").verdict, Errc::too_deep);
  for (const char* text : {"", " ", "[", "[1", "{\"a\":", "\"abc"})
    EXPECT_EQ(verdict(text).verdict, Errc::not_json) << text;
}

TEST(JsonLimiter, LeavesJsonOfEveryDocumentAtEveryLimit) {
  std::size_t cuts = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    Dice dice(seed);
    const std::string text = random_document(dice);
    Document whole;
    ASSERT_TRUE(whole.parse_copy(text).has_value());
    const std::size_t window = 1 + dice.below(60);
    for (std::uint64_t max = 0; max <= text.size() + 2; ++max) {
      const JsonLimiter::Limits limits{max, 100, window};
      const Limited first = limit_pieces(simd(), limits, {text}, 1000);
      ASSERT_EQ(limit_pieces(simd(), limits, dice.cuts(text, 20), 1 + dice.below(30)), first);
      ASSERT_LE(first.out.text.size(), max);
      if (first.out.verdict != Errc::ok) {
        // Too small for anything, or for what the window lets it choose from.
        ASSERT_EQ(first.out.verdict, Errc::result_too_large);
        continue;
      }
      Document document;
      ASSERT_TRUE(document.parse_copy(first.out.text).has_value()) << max << ' ' << text << '\n'
                                                                   << first.out.text;
      cuts += first.cut == Cut::nothing ? 0 : 1;
    }
  }
  EXPECT_GT(cuts, 2000U);
}

}  // namespace
}  // namespace sluice::json::test
