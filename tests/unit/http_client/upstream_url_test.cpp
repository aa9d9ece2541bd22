#include "http/upstream_url.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

UpstreamUrl url(std::string_view text) {
  std::string problem;
  auto parsed = UpstreamUrl::parse(text, problem);
  EXPECT_TRUE(parsed) << text << ": " << problem;
  return parsed.value_or(UpstreamUrl{});
}

TEST(UpstreamUrl, IsTakenApart) {
  const UpstreamUrl plain = url("http://Data.Example.com");
  EXPECT_FALSE(plain.tls);
  EXPECT_EQ(plain.host, "data.example.com");
  EXPECT_EQ(plain.port, 80);
  EXPECT_EQ(plain.prefix, "");
  EXPECT_EQ(plain.host_field, "data.example.com");
  const UpstreamUrl tls = url("HTTPS://example.com:8443/api/v2/");
  EXPECT_TRUE(tls.tls);
  EXPECT_EQ(tls.port, 8443);
  EXPECT_EQ(tls.prefix, "/api/v2");
  EXPECT_EQ(tls.host_field, "example.com:8443");
}

TEST(UpstreamUrl, NamesThePortInHostOnlyWhereItIsNotTheSchemes) {
  EXPECT_EQ(url("http://a:80").host_field, "a");
  EXPECT_EQ(url("https://a:443").host_field, "a");
  EXPECT_EQ(url("http://a:443").host_field, "a:443");
  EXPECT_EQ(url("https://a:80").host_field, "a:80");
}

TEST(UpstreamUrl, KeepsBracketsOfAnAddressInHostOnly) {
  const UpstreamUrl v6 = url("http://[::1]:8080/x");
  EXPECT_EQ(v6.host, "::1");
  EXPECT_EQ(v6.host_field, "[::1]:8080");
}

TEST(UpstreamUrl, RefusesWhatIsNoBaseUrl) {
  for (const char* text : {"", "example.com", "/x", "ftp://a/", "http://", "http://user:pw@a/",
                           "http://a/?q=1", "http://a/#f", "http://a:99999/", "http://a:65536/",
                           "http://a:0/", "http://a b/", "http://a%20b/"}) {
    std::string problem;
    EXPECT_FALSE(UpstreamUrl::parse(text, problem)) << text;
    EXPECT_EQ(problem.find("pw"), std::string::npos);
    EXPECT_NE(problem, "") << text;
  }
}

using Kind = RedirectTarget::Kind;

RedirectTarget from(std::string_view location) {
  return resolve_redirect(url("http://a.example/api"), "/api/v1/items?q=1", location);
}

TEST(Redirect, IsResolvedAgainstWhatWasAskedFor) {
  const std::pair<const char*, const char*> cases[] = {
      {"http://a.example/x", "/x"},
      {"http://A.EXAMPLE:80/x?y=%20", "/x?y=%20"},
      {"//a.example/z", "/z"},
      {"/abs", "/abs"},
      {"rel", "/api/v1/rel"},
      {"../up", "/api/up"},
      {"../../../../up", "/up"},
      {"/../x/./y/../z/..", "/x/"},
      {"..", "/api/"},
      {"//a.example/../..", "/"},
      {"?r=2", "/api/v1/items?r=2"},
      {"/x#frag", "/x"},
      {"http://a.example", "/"},
      {"/with space/\xC3\xA9", "/with%20space/%C3%A9"},
  };
  for (const auto& [location, target] : cases) {
    const RedirectTarget to = from(location);
    EXPECT_EQ(to.kind, Kind::same_origin) << location;
    EXPECT_EQ(to.target, target) << location;
  }
}

TEST(Redirect, SeesAnotherOrigin) {
  for (const char* location :
       {"http://b.example/", "https://a.example/", "http://a.example:8080/", "//b.example/x",
        "http://169.254.169.254/latest/meta-data/", "http://a.example@b.example/",
        "http://a.example.b.example/", "http://[::1]/"}) {
    EXPECT_EQ(from(location).kind, Kind::other_origin) << location;
  }
}

TEST(Redirect, SeesAnotherScheme) {
  for (const char* location :
       {"file:///etc/passwd", "ftp://a.example/", "data:text/plain,x", "javascript:1"}) {
    EXPECT_EQ(from(location).kind, Kind::other_scheme) << location;
  }
}

TEST(Redirect, ShowsNoCredentialsAndNoQuery) {
  const RedirectTarget to = from("http://user:secret@b.example:81/path?token=secret#secret");
  EXPECT_EQ(to.kind, Kind::other_origin);
  EXPECT_EQ(to.shown, "http://b.example:81/path");
}

TEST(Redirect, NeverPutsALineBreakIntoTheTarget) {
  for (const char* location : {"/x\r\nX-Evil: 1", "/x\nfoo", "/\t"}) {
    const RedirectTarget to = from(location);
    EXPECT_EQ(to.target.find_first_of("\r\n\t "), std::string::npos) << location;
  }
}

}  // namespace
}  // namespace sluice::http
