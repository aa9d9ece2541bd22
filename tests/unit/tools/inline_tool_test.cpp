#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

using Kind = config::InlineBlock::Kind;

/// Keeps links and the annotations of each block, which the usual fake does not.
class AnnotationWriter final : public ResultWriter {
 public:
  std::vector<Annotations> seen;
  std::vector<ResourceLink> links;
  Awaitable<Result<>> begin(Block block) override {
    seen.push_back(block.annotations ? *block.annotations : Annotations{});
    co_return Result<>();
  }
  Awaitable<Result<>> write(std::string_view) override { co_return Result<>(); }
  Awaitable<Result<>> end() override { co_return Result<>(); }
  Awaitable<Result<>> link(ResourceLink link) override {
    links.push_back(link);
    seen.push_back(link.annotations ? *link.annotations : Annotations{});
    co_return Result<>();
  }
  Awaitable<Result<>> raw_block(std::string_view) override { co_return Result<>(); }
  Awaitable<Result<>> fail(std::string_view) override { co_return Result<>(); }
  bool takes_structured(char) const noexcept override { return true; }
  std::uint64_t bytes() const noexcept override { return 0; }
};

config::Tool inline_tool(std::vector<config::InlineBlock> blocks, std::string structured = {}) {
  config::Tool tool;
  tool.name = "t";
  tool.source = config::InlineTool{std::move(blocks), std::move(structured)};
  return tool;
}

TEST(InlineTool, SendsBlocksOfEveryKindInOrder) {
  config::InlineBlock text;
  text.text = "hello";
  config::InlineBlock image;
  image.kind = Kind::image;
  image.data = std::string("\x89PNG\0", 5);
  image.is_binary = true;
  image.mime_type = "image/png";
  config::InlineBlock audio = image;
  audio.kind = Kind::audio;
  audio.mime_type = "audio/wav";
  config::InlineBlock document;
  document.kind = Kind::resource;
  document.text = "inside";
  document.uri = "doc://1";
  document.mime_type = "text/plain";
  config::InlineBlock blob = document;
  blob.is_binary = true;
  blob.data = "bytes";
  const config::Tool tool = inline_tool({text, image, audio, document, blob});
  std::string problem;
  const auto handler = make_inline_tool(tool, problem);
  ASSERT_TRUE(handler) << problem;

  Bench bench;
  bench.run(*handler);
  ASSERT_TRUE(bench.is_done && bench.result.has_value());
  const auto& blocks = bench.out.blocks;
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks[0].kind, BlockKind::text);
  EXPECT_EQ(blocks[0].bytes, "hello");
  EXPECT_EQ(blocks[1].kind, BlockKind::image);
  EXPECT_EQ(blocks[1].bytes, image.data);
  EXPECT_EQ(blocks[1].mime_type, "image/png");
  EXPECT_EQ(blocks[2].kind, BlockKind::audio);
  EXPECT_EQ(blocks[3].kind, BlockKind::resource_text);
  EXPECT_EQ(blocks[3].uri, "doc://1");
  EXPECT_EQ(blocks[3].bytes, "inside");
  EXPECT_EQ(blocks[4].kind, BlockKind::resource_blob);
  EXPECT_EQ(blocks[4].bytes, "bytes");
}

TEST(InlineTool, SendsLinksWithAllTheyHave) {
  config::InlineBlock link;
  link.kind = Kind::resource_link;
  link.uri = "https://example.com/a?b=\"c\"";
  link.name = "a";
  link.title = "T";
  link.description = "D\n";
  link.mime_type = "text/html";
  link.size = 18446744073709551615ull;
  link.annotations.audience = {"assistant", "user"};
  const config::Tool tool = inline_tool({link});
  std::string problem;
  const auto handler = make_inline_tool(tool, problem);
  Bench bench;
  AnnotationWriter out;
  bench.run(handler->run(bench.call, out));
  ASSERT_EQ(out.links.size(), 1u);
  const ResourceLink& sent = out.links[0];
  EXPECT_EQ(sent.uri, link.uri);
  EXPECT_EQ(sent.name, "a");
  EXPECT_EQ(sent.title, "T");
  EXPECT_EQ(sent.description, "D\n");
  EXPECT_EQ(sent.mime_type, "text/html");
  EXPECT_EQ(sent.size, link.size);
  ASSERT_EQ(out.seen.size(), 1u);
  EXPECT_TRUE(out.seen[0].for_user && out.seen[0].for_assistant);
}

TEST(InlineTool, PassesAnnotationsOn) {
  config::InlineBlock text;
  text.annotations.audience = {"user"};
  text.annotations.priority = 0;
  const config::Tool tool = inline_tool({text, config::InlineBlock{}});
  std::string problem;
  const auto handler = make_inline_tool(tool, problem);
  Bench bench;
  AnnotationWriter out;
  bench.run(handler->run(bench.call, out));
  ASSERT_EQ(out.seen.size(), 2u);
  EXPECT_TRUE(out.seen[0].for_user);
  EXPECT_FALSE(out.seen[0].for_assistant);
  EXPECT_EQ(out.seen[0].priority, 0.0);
  EXPECT_TRUE(out.seen[1].empty());
}

TEST(InlineTool, TakesTheMediaTypeFromTheNameOfAFile) {
  config::InlineBlock image;
  image.kind = Kind::image;
  image.file = "pictures/a.png";
  image.data = std::string("a\0b", 3);
  image.is_binary = true;
  const config::Tool tool = inline_tool({image});
  std::string problem;
  const auto handler = make_inline_tool(tool, problem);
  ASSERT_TRUE(handler) << problem;
  Bench bench;
  bench.run(*handler);
  EXPECT_EQ(bench.out.blocks.at(0).bytes, image.data);
  EXPECT_EQ(bench.out.blocks.at(0).mime_type, "image/png");
}

TEST(InlineTool, SendsItsStructureToThoseWhoTakeIt) {
  config::InlineBlock text;
  text.text = "t";
  const config::Tool tool = inline_tool({text}, " [1.10]");
  std::string problem;
  const auto handler = make_inline_tool(tool, problem);
  Bench takes;
  takes.run(*handler);
  EXPECT_EQ(takes.out.all(BlockKind::structured), "[1.10]");
  Bench objects_only;
  objects_only.out.structured_others = false;
  objects_only.run(*handler);
  EXPECT_EQ(objects_only.out.blocks.size(), 1u);
  Bench limited;
  limited.call.result_limit = 6;
  limited.run(*handler);
  EXPECT_EQ(limited.out.all(BlockKind::structured), "");
  EXPECT_TRUE(limited.out.is_error);
}

TEST(InlineTool, ReturnsTheErrorOfTheWriter) {
  config::InlineBlock text;
  text.text = "t";
  const config::Tool tool = inline_tool({text, text});
  std::string problem;
  const auto handler = make_inline_tool(tool, problem);
  Bench bench;
  bench.out.fail_with = Errc::peer_gone;
  bench.run(*handler);
  EXPECT_EQ(bench.result.error(), Errc::peer_gone);
  EXPECT_EQ(bench.out.writes, 1u);
}

}  // namespace
}  // namespace sluice::tools
