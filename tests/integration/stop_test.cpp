// The end: signals, calls in progress, open streams.
#include <gtest/gtest.h>

#include <signal.h>

#include "support/deadline.hpp"
#include "support/event_stream.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

/// A stream that is open and a call that runs.
struct Busy {
  Busy(ServerProcess& server, int ms)
      : session(server.port(), "2025-11-25"),
        stream(server.port()),
        call(server.port()),
        idle(server.port()) {
    static_cast<void>(stream.send(session.bare("GET").text()));
    head = stream.read_head();
    const Reply warm = exchange(idle, modern_call("echo", R"({"text":"x"})"));
    const auto begun = server.folder().path() / "begun";
    static_cast<void>(
        call.send(modern_call("slow", "{\"ms\":" + std::to_string(ms) +
                                          R"(,"first":"begun ","text":"done","begun":)" +
                                          json_string(begun.string()) + "}")
                      .text()));
    EXPECT_TRUE(eventually([&] { return std::filesystem::exists(begun); }));
  }
  LegacySession session;
  RawClient stream;
  RawClient call;
  RawClient idle;
  Response head;
};

constexpr const char* kPlugin = "plugins: [\"@PLUGIN@\"]\n";

TEST(Stop, ACallInProgressEndsWellAndSoDoStreams) {
  for (const int signal : {SIGTERM, SIGINT}) {
    ServerProcess server(kPlugin);
    ASSERT_NE(server.port(), 0) << server.log();
    Busy busy(server, 1500);
    ASSERT_EQ(busy.head.status, 200);
    server.child().signal(signal);
    EXPECT_TRUE(eventually([&] { return !RawClient(server.port()).is_open(); }))
        << "nobody new is let in";
    EXPECT_TRUE(server.child().is_running()) << "while the call goes on";
    busy.stream.read_rest(busy.head);
    EXPECT_TRUE(busy.head.is_complete) << "with the last chunk";
    EXPECT_TRUE(busy.idle.reads_end());
    const Reply reply(busy.call.read());
    EXPECT_EQ(reply.content(), "begun done");
    EXPECT_FALSE(reply.is_tool_error());
    EXPECT_EQ(reply.http.is_complete, true);
    EXPECT_EQ(server.child().wait(), 0) << server.log();
  }
}

/// Stops a server while a call runs that no grace is long enough for.
void expect_call_is_ended_well(const std::string& timeouts) {
  ServerProcess server(std::string(kPlugin) + timeouts);
  Busy busy(server, 3'600'000);
  server.child().signal(SIGTERM);
  const Reply reply(busy.call.read());
  EXPECT_TRUE(reply.http.is_complete);
  EXPECT_TRUE(reply.is_tool_error()) << reply.http.body;
  EXPECT_EQ(reply.text("result.content.0.text"), "begun ");
  EXPECT_NE(reply.text("result.content.1.text").find("shutting down"), std::string::npos)
      << reply.http.body;
  EXPECT_EQ(server.child().wait(), 0) << server.log();
}

TEST(Stop, ALongCallIsEndedWithAResultThatSaysSo) {
  expect_call_is_ended_well("timeouts: { grace: 500ms }\n");
}

TEST(Stop, ACallThatOutlastsTheUsualGraceEndsWell) {
  expect_call_is_ended_well("timeouts: { call: 1h }\n");
}

TEST(Stop, CommandsAreEndedToo) {
  ServerProcess server(R"(
timeouts: { grace: 300ms }
tools:
  tree: { description: Starts more., command: [sh, -c, "trap '' TERM; sleep 3600 & sleep 3600; sleep 3600"], timeout: 2h }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  RawClient call(server.port());
  ASSERT_TRUE(call.send(modern_call("tree").text()));
  ASSERT_TRUE(eventually([&] { return server.counts().children == 1; }));
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(Stop, ASecondSignalEndsAtOnce) {
  ServerProcess server(std::string(kPlugin) + "timeouts: { grace: 1h }\n");
  Busy busy(server, 3'600'000);
  server.child().signal(SIGTERM);
  ASSERT_TRUE(server.child().wait_err("signal 15"));
  server.child().signal(SIGTERM);
  const auto status = server.child().wait();
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 128 + SIGTERM);
}

TEST(Stop, ASlowReaderDoesNotKeepItUp) {
  ServerProcess server(std::string(kPlugin) + "timeouts: { grace: 300ms }\n");
  RawClient client(server.port(), {.receive_buffer = 4096});
  ASSERT_TRUE(client.send(modern_call("big", R"({"bytes":50000000})").text()));
  ASSERT_EQ(client.read_head().status, 200);
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(Stop, ARequestHalfwayDoesNotKeepItUp) {
  ServerProcess server(std::string(kPlugin) + "timeouts: { grace: 300ms }\n");
  RawClient client(server.port());
  ASSERT_TRUE(client.send("POST /mcp HTTP/1.1\r\nHost: "));
  RawClient body(server.port());
  const std::string text = modern_call("echo").text();
  ASSERT_TRUE(body.send(text.substr(0, text.size() - 5)));
  EXPECT_EQ(exchange(server.port(), modern("tools/list")).status(), 200);
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(Stop, BlockingWorkThatGoesOnIsLeft) {
  ServerProcess server(std::string(kPlugin) + "timeouts: { grace: 100ms }\n");
  RawClient client(server.port());
  ASSERT_TRUE(client.send(modern_call("blocking", R"({"ms":3000})").text()));
  EXPECT_EQ(exchange(server.port(), modern_call("echo")).status(), 200);
  const auto status = server.stop();
  EXPECT_TRUE(status && *status == 0) << server.log();
}

TEST(Stop, ASignalDuringTheStartIsObeyed) {
  for (int i = 0; i < 5; ++i) {
    ServerProcess server(kPlugin, {.wait = false});
    // The mask is set a moment after main() begins; before that, the signal's own way to end a
    // process is right too.
    server.child().signal(SIGTERM);
    const auto status = server.child().wait();
    ASSERT_TRUE(status);
    EXPECT_TRUE(*status == 0 || *status == 128 + SIGTERM) << *status << server.log();
  }
}

TEST(Stop, AHangUpKeepsServing) {
  ServerProcess server(kPlugin);
  RawClient client(server.port());
  ASSERT_TRUE(client.send(modern_call("slow", R"({"ms":500,"text":"kept"})").text()));
  for (int i = 0; i < 3; ++i) server.child().signal(SIGHUP);
  EXPECT_EQ(Reply(client.read()).content(), "kept");
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content(), "x");
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(Stop, NothingIsReportedOnAnEmptyServer) {
  ServerProcess server("tools: {}\n");
  ASSERT_NE(server.port(), 0) << server.log();
  EXPECT_EQ(exchange(server.port(), modern("tools/list")).text("result.tools"), "[]");
  EXPECT_EQ(server.stop(), 0) << server.log();
  EXPECT_EQ(server.log().find("error"), std::string::npos) << server.log();
}

}  // namespace
}  // namespace sluice::testing
