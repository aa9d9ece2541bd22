// Equal calls share a result, also one that is still being made.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

#include "support/canned_upstream.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

std::string ok(std::size_t length) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(length) + "\r\n\r\n";
}

/// An upstream whose answers say which request they answer, and may be held back.
struct Source {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = true;
  std::atomic<int> count{0};
  CannedUpstream upstream{
      [this](const CannedUpstream::Request& request) { return answer(request); }};

  void set_open(bool value) {
    const std::lock_guard lock(mutex);
    open = value;
    changed.notify_all();
  }
  [[nodiscard]] bool wait_asked() {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(20), [&] { return count > 0; });
  }
  CannedUpstream::Reply answer(const CannedUpstream::Request& request) {
    const int number = ++count;
    {
      std::unique_lock lock(mutex);
      changed.notify_all();
      changed.wait_for(lock, std::chrono::seconds(20), [&] { return open; });
    }
    const std::string line = request.line();
    if (line.find("/fail") != std::string::npos)
      return {.bytes = "HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno"};
    if (line.find("/large") != std::string::npos)
      return {.bytes = ok(3'000'000), .fill = 3'000'000};
    if (line.find("/hold") != std::string::npos)
      return {.bytes = ok(100) + "begun", .then = CannedUpstream::Then::hold};
    if (const auto at = line.find("/json/"); at != std::string::npos)
      return {.bytes =
                  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                  "3000000\r\n\r\n[\"" +
                  std::string(std::stoul(line.substr(at + 6)), 'j'),
              .then = CannedUpstream::Then::close};
    if (line.find("/cut") != std::string::npos)
      return {.bytes = ok(3'000'000) + std::string(1'000'000, 'y'),
              .then = CannedUpstream::Then::close};
    const std::string text = line.substr(0, line.rfind(' ')) + " #" + std::to_string(number);
    return {.bytes = ok(text.size()) + text};
  }
};

std::string yaml(const std::string& url) {
  return R"(
server: { listen: "127.0.0.1:0", loops: 2 }
timeouts: { grace: 300ms, heartbeat: 100ms }
sources: { up: { type: http, base_url: ")" +
         url + R"(" } }
tools:
  kept: { description: K., source: up, request: "GET /kept/{a}", cache: { ttl: 1h, scope: shared }, parameters: { a: { required: true }, b: {} } }
  mine: { description: M., source: up, request: "GET /mine", cache: {} }
  brief: { description: B., source: up, request: "GET /brief", cache: { ttl: 1ms } }
  fail: { description: F., source: up, request: "GET /fail", cache: {} }
  large: { description: L., source: up, request: "GET /large", cache: { max_bytes: 1MiB } }
  whole: { description: W., source: up, request: "GET /large", cache: { max_bytes: 8MiB } }
  cut: { description: C., source: up, request: "GET /cut", cache: {} }
  json: { description: J., source: up, request: "GET /json/{size}", result: json, structured: on, cache: {}, parameters: { size: { type: string, required: true } } }
  hold: { description: H., source: up, request: "GET /hold", cache: {} }
  one: { description: O., source: up, request: "GET /one", cache: {}, concurrency: 1 }
)";
}

class Cache : public ::testing::Test {
 protected:
  Source source;
  ServerProcess server{yaml(source.upstream.url())};
  void SetUp() override { ASSERT_NE(server.port(), 0) << server.log(); }
  void TearDown() override {
    source.set_open(true);
    if (!has_stopped) EXPECT_EQ(server.stop(), 0) << server.log();
  }
  bool has_stopped = false;
  [[nodiscard]] Reply call(std::string_view tool, std::string_view arguments = "{}") const {
    return exchange(server.port(), modern_call(tool, arguments));
  }
};

TEST_F(Cache, AsksTheUpstreamOnceForEqualArguments) {
  EXPECT_EQ(call("kept", R"({"a":1,"b":[1, {"x":2,"y":3}]})").content(), "GET /kept/1 #1");
  EXPECT_EQ(call("kept", R"({ "b":[1,{"y":3,"x":2}], "a":1 })").content(), "GET /kept/1 #1");
  EXPECT_EQ(call("kept", R"({"a":1})").content(), "GET /kept/1 #2");
  EXPECT_EQ(call("kept", R"({"a":2})").content(), "GET /kept/2 #3");
  EXPECT_EQ(call("kept", R"({"a":1})").content(), "GET /kept/1 #2");
  EXPECT_EQ(source.count, 3);
}

TEST_F(Cache, AnswersEveryCallUnderItsOwnIdInBothEras) {
  LegacySession session(server.port(), "2025-11-25");
  for (const char* id : {"7", "\"seven\""}) {
    const Reply modern = exchange(server.port(), modern_call("mine", "{}", id));
    EXPECT_EQ(modern.id(), id);
    EXPECT_EQ(modern.text("result.resultType"), "complete");
    const Reply legacy = exchange(server.port(), session.call("mine", "{}", id));
    EXPECT_EQ(legacy.id(), id);
    EXPECT_FALSE(legacy.has("result.resultType"));
    EXPECT_FALSE(legacy.content().empty());
  }
}

TEST_F(Cache, ForgetsAfterItsTime) {
  const std::string first = call("brief").content();
  std::string later = first;
  for (int i = 0; i < 1000 && later == first; ++i) later = call("brief").content();
  EXPECT_NE(later, first);
}

TEST_F(Cache, KeepsCallersApartByTheirCredentials) {
  const auto as = [&](const char* who) {
    return exchange(server.port(), modern_call("mine").set("Authorization", who)).content();
  };
  EXPECT_EQ(as("Bearer a"), "GET /mine #1");
  EXPECT_EQ(as("Bearer b"), "GET /mine #2");
  EXPECT_EQ(call("mine").content(), "GET /mine #3");
  EXPECT_EQ(as("Bearer a"), "GET /mine #1");
  const auto shared = [&](const char* who) {
    return exchange(server.port(), modern_call("kept", R"({"a":1})").set("Authorization", who))
        .content();
  };
  EXPECT_EQ(shared("Bearer a"), "GET /kept/1 #4");
  EXPECT_EQ(shared("Bearer b"), "GET /kept/1 #4");
}

TEST_F(Cache, DoesNotKeepFailures) {
  EXPECT_TRUE(call("fail").is_tool_error());
  EXPECT_TRUE(call("fail").is_tool_error());
  EXPECT_EQ(source.count, 2);
}

TEST_F(Cache, SharesOneRequestAmongCallsThatComeAtOnce) {
  source.set_open(false);
  std::vector<std::unique_ptr<RawClient>> clients;
  std::vector<Response> responses;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    ASSERT_TRUE(clients.back()->send(modern_call("kept", R"({"a":1})", std::to_string(i)).text()));
    // The first heartbeat says that it waits with the others.
    responses.push_back(clients.back()->read_head());
    ASSERT_TRUE(clients.back()->read_until(responses.back(), ": keep-alive"));
  }
  // The one that asked goes away; the others still get what it asked for.
  clients.front().reset();
  source.set_open(true);
  for (std::size_t i = 1; i < clients.size(); ++i) {
    clients[i]->read_rest(responses[i]);
    const Reply reply(responses[i]);
    EXPECT_EQ(reply.content(), "GET /kept/1 #1");
    EXPECT_EQ(reply.id(), std::to_string(i));
  }
  EXPECT_EQ(source.count, 1);
}

TEST_F(Cache, StopsAnUpstreamThatNobodyWaitsForAnyMore) {
  {
    RawClient one(server.port());
    RawClient two(server.port());
    ASSERT_TRUE(one.send(modern_call("hold").text()));
    ASSERT_TRUE(source.wait_asked());
    ASSERT_TRUE(two.send(modern_call("hold").text()));
    EXPECT_EQ(source.upstream.ended(), 0);
  }
  EXPECT_TRUE(source.upstream.wait_ended(1)) << "its connection is closed";
}

TEST_F(Cache, GivesWhatIsTooLargeToKeepToAllWhoShareIt) {
  source.set_open(false);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    ASSERT_TRUE(clients.back()->send(modern_call("large").text()));
  }
  ASSERT_TRUE(source.wait_asked());
  source.set_open(true);
  // All at once: what is not kept goes at the pace of the slowest.
  std::vector<std::future<std::size_t>> sizes;
  for (const auto& client : clients)
    sizes.push_back(std::async(std::launch::async,
                               [&client] { return Reply(client->read()).content().size(); }));
  for (auto& size : sizes) EXPECT_EQ(size.get(), 3'000'000U);
  // From then on each is on its own.
  RawClient idle(server.port());
  ASSERT_TRUE(idle.send(modern_call("large").text()));
  EXPECT_EQ(call("large").content().size(), 3'000'000U);
}

TEST_F(Cache, SendsWhatItKeepsWithItsLength) {
  EXPECT_EQ(call("whole").content().size(), 3'000'000U);
  const Reply again = call("whole");
  EXPECT_EQ(again.content().size(), 3'000'000U);
  EXPECT_TRUE(again.http.field("Content-Length"));
  EXPECT_EQ(source.count, 1);
}

TEST_F(Cache, TellsAllWhereTheUpstreamBreaksOffAndKeepsNothing) {
  for (int i = 0; i < 2; ++i) {
    const Reply reply = call("cut");
    EXPECT_TRUE(reply.is_tool_error());
    EXPECT_GE(reply.content().size(), 1'000'000U);
  }
  EXPECT_EQ(source.count, 2);
}

TEST_F(Cache, AnswersAlsoWhereAJsonValueBreaksOffBeforeAnythingHasLeft) {
  for (const std::size_t size : {1'000U, 100'000U, 200'000U, 1'000'000U}) {
    RawClient client(server.port());
    const Request request = modern_call("json", "{\"size\":\"" + std::to_string(size) + "\"}");
    ASSERT_TRUE(client.send(request.text()));
    const Response response = client.read();
    if (size < 250'000U) {
      ASSERT_TRUE(response.is_complete) << size;
      EXPECT_TRUE(Reply(response).is_tool_error()) << size;
      EXPECT_EQ(exchange(client, modern_call("kept", R"({"a":1})")).status(), 200);
    } else {
      EXPECT_FALSE(response.is_complete) << "what has left cannot be ended honestly";
    }
  }
}

TEST_F(Cache, FollowersNeedNoPlaceAmongTheCallsOfTheTool) {
  source.set_open(false);
  RawClient one(server.port());
  RawClient two(server.port());
  ASSERT_TRUE(one.send(modern_call("one").text()));
  ASSERT_TRUE(source.wait_asked());
  ASSERT_TRUE(two.send(modern_call("one").text()));
  source.set_open(true);
  EXPECT_EQ(Reply(one.read()).content(), "GET /one #1");
  EXPECT_EQ(Reply(two.read()).content(), "GET /one #1");
}

TEST_F(Cache, EndsWellWhenTheServerStops) {
  source.set_open(false);
  RawClient one(server.port());
  RawClient two(server.port());
  ASSERT_TRUE(one.send(modern_call("kept", R"({"a":1})").text()));
  ASSERT_TRUE(source.wait_asked());
  ASSERT_TRUE(two.send(modern_call("kept", R"({"a":1})").text()));
  server.child().signal(SIGTERM);
  const Reply first(one.read());
  EXPECT_TRUE(first.is_tool_error());
  EXPECT_NE(first.content().find("shutting down"), std::string::npos);
  EXPECT_EQ(server.child().wait(), 0) << server.log();
  has_stopped = true;
}

}  // namespace
}  // namespace sluice::testing
