// Progress of the tools that stand in the file.
#include "support/canned_upstream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

using Upstream = CannedUpstream;

/// A response of 8 pieces, of which each comes some milliseconds after the one before.
Upstream::Reply slow_answer(const Upstream::Request& request) {
  Upstream::Reply reply;
  const bool is_known = request.line().find("/known") != std::string::npos;
  reply.bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
  reply.bytes += is_known ? "Content-Length: 40\r\n\r\n" : "Connection: close\r\n\r\n";
  for (int i = 0; i < 8; ++i) reply.bytes += "piece";
  reply.byte_by_byte = true;
  if (!is_known) reply.then = Upstream::Then::close;
  return reply;
}

std::string yaml_for(const Upstream& upstream, const char* interval) {
  return std::string(R"(
server: { listen: "127.0.0.1:0", progress_interval: )") +
         interval + R"( }
sources: { up: { type: http, base_url: ")" +
         upstream.url() + R"(" } }
tools:
  known: { description: K., source: up, request: GET /known, result: text }
  unknown: { description: U., source: up, request: GET /unknown, result: text }
  file: { description: F., file: { root: "@DIR@", path: data.txt } }
  ticking:
    description: C.
    command: [sh, -c, "for i in 1 2 3 4 5 6 7 8; do printf piece; sleep 0.05; done"]
  checked:
    description: S.
    command: [sh, -c, "printf '{{'; sleep 0.1; printf '\"a\":'; sleep 0.1; printf '\"x\"}}'"]
    result: json
    structured: on
    output_schema: { type: object, properties: { a: { type: integer } } }
)";
}

void put_file(const TempFolder& folder) { folder.write("data.txt", "piecepiecepiece"); }

Request with_token(Request request) {
  const auto at = request.body.find(R"("params":{)") + 10;
  const auto meta = request.body.find(R"("_meta":{)");
  if (meta == std::string::npos)
    request.body.insert(at, R"("_meta":{"progressToken":"t"},)");
  else
    request.body.insert(meta + 9, R"("progressToken":"t",)");
  return request;
}

std::vector<double> progress_of(const Reply& reply) {
  std::vector<double> out;
  json::Document document;
  for (std::size_t i = 0; i + 1 < reply.messages().size(); ++i) {
    const auto message = document.parse_copy(reply.messages()[i]);
    EXPECT_EQ(message->find("method").as_string(), "notifications/progress");
    EXPECT_EQ(message->find("params").find("progressToken").as_string(), "t");
    out.push_back(message->find("params").find("progress").as_double().value_or(-1));
  }
  return out;
}

void expect_increasing(const std::vector<double>& progress, std::size_t least) {
  EXPECT_GE(progress.size(), least);
  for (std::size_t i = 0; i < progress.size(); ++i)
    EXPECT_GT(progress[i], i == 0 ? 0 : progress[i - 1]);
}

TEST(Progress, OfASlowToolIncreasesAheadOfItsResultInBothEras) {
  const Upstream upstream([](const Upstream::Request& request) { return slow_answer(request); });
  ServerProcess server(yaml_for(upstream, "5ms"), {.prepare = put_file});
  ASSERT_NE(server.port(), 0) << server.log();
  const LegacySession session(server.port(), "2025-11-25");
  for (const bool is_modern : {true, false}) {
    const Reply reply = exchange(
        server.port(), with_token(is_modern ? modern_call("ticking") : session.call("ticking")));
    expect_increasing(progress_of(reply), 3);
    EXPECT_EQ(reply.content(), "piecepiecepiecepiecepiecepiecepiecepiece");
    EXPECT_TRUE(reply.http.is_event_stream());
    EXPECT_NE(reply.messages()[0].find(R"( bytes")"), std::string::npos) << reply.messages()[0];
    EXPECT_EQ(reply.messages()[0].find("total"), std::string::npos);
  }
  EXPECT_EQ(server.stop(), 0);
}

TEST(Progress, HasATotalWhereTheSourceSaysIt) {
  const Upstream upstream([](const Upstream::Request& request) { return slow_answer(request); });
  ServerProcess server(yaml_for(upstream, "0ms"), {.prepare = put_file});
  ASSERT_NE(server.port(), 0) << server.log();
  const auto first_message = [&](const char* tool) {
    const Reply reply = exchange(server.port(), with_token(modern_call(tool)));
    const auto progress = progress_of(reply);
    expect_increasing(progress, 1);
    return reply.messages()[0];
  };
  EXPECT_NE(first_message("known").find(R"("total":40)"), std::string::npos);
  const std::string file = first_message("file");
  EXPECT_NE(file.find(R"("progress":15,"total":15,"message":"15 of 15 bytes")"), std::string::npos)
      << file;
  EXPECT_EQ(server.stop(), 0);
}

TEST(Progress, LeavesAQuickResultAndOneWithoutATokenAsTheyWere) {
  const Upstream upstream(canned("200 OK", "hello", "Content-Type: text/plain\r\n"));
  ServerProcess server(yaml_for(upstream, "1m"), {.prepare = put_file});
  ASSERT_NE(server.port(), 0) << server.log();
  const LegacySession session(server.port(), "2025-11-25");
  const auto raw = [&](const Request& request) {
    const Reply reply = exchange(server.port(), request);
    EXPECT_EQ(reply.messages().size(), 1U);
    std::string head = reply.http.head;
    if (const auto date = head.find("Date: "); date != std::string::npos)
      head.erase(date, head.find("\r\n", date) - date);
    return head + reply.http.body;
  };
  for (const char* tool : {"known", "unknown", "file", "ticking"})
    for (const bool is_modern : {true, false}) {
      const Request request = is_modern ? modern_call(tool) : session.call(tool);
      EXPECT_EQ(raw(with_token(request)), raw(request)) << tool;
    }
  EXPECT_EQ(server.stop(), 0);
}

TEST(Progress, MakesNoEventOfAResultThatClientsWouldDropForItsSize) {
  const std::string large(900 * 1024, 'x');
  const Upstream upstream(canned("200 OK", large, "Content-Type: text/plain\r\n"));
  ServerProcess server(yaml_for(upstream, "0ms"), {.prepare = put_file});
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply reply = exchange(server.port(), with_token(modern_call("known")));
  EXPECT_EQ(reply.messages().size(), 1U);
  EXPECT_FALSE(reply.http.is_event_stream());
  EXPECT_EQ(reply.content().size(), large.size());
  Request events = with_token(modern_call("known"));
  events.set("Accept", "text/event-stream");
  EXPECT_GT(exchange(server.port(), events).messages().size(), 1U) << "it is one anyway";
  EXPECT_EQ(server.stop(), 0);
}

TEST(Progress, DoesNotKeepAResultFromBeingChecked) {
  const Upstream upstream([](const Upstream::Request& request) { return slow_answer(request); });
  ServerProcess server(yaml_for(upstream, "1ms"), {.prepare = put_file});
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply reply = exchange(server.port(), with_token(modern_call("checked")));
  expect_increasing(progress_of(reply), 1);
  EXPECT_TRUE(reply.is_tool_error()) << reply.http.body;
  EXPECT_FALSE(reply.has("result.structuredContent"));
  EXPECT_EQ(server.stop(), 0);
}

}  // namespace
}  // namespace sluice::testing
