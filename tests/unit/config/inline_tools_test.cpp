#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

InlineTool inline_tool(const Loaded& loaded) {
  EXPECT_EQ(complaints_of(loaded), Lines{});
  return std::get<InlineTool>(loaded.config.tools.at(0).source);
}
std::string fault(const std::string& block) {
  return complaint("version: 1\ntools: {a: {content: [" + block + "]}}\n");
}

TEST(ConfigInlineTools, TextIsTheShortForm) {
  const auto tool = inline_tool(
      load_text("version: 1\ntools: {a: {text: '{hi}', structured: {n: 1.10}}}\n", "c.yaml"));
  ASSERT_EQ(tool.blocks.size(), 1u);
  EXPECT_EQ(tool.blocks[0].text, "{hi}");
  EXPECT_EQ(tool.structured, R"({"n":1.10})");
}

TEST(ConfigInlineTools, ContentHasBlocksOfEveryType) {
  const Folder folder;
  folder.put("a.txt", "file text\n");
  folder.put("b.png", "\x89PNG");
  const auto tool = inline_tool(load_text(R"(version: 1
tools:
  a:
    content:
      - {type: text, file: a.txt, annotations: {audience: [user, assistant], priority: 0.5, last_modified: "2026-01-01T00:00:00Z"}}
      - {type: image, file: b.png}
      - type: audio
        data: |
          UklG
          Rg==
        mime_type: audio/wav
      - {type: resource_link, uri: "https://e/x", name: n, title: t, description: d, mime_type: a/b, size: 12}
      - {type: resource, uri: "x:1", file: b.png, mime_type: image/png}
      - {type: resource, uri: "x:2", file: a.txt}
)",
                                          folder.path("c.yaml")));
  ASSERT_EQ(tool.blocks.size(), 6u);
  EXPECT_EQ(tool.blocks[0].text, "file text\n");
  EXPECT_EQ(tool.blocks[0].file, folder.path("a.txt"));
  EXPECT_EQ(tool.blocks[0].annotations.audience, (Lines{"user", "assistant"}));
  EXPECT_EQ(tool.blocks[0].annotations.priority, 0.5);
  EXPECT_EQ(tool.blocks[0].annotations.last_modified, "2026-01-01T00:00:00Z");
  EXPECT_EQ(tool.blocks[1].data, "\x89PNG");
  EXPECT_EQ(tool.blocks[1].mime_type, "image/png");
  EXPECT_TRUE(tool.blocks[1].is_binary);
  EXPECT_EQ(tool.blocks[2].data, "RIFF");
  EXPECT_EQ(tool.blocks[3].size, 12u);
  EXPECT_TRUE(tool.blocks[4].is_binary);
  EXPECT_FALSE(tool.blocks[5].is_binary);
  EXPECT_EQ(tool.blocks[5].text, "file text\n");
}

TEST(ConfigInlineTools, RefuseWhatDoesNotGoTogether) {
  const std::pair<const char*, const char*> cases[] = {
      {"{text: x}", "type is missing"},
      {"{type: video}", "expected text, image, audio, resource_link or resource"},
      {"text", "expected a mapping with a type"},
      {"{type: text}", "expected exactly one of text, file"},
      {"{type: text, text: x, file: /dev/null}", "expected exactly one of text, file"},
      {"{type: text, text: x, size: 1}", "size does not go with type: text"},
      {"{type: image, data: AAAA}", "mime_type is missing"},
      {"{type: image, data: 'AAA', mime_type: image/png}", "expected base64"},
      {"{type: image, text: x, mime_type: image/png}", "text does not go with type: image"},
      {"{type: resource_link, name: n}", "uri is missing"},
      {"{type: resource_link, uri: 'a:b'}", "name is missing"},
      {"{type: resource, uri: nowhere, text: x}", "expected a URI"},
      {"{type: text, text: x, annotations: {audience: [model]}}", "expected user or assistant"},
      {"{type: text, text: x, annotations: {priority: 2}}", "expected a number from 0 to 1"},
      {"{type: text, file: gone.txt}", "cannot read \"gone.txt\": No such file or directory"},
  };
  for (const auto& [block, expected] : cases)
    EXPECT_NE(fault(block).find(expected), std::string::npos) << block << ": " << fault(block);
}

TEST(ConfigInlineTools, TextFilesAreUtf8) {
  const Folder folder;
  folder.put("a.txt", "\xFF");
  const auto loaded = load_text("version: 1\ntools: {a: {content: [{type: text, file: a.txt}]}}\n",
                                folder.path("c.yaml"));
  ASSERT_EQ(loaded.complaints.size(), 1u);
  EXPECT_NE(loaded.complaints[0].text.find("UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
