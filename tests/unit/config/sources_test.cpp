#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

std::string with(const std::string& keys) {
  return "version: 1\nsources: {s: {type: http, base_url: 'http://h'" + keys + "}}\n";
}

TEST(ConfigSources, ReadEveryKey) {
  const Folder folder;
  for (const auto* name : {"ca.pem", "cert.pem", "key.pem"}) folder.put(name, "");
  const auto loaded = load_text(with(", headers: {A: b, C: 1.10}, timeout: 1s, connect_timeout: "
                                     "2s, idle_timeout: 0, connections: 3, "
                                     "redirects: 0, error_body: 0, tls: {verify: no, ca_file: "
                                     "ca.pem, cert_file: cert.pem, key_file: key.pem}"),
                                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& source = loaded.config.http_sources.at(0);
  EXPECT_EQ(source.name, "s");
  EXPECT_EQ(source.base_url, "http://h");
  EXPECT_EQ(source.headers,
            (std::vector<std::pair<std::string, std::string>>{{"A", "b"}, {"C", "1.10"}}));
  EXPECT_EQ(source.timeout, 1s);
  EXPECT_EQ(source.connect_timeout, 2s);
  EXPECT_EQ(source.idle_timeout, 0s);
  EXPECT_EQ(source.connections, 3u);
  EXPECT_EQ(source.redirects, 0u);
  EXPECT_EQ(source.error_body, 0u);
  EXPECT_EQ(source.tls,
            (Tls{false, folder.path("ca.pem"), folder.path("cert.pem"), folder.path("key.pem")}));
}

TEST(ConfigSources, NeedATypeAndAnAddress) {
  EXPECT_EQ(complaint("version: 1\nsources: {s: {}}\n"),
            "2:14: sources.s: \"type: http\" is missing | 2:14: sources.s: base_url is missing");
  EXPECT_EQ(complaint("version: 1\nsources: {s: {type: ftp, base_url: 'http://h'}}\n"),
            "2:21: sources.s.type: expected http, found \"ftp\"");
}

TEST(ConfigSources, RefuseHeadersThatAreOurs) {
  for (const auto* name :
       {"Host", "content-length", "Transfer-Encoding", "CONNECTION", "a b", "ä", "\"\""})
    EXPECT_NE(complaint(with(std::string(", headers: {") + name + ": x}")), "") << name;
  EXPECT_NE(complaint(with(", headers: {A: \"x\\r\\nB: y\"}")).find("cannot hold line breaks"),
            std::string::npos);
}

TEST(ConfigSources, TakeSecretsFromFiles) {
  const Folder folder;
  folder.put("one", "Bearer x\n");
  folder.put("two", "a\n\n");
  folder.put("three", "b");
  folder.put("four", "c\r\n");
  const auto loaded =
      load_text(with(", headers: {A: {file: one}, C: {file: three}, D: {file: four}}"),
                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  EXPECT_EQ(loaded.config.http_sources[0].headers,
            (std::vector<std::pair<std::string, std::string>>{
                {"A", "Bearer x"}, {"C", "b"}, {"D", "c"}}));
  // Only one line break is dropped.
  EXPECT_NE(complaints_of(load_text(with(", headers: {A: {file: two}}"), folder.path("c.yaml"))),
            Lines{});
  EXPECT_EQ(
      complaints_of(
          load_text(with(", headers: {A: {file: gone}, B: {}, C: [x]}"), folder.path("c.yaml"))),
      (Lines{"2:69: sources.s.headers.A.file: cannot read \"gone\": No such file or directory",
             "2:79: sources.s.headers.B: expected text or { file: path }, found a mapping",
             "2:86: sources.s.headers.C: expected text or { file: path }, found a list"}));
}

TEST(ConfigSources, ACertificateGoesWithItsKey) {
  EXPECT_NE(complaint(with(", tls: {cert_file: /dev/null}")).find("go together"),
            std::string::npos);
  EXPECT_NE(complaint(with(", tls: {ca_file: /no/such.pem}")).find("No such file"),
            std::string::npos);
}

}  // namespace
}  // namespace sluice::config
