#include "tools/file_watcher.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include "support/deadline.hpp"
#include "support/temp_folder.hpp"

namespace sluice::tools {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// What a watcher has told, in one.
class Told {
 public:
  struct State {
    std::set<std::string> files;
    std::set<std::string> directories;
    bool list = false;
    bool all = false;
    std::size_t times = 0;
  };

  void add(const FileChanges& changes) {
    const std::lock_guard lock(mutex_);
    state_.files.insert(changes.files.begin(), changes.files.end());
    state_.directories.insert(changes.directories.begin(), changes.directories.end());
    state_.list |= changes.list;
    state_.all |= changes.all;
    state_.times += 1;
    changed_.notify_all();
  }
  /// Until that is so; false after long enough.
  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return condition(state_); });
  }
  bool wait_file(const std::string& path) {
    return wait([&](const State& state) { return state.files.contains(path); });
  }
  bool wait_all() {
    return wait([](const State& state) { return state.all; });
  }
  State now() {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    state_ = {};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_;
};

class Target final : public FileWatcher::Target {
 public:
  Target(std::string root, Told& told) : root_(std::move(root)), told_(told) {}
  const std::string& root() const noexcept override { return root_; }
  bool takes(std::string_view path) const override { return path.ends_with(".md"); }
  bool enters(std::string_view directory) const override {
    return directory.find("closed") == std::string_view::npos;
  }
  void changed(const FileChanges& changes) override { told_.add(changes); }

 private:
  std::string root_;
  Told& told_;
};

class FileWatcherTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("a.md", "1");
    folder_.write("sub/deep/b.md", "1");
    folder_.write("closed/c.md", "1");
  }
  void watch(FileWatcher::Options options = {.interval = 10ms}) {
    std::vector<std::unique_ptr<FileWatcher::Target>> targets;
    targets.push_back(std::make_unique<Target>(folder_.path().string(), told_));
    watcher_ = std::make_unique<FileWatcher>(std::move(targets), options);
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  testing::TempFolder folder_;
  Told told_;
  std::unique_ptr<FileWatcher> watcher_;
};

TEST_F(FileWatcherTest, TellsOfFilesThatAreWritten) {
  watch();
  EXPECT_EQ(watcher_->directories(), 3U);
  folder_.write("a.md", "2");
  EXPECT_TRUE(told_.wait_file("a.md"));
  EXPECT_FALSE(told_.now().list);
  folder_.write("sub/deep/b.md", "2");
  EXPECT_TRUE(told_.wait_file("sub/deep/b.md"));
  EXPECT_FALSE(told_.now().all);
}

TEST_F(FileWatcherTest, TellsOfFilesThatComeAndGo) {
  watch();
  folder_.write("sub/new.md", "1");
  const auto is_told = [](const Told::State& told) {
    return told.list && told.files.contains("sub/new.md");
  };
  EXPECT_TRUE(told_.wait(is_told));
  told_.clear();
  fs::remove(path("sub/new.md"));
  EXPECT_TRUE(told_.wait(is_told));
}

TEST_F(FileWatcherTest, SeesAFileThatIsReplacedOverAndOver) {
  watch();
  for (int i = 0; i < 5; ++i) {
    // As editors save: a file beside it takes its place.
    folder_.write(".a.md.swp", std::to_string(i));
    folder_.write("a.tmp", std::to_string(i));
    fs::rename(path("a.tmp"), path("a.md"));
    EXPECT_TRUE(told_.wait_file("a.md")) << i;
    told_.clear();
    fs::remove(path("a.md"));
    EXPECT_TRUE(told_.wait_file("a.md")) << i;
    told_.clear();
  }
}

TEST_F(FileWatcherTest, SeesFilesInDirectoriesThatComeLater) {
  watch();
  fs::create_directories(path("x/y/z"));
  folder_.write("x/y/z/n.md", "1");
  EXPECT_TRUE(told_.wait_file("x/y/z/n.md"));
  told_.clear();
  folder_.write("x/y/z/n.md", "2");
  EXPECT_TRUE(told_.wait_file("x/y/z/n.md"));
}

TEST_F(FileWatcherTest, FollowsADirectoryThatIsMoved) {
  watch();
  fs::rename(path("sub"), path("moved"));
  EXPECT_TRUE(told_.wait([](const Told::State& told) {
    return told.directories.contains("sub/") && told.directories.contains("moved/");
  }));
  told_.clear();
  folder_.write("moved/deep/b.md", "2");
  EXPECT_TRUE(told_.wait_file("moved/deep/b.md"));
  EXPECT_FALSE(told_.now().files.contains("sub/deep/b.md"));
  EXPECT_EQ(watcher_->directories(), 3U);
}

TEST_F(FileWatcherTest, ForgetsADirectoryThatIsMovedOut) {
  const testing::TempFolder outside;
  watch();
  fs::rename(path("sub"), outside.path() / "sub");
  EXPECT_TRUE(
      told_.wait([](const Told::State& told) { return told.directories.contains("sub/"); }));
  EXPECT_TRUE(testing::eventually([&] { return watcher_->directories() == 1U; }));
}

TEST_F(FileWatcherTest, LooksNowhereElse) {
  watch();
  folder_.write("closed/c.md", "2");
  folder_.write("a.txt", "1");
  folder_.write("a.md", "2");
  EXPECT_TRUE(told_.wait_file("a.md"));
  EXPECT_EQ(told_.now().files, std::set<std::string>{"a.md"});
}

TEST_F(FileWatcherTest, TakesALinkThatIsPutAnewForAChangeOfEverything) {
  folder_.write("..one/c.md", "1");
  folder_.write("..two/c.md", "2");
  fs::create_directory_symlink("..one", path("..data"));
  fs::create_symlink("..data/c.md", path("c.md"));
  watch();
  fs::create_directory_symlink("..two", path("..data_tmp"));
  fs::rename(path("..data_tmp"), path("..data"));
  EXPECT_TRUE(told_.wait_all());
}

TEST_F(FileWatcherTest, TellsOfABurstOnce) {
  watch({.interval = 500ms});
  std::ofstream out(path("a.md"));
  for (int i = 0; i < 1000; ++i) out << i << std::endl;
  out.close();
  EXPECT_TRUE(told_.wait_file("a.md"));
  EXPECT_LE(told_.now().times, 2U);
}

TEST_F(FileWatcherTest, SurvivesAnOverflowOfTheQueue) {
  std::ifstream setting("/proc/sys/fs/inotify/max_queued_events");
  std::size_t queued = 0;
  ASSERT_TRUE(setting >> queued);
  if (queued > 200'000) GTEST_SKIP() << "The queue of this system is too long to fill.";
  // A target that takes its time lets the queue fill up.
  class Slow final : public FileWatcher::Target {
   public:
    Slow(std::string root, Told& told, std::mutex& gate)
        : root_(std::move(root)), told_(told), gate_(gate) {}
    const std::string& root() const noexcept override { return root_; }
    bool takes(std::string_view) const override { return true; }
    bool enters(std::string_view) const override { return true; }
    void changed(const FileChanges& changes) override {
      told_.add(changes);
      const std::lock_guard lock(gate_);
    }

   private:
    std::string root_;
    Told& told_;
    std::mutex& gate_;
  };
  std::mutex gate;
  std::vector<std::unique_ptr<FileWatcher::Target>> targets;
  targets.push_back(std::make_unique<Slow>(folder_.path().string(), told_, gate));
  watcher_ =
      std::make_unique<FileWatcher>(std::move(targets), FileWatcher::Options{.interval = 1ms});
  {
    const std::lock_guard lock(gate);
    folder_.write("a.md", "2");
    ASSERT_TRUE(told_.wait_file("a.md"));
    // Two names in turn, since the kernel merges equal events that follow each other.
    for (std::size_t i = 0; i <= queued; ++i) {
      const auto name = path(i % 2 == 0 ? "even" : "odd");
      const int fd = ::open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
      ASSERT_GE(fd, 0);
      ::close(fd);
    }
  }
  EXPECT_TRUE(told_.wait_all());
  told_.clear();
  folder_.write("sub/deep/b.md", "3");
  EXPECT_TRUE(told_.wait(
      [](const Told::State& told) { return told.all || told.files.contains("sub/deep/b.md"); }));
  watcher_.reset();  // its thread uses the gate
}

TEST_F(FileWatcherTest, WatchesNoMoreThanIsAllowed) {
  watch({.interval = 10ms, .max_directories = 1});
  EXPECT_EQ(watcher_->directories(), 1U);
  folder_.write("a.md", "2");
  EXPECT_TRUE(told_.wait_file("a.md"));
}

TEST_F(FileWatcherTest, SharesADirectoryAmongTargets) {
  Told other;
  std::vector<std::unique_ptr<FileWatcher::Target>> targets;
  targets.push_back(std::make_unique<Target>(folder_.path().string(), told_));
  targets.push_back(std::make_unique<Target>(path("sub").string(), other));
  watcher_ =
      std::make_unique<FileWatcher>(std::move(targets), FileWatcher::Options{.interval = 10ms});
  EXPECT_EQ(watcher_->directories(), 3U);
  folder_.write("sub/deep/b.md", "2");
  EXPECT_TRUE(told_.wait_file("sub/deep/b.md"));
  EXPECT_TRUE(other.wait_file("deep/b.md"));
  watcher_.reset();  // its thread uses the other
}

TEST_F(FileWatcherTest, LeavesOutWhatIsNotThere) {
  std::vector<std::unique_ptr<FileWatcher::Target>> targets;
  targets.push_back(std::make_unique<Target>("/no/such/directory", told_));
  watcher_ = std::make_unique<FileWatcher>(std::move(targets), FileWatcher::Options{});
  EXPECT_EQ(watcher_->directories(), 0U);
}

}  // namespace
}  // namespace sluice::tools
