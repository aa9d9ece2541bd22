#include "config/load.hpp"
#include "config/yaml.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigSyntax, AMissingFileIsOneComplaint) {
  const auto loaded = load_file("/no/such/file.yaml");
  ASSERT_EQ(loaded.complaints.size(), 1u);
  EXPECT_EQ(loaded.complaints[0].str(),
            "/no/such/file.yaml: cannot read the configuration file: No such file or directory");
}

TEST(ConfigSyntax, ADirectoryIsNoFile) {
  const Folder folder;
  const auto loaded = load_file(folder.path());
  ASSERT_EQ(loaded.complaints.size(), 1u);
  EXPECT_NE(loaded.complaints[0].str().find("is a directory"), std::string::npos);
}

TEST(ConfigSyntax, ComplaintsNameFileLineAndColumn) {
  const Folder folder;
  const auto path = folder.put("a.yaml", "version: 1\nlimitz: {}\n");
  const auto loaded = load_file(path);
  ASSERT_EQ(loaded.complaints.size(), 1u);
  EXPECT_EQ(loaded.complaints[0].str(),
            path + ":2:1: unknown key \"limitz\" (did you mean \"limits\"?)");
}

TEST(ConfigSyntax, AnEmptyFileIsOneComplaint) {
  for (const auto* text : {"", "\n\n", "# nothing but this\n"})
    EXPECT_EQ(complaint(text), "1:1: the file is empty; expected at least \"version: 1\"") << text;
}

TEST(ConfigSyntax, WhatIsNoMappingIsRefused) {
  EXPECT_EQ(complaint("- a\n"),
            "1:1: expected a mapping that begins with \"version: 1\", found a list");
  EXPECT_EQ(complaint("hello\n"),
            "1:1: expected a mapping that begins with \"version: 1\", found \"hello\"");
}

TEST(ConfigSyntax, TheVersionIsRequired) {
  EXPECT_EQ(complaint("server: {}\n"), "1:1: \"version: 1\" is missing");
  EXPECT_NE(complaint("version: 2\n"), "");
  EXPECT_NE(complaint("version: \"1\"\n"), "");
  EXPECT_EQ(complaint("version: 1\n"), "");
}

TEST(ConfigSyntax, ARepeatedKeyIsRefusedWhereverItStands) {
  EXPECT_EQ(complaint("version: 1\nlog: {}\nlog: {}\n"),
            "3:1: the key \"log\" stands here again; first in line 2");
  EXPECT_EQ(complaint("version: 1\nlimits:\n  batch: 1\n  batch: 2\n"),
            "4:3: the key \"batch\" stands here again; first in line 3");
  EXPECT_EQ(complaint("version: 1\ntools:\n  a: {text: x, meta: {k: 1, k: 1}}\n"),
            "3:29: the key \"k\" stands here again; first in line 3");
}

TEST(ConfigSyntax, ASecondToolOfTheSameNameIsRefused) {
  EXPECT_EQ(complaint("version: 1\ntools:\n  a: {text: x}\n  b: {text: x}\n  a: {text: y}\n"),
            "5:3: the key \"a\" stands here again; first in line 3");
}

TEST(ConfigSyntax, TabsInTheIndentationAreRefusedByName) {
  const auto* const tab = "a tab in the indentation; YAML takes spaces only";
  EXPECT_EQ(complaint("version: 1\nlog:\n\tjson: true\n"), std::string("3:1: ") + tab);
  EXPECT_EQ(complaint("version: 1\nlog:\n  \tjson: true\n"), std::string("3:1: ") + tab);
  EXPECT_EQ(complaint("version: 1\nlog: {json: true,\n\tlevel: info}\n"),
            std::string("3:1: ") + tab);
}

TEST(ConfigSyntax, TabsElsewhereAreText) {
  const auto config = good("version: 1\t# so\ntools:\n  a:\n    text: |\n      \tx\n");
  EXPECT_EQ(std::get<InlineTool>(config.tools[0].source).blocks[0].text, "\tx\n");
}

TEST(ConfigSyntax, ColumnsCountCharacters) {
  EXPECT_EQ(complaint("version: 1\ntools:\n  größe: {text: äöü, txet: x}\n"),
            "3:22: unknown key \"txet\" in tools.größe (did you mean \"text\"?)");
}

TEST(ConfigSyntax, AByteOrderMarkAndWindowsLineEndsAreAccepted) {
  EXPECT_EQ(complaint("\xEF\xBB\xBFversion: 1\r\nlog:\r\n  json: true\r\n"), "");
  EXPECT_EQ(complaint("\xEF\xBB\xBFlogg: 1\r\nversion: 1\r\n"),
            "1:1: unknown key \"logg\" (did you mean \"log\"?)");
}

TEST(ConfigSyntax, WhatIsNoTextIsRefused) {
  EXPECT_EQ(complaint("version: 1\nlog: \xC3\x28\n"), "2:6: the file is not UTF-8 from here on");
  EXPECT_EQ(complaint(std::string("version: 1\nlog: \0\n", 18)),
            "2:6: a control character, which YAML does not allow");
  EXPECT_EQ(complaint("version: 1\n\x04log: {}\n"),
            "2:1: a control character, which YAML does not allow");
}

TEST(ConfigSyntax, AnchorsAndMergeKeysAreAccepted) {
  const auto config = good(R"(version: 1
tools:
  a: &base
    description: one
    timeout: 5s
    text: x
  b:
    <<: *base
    description: two
  c:
    <<: [{timeout: 7s}, *base]
)");
  ASSERT_EQ(config.tools.size(), 3u);
  EXPECT_EQ(config.tools[1].description, "two");
  EXPECT_EQ(config.tools[1].timeout, 5s);
  EXPECT_EQ(config.tools[2].timeout, 7s);
  EXPECT_EQ(config.tools[2].description, "one");
}

TEST(ConfigSyntax, AMergedFaultIsToldOnce) {
  EXPECT_EQ(
      complaint("version: 1\ntools:\n  a: &base\n    tmeout: 5s\n    text: x\n  b: {<<: *base}\n"
                "  c: *base\n"),
      "4:5: unknown key \"tmeout\" in tools.a (did you mean \"timeout\"?) | "
      "4:5: unknown key \"tmeout\" in tools.b (did you mean \"timeout\"?) | "
      "4:5: unknown key \"tmeout\" in tools.c (did you mean \"timeout\"?)");
}

TEST(ConfigSyntax, AnAliasInsideItsOwnValueIsRefused) {
  EXPECT_NE(complaint("version: 1\ntools: &t\n  a: *t\n").find("3:6: an alias inside"),
            std::string::npos);
}

TEST(ConfigSyntax, AliasesCannotBlowUpAStructure) {
  std::string text =
      "version: 1\ntools:\n  a:\n    text: x\n    meta:\n      l0: &l0 [xxxxxxxxxx, xxxxxxxxxx]\n";
  for (int i = 1; i < 40; ++i) {
    const auto below = "*l" + std::to_string(i - 1);
    text += "      l" + std::to_string(i) + ": &l" + std::to_string(i) + " [" + below + ", " +
            below + "]\n";
  }
  const auto found = complaints(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("the aliases up to here stand for more than 4 MiB"), std::string::npos);
}

TEST(ConfigSyntax, WhatYamlCannotReadIsOneComplaintWithItsPlace) {
  EXPECT_EQ(complaint("version: 1\nlog: a: b\n"), "2:7: YAML: illegal map value");
  EXPECT_EQ(complaint("version: 1\nlog: *gone\n"),
            "2:6: YAML: the referenced anchor is not defined");
  EXPECT_NE(complaint("version: 1\nlog: { level: ${LEVEL} }\n").find("must be quoted"),
            std::string::npos);
}

TEST(ConfigSyntax, AQuoteThatIsNeverClosedIsRefused) {
  EXPECT_NE(
      complaint("version: 1\nlog:\n  level: \"info\n").find("3:10: a quote that is never closed"),
      std::string::npos);
  EXPECT_NE(
      complaint("version: 1\nlog:\n  level: 'it''s\n").find("3:10: a quote that is never closed"),
      std::string::npos);
}

TEST(ConfigSyntax, OneDocumentOnly) {
  EXPECT_EQ(complaint("version: 1\n---\nversion: 1\n"),
            "2:1: a second YAML document; expected only one");
}

TEST(ConfigSyntax, TextAfterTheDocumentEndsTheReading) {
  EXPECT_NE(complaint(", version: 1\nlog: {}\n"), "");
  EXPECT_NE(complaint("version: 1\n...\n, a\n"), "");
}

TEST(ConfigSyntax, TagsThatMeanNothingAreRefused) {
  EXPECT_NE(complaint("version: 1\nserver: {name: !secret x}\n").find("2:16: the YAML tag"),
            std::string::npos);
  EXPECT_EQ(good("version: 1\nserver: {name: !!str 5}\n").server.name, "5");
}

TEST(ConfigSyntax, KeysAreText) {
  EXPECT_NE(complaint("version: 1\n? [a]\n: 1\n").find("a key must be text"), std::string::npos);
  EXPECT_NE(complaint("version: 1\n~: 1\n").find("a key must be text"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
