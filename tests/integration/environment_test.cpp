// Surroundings that are less than kind: few descriptors, no init.
#include <gtest/gtest.h>

#include <signal.h>

#include <list>

#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

TEST(Environment, RunningOutOfDescriptorsIsSurvived) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers need descriptors of their own.";
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
tools:
  run: { description: Runs., command: [echo, ran] }
)",
                       {.wrapper = {"/bin/sh", "-c", "ulimit -n 40; exec \"$@\"", "sh"}});
  ASSERT_NE(server.port(), 0) << server.log();
  for (int round = 0; round < 2; ++round) {
    RawClient first(server.port());
    ASSERT_EQ(exchange(first, modern_call("echo", R"({"text":"x"})")).content(), "x");
    std::list<RawClient> crowd;
    for (int i = 0; i < 60; ++i) {
      crowd.emplace_back(server.port());
      static_cast<void>(crowd.back().send("POST /mcp HTTP/1.1\r\n"));
    }
    ASSERT_TRUE(server.child().wait_err("accept"));
    EXPECT_EQ(exchange(first, modern_call("echo", R"({"text":"x"})")).content(), "x")
        << "who is connected is served";
    EXPECT_TRUE(eventually([&] {
      const Reply run = exchange(first, modern_call("run"));
      EXPECT_EQ(run.status(), 200);
      return run.is_tool_error();
    })) << "a program cannot be started without descriptors";
    crowd.clear();
    ASSERT_TRUE(eventually(
        [&] { return exchange(server.port(), modern_call("run")).content() == "ran\n"; }));
  }
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(Environment, AsTheFirstProcessItReapsAndStops) {
  const std::vector<std::string> own_processes = {"/usr/bin/unshare", "--pid", "--fork",
                                                  "--kill-child"};
  {
    auto probe = own_processes;
    probe.emplace_back("/bin/true");
    Child child(probe);
    if (child.wait() != 0) GTEST_SKIP() << "A PID namespace cannot be made here.";
  }
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
timeouts: { grace: 500ms }
tools:
  orphan: { description: Leaves something., command: [sh, -c, "setsid sleep 0.1 & echo started"] }
)",
                       {.wrapper = own_processes});
  ASSERT_NE(server.port(), 0) << server.log();
  const auto first = children_of(server.child().pid());
  ASSERT_EQ(first.size(), 1u);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(exchange(server.port(), modern_call("orphan")).content(), "started\n");
  EXPECT_TRUE(eventually([&] { return children_of(first[0]).size() == 1; }))
      << "the daemon, and no orphan";
  RawClient call(server.port());
  ASSERT_TRUE(call.send(modern_call("slow", R"({"ms":300,"text":"done"})").text()));
  EXPECT_EQ(exchange(server.port(), modern_call("echo")).status(), 200);
  ::kill(first[0], SIGTERM);
  EXPECT_EQ(Reply(call.read()).content(), "done");
  EXPECT_EQ(server.child().wait(), 0) << server.log();
}

}  // namespace
}  // namespace sluice::testing
