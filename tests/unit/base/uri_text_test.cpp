#include "base/uri_text.hpp"

#include <gtest/gtest.h>

namespace sluice::uri {
namespace {

TEST(UriText, IsEncodedByteByByte) {
  std::string out;
  append_encoded(out, "a-._~/ é%41\"");
  EXPECT_EQ(out, "a-._~%2F%20%C3%A9%2541%22");
  out.clear();
  append_encoded(out, "a/b?c=d %41 %4 100%", Keep::reserved);
  EXPECT_EQ(out, "a/b?c=d%20%41%20%254%20100%25");
}

TEST(UriText, IsDecodedWhereATripletIsWhole) {
  EXPECT_EQ(decode("a%2Fb%2fc%C3%A9"), "a/b/cé");
  EXPECT_EQ(decode("100%"), "100%");
  EXPECT_EQ(decode("%4"), "%4");
  EXPECT_EQ(decode("%zz%2541"), "%zz%41");
  EXPECT_EQ(decode("%00").size(), 1U);
}

TEST(UriText, HasASchemeInFrontOfAColon) {
  EXPECT_EQ(scheme_of("file:///x"), "file");
  EXPECT_EQ(scheme_of("git+ssh.2:x"), "git+ssh.2");
  EXPECT_EQ(scheme_of("no-scheme/x:y"), "");
  EXPECT_EQ(scheme_of("9p://x"), "");
  EXPECT_EQ(scheme_of(":x"), "");
  EXPECT_EQ(scheme_of("file"), "");
  EXPECT_EQ(scheme_of(""), "");
}

TEST(UriText, IsTheSameForEquivalentUris) {
  EXPECT_EQ(normalize("FILE:///a%7eb%2fc"), "file:///a~b%2Fc");
  EXPECT_EQ(normalize("note://My-Note/Ünï"), "note://My-Note/%C3%9Cn%C3%AF");
  EXPECT_EQ(normalize("HTTPS://Example.COM/Path"), "https://example.com/Path");
  EXPECT_EQ(normalize("http://Example.com"), "http://example.com");
  EXPECT_EQ(normalize("test://a b/\"c\"/100%"), "test://a%20b/%22c%22/100%25");
  EXPECT_EQ(normalize("test://a/../b"), "test://a/../b");
}

TEST(UriText, IsNormalOnceAndForAll) {
  for (const std::string_view text :
       {"FILE:///a%7eb", "test://é%zz", "http://H%41/x?y#z", "x:", "", "%41"}) {
    const std::string once = normalize(text);
    EXPECT_EQ(normalize(once), once) << text;
  }
}

TEST(UriText, FromTheMiddleHasNoScheme) { EXPECT_EQ(normalize_part("ABC:d%7e"), "ABC:d~"); }

}  // namespace
}  // namespace sluice::uri
