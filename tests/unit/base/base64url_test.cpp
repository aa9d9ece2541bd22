#include "base/base64url.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Base64Url, WritesTheVectorsOfRfc4648WithoutPadding) {
  EXPECT_EQ(base64url_encode(""), "");
  EXPECT_EQ(base64url_encode("f"), "Zg");
  EXPECT_EQ(base64url_encode("fo"), "Zm8");
  EXPECT_EQ(base64url_encode("foo"), "Zm9v");
  EXPECT_EQ(base64url_encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64url_encode("\xfb\xff\xfe"), "-__-");
}

TEST(Base64Url, ReadsBackEveryByteAtEveryLength) {
  std::string bytes;
  for (int i = 0; i < 520; ++i) {
    const auto decoded = base64url_decode(base64url_encode(bytes));
    ASSERT_TRUE(decoded) << i;
    ASSERT_EQ(*decoded, bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64Url, RefusesWhatItWouldNotWrite) {
  for (const char* text : {"Z", "Zg==", "Zg=", "Zm9v=", "Zm 9", "Zm9\n", "Zm+v", "Zm/v", "Zm9vY",
                           "Zh", "Zm9", "\xc3\xa4gg"})
    EXPECT_FALSE(base64url_decode(text)) << text;
}

TEST(Base64Url, HasOneTextForTheSameBytes) {
  // Every text of two and three characters that is taken is also what is written.
  constexpr std::string_view kAll =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::size_t taken = 0;
  for (const char a : kAll)
    for (const char b : kAll) {
      for (const std::string& text : {std::string{a, b}, std::string{'A', a, b}}) {
        const auto decoded = base64url_decode(text);
        if (!decoded) continue;
        ++taken;
        EXPECT_EQ(base64url_encode(*decoded), text);
      }
    }
  EXPECT_EQ(taken, 256U + 64U * 16U);
}

}  // namespace
}  // namespace sluice
