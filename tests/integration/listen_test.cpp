// Being told of changes: subscriptions/listen, and the GET streams of sessions.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <vector>

#include "support/deadline.hpp"
#include "support/held_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr std::string_view kAcknowledged = "notifications/subscriptions/acknowledged";

Request listen(std::string_view notifications, std::string_view id = "1") {
  return modern("subscriptions/listen", "\"notifications\":" + std::string(notifications), id);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

class Listen : public WithServer<Listen> {
 public:
  static std::string yaml() {
    return R"(
server: { listen: "127.0.0.1:0", change_interval: 20ms }
plugins: ["@PLUGIN@"]
timeouts: { heartbeat: 200ms }
limits: { subscriptions: 5, listeners: 20 }
)";
  }

 protected:
  static void change(std::string_view arguments = R"({"list":"tools"})") {
    EXPECT_EQ(send(modern_call("changed", arguments)).content(), "told");
  }
};

TEST_F(Listen, IsAcknowledgedFirstWithWhatIsOfferedOfWhatWasAskedFor) {
  HeldStream stream(port(), listen(R"({"toolsListChanged":true,"promptsListChanged":false})"));
  ASSERT_EQ(stream.status(), 200);
  EXPECT_TRUE(stream.response.is_event_stream());
  EXPECT_EQ(stream.response.field("X-Accel-Buffering"), "no");
  const auto first = stream.next_data();
  EXPECT_TRUE(holds(first, kAcknowledged)) << first;
  EXPECT_TRUE(holds(first, R"("notifications":{"toolsListChanged":true}})")) << first;
  EXPECT_EQ(stream.comments, 0U) << "nothing stands before it";
}

TEST_F(Listen, TellsThoseWhoAskedAndOnlyThem) {
  HeldStream tools(port(), listen(R"({"toolsListChanged":true})", "\"a b\""));
  HeldStream none(port(), listen("{}", "0"));
  EXPECT_TRUE(holds(tools.next_data(), kAcknowledged));
  EXPECT_TRUE(holds(none.next_data(), kAcknowledged));
  change();
  change(R"({"list":"tools","thread":true})");
  change(R"({"list":"prompts"})");
  const auto told = tools.until_quiet();
  ASSERT_FALSE(told.empty());
  EXPECT_LE(told.size(), 2U);
  EXPECT_EQ(told[0],
            R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":)"
            R"({"io.modelcontextprotocol/subscriptionId":"a b"}}})");
  EXPECT_EQ(none.until_quiet(), std::vector<std::string>{});
}

TEST_F(Listen, MergesWhatChangesFasterThanItTells) {
  HeldStream stream(port(), listen(R"({"toolsListChanged":true})"));
  EXPECT_TRUE(holds(stream.next_data(), kAcknowledged));
  change(R"({"list":"tools","times":10000})");
  const auto told = stream.until_quiet();
  EXPECT_GE(told.size(), 1U);
  EXPECT_LE(told.size(), 20U);
}

TEST_F(Listen, ShowsThatItLivesWhileNothingChanges) {
  HeldStream stream(port(), listen(R"({"toolsListChanged":true})"));
  EXPECT_TRUE(holds(stream.next_data(), kAcknowledged));
  EXPECT_TRUE(stream.client.read_until(stream.response, ": keep-alive\n\n: keep-alive\n\n"));
}

TEST_F(Listen, RefusesWhatItCannotUnderstand) {
  for (const char* params :
       {"", R"("notifications":5)", R"("notifications":[])",
        R"("notifications":{"toolsListChanged":"yes"})",
        R"("notifications":{"resourceSubscriptions":["a:1",2]})",
        R"("notifications":{"resourceSubscriptions":["a","b","c","d","e","f"]})"}) {
    const Reply reply = send(modern("subscriptions/listen", params, "\"x\""));
    EXPECT_EQ(reply.error(), -32602) << params;
    EXPECT_EQ(reply.id(), "\"x\"");
  }
  EXPECT_TRUE(
      holds(send(listen(R"({"resourceSubscriptions":["a","b","c","d","e","f"]})")).error_text(),
            "limits.subscriptions (5)"));
  const Reply long_id = send(listen("{}", '"' + std::string(300, 'i') + '"'));
  EXPECT_EQ(long_id.status(), 400);
  Request json = listen("{}");
  json.set("Accept", "application/json");
  EXPECT_EQ(send(json).status(), 406);
}

TEST_F(Listen, IsPartOf20260728AlonePlainAndWithItsHeaders) {
  const LegacySession session(port(), "2025-11-25");
  EXPECT_EQ(send(session.request("subscriptions/listen", R"("notifications":{})")).error(), -32601);
  Request other = listen("{}");
  other.set("Mcp-Method", "tools/list");
  EXPECT_EQ(send(other).error(), -32020);
  EXPECT_EQ(send(modern("resources/subscribe", R"("uri":"a:1")")).error(), -32601);
}

TEST_F(Listen, GivesItsPlaceBackWhenTheClientCloses) {
  std::vector<HeldStream> streams;
  // Those of other tests may still be on their way out.
  ASSERT_TRUE(eventually([&] {
    HeldStream stream(port(), listen("{}"));
    if (stream.status() == 200) streams.push_back(std::move(stream));
    return streams.size() == 20;
  }));
  const Reply refused = send(listen("{}", "9"));
  EXPECT_EQ(refused.status(), 503);
  EXPECT_EQ(refused.id(), "9");
  EXPECT_TRUE(holds(refused.error_text(), "limits.listeners (20)"));
  EXPECT_TRUE(refused.http.field("Retry-After"));
  expect_alive();
  streams[1].client.reset();
  EXPECT_TRUE(eventually([] { return HeldStream(port(), listen("{}")).status() == 200; }));
}

TEST_F(Listen, TellsASessionOnOneOfItsStreams) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream first(port(), session.bare("GET"));
  HeldStream second(port(), session.bare("GET"));
  ASSERT_EQ(second.status(), 200);
  change();
  const auto told = second.until_quiet();
  const auto others = first.until_quiet();
  ASSERT_EQ(told.size() + others.size(), 1U);
  EXPECT_EQ(told.empty() ? others[0] : told[0],
            R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  // The one that is left tells instead.
  second.client.reset();
  EXPECT_TRUE(eventually([&] {
    change();
    return !first.until_quiet().empty();
  }));
}

TEST_F(Listen, KeepsWhatASessionIsToBeToldUntilItListens) {
  const LegacySession session(port(), "2025-03-26");
  const LegacySession other(port(), "2025-06-18");
  for (int i = 0; i < 5; ++i) change();
  HeldStream stream(port(), session.bare("GET"));
  EXPECT_EQ(stream.until_quiet().size(), 1U);
  const LegacySession later(port(), "2025-11-25");
  HeldStream quiet(port(), later.bare("GET"));
  EXPECT_EQ(quiet.until_quiet().size(), 0U) << "that was before its time";
}

TEST_F(Listen, EndsTheStreamsOfASessionThatIsDeleted) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream stream(port(), session.bare("GET"));
  ASSERT_EQ(stream.status(), 200);
  EXPECT_EQ(stream.next_data(), "");
  EXPECT_EQ(send(session.bare("DELETE")).status(), 204);
  EXPECT_FALSE(stream.next());
  EXPECT_TRUE(stream.response.is_complete);
}

TEST_F(Listen, SaysWhatMayChange) {
  const Reply discovered = send(modern("server/discover"));
  EXPECT_EQ(discovered.text("result.capabilities.tools"), R"({"listChanged":true})");
  const LegacySession session(port(), "2025-11-25");
  EXPECT_EQ(session.initialized().text("result.capabilities.tools"), R"({"listChanged":true})");
}

TEST(ListenEnd, IsAResultWhenTheServerStops) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\n");
  ASSERT_NE(server.port(), 0) << server.log();
  HeldStream stream(server.port(), listen(R"({"toolsListChanged":true})", "\"last\""));
  HeldStream other(server.port(), listen("{}", "2"));
  EXPECT_TRUE(holds(stream.next_data(), kAcknowledged));
  EXPECT_TRUE(holds(other.next_data(), kAcknowledged));
  EXPECT_EQ(server.stop(), 0) << server.log();
  const auto result = stream.next_data();
  EXPECT_TRUE(holds(result, R"("id":"last","result":{"resultType":"complete")")) << result;
  EXPECT_TRUE(holds(result, R"("io.modelcontextprotocol/subscriptionId":"last")")) << result;
  EXPECT_FALSE(stream.next());
  EXPECT_TRUE(stream.response.is_complete);
  EXPECT_TRUE(holds(other.next_data(), R"("id":2,"result")"));
}

TEST(ListenSlow, AClientThatReadsNothingCostsNothingMore) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(R"(
server: { listen: "127.0.0.1:0", loops: 1, change_interval: 0ms }
plugins: ["@PLUGIN@"]
)");
  ASSERT_NE(server.port(), 0) << server.log();
  HeldStream stream(server.port(), listen(R"({"toolsListChanged":true})"),
                    {.receive_buffer = 4096});
  ASSERT_EQ(stream.status(), 200);
  const auto change = [&](int times) {
    const Reply reply =
        exchange(server.port(), modern_call("changed", R"({"list":"tools","turns":true,"times":)" +
                                                           std::to_string(times) + "}"));
    EXPECT_EQ(reply.content(), "told");
  };
  change(5000);  // more than the system keeps of what was sent
  const auto before = server.counts().resident_kb;
  change(20'000);
  EXPECT_LE(server.counts().resident_kb, before + 256);
  EXPECT_TRUE(holds(stream.next_data(), kAcknowledged));
  std::size_t told = 0;
  // The last word is not lost: it comes behind all that was on its way.
  server.child().signal(SIGTERM);
  for (auto data = stream.next_data(); !data.empty() && !holds(data, R"("result")");
       data = stream.next_data())
    ++told;
  EXPECT_GE(told, 100U);
  EXPECT_LE(told, 5000U);
  EXPECT_EQ(server.child().wait(), 0) << server.log();
}

TEST(ListenMany, TenThousandAreToldOfAChange) {
  const std::size_t listeners = is_sanitized() ? 1000 : 10'000;
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  if (files.rlim_max < listeners + 500) GTEST_SKIP() << "The system allows too few open files.";
  files.rlim_cur = files.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  ServerProcess server("server: { listen: \"127.0.0.1:0\", loops: 2 }\nplugins: [\"@PLUGIN@\"]\n");
  ASSERT_NE(server.port(), 0) << server.log();
  const std::size_t before = server.counts().resident_kb;
  std::vector<HeldStream> streams;
  streams.reserve(listeners);
  for (std::size_t i = 0; i < listeners; ++i) {
    streams.emplace_back(server.port(), listen(R"({"toolsListChanged":true})"));
    ASSERT_TRUE(holds(streams.back().next_data(), kAcknowledged)) << i;
  }
  const std::size_t after = server.counts().resident_kb;
  if (!is_sanitized()) {
    EXPECT_LT((after - before) * 1024 / listeners, 16384U);
  }
  EXPECT_EQ(
      exchange(server.port(), modern_call("changed", R"({"list":"tools","times":100})")).content(),
      "told");
  for (auto& stream : streams)
    ASSERT_TRUE(holds(stream.next_data(), "notifications/tools/list_changed"));
  streams.clear();
  EXPECT_EQ(server.stop(), 0) << server.log();
}

}  // namespace
}  // namespace sluice::testing
