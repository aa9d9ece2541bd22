// What subscriptions/listen is asked, and what goes out on its stream.
#include "mcp/listen_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <string>

#include "json/document.hpp"
#include "mcp/listen_filter.hpp"
#include "support/event_stream.hpp"

namespace sluice::mcp {
namespace {

using State = EventSource::State;

/// The complaint about a filter; empty: there is none.
std::string complaint(std::string_view json, ListenFilter& filter, std::size_t most = 3) {
  static json::Document document;
  const auto parsed = document.parse_copy(json);
  const auto failure = ListenFilter::read(*parsed, most, filter);
  if (!failure) return "";
  EXPECT_EQ(failure->code, rpc::kInvalidParams);
  return failure->message;
}

TEST(ListenFilter, TakesWhatIsAskedForAndKnown) {
  ListenFilter filter;
  EXPECT_EQ(complaint(R"({"toolsListChanged":true,"promptsListChanged":false,"other":5,
                         "resourceSubscriptions":["a:1","b:2"]})",
                      filter),
            "");
  EXPECT_TRUE(filter.lists.has(List::tools));
  EXPECT_FALSE(filter.lists.has(List::prompts));
  EXPECT_FALSE(filter.lists.has(List::resources));
  EXPECT_EQ(filter.uris, (std::vector<std::string_view>{"a:1", "b:2"}));
  ListenFilter none;
  EXPECT_EQ(complaint("{}", none), "");
  EXPECT_TRUE(none.lists.empty());
  EXPECT_TRUE(none.uris.empty());
}

TEST(ListenFilter, RefusesWhatIsOfAnotherType) {
  for (const char* json :
       {"[]", "null", "5", R"({"toolsListChanged":1})", R"({"promptsListChanged":"true"})",
        R"({"resourcesListChanged":null})", R"({"resourceSubscriptions":"a:1"})",
        R"({"taskIds":"a"})", R"({"taskIds":[1]})", R"({"resourceSubscriptions":{}})",
        R"({"resourceSubscriptions":["a:1",2]})"}) {
    ListenFilter filter;
    EXPECT_NE(complaint(json, filter).find("must be"), std::string::npos) << json;
  }
  ListenFilter filter;
  EXPECT_TRUE(ListenFilter::read(Json(), 3, filter));
}

TEST(ListenFilter, NamesTheLimitOfResources) {
  ListenFilter filter;
  EXPECT_EQ(complaint(R"({"resourceSubscriptions":["a:1","a:2","a:3"]})", filter), "");
  EXPECT_NE(complaint(R"({"resourceSubscriptions":["a:1","a:2","a:3","a:4"]})", filter)
                .find("limits.subscriptions (3)"),
            std::string::npos);
}

struct Listening {
  explicit Listening(std::string_view id = "7", ListSet lists = ListSet::all())
      : stream({hub, 0, count, std::chrono::milliseconds(5)}, id, R"({"name":"n"})", lists) {
    hub.serve(0, io.get_executor());
  }
  ~Listening() { hub.stop(0); }

  /// The messages of the next piece.
  std::vector<std::string> next(State expected = State::open) {
    io.restart();
    io.poll();
    std::string out;
    EXPECT_EQ(stream.next(out), expected);
    largest = std::max(largest, out.size());
    std::vector<std::string> messages;
    for (const auto& event : testing::read_event_stream(out).events) messages.push_back(event.data);
    return messages;
  }

  std::size_t largest = 0;
  boost::asio::io_context io;
  Subscriptions hub{1, 1'000'000};
  std::atomic<std::uint32_t> count{0};
  ListenStream stream;
};

using Messages = std::vector<std::string>;

TEST(ListenStream, AcknowledgesFirstThenTellsThenSaysFarewell) {
  Listening listening(R"("id \"7\"")");
  ASSERT_TRUE(listening.stream.watch("file:///a b"));
  listening.hub.list_changed(List::tools);
  listening.hub.resource_updated("file:///a%20b");
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":"id \"7\""})";
  EXPECT_EQ(
      listening.next(),
      (Messages{
          R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{)" +
              meta +
              R"(,"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["file:///a b"]}}})",
          R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{)" + meta +
              "}}",
          R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{)" + meta +
              R"(,"uri":"file:///a b"}})"}));
  EXPECT_EQ(listening.next(), Messages{});
  listening.hub.list_changed(List::prompts);
  listening.stream.on_drain();
  EXPECT_EQ(
      listening.next(State::over),
      (Messages{
          R"({"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{)" + meta +
              "}}",
          R"({"jsonrpc":"2.0","id":"id \"7\"","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"id \"7\"","io.modelcontextprotocol/serverInfo":{"name":"n"}}}})"}));
}

TEST(ListenStream, AcknowledgesOnlyWhatItAgreedTo) {
  ListSet lists;
  lists.add(List::prompts);
  Listening listening("0", lists);
  const auto messages = listening.next();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find(R"("notifications":{"promptsListChanged":true}}})"),
            std::string::npos);
  listening.hub.list_changed(List::tools);
  EXPECT_EQ(listening.next(), Messages{});
}

TEST(ListenStream, TellsOfManyResourcesInPieces) {
  Listening listening;
  const std::string long_name(200, 'x');
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(listening.stream.watch("a:" + long_name + std::to_string(i)));
  static_cast<void>(listening.next());  // the acknowledgement is one event, whatever its size
  listening.largest = 0;
  for (int round = 0; round < 3; ++round) listening.hub.resources_updated("a:");
  std::size_t messages = 0;
  std::size_t pieces = 0;
  for (;;) {
    const auto piece = listening.next();
    if (piece.empty()) break;
    messages += piece.size();
    ++pieces;
  }
  EXPECT_EQ(messages, 500U);
  EXPECT_GT(pieces, 5U);
  EXPECT_LE(listening.largest, EventSource::kPiece + 1000);
}

TEST(ListenStream, WakesTheStreamThatItFeeds) {
  struct Stream final : EventSource::Stream {
    void wake() override { ++woken; }
    int woken = 0;
  } stream;
  Listening listening;
  listening.stream.feed(&stream);
  static_cast<void>(listening.next());
  for (int i = 0; i < 3; ++i) {
    listening.hub.list_changed(List::tools);
    listening.io.restart();
    listening.io.poll();
  }
  EXPECT_EQ(stream.woken, 1);
  EXPECT_EQ(listening.next().size(), 1U);
  listening.hub.list_changed(List::tools);
  listening.io.restart();
  listening.io.poll();
  EXPECT_EQ(stream.woken, 2);
}

TEST(ListenStream, IsCountedWhileItIsThere) {
  Subscriptions hub(1, 1000);
  std::atomic<std::uint32_t> count{0};
  {
    const ListenStream stream({hub, 0, count, {}}, "1", "{}", {});
    EXPECT_EQ(count, 1U);
    EXPECT_EQ(hub.size(), 1U);
  }
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(hub.size(), 0U);
}

}  // namespace
}  // namespace sluice::mcp
