// What becomes of tasks when the daemon ends, and where there is no room for them.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "support/server_process.hpp"
#include "support/task_requests.hpp"

namespace sluice::testing {
namespace {

namespace fs = std::filesystem;

std::string yaml(const TempFolder& spool, std::string_view more = "") {
  return "plugins: [\"@PLUGIN@\"]\ndefaults: { task: always }\n"
         "tools: { wait: { command: [sleep, \"3600\"], timeout: 2h } }\n"
         "tasks: { spool: \"" +
         (spool.path() / "spool").string() + "\"" + std::string(more) + " }\n";
}

std::size_t files(const TempFolder& spool) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(spool.path() / "spool"), fs::directory_iterator()));
}

std::string make(std::uint16_t port, std::string_view tool, std::string_view arguments = "{}") {
  const Reply created = exchange(port, task_call(tool, arguments));
  EXPECT_EQ(created.text("result.resultType"), "task") << created.http.body;
  return created.text("result.taskId");
}

TEST(TasksRestart, FinishedTasksAreFoundAgain) {
  const TempFolder spool;
  std::string done;
  std::string failed;
  std::string before;
  {
    ServerProcess server(yaml(spool));
    ASSERT_NE(server.port(), 0) << server.log();
    done = make(server.port(), "echo", R"({"text":"kept"})");
    failed = make(server.port(), "throws");
    before = wait_for_task(server.port(), done).http.body;
    static_cast<void>(wait_for_task(server.port(), failed));
    EXPECT_EQ(server.stop(), 0) << server.log();
  }
  ServerProcess server(yaml(spool));
  ASSERT_NE(server.port(), 0) << server.log();
  EXPECT_EQ(exchange(server.port(), task_request("tasks/get", done)).http.body, before);
  EXPECT_EQ(exchange(server.port(), task_request("tasks/get", failed)).text("result.status"),
            "failed");
  const Reply foreign =
      exchange(server.port(), task_request("tasks/get", done).set("Authorization", "Bearer other"));
  EXPECT_EQ(foreign.error(), -32602);
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(TasksRestart, TasksThatWereRunningHaveFailed) {
  const TempFolder spool;
  std::string running;
  std::string cancelled;
  {
    ServerProcess server(yaml(spool));
    running = make(server.port(), "slow", R"({"ms":3600000})");
    cancelled = make(server.port(), "blocking", R"({"ms":3600000})");
    EXPECT_EQ(exchange(server.port(), task_request("tasks/cancel", cancelled)).status(), 200);
    server.child().signal(SIGKILL);
    EXPECT_EQ(server.child().wait(), 128 + SIGKILL);
  }
  ServerProcess server(yaml(spool));
  const Reply reply = exchange(server.port(), task_request("tasks/get", running));
  EXPECT_EQ(reply.text("result.status"), "failed") << reply.http.body;
  EXPECT_EQ(reply.text("result.error.code"), "-32603");
  EXPECT_EQ(reply.text("result.error.message"),
            "The server was restarted while the task was running.");
  EXPECT_EQ(exchange(server.port(), task_request("tasks/get", cancelled)).text("result.status"),
            "cancelled");
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(TasksRestart, TornFilesAreDropped) {
  const TempFolder spool;
  std::string id;
  {
    ServerProcess server(yaml(spool));
    id = make(server.port(), "echo", R"({"text":"kept"})");
    static_cast<void>(wait_for_task(server.port(), id));
    EXPECT_EQ(server.stop(), 0);
  }
  const auto file = spool.path() / "spool" / (id + ".task");
  fs::resize_file(file, fs::file_size(file) - 1);
  ServerProcess server(yaml(spool));
  EXPECT_EQ(exchange(server.port(), task_request("tasks/get", id)).error(), -32602);
  EXPECT_NE(server.log().find("is torn and was removed"), std::string::npos) << server.log();
  EXPECT_EQ(files(spool), 0U);
  EXPECT_EQ(server.stop(), 0);
}

TEST(TasksRestart, RunningTasksHaveTheGraceOfCalls) {
  const TempFolder spool;
  std::string id;
  {
    ServerProcess server(yaml(spool));
    id = make(server.port(), "slow", R"({"ms":1500,"text":"in time"})");
    EXPECT_EQ(server.stop(), 0) << server.log();
  }
  ServerProcess server(yaml(spool));
  EXPECT_EQ(
      exchange(server.port(), task_request("tasks/get", id)).text("result.result.content.0.text"),
      "in time");
  EXPECT_EQ(server.stop(), 0);
}

TEST(TasksRestart, WhatOutlastsTheGraceEndsWithWhatItHas) {
  const TempFolder spool;
  const std::string grace = "timeouts: { grace: 200ms }\n";
  std::string id;
  std::string command;
  {
    ServerProcess server(yaml(spool) + grace);
    id = make(server.port(), "slow", R"({"ms":3600000,"first":"begun "})");
    command = make(server.port(), "wait");
    EXPECT_EQ(server.stop(), 0) << server.log();
  }
  ServerProcess server(yaml(spool) + grace);
  const Reply reply = exchange(server.port(), task_request("tasks/get", id));
  EXPECT_EQ(reply.text("result.status"), "completed") << reply.http.body;
  EXPECT_EQ(reply.text("result.result.content.0.text"), "begun ");
  EXPECT_EQ(reply.text("result.result.content.1.text"),
            "The server is shutting down; the result ends after 6 bytes.");
  EXPECT_EQ(reply.text("result.result.isError"), "true");
  EXPECT_EQ(
      exchange(server.port(), task_request("tasks/get", command)).text("result.result.isError"),
      "true");
  EXPECT_EQ(server.stop(), 0);
}

TEST(TasksRestart, ProcessesMayShareADirectory) {
  const TempFolder spool;
  ServerProcess one(yaml(spool));
  const std::string id = make(one.port(), "slow", R"({"ms":1000,"text":"done"})");
  ServerProcess two(yaml(spool));
  ASSERT_NE(two.port(), 0) << two.log();
  EXPECT_EQ(exchange(two.port(), task_request("tasks/get", id)).text("result.status"), "working")
      << "it has not been taken for one whose process is gone";
  EXPECT_EQ(exchange(two.port(), task_request("tasks/cancel", id)).error(), -32603);
  EXPECT_EQ(wait_for_task(two.port(), id).text("result.result.content.0.text"), "done");
  EXPECT_EQ(one.stop(), 0);
  EXPECT_EQ(two.stop(), 0);
}

TEST(TasksRestart, ExpireAndLeaveNothingBehind) {
  const TempFolder spool;
  ServerProcess server(yaml(spool, ", ttl: 500ms") + "timeouts: { call: 1s }\n");
  const std::string id = make(server.port(), "echo", R"({"text":"soon gone"})");
  EXPECT_EQ(wait_for_task(server.port(), id).text("result.status"), "completed");
  EXPECT_TRUE(eventually(
      [&] { return exchange(server.port(), task_request("tasks/get", id)).error() == -32602; }));
  EXPECT_TRUE(eventually([&] { return files(spool) == 0; }));
  EXPECT_EQ(server.stop(), 0);
}

TEST(TasksLimits, AreNamedWhereTheyAreReached) {
  const TempFolder spool;
  ServerProcess server(yaml(spool, ", caller_tasks: 2, max_tasks: 3, caller_bytes: 64KiB"));
  for (int i = 0; i < 2; ++i) static_cast<void>(make(server.port(), "echo"));
  const Reply caller = exchange(server.port(), task_call("echo"));
  EXPECT_EQ(caller.status(), 503);
  EXPECT_EQ(caller.error_text(), "tasks.caller_tasks (2) is reached");
  EXPECT_EQ(caller.http.field("Retry-After"), "1");
  const Reply other = exchange(
      server.port(), task_call("big", R"({"bytes":200000})").set("Authorization", "Bearer other"));
  EXPECT_EQ(other.text("result.resultType"), "task");
  const Reply third =
      exchange(server.port(), task_call("echo").set("Authorization", "Bearer third"));
  EXPECT_EQ(third.error_text(), "tasks.max_tasks (3) is reached");
  const Request get =
      task_request("tasks/get", other.text("result.taskId")).set("Authorization", "Bearer other");
  EXPECT_TRUE(
      eventually([&] { return exchange(server.port(), get).text("result.status") == "failed"; }));
  const Reply failed = exchange(server.port(), get);
  EXPECT_EQ(failed.text("result.error.message"),
            "The result could not be kept: tasks.caller_bytes (64KiB) is reached.");
  // Who cannot have tasks goes on as ever.
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content(), "x");
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(TasksLimits, ALongCallGoesOnWhereThereIsNoRoomForATask) {
  const TempFolder spool;
  ServerProcess server(
      "plugins: [\"@PLUGIN@\"]\ndefaults: { task: auto, task_after: 100ms }\n"
      "tasks: { max_tasks: 1, spool: \"" +
      (spool.path() / "spool").string() + "\" }\n");
  static_cast<void>(make(server.port(), "slow", R"({"ms":3600000})"));
  const Reply reply = exchange(server.port(), task_call("slow", R"({"ms":500,"text":"done"})"));
  EXPECT_EQ(reply.text("result.resultType"), "complete");
  EXPECT_EQ(reply.content(), "done");
  EXPECT_NE(server.log().find("tasks.max_tasks (1) is reached"), std::string::npos);
}

TEST(TasksLimits, AFullDiskFailsTheTaskAndSaysSo) {
  const TempFolder spool;
  // No file grows beyond 256 KiB, which is as good as a full disk.
  ServerProcess server(yaml(spool),
                       ServerProcess::Options{.wrapper = {"/usr/bin/env", "--ignore-signal=XFSZ",
                                                          "/usr/bin/prlimit", "--fsize=262144"}});
  ASSERT_NE(server.port(), 0) << server.log();
  const std::string id = make(server.port(), "big", R"({"bytes":2000000})");
  const Reply over = wait_for_task(server.port(), id);
  EXPECT_EQ(over.text("result.status"), "failed") << over.http.body;
  EXPECT_EQ(over.text("result.error.message"), "The result could not be kept: File too large.");
  const std::string small = make(server.port(), "big", R"({"bytes":200000})");
  EXPECT_EQ(wait_for_task(server.port(), small).text("result.status"), "completed");
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(TasksLimits, ACallHoldsItsPlaceWhileItRunsAsATask) {
  const TempFolder spool;
  ServerProcess server(yaml(spool));
  const std::string id = make(server.port(), "one_at_a_time", R"({"ms":3600000})");
  const Reply busy = exchange(server.port(), task_call("one_at_a_time"));
  EXPECT_EQ(busy.error_text(), "the tool's concurrency (1) is reached");
  EXPECT_EQ(exchange(server.port(), task_request("tasks/cancel", id)).status(), 200);
  EXPECT_TRUE(eventually([&] {
    return exchange(server.port(), task_call("one_at_a_time")).text("result.resultType") == "task";
  }));
}

TEST(TasksStart, SayWhatIsWrongWithTheirDirectory) {
  const TempFolder spool;
  spool.write("spool", "a file");
  ServerProcess server(yaml(spool), ServerProcess::Options{.wait = false});
  EXPECT_FALSE(server.wait_serving());
  EXPECT_NE(server.log().find("tasks.spool: cannot use the directory"), std::string::npos)
      << server.log();
}

TEST(TasksStart, AreNotOfferedWithoutADirectory) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\n");
  EXPECT_EQ(exchange(server.port(), modern("server/discover")).http.body.find("tasks"),
            std::string::npos);
  EXPECT_EQ(exchange(server.port(), task_request("tasks/get", "x")).error(), -32601);
  EXPECT_EQ(exchange(server.port(), task_call("echo", R"({"text":"x"})")).content(), "x");
}

}  // namespace
}  // namespace sluice::testing
