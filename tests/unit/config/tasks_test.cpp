#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigTasks, HaveBoundsOfTheirOwn) {
  const Folder folder;
  const auto config = good("version: 1\ntasks: {spool: " + folder.path("spool") +
                           ", max_bytes: 2MiB, max_tasks: 3, caller_bytes: 1MiB, caller_tasks: 2, "
                           "ttl: 1h, poll_interval: 250ms}\n");
  EXPECT_EQ(config.tasks.spool, folder.path("spool")) << "it need not be there yet";
  EXPECT_EQ(config.tasks.max_bytes, 2_MiB);
  EXPECT_EQ(config.tasks.max_tasks, 3u);
  EXPECT_EQ(config.tasks.caller_bytes, 1_MiB);
  EXPECT_EQ(config.tasks.caller_tasks, 2u);
  EXPECT_EQ(config.tasks.ttl, 1h);
  EXPECT_EQ(config.tasks.poll_interval, 250ms);
}

TEST(ConfigTasks, BeginTheirPathAtTheFolderOfTheFile) {
  const Folder folder;
  const auto loaded = load_text("version: 1\ntasks: {spool: spool}\n", folder.path("s.yaml"));
  EXPECT_EQ(loaded.config.tasks.spool, folder.path("spool"));
}

TEST(ConfigTasks, AreAskedForByToolsAndDefaults) {
  const auto config = good(
      "version: 1\ntasks: {spool: /tmp/s}\ndefaults: {task: always, task_after: 2s}\n"
      "tools: {a: {command: [ls], task: auto, task_after: 0}, b: {command: [ls], task: off},\n"
      "        c: {command: [ls], task: required}, d: {text: x}}\n");
  EXPECT_EQ(config.defaults.task, Tool::Task::always);
  EXPECT_EQ(config.defaults.task_after, 2s);
  EXPECT_EQ(config.tools[0].task, Tool::Task::automatic);
  EXPECT_EQ(config.tools[0].task_after, 0s);
  EXPECT_EQ(config.tools[1].task, Tool::Task::off);
  EXPECT_EQ(config.tools[2].task, Tool::Task::required);
  EXPECT_FALSE(config.tools[3].task);
}

TEST(ConfigTasks, NeedADirectory) {
  EXPECT_EQ(complaint("version: 1\ntools: {a: {command: [ls], task: auto}}\n"),
            "2:34: tools.a.task: needs tasks.spool, a directory to keep results in");
  EXPECT_EQ(complaint("version: 1\ndefaults: {task: always}\n"),
            "2:18: defaults.task: needs tasks.spool, a directory to keep results in");
  EXPECT_EQ(
      complaint("version: 1\ndefaults: {task: off}\ntools: {a: {command: [ls], task: off}}\n"), "");
}

TEST(ConfigTasks, DoNotGoWithWhatIsKeptOrStandsInTheFile) {
  EXPECT_EQ(complaint("version: 1\ntasks: {spool: /tmp/s}\n"
                      "tools: {a: {command: [ls], task: auto, cache: {ttl: 1s}}}\n"),
            "3:34: tools.a.task: does not go with cache: results of tasks are kept apart");
  EXPECT_EQ(complaint("version: 1\ntasks: {spool: /tmp/s}\ntools: {a: {text: x, task: auto}}\n"),
            "3:22: tools.a: task does not go with text");
  EXPECT_EQ(
      complaint("version: 1\ntasks: {spool: /tmp/s}\ntools: {a: {command: [ls], task: maybe}}\n"),
      "3:34: tools.a.task: expected off, auto, always or required, found \"maybe\"");
}

}  // namespace
}  // namespace sluice::config
