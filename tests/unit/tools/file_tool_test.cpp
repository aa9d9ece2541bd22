#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "json/document.hpp"
#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

namespace fs = std::filesystem;

/// A directory "share" that is served, and a sibling "share-secret" that is not.
class FileToolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "file-tool-XXXXXX";
    ASSERT_TRUE(::mkdtemp(name.data()));
    base_ = name;
    root_ = base_ / "share";
    fs::create_directories(root_ / "sub");
    fs::create_directories(base_ / "share-secret");
    write("share/ok.txt", "content");
    write("share/sub/inner.txt", "inner");
    write("share-secret/x", "secret");
    config::FileTool file;
    file.root = root_.string();
    file.path = text_template("{path}");
    tool_.name = "read";
    tool_.source = file;
  }
  void TearDown() override { fs::remove_all(base_); }

  void write(const fs::path& name, std::string_view bytes) {
    std::ofstream(base_ / name, std::ios::binary) << bytes;
  }
  config::FileTool& file() { return std::get<config::FileTool>(tool_.source); }

  static std::string arguments(std::string_view path) {
    std::string text = R"({"path":)";
    json::append_string(text, path);
    return text + "}";
  }
  void run(Bench& bench) {
    std::string problem;
    const auto handler = make_file_tool(tool_, problem);
    ASSERT_TRUE(handler) << problem;
    bench.run(*handler);
    ASSERT_TRUE(bench.is_done && !bench.was_cancelled);
    EXPECT_EQ(bench.call.frames().in_use(), 0u);
  }
  /// The text of the refusal.
  std::string refusal(std::string_view path) {
    Bench bench(arguments(path));
    run(bench);
    EXPECT_TRUE(bench.result.has_value());
    EXPECT_TRUE(bench.out.is_error) << path;
    EXPECT_EQ(bench.out.all(), "") << path;
    EXPECT_EQ(bench.out.failure().find(base_.string()), std::string::npos) << path;
    return bench.out.failure();
  }
  std::string content(std::string_view path) {
    Bench bench(arguments(path));
    run(bench);
    EXPECT_FALSE(bench.out.is_error) << bench.out.failure();
    return bench.out.all();
  }

  fs::path base_;
  fs::path root_;
  config::Tool tool_;
};

TEST_F(FileToolTest, GivesFilesBelowItsRoot) {
  EXPECT_EQ(content("ok.txt"), "content");
  EXPECT_EQ(content("sub/inner.txt"), "inner");
  EXPECT_EQ(content("sub/../ok.txt"), "content");
}

TEST_F(FileToolTest, FollowsLinksThatStayInside) {
  fs::create_symlink("sub/inner.txt", root_ / "near.txt");
  fs::create_symlink("../ok.txt", root_ / "sub/up.txt");
  EXPECT_EQ(content("near.txt"), "inner");
  EXPECT_EQ(content("sub/up.txt"), "content");
}

TEST_F(FileToolTest, RefusesWhatLeadsOut) {
  fs::create_symlink("/etc/passwd", root_ / "link");
  fs::create_symlink(base_ / "share-secret", root_ / "dirlink");
  fs::create_symlink("../share-secret/x", root_ / "relative");
  fs::create_symlink("loop", root_ / "loop");
  const std::string out = "The path leads out of the directory that this tool serves.";
  EXPECT_EQ(refusal("link"), out);
  EXPECT_EQ(refusal("dirlink/x"), out);
  EXPECT_EQ(refusal("relative"), out);
  EXPECT_EQ(refusal("../share-secret/x"), out);
  EXPECT_EQ(refusal("sub/../../share-secret/x"), out);
  EXPECT_EQ(refusal(".."), out);
  EXPECT_EQ(refusal("loop"), out);
  EXPECT_EQ(refusal((base_ / "share-secret/x").string()), "The path must not be absolute.");
  EXPECT_EQ(refusal((root_ / "ok.txt").string()), "The path must not be absolute.");
}

TEST_F(FileToolTest, DoesNotFollowMagicLinks) {
  file().root = "/proc/self";
  EXPECT_NE(refusal("root/etc/passwd"), "");
  EXPECT_NE(refusal("exe"), "");
}

TEST_F(FileToolTest, TakesPercentSignsAsTheyAre) {
  EXPECT_EQ(refusal("%2e%2e/x"), "There is no such file.");
}

TEST_F(FileToolTest, RefusesNamesThatNoFileHas) {
  EXPECT_NE(refusal(std::string_view("ok.txt\0.png", 11)).find("NUL"), std::string::npos);
  EXPECT_EQ(refusal(""), "The path is empty.");
  EXPECT_EQ(refusal("missing.txt"), "There is no such file.");
  EXPECT_EQ(refusal("ok.txt/x"), "There is no such file.");
  EXPECT_EQ(refusal(std::string(300, 'n')), "The path is too long.");
  Bench bench;
  run(bench);
  EXPECT_EQ(bench.out.failure(), "A parameter of the path has no value.");
}

TEST_F(FileToolTest, RefusesWhatIsNoRegularFile) {
  ASSERT_EQ(::mkfifo((root_ / "fifo").c_str(), 0600), 0);
  const std::string refused = "This is not a regular file.";
  EXPECT_EQ(refusal("fifo"), refused);  // and does not hang
  EXPECT_EQ(refusal("sub"), refused);
  EXPECT_EQ(refusal("."), refused);
  file().root = "/dev";
  EXPECT_EQ(refusal("zero"), refused);
}

TEST_F(FileToolTest, SaysWhenAFileMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "Root may read every file.";
  ASSERT_EQ(::chmod((root_ / "ok.txt").c_str(), 0), 0);
  EXPECT_EQ(refusal("ok.txt"), "The file may not be read.");
}

TEST_F(FileToolTest, GivesLargeFilesInFrames) {
  std::string bytes;
  for (int i = 0; bytes.size() < 1'000'000; ++i) bytes += std::to_string(i) + "\n";
  write("share/large.txt", bytes);
  Bench bench(arguments("large.txt"));
  run(bench);
  EXPECT_TRUE(bench.out.all() == bytes);
  EXPECT_EQ(bench.out.largest_write, kFrameBytes);
}

TEST_F(FileToolTest, ReadsFilesWithoutASizeToTheirEnd) {
  file().root = "/proc";
  file().result = config::ResultKind::text;
  EXPECT_NE(content("version").find("Linux"), std::string::npos);
}

TEST_F(FileToolTest, GivesAnEmptyFileAsNothing) {
  write("share/empty.txt", "");
  EXPECT_EQ(content("empty.txt"), "");
}

TEST_F(FileToolTest, TakesTheMediaTypeFromTheNameOrTheConfiguration) {
  const std::string bytes("\x89PNG\0\xFF", 6);
  write("share/a b.png", bytes);
  {
    Bench bench(arguments("a b.png"));
    file().result = config::ResultKind::automatic;
    run(bench);
    EXPECT_EQ(bench.out.blocks.at(0).mime_type, "image/png");
    EXPECT_EQ(bench.out.all(BlockKind::image), bytes);
  }
  {
    Bench bench(arguments("a b.png"));
    file().result = config::ResultKind::blob;
    file().mime_type = "application/x-thing";
    run(bench);
    EXPECT_EQ(bench.out.blocks.at(0).mime_type, "application/x-thing");
    EXPECT_EQ(bench.out.blocks.at(0).uri, "sluice://read/a%20b.png");
    EXPECT_EQ(bench.out.all(BlockKind::resource_blob), bytes);
  }
}

TEST_F(FileToolTest, HandsBytesThatAreNoUtf8ToTheWriterAsTheyAre) {
  const std::string korean = "\xC7\xD1\xB1\xDB \xB0\xA1";  // CP949
  write("share/cp949.txt", korean);
  EXPECT_EQ(content("cp949.txt"), korean);
}

TEST_F(FileToolTest, StopsAtTheLimit) {
  write("share/large.txt", std::string(500'000, 'x'));
  Bench bench(arguments("large.txt"));
  bench.out.limit = 100'000;
  run(bench);
  EXPECT_EQ(bench.result.error(), Errc::result_too_large);
  EXPECT_EQ(bench.out.writes, 2u);
}

TEST_F(FileToolTest, ReportsThatNoFrameIsLeft) {
  Bench bench(arguments("ok.txt"));
  std::vector<Frame> all;
  while (Frame frame = bench.call.frames().take()) all.push_back(std::move(frame));
  std::string problem;
  const auto handler = make_file_tool(tool_, problem);
  bench.run(*handler);
  EXPECT_EQ(bench.result.error(), Errc::frames_exhausted);
}

TEST_F(FileToolTest, ComplainsAtTheStartAboutItsRoot) {
  std::string problem;
  file().root = (base_ / "nothing").string();
  EXPECT_FALSE(make_file_tool(tool_, problem));
  EXPECT_NE(problem.find("nothing"), std::string::npos);
  file().root = (root_ / "ok.txt").string();
  problem.clear();
  EXPECT_FALSE(make_file_tool(tool_, problem));
  EXPECT_NE(problem.find("Not a directory"), std::string::npos);
}

TEST_F(FileToolTest, KeepsServingTheDirectoryThatItOpened) {
  std::string problem;
  const auto handler = make_file_tool(tool_, problem);
  fs::rename(root_, base_ / "moved");
  Bench bench(arguments("ok.txt"));
  bench.run(*handler);
  EXPECT_EQ(bench.out.all(), "content");
}

}  // namespace
}  // namespace sluice::tools
