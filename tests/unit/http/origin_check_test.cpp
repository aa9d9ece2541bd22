#include "http/origin_check.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(OriginCheck, ServesLoopbackNamesInEverySpelling) {
  const OriginCheck check({}, {});
  for (const std::string_view host :
       {"127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:8080", "LOCALHOST:8080", "[::1]",
        "[::1]:8080", "127.1.2.3", "[0:0:0:0:0:0:0:1]"})
    EXPECT_TRUE(check.is_host_allowed(host)) << host;
}

TEST(OriginCheck, ServesAddressesSinceNobodysDnsMakesThem) {
  const OriginCheck check({}, {});
  for (const std::string_view host : {"10.0.0.7:8808", "192.168.1.1", "[2001:db8::1]:80"})
    EXPECT_TRUE(check.is_host_allowed(host)) << host;
}

TEST(OriginCheck, RefusesNamesThatAreNotAllowed) {
  const OriginCheck check({"mcp.example.com"}, {});
  for (const std::string_view host : {"evil.example:8080",
                                      "127.0.0.1.evil.example",
                                      "localhost.evil.example",
                                      "xlocalhost",
                                      "evil@localhost",
                                      "localhost@evil",
                                      "localhost:8080:9",
                                      "localhost:x",
                                      "localhost:123456",
                                      "",
                                      ":80",
                                      "[::1",
                                      "[::1]x",
                                      "[localhost]",
                                      "127.1",
                                      "0x7f.0.0.1",
                                      "2130706433",
                                      "localhost/",
                                      "localhost evil",
                                      "mcp.example.com.evil.example",
                                      "xmcp.example.com"})
    EXPECT_FALSE(check.is_host_allowed(host)) << host;
}

TEST(OriginCheck, ServesTheNamesOfTheConfiguration) {
  const OriginCheck check({"mcp.example.com", "ported.example:8443"}, {});
  EXPECT_TRUE(check.is_host_allowed("mcp.example.com"));
  EXPECT_TRUE(check.is_host_allowed("MCP.example.COM:1234"));
  EXPECT_TRUE(check.is_host_allowed("ported.example:8443"));
  EXPECT_FALSE(check.is_host_allowed("ported.example"));
  EXPECT_FALSE(check.is_host_allowed("ported.example:8444"));
  EXPECT_TRUE(OriginCheck({"*"}, {}).is_host_allowed("anything.example"));
}

TEST(OriginCheck, ServesPagesOfLoopbackOrigins) {
  const OriginCheck check({}, {});
  for (const std::string_view origin :
       {"http://127.0.0.1:8080", "http://localhost", "https://LOCALHOST:3000", "http://[::1]:1"})
    EXPECT_TRUE(check.is_origin_allowed(origin)) << origin;
}

TEST(OriginCheck, RefusesOriginsThatOnlyLookRight) {
  const OriginCheck check({"mcp.example.com"}, {"https://app.example.com"});
  for (const std::string_view origin :
       {"null", "", "http://", "http://localhost.evil.example", "http://127.0.0.1.evil.example",
        "http://evil.example", "http://mcp.example.com", "https://app.example.com.evil.example",
        "https://app.example.com:444", "http://app.example.com", "https://app.example.com/",
        "localhost", "ftp://localhost", "http://localhost/x", "http://evil@localhost",
        "http://localhost@evil.example", "http://10.0.0.7", "file://",
        "http://localhost http://evil.example"})
    EXPECT_FALSE(check.is_origin_allowed(origin)) << origin;
  EXPECT_TRUE(check.is_origin_allowed("https://app.example.com"));
  EXPECT_TRUE(OriginCheck({}, {"*"}).is_origin_allowed("null"));
}

}  // namespace
}  // namespace sluice::http
