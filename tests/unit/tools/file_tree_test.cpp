#include "tools/file_tree.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "support/temp_folder.hpp"

namespace sluice::tools {
namespace {

namespace fs = std::filesystem;

struct Tree {
  explicit Tree(std::vector<std::string> include = {}, std::vector<std::string> exclude = {})
      : filter(std::move(include), std::move(exclude)) {}

  /// The paths of all pages of `count` files.
  std::vector<std::string> all(std::size_t count) {
    if (!is_open) {
      std::string problem;
      EXPECT_TRUE(root.open(folder.path().string(), problem)) << problem;
      is_open = true;
    }
    const FileTree tree(root, filter);
    std::vector<std::string> paths;
    std::string after;
    for (pages = 1;; ++pages) {
      const auto listing = tree.list(after, count);
      EXPECT_LE(listing.files.size(), count);
      for (const auto& file : listing.files) paths.push_back(file.path);
      if (!listing.next) return paths;
      EXPECT_GT(*listing.next, after);
      after = *listing.next;
    }
  }

  testing::TempFolder folder;
  RootedDirectory root;
  const PathFilter filter;
  bool is_open = false;
  std::size_t pages = 0;
};

TEST(FileTree, ListsFilesInTheOrderOfTheirPaths) {
  Tree tree;
  std::vector<std::string> wanted{"a/b/c", "a.txt", "a/z", "a-b", "b", "z/y/x/w"};
  for (const auto& name : wanted) tree.folder.write(name, "x");
  fs::create_directories(tree.folder.path() / "empty/within");
  std::ranges::sort(wanted);
  for (std::size_t count = 1; count < 8; ++count) EXPECT_EQ(tree.all(count), wanted) << count;
}

TEST(FileTree, HasNoFilesWhereThereAreNone) {
  Tree tree;
  EXPECT_TRUE(tree.all(10).empty());
  EXPECT_EQ(tree.pages, 1U);
}

TEST(FileTree, KnowsSizesAndTimes) {
  Tree tree;
  tree.folder.write("a", "12345");
  EXPECT_EQ(tree.all(1).size(), 1U);
  const auto listing = FileTree(tree.root, tree.filter).list("", 1);
  EXPECT_EQ(listing.files.at(0).size, 5U);
  EXPECT_GT(listing.files.at(0).modified, 1'700'000'000);
}

TEST(FileTree, LeavesOutWhatIsNoFileOfTheTree) {
  testing::TempFolder outside;
  outside.write("secret", "x");
  Tree tree;
  tree.folder.write("in/file", "x");
  tree.folder.write(".hidden/file", "x");
  tree.folder.write(".env", "x");
  fs::create_symlink("file", tree.folder.path() / "in/near");
  fs::create_symlink(outside.path() / "secret", tree.folder.path() / "in/out");
  fs::create_symlink(outside.path(), tree.folder.path() / "folder");
  fs::create_symlink("..", tree.folder.path() / "in/up");
  fs::create_symlink("nothing", tree.folder.path() / "in/dangling");
  ::mkfifo((tree.folder.path() / "in/fifo").c_str(), 0600);
  EXPECT_EQ(tree.all(10), (std::vector<std::string>{"in/file", "in/near"}));
}

TEST(FileTree, AsksTheFilter) {
  Tree tree({"**/*.md", ".keep/*"}, {"drafts"});
  for (const auto* name : {"a.md", "b.txt", "drafts/c.md", "d/drafts/e.md", ".keep/f", "g/h.md"})
    tree.folder.write(name, "x");
  EXPECT_EQ(tree.all(2), (std::vector<std::string>{".keep/f", "a.md", "g/h.md"}));
}

TEST(FileTree, SeesADirectoryOfAnySizeInOrder) {
  Tree tree;
  fs::create_directories(tree.folder.path() / "deep/er");
  constexpr std::size_t kFiles = FileTree::kMaxHeld + 1000;
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < kFiles; ++i) {
    wanted.push_back("deep/er/" + std::to_string((i * 7919) % kFiles));
    const auto file = (tree.folder.path() / wanted.back()).string();
    ASSERT_EQ(::mknod(file.c_str(), S_IFREG | 0600, 0), 0);
  }
  std::ranges::sort(wanted);
  EXPECT_EQ(tree.all(9000), wanted);
}

TEST(FileTree, StopsLookingAfterAWhileAndGoesOn) {
  Tree tree({"last"});
  constexpr std::size_t kFiles = FileTree::kMaxLooks + 10;
  for (std::size_t i = 0; i < kFiles; ++i) {
    const auto file = (tree.folder.path() / std::to_string(i)).string();
    ASSERT_EQ(::mknod(file.c_str(), S_IFREG | 0600, 0), 0);
  }
  tree.folder.write("last", "x");
  EXPECT_EQ(tree.all(10), (std::vector<std::string>{"last"}));
  EXPECT_EQ(tree.pages, 2U);
}

}  // namespace
}  // namespace sluice::tools
