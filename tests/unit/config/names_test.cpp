#include "config/names.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(ConfigNames, AcceptToolNamesOfAnyLanguage) {
  for (const auto* name : {"a", "get_data", "get-data.v2/x", "größe", "株価", "A1"})
    EXPECT_EQ(wrong_name(name), "") << name;
  std::string longest;
  for (int i = 0; i < 128; ++i) longest += "ß";
  EXPECT_EQ(wrong_name(longest), "");
}

TEST(ConfigNames, RefuseToolNamesThatAreEmptyLongOrBlank) {
  for (const auto* name : {"", "a b", "a\tb", "a\n"}) EXPECT_NE(wrong_name(name), "") << name;
  EXPECT_NE(wrong_name(std::string(129, 'a')), "");
}

TEST(ConfigNames, MethodsAreTokensInCapitals) {
  for (const auto* method :
       {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "M-SEARCH"})
    EXPECT_EQ(wrong_method(method), "") << method;
  for (const auto* method : {"", "get", "Get", "G T", "CONNECT", "TRACE", "GET:"})
    EXPECT_NE(wrong_method(method), "") << method;
}

TEST(ConfigNames, BaseUrlsAreHttpWithoutUserAndQuery) {
  for (const auto* url :
       {"http://h", "https://h.example.com", "HTTPS://h", "http://h:1", "http://h:65535/p/q/",
        "http://[::1]:80/x", "http://127.0.0.1", "http://under_score"})
    EXPECT_EQ(wrong_base_url(url), "") << url;
  for (const auto* url :
       {"", "h", "ftp://h", "http:/h", "http://", "http:///x", "http://u:p@h", "http://u@h",
        "http://h?x=1", "http://h#x", "http://h:0", "http://h:65536", "http://h:", "http://h:1x",
        "http://a b", "http://[::1", "http://h\n", "http://[h]"})
    EXPECT_NE(wrong_base_url(url), "") << url;
}

TEST(ConfigNames, UrisHaveAScheme) {
  for (const auto* uri : {"https://a", "note:1", "file:///x", "urn:isbn:1"})
    EXPECT_EQ(wrong_uri(uri), "") << uri;
  for (const auto* uri : {"", "x", "/x", ":x", "1a:x", "https://a b"})
    EXPECT_NE(wrong_uri(uri), "") << uri;
}

TEST(ConfigNames, VariablesHaveNames) {
  EXPECT_EQ(wrong_variable_name("PATH"), "");
  for (const auto* name : {"", "A=B", "A B"}) EXPECT_NE(wrong_variable_name(name), "") << name;
}

}  // namespace
}  // namespace sluice::config
