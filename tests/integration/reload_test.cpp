// SIGHUP: the configuration is read again while calls go on. Groups: parts of it at paths of their own.

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "support/held_stream.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kServer = "server: { listen: \"127.0.0.1:0\" }\n";

/// Writes another configuration over the server's and waits until it says what it made of it.
void reload(ServerProcess& server, const std::string& yaml, const std::string& said) {
  const auto before = server.log().size();
  static_cast<void>(write_configuration(server.folder(), yaml));
  server.child().signal(SIGHUP);
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (server.log().find(said, before) == std::string::npos) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << server.log();
    std::this_thread::sleep_for(5ms);
  }
}

std::string names(const Reply& list) {
  std::string out;
  const Json tools = list.at("result.tools");
  if (!tools) return list.error_text();
  for (const Json tool : tools) out += std::string(*tool.find("name").as_string()) + ' ';
  return out;
}

TEST(Reload, OffersWhatTheFileSaysNow) {
  ServerProcess server(std::string(kServer) +
                       "tools: { old: { text: before }, both: { text: a } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  EXPECT_EQ(names(exchange(server.port(), modern("tools/list"))), "old both ");
  reload(server, std::string(kServer) + "tools: { both: { text: b }, new: { text: after } }\n",
         "SIGHUP: configuration read, serving 2 tools");
  EXPECT_EQ(names(exchange(server.port(), modern("tools/list"))), "both new ");
  EXPECT_EQ(exchange(server.port(), modern_call("both")).content(), "b");
  EXPECT_EQ(exchange(server.port(), modern_call("old")).error(), -32602);
  EXPECT_EQ(server.stop(), 0);
}

TEST(Reload, CallsInProgressEndAsTheyBegan) {
  ServerProcess server(std::string(kServer) +
                       "tools: { slow: { command: [sh, -c, \"touch begun; sleep 1; echo done\"], "
                       "directory: \"@DIR@\" } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  RawClient client(server.port());
  ASSERT_TRUE(client.send(modern_call("slow").text()));
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!std::filesystem::exists(server.folder().path() / "begun"))
    ASSERT_LT(std::chrono::steady_clock::now(), end);
  reload(server, std::string(kServer) + "tools: { other: { text: o } }\n",
         "SIGHUP: configuration read");
  EXPECT_EQ(Reply(client.read()).content(), "done\n");
  EXPECT_EQ(exchange(client, modern_call("slow")).error(), -32602);
}

TEST(Reload, AFaultyFileChangesNothing) {
  ServerProcess server(std::string(kServer) + "tools: { a: { text: x } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  reload(server, std::string(kServer) + "tools: { a: { txet: y }, b: { text: z } }\n",
         "SIGHUP: the configuration has faults");
  EXPECT_NE(server.log().find("txet"), std::string::npos) << server.log();
  EXPECT_EQ(names(exchange(server.port(), modern("tools/list"))), "a ");
  EXPECT_EQ(exchange(server.port(), modern_call("a")).content(), "x");
  // Also where the fault is found only when tools are built.
  reload(server,
         std::string(kServer) + "tools: { a: { text: y } }\ngroups: { g: { tools: [nothing] } }\n",
         "SIGHUP: the configuration has faults");
  EXPECT_EQ(exchange(server.port(), modern_call("a")).content(), "x");
}

TEST(Reload, SaysWhatTakesARestart) {
  ServerProcess server(std::string(kServer) + "tools: { a: { text: x } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  reload(server, std::string(kServer) + "limits: { batch: 3 }\ntools: { a: { text: y } }\n",
         "SIGHUP: configuration read");
  EXPECT_NE(server.log().find("limits has changed, which takes effect at the next start"),
            std::string::npos);
  EXPECT_EQ(server.log().find("server has changed"), std::string::npos);
  EXPECT_EQ(exchange(server.port(), modern_call("a")).content(), "y");
}

TEST(Reload, TellsThoseWhoListenWhichListsAreOthers) {
  const std::string server_section = "server: { listen: \"127.0.0.1:0\", change_interval: 1ms }\n";
  ServerProcess server(
      server_section +
      "tools: { a: { text: x } }\nprompts: { p: { messages: [ { role: user, text: t } ] } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  HeldStream stream(
      server.port(),
      modern("subscriptions/listen",
             R"("notifications":{"toolsListChanged":true,"promptsListChanged":true})"));
  ASSERT_NE(stream.next_data().find("acknowledged"), std::string::npos);
  // The text of a tool is no part of a list.
  reload(
      server,
      server_section +
          "tools: { a: { text: y } }\nprompts: { p: { messages: [ { role: user, text: t } ] } }\n",
      "SIGHUP: configuration read");
  reload(server,
         server_section +
             "tools: { a: { text: y } }\nprompts: { p: { title: P, messages: [ { role: user, text: "
             "t } ] } }\n",
         "SIGHUP: configuration read");
  EXPECT_NE(stream.next_data().find("notifications/prompts/list_changed"), std::string::npos);
  reload(server,
         server_section +
             "tools: { b: { text: y } }\nprompts: { p: { title: P, messages: [ { role: user, text: "
             "t } ] } }\n",
         "SIGHUP: configuration read");
  EXPECT_NE(stream.next_data().find("notifications/tools/list_changed"), std::string::npos);
}

TEST(Reload, InTheMiddleOfManyCallsNoneIsLost) {
  ServerProcess server(std::string(kServer) + "tools: { a: { text: x } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] {
      RawClient client(server.port());
      while (!over) {
        const auto text = exchange(client, modern_call("a")).content();
        if (text != "x" && text != "y") ++wrong;
      }
    });
  for (int i = 0; i < 10; ++i)
    reload(server,
           std::string(kServer) + "tools: { a: { text: " + (i % 2 == 0 ? "y" : "x") + " } }\n",
           "SIGHUP: configuration read");
  over = true;
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

constexpr std::string_view kGroups = R"(
server: { listen: "127.0.0.1:0", instructions: "All of it." }
tools:
  read_a: { text: a }
  read_b: { text: b }
  write: { text: w }
groups:
  readers: { tools: ["read_*"], instructions: "To read." }
  writers: { tools: [write] }
)";

Request to_group(Request request, const std::string& group) {
  request.target = "/mcp/" + group;
  return request;
}

TEST(Groups, ListAndCallTheirPartAlone) {
  ServerProcess server{std::string(kGroups)};
  ASSERT_NE(server.port(), 0) << server.log();
  const auto port = server.port();
  EXPECT_EQ(names(exchange(port, modern("tools/list"))), "read_a read_b write ");
  EXPECT_EQ(names(exchange(port, to_group(modern("tools/list"), "readers"))), "read_a read_b ");
  EXPECT_EQ(names(exchange(port, to_group(modern("tools/list"), "writers"))), "write ");
  EXPECT_EQ(exchange(port, to_group(modern_call("read_b"), "readers")).content(), "b");
  EXPECT_EQ(exchange(port, to_group(modern_call("write"), "readers")).error(), -32602);
  const auto reader = exchange(port, to_group(modern("server/discover"), "readers"));
  EXPECT_EQ(reader.text("result.instructions"), "To read.");
  const auto writer = exchange(port, to_group(modern("server/discover"), "writers"));
  EXPECT_EQ(writer.text("result.instructions"), "All of it.");
}

TEST(Groups, UnknownOnesAndWhatIsBelowThemAre404) {
  ServerProcess server{std::string(kGroups)};
  ASSERT_NE(server.port(), 0) << server.log();
  for (const char* group : {"others", "readers/", "readers/more", "", "..", "Readers"})
    EXPECT_EQ(exchange(server.port(), to_group(modern("tools/list"), group)).status(), 404)
        << group;
  Request stream = to_group(post(""), "others");
  stream.method = "GET";
  EXPECT_EQ(exchange(server.port(), stream).status(), 404);
}

TEST(Groups, OfOlderRevisionsHaveSessionsToo) {
  ServerProcess server{std::string(kGroups)};
  ASSERT_NE(server.port(), 0) << server.log();
  LegacySession session(server.port(), "2025-11-25");
  EXPECT_EQ(names(exchange(server.port(), to_group(session.request("tools/list"), "readers"))),
            "read_a read_b ");
}

}  // namespace
}  // namespace sluice::testing
