#include "schema/uri.hpp"

#include <gtest/gtest.h>

namespace sluice::schema {
namespace {

// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
TEST(ResolveUri, GivesWhatTheRfcGives) {
  constexpr std::string_view kBase = "http://a/b/c/d;p?q";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"g;x=1/../y", "http://a/b/c/y"},
  };
  for (const auto& [reference, expected] : cases)
    EXPECT_EQ(resolve_uri(kBase, reference), expected) << reference;
}

TEST(ResolveUri, WorksWithoutABase) {
  EXPECT_EQ(resolve_uri("", "item.json"), "item.json");
  EXPECT_EQ(resolve_uri("", ""), "");
  EXPECT_EQ(resolve_uri("/a/b.json", "c.json"), "/a/c.json");
  EXPECT_EQ(resolve_uri("urn:uuid:1", ""), "urn:uuid:1");
}

TEST(PercentDecode, LeavesWhatIsNoTriple) { EXPECT_EQ(percent_decode("a%25b%zz%4"), "a%b%zz%4"); }

}  // namespace
}  // namespace sluice::schema
