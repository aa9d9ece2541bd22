#include "json/escaper.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "escape_run.hpp"
#include "json/document.hpp"

namespace sluice::json::test {
namespace {

/// Everything the escaper treats in its own way, at every distance from each other that blocks and
/// strides may cut.
std::string mixed_text() {
  std::string text = "plain \"quoted\" back\\slash\tand\r\n\x01\x1f\x7f";
  text += encode_utf8(0x2028) + encode_utf8(0x2029) + encode_utf8(0x85) + encode_utf8(0x84);
  text +=
      "\xc2\xe2\x80\xe2\x82\xac\xf0\x9f\x98\x80\xf0\x9f\x98\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf\xff"
      "\xfe";
  text += std::string(70, 'x') + "\"" + std::string(17, 'y') + encode_utf8(0x4e2d) +
          encode_utf8(0x6587);
  text += std::string(64, 'z') + std::string(8, '"') + encode_utf8(0x1f600) + "\xe2\x80";
  return text;
}

/// Text with about one special byte in `rarity`, of every kind.
std::string random_text(Dice& dice, std::size_t length, std::size_t rarity) {
  std::string text;
  while (text.size() < length) {
    if (dice.below(rarity) != 0) {
      text.push_back(static_cast<char>('a' + dice.below(26)));
      continue;
    }
    switch (dice.below(6)) {
      case 0:
        text.push_back(dice.byte());
        break;
      case 1:
        text.push_back(static_cast<char>(dice.below(0x20)));
        break;
      case 2:
        text.push_back('\\');
        break;
      case 3:
        text += encode_utf8(static_cast<std::uint32_t>(0x2020 + dice.below(16)));
        break;
      case 4:
        text += encode_utf8(static_cast<std::uint32_t>(0x80 + dice.below(0xd000)));
        break;
      default:
        text.push_back('"');
    }
  }
  return text;
}

std::string decode(const std::string& escaped) {
  simdjson::dom::parser parser;
  std::string_view text;
  if (parser.parse("\"" + escaped + "\"").get(text)) return "<not a JSON string>";
  return std::string(text);
}

TEST(Escaper, WritesShortFormsWhereThereAreSuch) {
  EXPECT_EQ(escape_whole("\"\\\b\f\n\r\t/"), R"(\"\\\b\f\n\r\t/)");
  EXPECT_EQ(escape_whole(std::string_view("\0\x1f\x7f", 3)), "\\u0000\\u001f\x7f");
}

TEST(Escaper, WritesSeparatorsThatSplitLinesAsEscapes) {
  EXPECT_EQ(escape_whole(encode_utf8(0x2028) + encode_utf8(0x2029) + encode_utf8(0x85)),
            R"(\u2028\u2029\u0085)");
  for (const std::uint32_t other : {0x2027U, 0x202aU, 0x84U, 0x86U, 0x20a8U, 0x2068U}) {
    EXPECT_EQ(escape_whole(encode_utf8(other)), encode_utf8(other));
  }
}

TEST(Escaper, HasNothingToWriteForNothing) {
  EXPECT_EQ(escape_whole(""), "");
  EXPECT_EQ(escape({}, [] { return Escaper::kMinRoom; }), "");
}

TEST(Escaper, AgreesWithTheModelOnAllTextsOfTwoBytes) {
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

TEST(Escaper, GivesTheSameForEveryCut) {
  const std::string text = mixed_text();
  const std::string expected = escape_model(text);
  ASSERT_EQ(escape_whole(text), expected);
  const auto room = [] { return std::size_t{4096}; };
  for (std::size_t place = 0; place <= text.size(); ++place) {
    ASSERT_EQ(escape(cut(text, {place}), room), expected) << place;
  }
  for (std::size_t length = 1; length < 100; ++length) {
    ASSERT_EQ(escape(cut_every(text, length), room), expected) << length;
  }
}

TEST(Escaper, GivesTheSameForEveryTwoCutsAroundAChange) {
  const std::string text =
      "a\xe2\x80\xa8" + encode_utf8(0x1f600) + "\xf0\x9f\x98z\xe2\x80\"\xc2\x85\xc2";
  const std::string expected = escape_model(text);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      ASSERT_EQ(escape(cut(text, {first, second}), [] { return Escaper::kMinRoom; }), expected);
    }
  }
}

TEST(Escaper, GivesTheSameForEveryRoom) {
  const std::string text = mixed_text();
  const std::string expected = escape_model(text);
  for (std::size_t room = Escaper::kMinRoom; room <= Escaper::kMinRoom + 40; ++room) {
    ASSERT_EQ(escape({text}, [room] { return room; }), expected) << room;
  }
  for (std::size_t room = 350; room <= 470; ++room) {
    ASSERT_EQ(escape({text}, [room] { return room; }), expected) << room;
  }
}

TEST(Escaper, PutsEverySpecialByteRightAtEveryPlaceOfAStride) {
  for (const std::string special : {"\"", "\n", "\x02", "\xc3\xa9", "\xff", "\xe2\x80\xa8"}) {
    for (std::size_t place = 0; place < 200; ++place) {
      std::string text(300, 'p');
      text.replace(place, special.size(), special);
      ASSERT_EQ(escape_whole(text), escape_model(text)) << place;
    }
  }
}

TEST(Escaper, TakesALongRunOfWorstCases) {
  const std::string text(5000, '\x01');
  EXPECT_EQ(escape_whole(text), escape_model(text));
  EXPECT_EQ(escape({text}, [] { return std::size_t{500}; }), escape_model(text));
}

TEST(Escaper, AgreesWithTheModelOnRandomTextInRandomPieces) {
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

TEST(Escaper, IsReadBackBySimdjsonAsTheTextWithReplacements) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    std::string text = random_text(dice, 400, 1 + dice.below(8));
    if (seed % 3 == 0) {
      for (char& c : text) c = dice.byte();
    }
    ASSERT_EQ(decode(escape_whole(text)), replace_model(text)) << seed;
  }
}

TEST(Escaper, TakesNothingWhereThereIsTooLittleRoom) {
  Escaper escaper;
  GuardedRoom out(Escaper::kMinRoom - 1);
  const Escaper::Step step = escaper.step("text", {out.data(), out.size()});
  EXPECT_EQ(step.read, 0U);
  EXPECT_EQ(step.written, 0U);
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
