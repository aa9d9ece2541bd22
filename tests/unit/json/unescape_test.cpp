#include "json/unescape.hpp"

#include <gtest/gtest.h>

#include <string>

#include "json/document.hpp"
#include "support.hpp"

namespace sluice::json::test {
namespace {

std::string unescaped(std::string_view raw) {
  std::string out(raw.size(), ' ');
  out.resize(static_cast<std::size_t>(unescape(raw, out.data()) - out.data()));
  return out;
}

TEST(Unescape, KnowsAllEscapes) {
  EXPECT_EQ(unescaped(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(unescaped(R"(a\u0041\u00e9\u20AC\uD83D\uDE00z)"),
            "aA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
  EXPECT_EQ(unescaped("plain"), "plain");
  EXPECT_EQ(unescaped(""), "");
}

TEST(Unescape, PutsAReplacementForHalfASurrogate) {
  EXPECT_EQ(unescaped(R"(\ud83d)"), "\xef\xbf\xbd");
  EXPECT_EQ(unescaped(R"(\ude00x)"), "\xef\xbf\xbdx");
  EXPECT_EQ(unescaped(R"(\ud83d\ud83d\ude00)"), "\xef\xbf\xbd\xf0\x9f\x98\x80");
  EXPECT_EQ(unescaped(R"(\ud83d\n)"), "\xef\xbf\xbd\n");
}

TEST(Unescape, LeavesWhatIsNoEscape) {
  EXPECT_EQ(unescaped(R"(\x)"), R"(\x)");
  EXPECT_EQ(unescaped(R"(\u12g4)"), R"(\u12g4)");
  EXPECT_EQ(unescaped("\\"), "\\");
  EXPECT_EQ(unescaped("\\u12"), "\\u12");
}

TEST(Unescape, WorksInPlace) {
  std::string text = R"(a\n\u00e9\ud83d\ude00b)";
  text.resize(static_cast<std::size_t>(unescape(text, text.data()) - text.data()));
  EXPECT_EQ(text,
            "a\n\xc3\xa9\xf0\x9f\x98\x80"
            "b");
}

TEST(Unescape, AgreesWithTheDocument) {
  constexpr const char* kParts[] = {"a", "\\n",     "\\\\",    "\\\"",           "\\u0041",
                                    "é", "\\u00e9", "\\u4e2d", "\\ud83d\\ude00", " and more text "};
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    Dice dice(seed);
    std::string raw;
    for (std::size_t left = dice.below(20); left > 0; --left)
      raw += kParts[dice.below(std::size(kParts))];
    Document document;
    const auto value = document.parse_copy('"' + raw + '"');
    ASSERT_TRUE(value.has_value());
    ASSERT_EQ(unescaped(raw), *value->as_string()) << raw;
  }
}

}  // namespace
}  // namespace sluice::json::test
