#include <gtest/gtest.h>

#include <filesystem>

#include "mcp/resource_tree.hpp"
#include "support/temp_folder.hpp"
#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

namespace fs = std::filesystem;

class TreeResourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("share/a b.txt", "blank");
    folder_.write("share/sub/é.md", "accent");
    folder_.write("share/sub/x.bin", std::string("\0\xff", 2));
    folder_.write("share/.env", "hidden");
    folder_.write("outside/x", "SECRET");
    resource_.name = "files";
    auto& source = resource_.source.emplace<config::FileTree>();
    source.root = (folder_.path() / "share").string();
    source.uri = "Docs://Home/%7euser/";
  }
  const mcp::ResourceTree& tree() {
    std::string problem;
    handler_ =
        make_tree(subject_of(resource_), std::get<config::FileTree>(resource_.source), problem);
    EXPECT_TRUE(handler_) << problem;
    return dynamic_cast<const mcp::ResourceTree&>(*handler_);
  }
  /// What reading gives; "failed: " and the text where it fails.
  std::string read(const std::string& uri) {
    static_cast<void>(tree());
    Bench bench;
    bench.call.asked_uri = uri;
    bench.run(*handler_);
    EXPECT_TRUE(bench.is_done && bench.result.has_value());
    last_ = bench.out.blocks;
    if (bench.out.is_error)
      return (bench.out.is_missing ? "not found: " : "failed: ") + bench.out.failure();
    return last_.at(0).bytes;
  }

  testing::TempFolder folder_;
  config::Resource resource_;
  std::unique_ptr<ToolHandler> handler_;
  std::vector<testing::FakeWriter::Kept> last_;
};

TEST_F(TreeResourceTest, ListsItsFilesWithTheirUris) {
  const auto page = tree().list("", 10);
  ASSERT_EQ(page.items.size(), 3U);
  EXPECT_FALSE(page.next);
  EXPECT_EQ(page.items[0].uri, "Docs://Home/%7euser/a%20b.txt");
  EXPECT_EQ(page.items[0].name, "a b.txt");
  EXPECT_EQ(page.items[0].mime_type, "text/plain");
  EXPECT_EQ(page.items[0].size, 5U);
  EXPECT_EQ(page.items[0].last_modified.size(), 20U);
  EXPECT_EQ(page.items[1].uri, "Docs://Home/%7euser/sub/x.bin");
  EXPECT_EQ(page.items[2].uri, "Docs://Home/%7euser/sub/%C3%A9.md");
  EXPECT_EQ(tree().prefix(), "docs://Home/~user/");
}

TEST_F(TreeResourceTest, GivesWhatItLists) {
  EXPECT_EQ(read("Docs://Home/%7euser/a%20b.txt"), "blank");
  EXPECT_EQ(last_.at(0).kind, BlockKind::text);
  EXPECT_EQ(last_.at(0).mime_type, "text/plain");
  EXPECT_EQ(read("docs://Home/~user/sub/é.md"), "accent");
  EXPECT_EQ(read("docs://Home/~user/a b.txt"), "blank");
  EXPECT_EQ(read("docs://Home/~user/sub/x.bin"), std::string("\0\xff", 2));
  EXPECT_EQ(last_.at(0).kind, BlockKind::resource_blob);
  EXPECT_EQ(last_.at(0).uri, "docs://Home/~user/sub/x.bin");
}

TEST_F(TreeResourceTest, GivesNothingElse) {
  fs::create_symlink(folder_.path() / "outside", folder_.path() / "share/link");
  fs::create_symlink(folder_.path() / "outside/x", folder_.path() / "share/direct");
  for (const std::string rest : {"",
                                 ".",
                                 "..",
                                 "../outside/x",
                                 "sub/../../outside/x",
                                 "%2e%2e/outside/x",
                                 "sub%2F%C3%A9.md",
                                 "/etc/passwd",
                                 "sub//%C3%A9.md",
                                 "sub/./%C3%A9.md",
                                 "sub/../a%20b.txt",
                                 "link/x",
                                 "direct",
                                 "sub",
                                 "sub/",
                                 "none",
                                 ".env",
                                 "%2Eenv",
                                 "a%20b.txt?x",
                                 "a%20b.txt#x",
                                 "a%20b.txt%00",
                                 "a%20b.txt/",
                                 "..%2foutside%2fx"}) {
    const std::string got = read("docs://Home/~user/" + rest);
    EXPECT_TRUE(got.starts_with("not found: ")) << rest << ": " << got;
  }
}

TEST_F(TreeResourceTest, IsOfTheTypeThatIsDeclared) {
  resource_.mime_type = "application/octet-stream";
  EXPECT_EQ(read("docs://Home/~user/a%20b.txt"), "blank");
  EXPECT_EQ(last_.at(0).kind, BlockKind::resource_blob);
  resource_.mime_type = "text/x-odd";
  EXPECT_EQ(read("docs://Home/~user/sub/x.bin"), std::string("\0\xff", 2));
  EXPECT_EQ(last_.at(0).kind, BlockKind::text);
}

TEST_F(TreeResourceTest, HasAFilter) {
  auto& source = std::get<config::FileTree>(resource_.source);
  source.include = {"*.md", ".env"};
  source.exclude = {"*.bin"};
  EXPECT_EQ(tree().list("", 10).items.size(), 2U);
  EXPECT_EQ(read("docs://Home/~user/.env"), "hidden");
  EXPECT_TRUE(read("docs://Home/~user/a%20b.txt").starts_with("not found"));
}

TEST_F(TreeResourceTest, NeedsADirectory) {
  std::get<config::FileTree>(resource_.source).root = "/no/such/directory";
  std::string problem;
  EXPECT_FALSE(
      make_tree(subject_of(resource_), std::get<config::FileTree>(resource_.source), problem));
  EXPECT_NE(problem.find("cannot open the directory"), std::string::npos);
}

}  // namespace
}  // namespace sluice::tools
