#include "mcp/task_folder.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include "base/file_io.hpp"
#include "base/random_id.hpp"
#include "support/temp_folder.hpp"

namespace sluice::mcp {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

TaskRecord new_record() {
  TaskRecord record;
  record.id = random_id();
  record.tool = "tool";
  record.owner = "me";
  record.created = now_in_ms();
  record.updated = record.created;
  record.ttl = 1h;
  return record;
}

class TaskFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string problem;
    ASSERT_TRUE(folder.open(path().string(), problem)) << problem;
  }
  [[nodiscard]] fs::path path() const { return temp.path() / "spool"; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path()), fs::directory_iterator()));
  }
  /// A task that is over, with that result.
  TaskRecord finished(std::string_view result, TaskRecord record = new_record()) const {
    auto made = folder.create(record);
    EXPECT_EQ(made.error, 0);
    EXPECT_EQ(made.file->write(result, 0), 0);
    record.status = TaskStatus::completed;
    record.result_bytes = result.size();
    EXPECT_EQ(made.file->finish(record), 0);
    return record;
  }
  [[nodiscard]] std::string result_of(const TaskRecord& record) const {
    const Descriptor file = folder.open_result(record);
    if (!file) return "(none)";
    std::string text(static_cast<std::size_t>(record.result_bytes), '\0');
    EXPECT_EQ(read_all(file.get(), text, TaskFile::kHeaderBytes), 0);
    return text;
  }

  testing::TempFolder temp;
  TaskFolder folder;
};

TEST_F(TaskFolderTest, IsMadeForItsUserAlone) {
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_all);
  finished("x");
  for (const auto& entry : fs::directory_iterator(path()))
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(TaskFolderTest, SaysWhyItCannotBeUsed) {
  TaskFolder other;
  std::string problem;
  EXPECT_FALSE(other.open((temp.path() / "no" / "such").string(), problem));
  EXPECT_NE(problem.find("No such file or directory"), std::string::npos) << problem;
  EXPECT_FALSE(other.open(temp.write("file", "").string(), problem));
  EXPECT_NE(problem.find("Not a directory"), std::string::npos) << problem;
}

TEST_F(TaskFolderTest, GivesBackWhatWasFinished) {
  const TaskRecord record = finished("the result");
  const auto found = folder.find(record.id);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_elsewhere);
  EXPECT_EQ(found->record.status, TaskStatus::completed);
  EXPECT_EQ(found->record.owner, "me");
  EXPECT_EQ(result_of(record), "the result");
  const auto all = folder.scan(now_in_ms());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].id, record.id);
  folder.remove(record.id);
  EXPECT_FALSE(folder.find(record.id));
  EXPECT_EQ(files(), 0U);
}

TEST_F(TaskFolderTest, LeavesNothingOfWhatWasTakenBack) {
  TaskRecord record = new_record();
  auto made = folder.create(record);
  ASSERT_EQ(made.error, 0);
  ASSERT_EQ(made.file->write(std::string(300'000, 'x'), 0), 0);
  ASSERT_EQ(made.file->write("short", 0), 0);
  record.status = TaskStatus::completed;
  record.result_bytes = 5;
  ASSERT_EQ(made.file->finish(record), 0);
  EXPECT_EQ(result_of(record), "short");
}

TEST_F(TaskFolderTest, KnowsThatSomebodyStillRunsATask) {
  const TaskRecord record = new_record();
  const auto made = folder.create(record);
  ASSERT_EQ(made.error, 0);
  // The lock is the file description's, so this process is as good as another.
  const auto found = folder.find(record.id);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_elsewhere);
  EXPECT_EQ(found->record.status, TaskStatus::working);
  EXPECT_TRUE(folder.scan(now_in_ms()).empty());
  EXPECT_EQ(files(), 1U) << "it is left alone";
}

TEST_F(TaskFolderTest, FailsTasksWhoseProcessIsGone) {
  TaskRecord record = new_record();
  TaskRecord other = new_record();
  for (const auto& r : {record, other}) {
    const auto made = folder.create(r);
    ASSERT_EQ(made.error, 0);
    ASSERT_EQ(made.file->write("half of i", 0), 0);
  }
  for (const auto& found : {folder.scan(now_in_ms()).at(0), folder.find(other.id)->record}) {
    EXPECT_EQ(found.status, TaskStatus::failed);
    EXPECT_EQ(found.error_message, "The server was restarted while the task was running.");
    EXPECT_EQ(found.message, found.error_message);
    EXPECT_EQ(found.error_code, -32603);
    EXPECT_EQ(found.result_bytes, 0U);
  }
  const auto again = folder.find(record.id);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->record.status, TaskStatus::failed) << "that is kept";
}

TEST_F(TaskFolderTest, KeepsATaskCancelledThatHadNotEndedYet) {
  TaskRecord record = new_record();
  {
    const auto made = folder.create(record);
    ASSERT_EQ(made.error, 0);
    record.status = TaskStatus::cancelled;
    ASSERT_EQ(made.file->save(record), 0);
  }
  const auto found = folder.find(record.id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record.status, TaskStatus::cancelled);
}

TEST_F(TaskFolderTest, RemovesWhatHasExpired) {
  TaskRecord record = new_record();
  record.ttl = 10ms;
  finished("old", record);
  EXPECT_EQ(folder.scan(record.created + 9ms).size(), 1U);
  EXPECT_TRUE(folder.scan(record.created + 10ms).empty());
  EXPECT_EQ(files(), 0U);
}

TEST_F(TaskFolderTest, DropsFilesCutAnywhere) {
  const TaskRecord record = finished(std::string(5000, 'r'));
  const fs::path name = path() / (record.id + ".task");
  std::stringstream whole;
  whole << std::ifstream(name, std::ios::binary).rdbuf();
  const std::string bytes = whole.str();
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size < bytes.size(); size += 97) sizes.push_back(size);
  sizes.insert(sizes.end(), {TaskFile::kHeaderBytes - 1, TaskFile::kHeaderBytes, bytes.size() - 1,
                             bytes.size() + 1});
  for (const std::size_t size : sizes) {
    std::ofstream(name, std::ios::binary) << bytes;
    fs::resize_file(name, size);
    fs::permissions(name, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_FALSE(folder.open_result(record)) << size;
    EXPECT_TRUE(folder.scan(now_in_ms()).empty()) << size;
    EXPECT_EQ(files(), 0U) << size;
  }
}

TEST_F(TaskFolderTest, DropsFilesWhoseHeaderIsNotTheirs) {
  const TaskRecord record = finished("result");
  const std::string other = random_id();
  fs::rename(path() / (record.id + ".task"), path() / (other + ".task"));
  EXPECT_FALSE(folder.find(other));
  EXPECT_EQ(files(), 0U);
}

TEST_F(TaskFolderTest, OneIsNotOverBeforeItHasItsNewName) {
  TaskRecord record = new_record();
  auto made = folder.create(record);
  ASSERT_TRUE(made.file);
  record.status = TaskStatus::completed;
  ASSERT_EQ(made.file->save(record), 0);  // as just before the end
  const auto found = folder.find(record.id);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_elsewhere);
  EXPECT_EQ(found->record.status, TaskStatus::working);
  ASSERT_EQ(made.file->finish(record), 0);
  EXPECT_EQ(folder.find(record.id)->record.status, TaskStatus::completed);
}

TEST_F(TaskFolderTest, LeavesAsideWhatAnotherVersionKeeps) {
  const TaskRecord record = finished("result");
  const fs::path name = path() / (record.id + ".task");
  std::fstream file(name, std::ios::in | std::ios::out | std::ios::binary);
  const std::string_view newer = R"({"format":"sluice-task-2")";
  file.write(newer.data(), static_cast<std::streamsize>(newer.size()));
  file.close();
  EXPECT_FALSE(folder.find(record.id));
  EXPECT_TRUE(folder.scan(now_in_ms()).empty());
  EXPECT_EQ(files(), 1U);
}

TEST_F(TaskFolderTest, ReadsNothingThatOthersCouldHaveWritten) {
  const TaskRecord record = finished("result");
  const fs::path name = path() / (record.id + ".task");
  fs::permissions(name, fs::perms::group_read, fs::perm_options::add);
  EXPECT_FALSE(folder.find(record.id));
  EXPECT_FALSE(folder.open_result(record));
  EXPECT_TRUE(folder.scan(now_in_ms()).empty());
  EXPECT_EQ(files(), 1U) << "it is not ours to remove";

  const TaskRecord linked = finished("result");
  const fs::path aside = temp.path() / "aside";
  fs::rename(path() / (linked.id + ".task"), aside);
  fs::create_symlink(aside, path() / (linked.id + ".task"));
  EXPECT_FALSE(folder.find(linked.id));
  EXPECT_FALSE(folder.open_result(linked));

  const TaskRecord fifo = new_record();
  ASSERT_EQ(::mkfifo((path() / (fifo.id + ".task")).c_str(), 0600), 0);
  EXPECT_FALSE(folder.find(fifo.id)) << "and does not wait for anybody to write";
}

TEST_F(TaskFolderTest, PassesOverOtherFiles) {
  temp.write("spool/README", "x");
  temp.write("spool/short.task", "x");
  temp.write("spool/0123456789abcdef0123456789abcdef", "x");
  EXPECT_TRUE(folder.scan(now_in_ms()).empty());
  EXPECT_EQ(files(), 3U);
}

TEST_F(TaskFolderTest, LeavesAFileThatIsJustBeingMade) {
  const std::string id = random_id();
  const fs::path name = temp.write("spool/" + id + ".part", "");
  fs::permissions(name, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(folder.scan(now_in_ms()).empty());
  EXPECT_EQ(files(), 1U);
  fs::last_write_time(name, fs::file_time_type::clock::now() - 2min);
  EXPECT_TRUE(folder.scan(now_in_ms()).empty());
  EXPECT_EQ(files(), 0U) << "nobody makes it any more";
}

/// No file of this process grows beyond that.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(TaskFolderTest, SaysWhatTheDiskDoesNotTake) {
  const TaskRecord record = new_record();
  {
    const SmallDisk disk(100'000);
    const auto made = folder.create(record);
    ASSERT_EQ(made.error, 0);
    EXPECT_EQ(made.file->write(std::string(50'000, 'x'), 0), 0);
    EXPECT_EQ(made.file->write(std::string(50'000, 'x'), 50'000), EFBIG);
  }
  const SmallDisk disk(1000);
  EXPECT_EQ(folder.create(new_record()).error, EFBIG);
  EXPECT_EQ(files(), 1U) << "what could not be made is gone";
}

}  // namespace
}  // namespace sluice::mcp
