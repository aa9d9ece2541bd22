// Coming back for the rest: event ids, events without data, and GET with Last-Event-ID.
#include <optional>
#include <string>
#include <vector>

#include "support/deadline.hpp"
#include "support/held_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

using Event = HeldStream::Event;

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::vector<Event> all_of(HeldStream& stream) {
  std::vector<Event> events;
  while (const auto event = stream.next()) events.push_back(*event);
  return events;
}

/// The rest, for a client whose last event has this id.
Request rest(const LegacySession& session, std::string_view id) {
  Request request = session.bare("GET");
  request.set("Last-Event-ID", id);
  return request;
}

std::string data_of(const std::vector<Event>& events) {
  std::string all;
  for (const auto& event : events)
    if (!event.data.empty()) all += event.data + "\n";
  return all;
}

class Resume : public WithServer<Resume> {
 public:
  static std::string yaml() {
    return R"(
server: { listen: "127.0.0.1:0", progress_interval: 0ms, change_interval: 10ms, retry: 20ms }
plugins: ["@PLUGIN@"]
timeouts: { heartbeat: 200ms }
limits: { replay: 64KiB, streams_per_session: 2 }
tools:
  sleeper: { description: Runs for an hour., command: [sleep, "3600"], timeout: 2h }
)";
  }

 protected:
  static void change(std::string_view list = "tools") {
    EXPECT_EQ(send(modern_call("changed", "{\"list\":\"" + std::string(list) + "\"}")).content(),
              "told");
  }
  /// A call that tells of `n` steps.
  static Request steps(const LegacySession& session, int n, std::string_view id) {
    Request request = session.call("progress", "{\"n\":" + std::to_string(n) + "}", id);
    const std::string_view name = R"("name":"progress")";
    request.body.insert(request.body.find(name), R"("_meta":{"progressToken":"t"},)");
    return request;
  }
};

TEST_F(Resume, ACallThatTakesLongGivesItsClientAnIdFirst) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream stream(port(), session.call("slow", R"({"ms":500,"text":"at last"})"));
  const auto events = all_of(stream);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].data, "");
  EXPECT_FALSE(events[0].id.empty());
  EXPECT_EQ(events[0].retry, "20");
  EXPECT_TRUE(holds(events[1].data, "at last"));
}

TEST_F(Resume, AResultThatIsThereAtOnceHasNothingInFrontOfIt) {
  const LegacySession session(port(), "2025-11-25");
  const Reply reply = send(session.call("echo", R"({"text":"now"})"));
  EXPECT_TRUE(reply.http.field("Content-Length"));
  EXPECT_TRUE(reply.http.body.starts_with("data: {")) << reply.http.body;
}

TEST_F(Resume, OlderClientsGetIdsButNoEventWithoutData) {
  for (const char* version : {"2025-06-18", "2025-03-26"}) {
    const LegacySession session(port(), version);
    HeldStream quiet(port(), session.call("slow", R"({"ms":500,"text":"at last"})"));
    EXPECT_EQ(all_of(quiet).size(), 1U);
    EXPECT_GT(quiet.comments, 0U);
    HeldStream stream(port(), steps(session, 2, "1"));
    const auto events = all_of(stream);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_FALSE(events[0].data.empty());
    EXPECT_FALSE(events[0].id.empty());
    EXPECT_NE(events[0].id, events[1].id);
  }
  HeldStream modern_stream(port(), modern_call("slow", R"({"ms":500,"text":"at last"})"));
  const auto events = all_of(modern_stream);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].id, "");
}

TEST_F(Resume, NothingIsLostWhereverTheConnectionIsCut) {
  const LegacySession session(port(), "2025-11-25");
  constexpr int kSteps = 6;
  HeldStream whole(port(), steps(session, kSteps, "0"));
  const auto expected = data_of(all_of(whole));
  for (int cut = 1; cut <= kSteps + 1; ++cut)
    for (const bool is_over : {false, true}) {
      const std::string id = std::to_string(100 + 2 * cut + is_over);
      HeldStream stream(port(), steps(session, kSteps, id));
      std::vector<Event> events;
      for (int i = 0; i < cut; ++i) {
        const auto event = stream.next();
        ASSERT_TRUE(event);
        events.push_back(*event);
      }
      stream.client.reset();
      if (is_over) std::this_thread::sleep_for(std::chrono::milliseconds(60));
      HeldStream again(port(), rest(session, events.back().id));
      ASSERT_EQ(again.status(), 200);
      for (const auto& event : all_of(again)) events.push_back(event);
      std::string came = data_of(events);
      const auto at = came.find("\"id\":" + id);
      ASSERT_NE(at, std::string::npos) << came;
      came.replace(at, 5 + id.size(), "\"id\":0");
      EXPECT_EQ(came, expected) << "cut after " << cut;
      EXPECT_TRUE(again.response.is_complete);
      // The line may be lost once more.
      HeldStream third(port(), rest(session, events.front().id));
      EXPECT_EQ(data_of(all_of(third)).size(), data_of(events).size());
    }
}

TEST_F(Resume, AStreamGivesWhatWasItsOwnAndNothingElse) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream one(port(), steps(session, 3, "\"one\""));
  HeldStream two(port(), session.call("slow", R"({"ms":400,"text":"of two"})", "\"two\""));
  const auto first = one.next();
  const auto second = two.next();
  ASSERT_TRUE(first && second);
  one.client.reset();
  two.client.reset();
  HeldStream again(port(), rest(session, second->id));
  const auto events = all_of(again);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(holds(events[0].data, R"("id":"two")"));
  EXPECT_TRUE(holds(events[0].data, "of two"));
  const LegacySession other(port(), "2025-11-25");
  HeldStream stranger(port(), rest(other, second->id));
  const auto refused = stranger.next_data();
  EXPECT_TRUE(holds(refused, R"("id":"two","error")")) << refused;
}

TEST_F(Resume, AResultThatIsNotKeptIsToldOf) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream stream(
      port(),
      session.call("slow", R"({"ms":400,"text":")" + std::string(70'000, 'x') + R"("})", "7"));
  const auto first = stream.next();
  ASSERT_TRUE(first);
  stream.client.reset();
  HeldStream again(port(), rest(session, first->id));
  const auto told = again.next();
  ASSERT_TRUE(told);
  EXPECT_TRUE(holds(told->data, R"("id":7,"error")")) << told->data;
  EXPECT_TRUE(holds(told->data, "limits.replay")) << told->data;
  EXPECT_FALSE(again.next());
  EXPECT_EQ(send(rest(session, told->id)).status(), 405) << "some clients would ask for ever";

  HeldStream old(port(), rest(session, "1-r1-1-%22of%20another%20time%22"));
  EXPECT_TRUE(holds(old.next_data(), R"("id":"of another time","error")"));
  EXPECT_EQ(send(rest(session, "1-r1-1-")).status(), 405) << "nobody knows whom to tell";
}

TEST_F(Resume, AHandlerMayHangUpAndItsClientComesBack) {
  const LegacySession session(port(), "2025-11-25");
  RawClient client = connect();
  ASSERT_TRUE(client.send(session.call("hang_up", R"({"ms":100,"text":"later"})", "3").text()));
  Response response = client.read();
  EXPECT_TRUE(response.is_complete);
  const auto events = read_event_stream(response.body).events;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(client.reads_end());
  HeldStream again(port(), rest(session, events[0].id));
  EXPECT_TRUE(holds(again.next_data(), "later"));
  EXPECT_FALSE(again.next());
  // Who does not know how to come back stays.
  EXPECT_EQ(send(modern_call("hang_up", R"({"ms":1,"text":"here"})")).content(), "here");
  const LegacySession older(port(), "2025-06-18");
  EXPECT_EQ(send(older.call("hang_up", R"({"ms":1,"text":"here"})")).content(), "here");
}

TEST_F(Resume, ACancelledCallHasNoResult) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream stream(port(), session.call("sleeper", "{}", "11"));
  const auto first = stream.next();
  ASSERT_TRUE(first);
  stream.client.reset();
  HeldStream again(port(), rest(session, first->id));
  ASSERT_EQ(again.status(), 200);
  EXPECT_EQ(send(session.notification("notifications/cancelled", R"("requestId":11)")).status(),
            202);
  EXPECT_FALSE(again.next());
  EXPECT_TRUE(again.response.is_complete);
  EXPECT_EQ(send(rest(session, first->id)).status(), 405);
}

TEST_F(Resume, AGetStreamTellsAgainWhatItsClientHasMissed) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream stream(port(), session.bare("GET"));
  const auto first = stream.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->data, "");
  EXPECT_EQ(first->retry, "20");
  change("tools");
  const auto told = stream.next();
  ASSERT_TRUE(told);
  EXPECT_TRUE(holds(told->data, "tools/list_changed"));
  stream.client.reset();
  // One who has it hears of nothing, one who has not does.
  HeldStream has_it(port(), rest(session, told->id));
  EXPECT_EQ(data_of({*has_it.next()}), "");
  EXPECT_EQ(has_it.until_quiet(), std::vector<std::string>{});
  HeldStream has_not(port(), rest(session, first->id));
  EXPECT_EQ(data_of({*has_not.next()}), "");
  EXPECT_TRUE(holds(has_not.next_data(), "tools/list_changed"));
  EXPECT_FALSE(has_it.next()) << "its place was taken";
}

TEST_F(Resume, AGetStreamTellsNothingAgainThatWentOutOnAnother) {
  const LegacySession session(port(), "2025-11-25");
  HeldStream one(port(), session.bare("GET"));
  const auto first = one.next();
  ASSERT_TRUE(first);
  HeldStream two(port(), session.bare("GET"));
  ASSERT_TRUE(two.next());
  change();
  ASSERT_TRUE(holds(two.next_data(), "list_changed"));
  one.client.reset();
  HeldStream again(port(), rest(session, first->id));
  ASSERT_EQ(again.status(), 200) << "it takes the place of the one that it was";
  EXPECT_EQ(again.next()->data, "");
  EXPECT_EQ(again.until_quiet(), std::vector<std::string>{});
}

TEST_F(Resume, AStreamOfAnotherTimeTellsOfAllThatMayHaveChanged) {
  const LegacySession session(port(), "2025-11-25");
  for (const char* id : {"1-g1-1", "ffffffff-g9-1000"}) {
    HeldStream stream(port(), rest(session, id));
    ASSERT_EQ(stream.status(), 200);
    EXPECT_EQ(stream.next()->data, "");
    EXPECT_TRUE(holds(stream.next_data(), "list_changed"));
  }
  HeldStream other(port(), rest(session, "no id of ours"));
  ASSERT_EQ(other.status(), 200);
  EXPECT_EQ(other.next()->data, "");
  EXPECT_EQ(other.until_quiet(), std::vector<std::string>{});
}

TEST(ResumeOff, LeavesIdsOut) {
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
timeouts: { heartbeat: 200ms }
limits: { replay: 0 }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  const LegacySession session(server.port(), "2025-11-25");
  HeldStream call(server.port(), session.call("slow", R"({"ms":500,"text":"at last"})"));
  const auto events = all_of(call);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].id, "");
  HeldStream stream(server.port(), session.bare("GET"));
  EXPECT_TRUE(stream.client.read_until(stream.response, ": keep-alive\n\n: keep-alive\n\n"));
  EXPECT_FALSE(holds(stream.response.body, "id:"));
}

TEST(ResumeMemory, OfAnswersThatNobodyFetchesIsBounded) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(R"(
server: { listen: "127.0.0.1:0", loops: 1 }
plugins: ["@PLUGIN@"]
timeouts: { heartbeat: 100ms }
limits: { replay: 256KiB, replays: 1MiB }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  const auto lose = [&](int sessions) {
    std::vector<HeldStream> streams;
    for (int i = 0; i < sessions; ++i) {
      const LegacySession session(server.port(), "2025-11-25");
      streams.emplace_back(
          server.port(),
          session.call("slow", R"({"ms":300,"text":")" + std::string(200'000, 'x') + R"("})"));
    }
    for (auto& stream : streams) ASSERT_TRUE(stream.next());
    for (auto& stream : streams) stream.client.reset();
    const auto calls = [&] { return server.counts().descriptors; };
    const auto before = calls();
    static_cast<void>(before);
    EXPECT_TRUE(eventually([&] { return calls() < 30; }));
  };
  lose(20);
  const auto before = server.counts().resident_kb;
  for (int i = 0; i < 5; ++i) lose(20);
  EXPECT_LE(server.counts().resident_kb, before + 2048);
}

}  // namespace
}  // namespace sluice::testing
