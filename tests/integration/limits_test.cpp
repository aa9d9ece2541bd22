// Every limit holds, and says its name.
#include <list>

#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

#include <gtest/gtest.h>

namespace sluice::testing {
namespace {

constexpr const char* kPlugin = "plugins: [\"@PLUGIN@\"]\n";

std::string with(const std::string& yaml) { return kPlugin + yaml; }

/// Starts a call that lasts, and waits until it runs.
RawClient start_call(ServerProcess& server, const std::string& tool) {
  static int number = 0;
  const auto begun = server.folder().path() / ("begun-" + std::to_string(++number));
  RawClient client(server.port());
  EXPECT_TRUE(client.send(
      modern_call(tool, R"({"ms":3600000,"begun":)" + json_string(begun.string()) + "}").text()));
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(begun); })) << server.log();
  return client;
}

TEST(Limits, CallsInFlight) {
  ServerProcess server(with("limits: { calls_in_flight: 2 }"));
  ASSERT_NE(server.port(), 0) << server.log();
  RawClient first = start_call(server, "slow");
  const RawClient second = start_call(server, "slow");
  const Reply refused = exchange(server.port(), modern_call("echo", R"({"text":"x"})", "\"me\""));
  EXPECT_EQ(refused.status(), 503);
  EXPECT_NE(refused.error_text().find("limits.calls_in_flight"), std::string::npos);
  EXPECT_EQ(refused.id(), "\"me\"");
  EXPECT_TRUE(refused.http.field("Retry-After"));
  EXPECT_TRUE(exchange(server.port(), modern("tools/list")).has("result.tools"))
      << "only calls are counted";
  first.close();
  EXPECT_TRUE(eventually([&] {
    return exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content() == "x";
  }));
}

TEST(Limits, ValuesOfARequest) {
  ServerProcess server(with("limits: { values: 100 }"));
  std::string many = "[0";
  for (int i = 0; i < 100; ++i) many += ",0";
  const Reply refused = exchange(server.port(), modern_call("echo", R"({"value":)" + many + "]}"));
  EXPECT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.error(), -32600);
  EXPECT_NE(refused.error_text().find("limits.values"), std::string::npos) << refused.http.body;
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"value":[0,0]})")).content(), "[0,0]");
}

TEST(Limits, BodiesOfAllRequestsTogether) {
  // One loop, which has read all of the first body before it sees the second connection.
  ServerProcess server(
      with("server: { listen: \"127.0.0.1:0\", loops: 1 }\nlimits: { request_bodies: 100KiB }"));
  const auto large =
      modern_call("echo", "{\"text\":" + json_string(std::string(60'000, 'x')) + "}").text();
  RawClient holds(server.port());
  ASSERT_TRUE(holds.send(std::string_view(large).substr(0, large.size() - 1)));
  RawClient second(server.port());
  static_cast<void>(second.send(large));
  const Reply refused(second.read());
  EXPECT_EQ(refused.status(), 503);
  EXPECT_NE(refused.error_text().find("limits.request_bodies"), std::string::npos)
      << refused.http.body;
  ASSERT_TRUE(holds.send(std::string_view(large).substr(large.size() - 1)));
  EXPECT_EQ(Reply(holds.read()).content().size(), 60'000u);
  EXPECT_TRUE(eventually([&] {
    return exchange(server.port(),
                    modern_call("echo", "{\"text\":" + json_string(std::string(60'000, 'x')) + "}"))
               .content()
               .size() == 60'000u;
  }));
}

TEST(Limits, ConcurrencyOfATool) {
  ServerProcess server(kPlugin);
  RawClient first = start_call(server, "one_at_a_time");
  const Reply refused = exchange(server.port(), modern_call("one_at_a_time", R"({"ms":0})"));
  EXPECT_EQ(refused.status(), 503);
  EXPECT_NE(refused.error_text().find("concurrency"), std::string::npos);
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content(), "x");
  first.reset();
  EXPECT_TRUE(eventually([&] {
    return exchange(server.port(), modern_call("one_at_a_time", R"({"ms":0})")).status() == 200;
  }));
}

TEST(Limits, Connections) {
  ServerProcess server(with("limits: { connections: 3 }"));
  std::list<RawClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(server.port());
    ASSERT_EQ(exchange(clients.back(), modern_call("echo", R"({"text":"x"})")).content(), "x");
  }
  RawClient over(server.port());
  const Response refused = over.read();
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("limits.connections"), std::string::npos) << refused.body;
  clients.pop_front();
  EXPECT_TRUE(eventually([&] {
    return exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content() == "x";
  }));
}

TEST(Limits, Sessions) {
  ServerProcess server(with("limits: { sessions: 2 }"));
  const LegacySession first(server.port(), "2025-11-25");
  const LegacySession second(server.port(), "2025-11-25");
  // In use, so that none of them has to make room.
  std::list<RawClient> streams;
  for (const auto* session : {&first, &second}) {
    streams.emplace_back(server.port());
    ASSERT_TRUE(streams.back().send(session->bare("GET").text()));
    ASSERT_EQ(streams.back().read_head().status, 200);
  }
  const LegacySession third(server.port(), "2025-11-25");
  EXPECT_EQ(third.initialized().status(), 503);
  EXPECT_NE(third.initialized().error_text().find("limits.sessions"), std::string::npos);
  EXPECT_TRUE(third.id().empty());
  EXPECT_EQ(exchange(server.port(), first.bare("DELETE")).status(), 204);
  EXPECT_FALSE(LegacySession(server.port(), "2025-11-25").id().empty());
  EXPECT_EQ(exchange(server.port(), second.request("ping")).text("result"), "{}");
}

TEST(Limits, StreamsOfASession) {
  ServerProcess server(with("limits: { streams_per_session: 2 }"));
  const LegacySession session(server.port(), "2025-11-25");
  std::list<RawClient> streams;
  for (int i = 0; i < 2; ++i) {
    streams.emplace_back(server.port());
    ASSERT_TRUE(streams.back().send(session.bare("GET").text()));
    ASSERT_EQ(streams.back().read_head().status, 200);
  }
  const Reply refused = exchange(server.port(), session.bare("GET"));
  EXPECT_EQ(refused.status(), 429);
  EXPECT_NE(refused.error_text().find("limits.streams_per_session"), std::string::npos);
  streams.pop_front();
  EXPECT_TRUE(eventually([&] {
    streams.emplace_back(server.port());
    static_cast<void>(streams.back().send(session.bare("GET").text()));
    return streams.back().read_head().status == 200;
  }));
}

TEST(Limits, MessagesInABatch) {
  ServerProcess server(with("limits: { batch: 3 }"));
  const LegacySession session(server.port(), "2025-03-26");
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(exchange(server.port(), session.post("[" + ping + "," + ping + "," + ping + "]"))
                .at("")
                .size(),
            3u);
  const Reply refused = exchange(
      server.port(), session.post("[" + ping + "," + ping + "," + ping + "," + ping + "]"));
  EXPECT_EQ(refused.error(), -32600);
  EXPECT_NE(refused.error_text().find("limits.batch"), std::string::npos);
}

TEST(Limits, Nesting) {
  ServerProcess server(with("limits: { nesting: 10 }"));
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"value":[[[1]]]})")).content(),
            "[[[1]]]");
  const Reply refused =
      exchange(server.port(), modern_call("echo", R"({"value":[[[[[[[[[[[1]]]]]]]]]]]})"));
  EXPECT_EQ(refused.status(), 400);
  EXPECT_NE(refused.error_text().find("limits.nesting"), std::string::npos) << refused.http.body;
}

TEST(Limits, SizeOfAResult) {
  ServerProcess server(with(R"(
limits: { result: 100kB }
tools:
  cut: { description: Cut., command: [head, -c, "5000", /dev/zero], max_result: 1000 }
  fits: { description: Fits., command: [head, -c, "1000", /dev/zero], max_result: 1000 }
)"));
  ASSERT_NE(server.port(), 0) << server.log();
  for (const char* tool : {"big", "big_events", "big_json"}) {
    const Reply exact = exchange(server.port(), modern_call(tool, R"({"bytes":100000})"));
    EXPECT_EQ(exact.content().size(), 100'000u);
    EXPECT_FALSE(exact.is_tool_error());
    const Reply over = exchange(server.port(), modern_call(tool, R"({"bytes":100001})"));
    EXPECT_TRUE(over.is_tool_error());
    EXPECT_EQ(over.text("result.content.0.text").size(), 100'000u);
    EXPECT_NE(over.text("result.content.1.text").find("limits.result"), std::string::npos);
  }
  const Reply cut = exchange(server.port(), modern_call("cut"));
  EXPECT_TRUE(cut.is_tool_error());
  EXPECT_NE(cut.text("result.content.1.text").find("max_result"), std::string::npos)
      << cut.http.body;
  EXPECT_FALSE(exchange(server.port(), modern_call("fits")).is_tool_error());
}

TEST(Limits, TimeOfACall) {
  ServerProcess server(with("timeouts: { call: 300ms }"));
  struct Case {
    const char* tool;
    const char* name;
  };
  for (const Case& c :
       {Case{"slow", "timeouts.call (300ms)"}, Case{"impatient", "he tool's timeout (200ms)"}}) {
    const Reply reply =
        exchange(server.port(), modern_call(c.tool, R"({"ms":3600000,"first":"so far"})"));
    EXPECT_EQ(reply.status(), 200);
    EXPECT_TRUE(reply.is_tool_error());
    EXPECT_EQ(reply.text("result.content.0.text"), "so far");
    EXPECT_NE(reply.text("result.content.1.text").find(c.name), std::string::npos)
        << reply.content();
  }
}

TEST(Limits, TimeOfARequest) {
  ServerProcess server(with("timeouts: { header: 300ms, body: 300ms, idle: 600s }"));
  const std::string text = modern_call("echo").text();
  struct Case {
    std::size_t sent;
    const char* name;
  };
  for (const Case& c : {Case{30, "timeouts.header"}, Case{text.size() - 10, "timeouts.body"}}) {
    RawClient client(server.port());
    ASSERT_TRUE(client.send(text.substr(0, c.sent)));
    const Reply reply(client.read());
    EXPECT_EQ(reply.status(), 408);
    EXPECT_NE(reply.error_text().find(c.name), std::string::npos) << reply.http.body;
    EXPECT_TRUE(client.reads_end());
  }
}

TEST(Limits, TimeBetweenRequests) {
  ServerProcess server(with("timeouts: { idle: 300ms }"));
  RawClient silent(server.port());
  EXPECT_TRUE(silent.reads_end()) << "without a word";
  RawClient used(server.port());
  EXPECT_EQ(exchange(used, modern_call("slow", R"({"ms":900,"text":"x"})")).content(), "x")
      << "a call is not idle";
  EXPECT_TRUE(used.reads_end());
}

TEST(Limits, TimeOfASessionWithoutRequests) {
  ServerProcess server(with("timeouts: { session: 1ms }"));
  const LegacySession session(server.port(), "2025-11-25");
  ASSERT_EQ(
      exchange(server.port(), session.request("logging/setLevel", R"("level":"error")")).status(),
      200);
  // It is dropped, and made again from its id, without the level.
  EXPECT_TRUE(eventually(
      [&] { return exchange(server.port(), session.call("log")).messages().size() == 3; }));
}

TEST(Limits, TimeOfASessionId) {
  ServerProcess server(with("timeouts: { session_life: 1s }"));
  const LegacySession session(server.port(), "2025-11-25");
  EXPECT_TRUE(
      eventually([&] { return exchange(server.port(), session.request("ping")).status() == 404; }));
}

TEST(Limits, TimeOfAClientThatTakesNothing) {
  ServerProcess server(with("timeouts: { stall: 500ms }"));
  RawClient client(server.port(), {.receive_buffer = 4096});
  ASSERT_TRUE(client.send(modern_call("big", R"({"bytes":30000000})").text()));
  ASSERT_EQ(client.read_head().status, 200);
  EXPECT_TRUE(server.child().wait_err("timeouts.stall")) << server.log();
  Response rest;
  rest.is_chunked = true;
  client.read_rest(rest);
  EXPECT_FALSE(rest.is_complete);
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content(), "x");
}

TEST(Limits, AReaderThatIsSlowButReadsIsNotDropped) {
  ServerProcess server(with("timeouts: { stall: 2s, heartbeat: 100ms }"));
  RawClient client(server.port(), {.receive_buffer = 16 * 1024});
  ASSERT_TRUE(client.send(modern_call("big", R"({"bytes":3000000})").text()));
  Response response = client.read_head();
  client.read_rest(response);
  EXPECT_TRUE(response.is_complete);
  EXPECT_EQ(Reply(response).content(), std::string(3'000'000, 'a'));
}

TEST(Limits, FramesAreSharedAndComeBack) {
  ServerProcess server(with("limits: { frames: 1MiB }"));  // sixteen of them
  for (int round = 0; round < 3; ++round) {
    std::list<RawClient> readers;
    std::optional<Reply> refused;
    for (int i = 0; i < 20 && !refused; ++i) {
      RawClient client(server.port(), {.receive_buffer = 4096});
      ASSERT_TRUE(client.send(modern_call("big", R"({"bytes":20000000})", "\"r\"").text()));
      Response head = client.read_head();
      if (head.status == 503) {
        client.read_rest(head);
        refused.emplace(head);
      } else {
        ASSERT_EQ(head.status, 200);
        readers.push_back(std::move(client));
      }
    }
    ASSERT_TRUE(refused) << "twenty readers on sixteen frames";
    EXPECT_GE(readers.size(), 3u);
    EXPECT_NE(refused->error_text().find("limits.frames"), std::string::npos) << refused->http.body;
    EXPECT_EQ(refused->id(), "\"r\"");
    readers.clear();
    ASSERT_TRUE(eventually([&] {
      return exchange(server.port(), modern_call("big", R"({"bytes":2000000})")).content().size() ==
             2'000'000;
    }));
  }
}

}  // namespace
}  // namespace sluice::testing
