#include <gtest/gtest.h>

#include "escape_model.hpp"
#include "escape_sets.hpp"
#include "json/utf8.hpp"

namespace sluice::json::test {
namespace {

class EachEscaperOfUtf8 : public EachEscaper {};

/// One byte from each side of each border that the UTF-8 table has.
constexpr unsigned char kBorders[] = {0x00, 0x22, 0x41, 0x7f, 0x80, 0x84, 0x85, 0x8f, 0x90, 0x9f,
                                      0xa0, 0xa8, 0xa9, 0xaa, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
                                      0xe2, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};

/// For the third and the fourth byte, where only continuation or not matters.
constexpr unsigned char kTails[] = {0x22, 0x41, 0x7f, 0x80, 0xa8, 0xa9, 0xbf, 0xc2, 0xe2, 0xff};

TEST(Utf8, AgreesWithTheModelOnAllTextsOfThreeBytesThatStartHigh) {
  const AllOfUnicode& unicode = AllOfUnicode::get();
  for (unsigned first = 0xbf; first < 256; ++first) {  // What is below 0xc0 starts nothing.
    for (unsigned second = 0; second < 256; ++second) {
      for (unsigned third = 0; third < 256; ++third) {
        const unsigned char bytes[] = {static_cast<unsigned char>(first),
                                       static_cast<unsigned char>(second),
                                       static_cast<unsigned char>(third)};
        const std::string_view text(reinterpret_cast<const char*>(bytes), 3);
        std::uint8_t start = 1;
        std::uint8_t whole = 0;
        for (std::uint8_t n = 1; n <= 3; ++n) {
          if (whole == 0 && unicode.is_start(text.substr(0, n))) start = n;
          if (whole == 0 && unicode.is_character(text.substr(0, n))) whole = n;
        }
        const Utf8 found = utf8_at(bytes, 3);
        const bool cut = whole == 0 && start == 3;
        const Utf8::Is is = whole > 0 ? Utf8::Is::whole : cut ? Utf8::Is::cut : Utf8::Is::wrong;
        if (found.is != is || found.length != (whole > 0 ? whole : start)) {
          FAIL() << std::hex << first << ' ' << second << ' ' << third;
        }
      }
    }
  }
}

TEST_P(EachEscaperOfUtf8, AgreesWithTheModelOnAllTextsOfFourBytesFromTheBordersOfUtf8) {
  std::string text(4, ' ');
  for (const unsigned char a : kBorders) {
    if (a < 0x80) continue;
    for (const unsigned char b : kBorders) {
      for (const unsigned char c : kTails) {
        for (const unsigned char d : kTails) {
          text[0] = static_cast<char>(a);
          text[1] = static_cast<char>(b);
          text[2] = static_cast<char>(c);
          text[3] = static_cast<char>(d);
          if (escape_quickly(text) != escape_model(text)) {
            FAIL() << std::hex << +a << ' ' << +b << ' ' << +c << ' ' << +d;
          }
        }
      }
    }
  }
}

TEST_P(EachEscaperOfUtf8, LeavesEveryCharacterOfUnicodeButThreeAsItIs) {
  for (std::uint32_t point = 0x80; point <= 0x10ffff; ++point) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    if (point == 0x85 || point == 0x2028 || point == 0x2029) continue;
    const std::string text = encode_utf8(point);
    if (escape_quickly(text) != text) FAIL() << std::hex << point;
  }
}

TEST_P(EachEscaperOfUtf8, ReplacesEachMaximalSubpartOnce) {
  const std::string r = "\xef\xbf\xbd";
  // The examples of Unicode 15, section 3.9, tables 3-8 to 3-11.
  EXPECT_EQ(escape_whole("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(escape_whole("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(escape_whole("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"),
            r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(escape_whole("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), r + r + r + r + "A");
}

TEST_P(EachEscaperOfUtf8, CarriesACharacterOverManyPieces) {
  Escaper escaper(GetParam());
  char out[64];
  const std::string character = encode_utf8(0x1f600);
  for (std::size_t i = 0; i < 3; ++i) {
    const Escaper::Step step = escaper.step(std::string_view(character).substr(i, 1), out);
    EXPECT_EQ(step.read, 1U);
    EXPECT_EQ(step.written, 0U);
    EXPECT_EQ(escaper.carried(), i + 1);
    EXPECT_EQ(escaper.step("", out).written, 0U);
  }
  const Escaper::Step step = escaper.step(std::string_view(character).substr(3), out);
  EXPECT_EQ(std::string_view(out, step.written), character);
  EXPECT_EQ(escaper.carried(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Simd, EachEscaperOfUtf8, testing::ValuesIn(supported_simd()), name_of_set);

}  // namespace
}  // namespace sluice::json::test
