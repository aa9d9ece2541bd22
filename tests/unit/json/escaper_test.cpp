#include "json/escaper.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "escape_sets.hpp"
#include "escape_texts.hpp"
#include "json/document.hpp"

namespace sluice::json::test {
namespace {

std::string decode(const std::string& escaped) {
  simdjson::dom::parser parser;
  std::string_view text;
  if (parser.parse("\"" + escaped + "\"").get(text)) return "<not a JSON string>";
  return std::string(text);
}

TEST_P(EachEscaper, WritesShortFormsWhereThereAreSuch) {
  EXPECT_EQ(escape_whole("\"\\\b\f\n\r\t/"), R"(\"\\\b\f\n\r\t/)");
  EXPECT_EQ(escape_whole(std::string_view("\0\x1f\x7f", 3)), "\\u0000\\u001f\x7f");
}

TEST_P(EachEscaper, WritesSeparatorsThatSplitLinesAsEscapes) {
  EXPECT_EQ(escape_whole(encode_utf8(0x2028) + encode_utf8(0x2029) + encode_utf8(0x85)),
            R"(\u2028\u2029\u0085)");
  for (const std::uint32_t other : {0x2027U, 0x202aU, 0x84U, 0x86U, 0x20a8U, 0x2068U}) {
    EXPECT_EQ(escape_whole(encode_utf8(other)), encode_utf8(other));
  }
}

TEST_P(EachEscaper, HasNothingToWriteForNothing) {
  EXPECT_EQ(escape_whole(""), "");
  EXPECT_EQ(escape({}, [] { return Escaper::kMinRoom; }), "");
}

TEST_P(EachEscaper, AgreesWithTheModelOnAllTextsOfTwoBytes) {
  std::string escaped;
  for (unsigned first = 0; first < 256; ++first) {
    const std::string one(1, static_cast<char>(first));
    ASSERT_EQ(escape_whole(one), escape_model(one)) << first;
    for (unsigned second = 0; second < 256; ++second) {
      const std::string two = one + static_cast<char>(second);
      const std::string expected = escape_model(two);
      ASSERT_EQ(escape_whole(two), expected) << first << ' ' << second;
      ASSERT_EQ(escape(cut_every(two, 1), [] { return Escaper::kMinRoom; }), expected);
    }
  }
}

TEST_P(EachEscaper, GivesTheSameForEveryCut) {
  const auto room = [] { return std::size_t{4096}; };
  for (const std::string& text : {mixed_text(), calm_text()}) {
    const std::string expected = escape_model(text);
    ASSERT_EQ(escape_whole(text), expected);
    for (std::size_t place = 0; place <= text.size(); ++place) {
      ASSERT_EQ(escape(cut(text, {place}), room), expected) << place;
    }
    for (std::size_t length = 1; length < 200; ++length) {
      ASSERT_EQ(escape(cut_every(text, length), room), expected) << length;
    }
  }
}

TEST_P(EachEscaper, GivesTheSameForEveryTwoCutsAroundAChange) {
  const std::string text =
      "a\xe2\x80\xa8" + encode_utf8(0x1f600) + "\xf0\x9f\x98z\xe2\x80\"\xc2\x85\xc2";
  const std::string expected = escape_model(text);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      ASSERT_EQ(escape(cut(text, {first, second}), [] { return Escaper::kMinRoom; }), expected);
    }
  }
}

TEST_P(EachEscaper, GivesTheSameForEveryRoom) {
  for (const std::string& text : {mixed_text(), calm_text(), std::string(1000, '"')}) {
    const std::string expected = escape_model(text);
    for (std::size_t room = Escaper::kMinRoom; room <= Escaper::kMinRoom + 500; ++room) {
      ASSERT_EQ(escape({text}, [room] { return room; }), expected) << room;
    }
  }
}

TEST_P(EachEscaper, GivesTheSameForEveryCutAndRoom) {
  const std::string text = mixed_text() + calm_text().substr(0, 300);
  const std::string expected = escape_model(text);
  for (std::size_t length = 1; length < 150; length += 3) {
    for (std::size_t room = Escaper::kMinRoom; room <= 260; room += 5) {
      ASSERT_EQ(escape(cut_every(text, length), [room] { return room; }), expected)
          << length << ' ' << room;
    }
  }
}

TEST_P(EachEscaper, PutsEverySpecialByteRightAtEveryPlaceOfAStride) {
  for (const std::string special : {"\"", "\n", "\x02", "\xc3\xa9", "\xff", "\xe2\x80\xa8"}) {
    for (std::size_t place = 0; place < 200; ++place) {
      std::string text(300, 'p');
      text.replace(place, special.size(), special);
      ASSERT_EQ(escape_whole(text), escape_model(text)) << place;
    }
  }
}

TEST_P(EachEscaper, TakesALongRunOfWorstCases) {
  const std::string text(5000, '\x01');
  EXPECT_EQ(escape_whole(text), escape_model(text));
  EXPECT_EQ(escape({text}, [] { return std::size_t{500}; }), escape_model(text));
}

TEST_P(EachEscaper, AgreesWithTheModelOnRandomTextInRandomPieces) {
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    Dice dice(seed);
    const std::string text = random_text(dice, dice.below(1500), 1 + dice.below(40));
    const std::string expected = escape_model(text);
    const auto room = [&dice] {
      return Escaper::kMinRoom + dice.below(dice.below(2) == 0 ? 60 : 2000);
    };
    ASSERT_EQ(escape(dice.cuts(text, 1 + dice.below(300)), room), expected) << seed;
  }
}

TEST_P(EachEscaper, AgreesWithTheModelOnRandomTextWithNothingOddInRandomPieces) {
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    Dice dice(seed);
    const std::string text = random_calm_text(dice, dice.below(1500), 1 + dice.below(40));
    const std::string expected = escape_model(text);
    const auto room = [&dice] {
      return Escaper::kMinRoom + dice.below(dice.below(2) == 0 ? 200 : 2000);
    };
    ASSERT_EQ(escape(dice.cuts(text, 1 + dice.below(600)), room), expected) << seed;
  }
}

TEST_P(EachEscaper, IsReadBackBySimdjsonAsTheTextWithReplacements) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    std::string text = random_text(dice, 400, 1 + dice.below(8));
    if (seed % 3 == 0) {
      for (char& c : text) c = dice.byte();
    }
    ASSERT_EQ(decode(escape_whole(text)), replace_model(text)) << seed;
  }
}

TEST_P(EachEscaper, TakesNothingWhereThereIsTooLittleRoom) {
  Escaper escaper(GetParam());
  GuardedRoom out(Escaper::kMinRoom - 1);
  const Escaper::Step step = escaper.step("text", {out.data(), out.size()});
  EXPECT_EQ(step.read, 0U);
  EXPECT_EQ(step.written, 0U);
}

INSTANTIATE_TEST_SUITE_P(Simd, EachEscaper, testing::ValuesIn(supported_simd()), name_of_set);

TEST(Escaper, TakesTheSetOfTheProcessWhereNoneIsNamed) {
  EXPECT_EQ(escape::kernel_for(simd()) == escape::take_portable, simd() == Simd::portable);
  Escaper escaper;
  char out[Escaper::kMinRoom];
  EXPECT_EQ(escaper.step("\"", out).written, 2U);
}

TEST(AppendString, AddsQuotesAndKeepsWhatWasThere) {
  std::string out = "x:";
  append_string(out, "a\"b\xff");
  EXPECT_EQ(out, "x:\"a\\\"b\xef\xbf\xbd\"");
  out.clear();
  append_string(out, "");
  EXPECT_EQ(out, "\"\"");
}

TEST(AppendString, TakesTextOfAnyLength) {
  Dice dice(7);
  const std::string text = random_text(dice, 10000, 9) + "\xe2\x80";
  std::string out;
  append_string(out, text);
  EXPECT_EQ(out, "\"" + escape_model(text) + "\"");
}

}  // namespace
}  // namespace sluice::json::test
