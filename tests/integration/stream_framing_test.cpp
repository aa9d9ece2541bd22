// How results are framed: JSON or events, with a length or in chunks.
#include "support/event_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr std::size_t kMiB = 1024 * 1024;

class Framing : public WithServer<Framing> {
 public:
  static std::string yaml() { return "plugins: [\"@PLUGIN@\"]\n"; }
  static Request big(const char* tool, std::size_t bytes, const char* accept = nullptr) {
    Request request = modern_call(tool, "{\"bytes\":" + std::to_string(bytes) + "}");
    if (accept != nullptr) request.set("Accept", accept);
    return request;
  }
};

constexpr const char* kJson = "application/json";
constexpr const char* kEvents = "text/event-stream";

TEST_F(Framing, ASmallResultIsOneEventWithALength) {
  const Reply reply = send(big("big", 1000));
  EXPECT_TRUE(reply.http.is_event_stream());
  EXPECT_TRUE(reply.http.field("Content-Length"));
  EXPECT_FALSE(reply.http.is_chunked);
  EXPECT_EQ(reply.messages().size(), 1u);
  EXPECT_EQ(reply.content().size(), 1000u);
}

TEST_F(Framing, AResultAboveTheWindowIsChunkedJson) {
  const Reply reply = send(big("big", 2 * kMiB));
  EXPECT_EQ(reply.http.field("Content-Type"), kJson);
  EXPECT_TRUE(reply.http.is_chunked);
  EXPECT_TRUE(reply.http.is_complete);
  EXPECT_EQ(reply.content(), std::string(2 * kMiB, 'a'));
}

TEST_F(Framing, WhatIsAskedForIsWhatComes) {
  struct Case {
    const char* tool;
    const char* accept;  // null: both
    const char* type;
  };
  for (const Case& c : std::vector<Case>{{"big", kJson, kJson},
                                         {"big", kEvents, kEvents},
                                         {"big_events", nullptr, kEvents},
                                         {"big_events", kEvents, kEvents},
                                         {"big_events", kJson, kJson},
                                         {"big_json", nullptr, kJson},
                                         {"big_json", kJson, kJson},
                                         {"big_json", kEvents, kEvents}}) {
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{100}, 70 * std::size_t{1024}, 3 * kMiB}) {
      const Reply reply = send(big(c.tool, bytes, c.accept));
      EXPECT_EQ(reply.http.field("Content-Type"), c.type) << c.tool << " " << bytes;
      EXPECT_TRUE(reply.http.is_complete);
      EXPECT_EQ(reply.content().size(), bytes) << c.tool;
      EXPECT_EQ(reply.messages().size(), 1u);
    }
  }
}

TEST_F(Framing, EverySizeAroundTheBordersArrivesWhole) {
  RawClient client = connect();
  for (const std::size_t frame : {64 * std::size_t{1024}, 256 * std::size_t{1024}}) {
    for (std::size_t bytes = frame - 2600; bytes < frame + 300; bytes += 61) {
      const Reply reply = exchange(client, big("big", bytes));
      ASSERT_EQ(reply.content().size(), bytes) << reply.http.head;
    }
  }
}

TEST_F(Framing, AClientThatDropsLargeEventsGetsEveryResult) {
  for (const std::size_t bytes :
       {std::size_t{10}, 200 * std::size_t{1024}, 262'000 * std::size_t{1}, 300 * std::size_t{1024},
        kMiB - 200, kMiB, kMiB + 1, 5 * kMiB}) {
    const Reply reply = send(big("big", bytes));
    if (reply.http.is_event_stream()) {
      const EventStream strict = read_event_stream(reply.http.body, kMiB);
      EXPECT_EQ(strict.dropped, 0u) << bytes;
      EXPECT_EQ(strict.events.size(), 1u) << bytes;
    }
    EXPECT_EQ(reply.content().size(), bytes);
  }
}

TEST_F(Framing, LineBreaksAndSeparatorsInAResultDoNotBreakEvents) {
  for (const std::string& text :
       {std::string("a\r\nb\rc\nd"), std::string("x\xE2\x80\xA8y\xE2\x80\xA9z\xC2\x85w"),
        std::string("\n\n: x\ndata: y\n\n")}) {
    for (const char* tool : {"raw", "escaped"}) {
      std::string argument = json_string(text);
      if (std::string_view(tool) == "raw" && text[0] == 'x') argument = "\"" + text + "\"";
      Request request = modern_call("echo", "{\"text\":" + argument + "}");
      request.set("Accept", kEvents);
      const Reply reply = send(request);
      ASSERT_TRUE(reply.http.is_event_stream());
      EXPECT_EQ(reply.messages().size(), 1u);
      EXPECT_EQ(reply.content(), text);
      EXPECT_EQ(reply.http.body.find('\r'), std::string::npos);
      for (const char* separator : {"\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85"})
        EXPECT_EQ(reply.http.body.find(separator), std::string::npos)
            << "some clients cut lines there";
    }
  }
}

TEST_F(Framing, AnEventMayHoldALineOfFiveMegabytes) {
  const Reply reply = send(big("big", 5'000'000, kEvents));
  EXPECT_EQ(reply.messages().size(), 1u);
  EXPECT_EQ(reply.content().size(), 5'000'000u);
}

TEST_F(Framing, FiftyMegabytesPassInEitherForm) {
  for (const char* accept : {kJson, kEvents}) {
    RawClient client = connect();
    ASSERT_TRUE(client.send(big("big", 50'000'000, accept).text()));
    const Response response = client.read();
    EXPECT_EQ(response.field("Content-Type"), accept);
    EXPECT_TRUE(response.is_complete);
    EXPECT_GT(response.body.size(), 50'000'000u);
    EXPECT_EQ(response.body.find("isError"), std::string::npos);
    expect_alive();
  }
}

TEST_F(Framing, ProgressComesBeforeTheResultWithTheTokenThatWasSent) {
  const LegacySession session(port(), "2025-11-25");
  for (const char* token : {"0", R"("")", R"("abc")", "-1", R"("q\"uote")", "9007199254740993"}) {
    const std::string meta = std::string("\"progressToken\":") + token;
    for (const Request& request :
         {modern_call("progress", R"({"n":150})", "7", "," + meta),
          session.request("tools/call",
                          R"("name":"progress","arguments":{"n":150},"_meta":{)" + meta + "}",
                          "7")}) {
      const Reply reply = send(request);
      EXPECT_EQ(reply.content(), "done");
      EXPECT_EQ(reply.id(), "7") << "the result is last";
      ASSERT_TRUE(reply.http.is_event_stream());
      ASSERT_GT(reply.messages().size(), 1u);
      double last = 0;
      for (std::size_t i = 0; i + 1 < reply.messages().size(); ++i) {
        json::Document document;
        const auto root = document.parse_copy(reply.messages()[i]);
        ASSERT_TRUE(root) << reply.messages()[i];
        EXPECT_EQ(root->find("method").as_string(), "notifications/progress");
        EXPECT_FALSE(root->find("id"));
        const Json params = root->find("params");
        EXPECT_EQ(params.find("progressToken").raw(), token);
        const double now = params.find("progress").as_double().value_or(0);
        EXPECT_GT(now, last);
        last = now;
      }
    }
  }
}

TEST_F(Framing, WithoutATokenThereIsNoProgress) {
  EXPECT_EQ(send(modern_call("progress", R"({"n":20})")).messages().size(), 1u);
  for (const char* token : {"null", "true", "[]", "{}"})
    EXPECT_LE(send(modern_call("progress", R"({"n":20})", "1",
                               std::string(",\"progressToken\":") + token))
                  .messages()
                  .size(),
              1u);
}

TEST_F(Framing, AClientThatTakesNoEventsGetsTheResultAlone) {
  Request request = modern_call("progress", R"({"n":20})", "1", R"(,"progressToken":1)");
  request.set("Accept", kJson);
  const Reply reply = send(request);
  EXPECT_EQ(reply.http.field("Content-Type"), kJson);
  EXPECT_EQ(reply.content(), "done");
}

TEST_F(Framing, LogMessagesComeWhereTheyWereAskedFor) {
  EXPECT_EQ(send(modern_call("log")).messages().size(), 1u);
  const Reply some =
      send(modern_call("log", "{}", "1", R"(,"io.modelcontextprotocol/logLevel":"warning")"));
  ASSERT_EQ(some.messages().size(), 2u);
  EXPECT_NE(some.messages()[0].find("a warning"), std::string::npos);
  EXPECT_EQ(some.content(), "logged");
  EXPECT_EQ(send(modern_call("log", "{}", "1", R"(,"io.modelcontextprotocol/logLevel":"debug")"))
                .messages()
                .size(),
            3u);
  const Reply wrong =
      send(modern_call("log", "{}", "1", R"(,"io.modelcontextprotocol/logLevel":"loud")"));
  EXPECT_EQ(wrong.error(), -32602);

  const LegacySession session(port(), "2025-11-25");
  ASSERT_EQ(send(session.request("logging/setLevel", R"("level":"error")")).text("result"), "{}");
  EXPECT_EQ(send(session.call("log")).messages().size(), 1u);
  ASSERT_EQ(send(session.request("logging/setLevel", R"("level":"info")")).text("result"), "{}");
  EXPECT_EQ(send(session.call("log")).messages().size(), 2u);
  EXPECT_EQ(send(session.request("logging/setLevel", R"("level":"loud")")).error(), -32602);
}

}  // namespace
}  // namespace sluice::testing
