#include "base/ascii.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Ascii, IsComparedWithoutRegardToAsciiCaseOnly) {
  EXPECT_TRUE(ascii::iequals("aBc-1", "AbC-1"));
  EXPECT_FALSE(ascii::iequals("a", "ab"));
  EXPECT_FALSE(ascii::iequals("[", "{"));
  EXPECT_FALSE(ascii::iequals("\xc3\xa9", "\xc3\x89"));
  EXPECT_EQ(ascii::trim(" \t a b\t "), "a b");
  EXPECT_EQ(ascii::trim("\t "), "");
}

TEST(Ascii, KnowsTheCharactersOfAToken) {
  for (const char c : std::string_view("azAZ09!#$%&'*+-.^_`|~"))
    EXPECT_TRUE(ascii::is_token(c)) << c;
  for (const char c : std::string_view(" \t\"(),/:;<=>?@[\\]{}\x7f\x80\xff"))
    EXPECT_FALSE(ascii::is_token(c)) << c;
  EXPECT_EQ(ascii::lower("X-\xC3\x84Z"), "x-\xC3\x84z");
}

}  // namespace
}  // namespace sluice
