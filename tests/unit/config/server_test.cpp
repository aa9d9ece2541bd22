#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigServer, ListensOnOneAddressOrMany) {
  EXPECT_EQ(good("version: 1\nserver: {listen: 0.0.0.0:80}\n").server.listen,
            (std::vector<Endpoint>{{"0.0.0.0", 80}}));
  EXPECT_EQ(good("version: 1\nserver: {listen: ['[::1]:0', localhost:65535]}\n").server.listen,
            (std::vector<Endpoint>{{"::1", 0}, {"localhost", 65535}}));
}

TEST(ConfigServer, RefusesWhatIsNoAddress) {
  for (const auto* listen :
       {"8808", ":8808", "host", "host:", "host:65536", "host:0o17", "host:017", "::1:80",
        "'[::1]'", "'[::1:80'", "'[host]:80'", "a b:80", "[]", "~", "{}", "host:-1"})
    EXPECT_NE(complaint(std::string("version: 1\nserver: {listen: ") + listen + "}\n"), "")
        << listen;
}

TEST(ConfigServer, ReadsEveryKey) {
  const Folder folder;
  const auto server =
      good(
          "version: 1\nserver: {name: a, title: b, version: '2', instructions: c, "
          "path: /x, allowed_hosts: [h, '*'],"
          " allowed_origins: ['https://o'], loops: 2, workers: 8, framing: sse, compression: auto, "
          "compression_min: 2KiB, "
          "list_ttl: 1s, list_page: 7,"
          " progress_interval: 0, spool: " +
          folder.path() + "}\n")
          .server;
  EXPECT_EQ(server.name, "a");
  EXPECT_EQ(server.title, "b");
  EXPECT_EQ(server.version, "2");
  EXPECT_EQ(server.instructions, "c");
  EXPECT_EQ(server.path, "/x");
  EXPECT_EQ(server.allowed_hosts, (Lines{"h", "*"}));
  EXPECT_EQ(server.allowed_origins, Lines{"https://o"});
  EXPECT_EQ(server.loops, 2u);
  EXPECT_EQ(server.workers, 8u);
  EXPECT_EQ(server.framing, Tool::Framing::sse);
  EXPECT_EQ(server.compression, Tool::Compression::automatic);
  EXPECT_EQ(server.compression_min, 2_KiB);
  EXPECT_EQ(server.list_ttl, 1s);
  EXPECT_EQ(server.list_page, 7u);
  EXPECT_EQ(server.progress_interval, 0ms);
  EXPECT_EQ(server.spool, folder.path());
}

TEST(ConfigServer, KeysAreThirtyTwoBytesInEitherForm) {
  const Folder folder;
  const std::string hex(64, '1');
  const std::string base64 = "IiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI=";
  folder.put("old", std::string(64, '3') + "\n");
  const auto loaded =
      load_text("version: 1\nserver: {keys: [" + hex + ", " + base64 + ", {file: old}]}\n",
                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& keys = loaded.config.server.keys;
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_TRUE(keys[0] == *SealingKey::parse(hex));
  EXPECT_TRUE(keys[1] == *SealingKey::parse(std::string(64, '2')));
  EXPECT_TRUE(keys[2] == *SealingKey::parse(std::string(64, '3')));
  EXPECT_EQ(good("version: 1\nserver: {keys: " + hex + "}\n").server.keys.size(), 1u);
  EXPECT_EQ(good("version: 1\nserver: {keys: []}\n").server.keys.size(), 0u);
}

TEST(ConfigServer, WhatIsWrongWithAKeyIsToldWithoutItsText) {
  const std::string key(64, '1');
  EXPECT_EQ(complaint("version: 1\nserver: {keys: [secret]}\n"),
            "2:17: server.keys[0]: expected 32 bytes in base64 or hexadecimal");
  EXPECT_EQ(complaint("version: 1\nserver: {keys: [" + key + ", " + key + "]}\n"),
            "2:83: server.keys[1]: this key is there already");
}

TEST(ConfigServer, ThePathBeginsWithASlash) {
  for (const auto* path : {"mcp", "\"\"", "'/a?b'", "'/a b'"})
    EXPECT_NE(complaint(std::string("version: 1\nserver: {path: ") + path + "}\n")
                  .find("server.path: expected a path"),
              std::string::npos)
        << path;
}

TEST(ConfigServer, AnEmptySectionIsAllDefaults) {
  const auto config = good(
      "version: 1\nserver:\nlimits:\ntimeouts:\nlog:\nsources:\ntools:\nplugins:\ndefaults:\n");
  EXPECT_EQ(config.server, Server{});
  EXPECT_EQ(config.limits, Limits{});
}

TEST(ConfigServer, LogLevelsAreFromAList) {
  EXPECT_EQ(good("version: 1\nlog: {level: warn}\n").log.level, "warn");
  EXPECT_EQ(good("version: 1\nlog: {level: off}\n").log.level, "off");
  EXPECT_EQ(complaint("version: 1\nlog: {level: warning}\n"),
            "2:14: log.level: expected trace, debug, info, warn, error or off, found \"warning\"");
}

TEST(ConfigServer, CompressionIsOffUnlessItIsAskedFor) {
  EXPECT_EQ(good("version: 1\n").server.compression, Tool::Compression::off);
  EXPECT_EQ(good("version: 1\nserver: {compression: off}\n").server.compression,
            Tool::Compression::off);
  EXPECT_EQ(good("version: 1\nserver: {compression_min: 0}\n").server.compression_min, 0u);
  EXPECT_EQ(complaint("version: 1\nserver: {compression: gzip}\n"),
            "2:23: server.compression: expected off or auto, found \"gzip\"");
}

TEST(ConfigServer, PluginsArePathsWithSettings) {
  const Folder folder;
  folder.put("lib/a.so", "");
  const auto loaded =
      load_text("version: 1\nplugins: [lib/a.so, {path: lib/a.so, settings: {n: 1.10}}]\n",
                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  ASSERT_EQ(loaded.config.plugins.size(), 2u);
  EXPECT_EQ(loaded.config.plugins[0].path, folder.path("lib/a.so"));
  EXPECT_EQ(loaded.config.plugins[0].settings, "{}");
  EXPECT_EQ(loaded.config.plugins[1].settings, R"({"n":1.10})");
  EXPECT_EQ(complaint("version: 1\nplugins: [no/such.so, {}, {path: /}]\n"),
            "2:11: plugins[0]: cannot read \"no/such.so\": No such file or directory | 2:23: "
            "plugins[1]: path is missing | "
            "2:34: plugins[2].path: cannot read \"/\": is a directory");
}

}  // namespace
}  // namespace sluice::config
