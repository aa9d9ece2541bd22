// Several requests on one connection, old clients, broken requests.
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class HttpConnections : public WithServer<HttpConnections> {
 public:
  static std::string yaml() { return "plugins: [\"@PLUGIN@\"]\nlimits: { request_head: 8KiB }\n"; }
  static Request echo(const std::string& text) {
    return modern_call("echo", "{\"text\":" + json_string(text) + "}");
  }
};

TEST_F(HttpConnections, ADeleteWithoutBodyIsFollowedByTheNextRequest) {
  const LegacySession session(port(), "2025-11-25");
  RawClient client = connect();
  ASSERT_TRUE(client.send(session.bare("DELETE").text() + echo("after").text()));
  EXPECT_EQ(client.read().status, 204);
  EXPECT_EQ(Reply(client.read()).content(), "after");
}

TEST_F(HttpConnections, ARefusedBodyIsNotTakenForTheNextRequest) {
  const LegacySession session(port(), "2025-11-25");
  Request refused =
      session.call("echo", "{\"text\":" + json_string(std::string(1'000'000, 'x')) + "}");
  refused.set("Mcp-Session-Id", "made-up");
  RawClient client = connect();
  ASSERT_TRUE(client.send(refused.text()));
  EXPECT_EQ(client.read().status, 404);
  EXPECT_EQ(exchange(client, echo("after")).content(), "after");

  Request wrong_type = echo(std::string(1'000'000, 'x'));
  wrong_type.set("Content-Type", "text/plain");
  ASSERT_TRUE(client.send(wrong_type.text()));
  EXPECT_EQ(client.read().status, 415);
  EXPECT_EQ(exchange(client, echo("again")).content(), "again");
}

TEST_F(HttpConnections, RequestsInOneSegmentAreAnsweredInOrder) {
  std::string all;
  for (int i = 0; i < 50; ++i) all += echo("number " + std::to_string(i)).text();
  RawClient client = connect();
  ASSERT_TRUE(client.send(all));
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(Reply(client.read()).content(), "number " + std::to_string(i));
}

TEST_F(HttpConnections, PipelinedRequestsWaitForASlowOne) {
  RawClient client = connect();
  ASSERT_TRUE(client.send(modern_call("slow", R"({"ms":300,"text":"first"})").text() +
                          echo("second").text()));
  EXPECT_EQ(Reply(client.read()).content(), "first");
  EXPECT_EQ(Reply(client.read()).content(), "second");
}

TEST_F(HttpConnections, MoreThanTheReadAheadMayBePipelinedBehindASlowCall) {
  const std::string large(60'000, 'y');
  std::string all = modern_call("slow", R"({"ms":300,"text":"first"})").text();
  for (int i = 0; i < 4; ++i) all += echo(large).text();
  RawClient client = connect();
  ASSERT_TRUE(client.send(all));
  EXPECT_EQ(Reply(client.read()).content(), "first");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Reply(client.read()).content(), large);
}

TEST_F(HttpConnections, EmptyLinesBeforeARequestAreSkipped) {
  RawClient client = connect();
  ASSERT_TRUE(client.send("\r\n" + echo("one").text()));
  EXPECT_EQ(Reply(client.read()).content(), "one");
  ASSERT_TRUE(client.send_by_byte("\r\n\r\n" + echo("two").text()));
  EXPECT_EQ(Reply(client.read()).content(), "two");
}

TEST_F(HttpConnections, ConnectionCloseIsHonoured) {
  Request request = echo("last");
  request.set("Connection", "close");
  RawClient client = connect();
  const Reply reply = exchange(client, request);
  EXPECT_EQ(reply.content(), "last");
  EXPECT_EQ(reply.http.field("Connection"), "close");
  EXPECT_TRUE(client.reads_end());
}

TEST_F(HttpConnections, AnOldClientGetsAnAnswerWithoutChunks) {
  Request small = echo("old");
  small.version = "HTTP/1.0";
  Request large = modern_call("big", R"({"bytes":1000000})");
  large.version = "HTTP/1.0";
  for (const Request& request : {small, large}) {
    RawClient client = connect();
    const Reply reply = exchange(client, request);
    EXPECT_EQ(reply.status(), 200);
    EXPECT_FALSE(reply.http.field("Transfer-Encoding"));
    EXPECT_EQ(reply.content().size(), &request == &small ? 3u : reply.content().size());
    EXPECT_FALSE(reply.content().empty());
    EXPECT_TRUE(client.reads_end());
  }
  RawClient client = connect();
  const Reply reply = exchange(client, large);
  EXPECT_EQ(reply.content().size(), 1'000'000u);
  Request without_host = small;
  without_host.host = "";
  EXPECT_EQ(send(without_host).content(), "old");
}

TEST_F(HttpConnections, AnOldClientMayAskToKeepTheConnection) {
  Request request = echo("old");
  request.version = "HTTP/1.0";
  request.set("Connection", "keep-alive");
  RawClient client = connect();
  const Reply first = exchange(client, request);
  ASSERT_EQ(first.content(), "old");
  if (first.http.field("Connection") == "close" || !first.http.field("Connection"))
    return;  // it need not be kept
  EXPECT_EQ(exchange(client, request).content(), "old");
}

TEST_F(HttpConnections, BrokenRequestsGetOneAnswerAndTheEnd) {
  for (const char* bytes :
       {"nonsense\r\n\r\n", "POST /mcp\r\n\r\n", "POST /mcp HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n",
        "POST /mcp HTTP/2.0\r\nHost: 127.0.0.1\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n"}) {
    RawClient client = connect();
    ASSERT_TRUE(client.send(bytes));
    const Response response = client.read();
    EXPECT_TRUE(response.status == 0 || response.status / 100 == 4 || response.status == 505)
        << bytes << response.status;
    EXPECT_TRUE(client.reads_end()) << bytes;
  }
  expect_alive();
}

TEST_F(HttpConnections, ATooLargeHeadIsRefusedByName) {
  Request request = echo("x");
  request.set("X-Large", std::string(9 * 1024, 'x'));
  RawClient client = connect();
  const Reply reply = exchange(client, request);
  EXPECT_EQ(reply.status(), 431);
  EXPECT_NE(reply.error_text().find("limits.request_head"), std::string::npos) << reply.http.body;
  EXPECT_TRUE(client.reads_end());

  Request fits = echo("fits");
  fits.set("X-Large", std::string(6 * 1024, 'x'));
  EXPECT_EQ(send(fits).content(), "fits");
}

TEST_F(HttpConnections, AHeadWithoutEndIsRefusedToo) {
  RawClient client = connect();
  std::string endless = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ";
  endless += std::string(200 * 1024, 'x');
  static_cast<void>(client.send(endless));
  EXPECT_EQ(client.read().status, 431);
  EXPECT_TRUE(client.reads_end());
}

TEST_F(HttpConnections, ABodyInACodingThatIsNotTakenAwayIsNoNextRequest) {
  for (const char* coding :
       {"xchunked", "chunked, gzip", "gzip, chunked", "identity", "chunked, chunked"}) {
    Request request = echo("outer");
    request.with_length = false;
    request.set("Transfer-Encoding", coding);
    request.body = echo("smuggled").text();
    RawClient client = connect();
    ASSERT_TRUE(client.send(request.text()));
    EXPECT_EQ(client.read().status, 400) << coding;
    EXPECT_TRUE(client.reads_end()) << coding;
  }
}

TEST_F(HttpConnections, TrailersAreNoHeaders) {
  Request request = echo("x");
  request.drop("Mcp-Name");
  std::string text = request.chunked(1000);
  ASSERT_TRUE(text.ends_with("0\r\n\r\n"));
  text.insert(text.size() - 2, "Mcp-Name: echo\r\n");
  RawClient client = connect();
  ASSERT_TRUE(client.send(text));
  const Reply reply(client.read());
  EXPECT_EQ(reply.error(), -32020) << reply.http.body;
  EXPECT_EQ(exchange(client, echo("next")).content(), "next");
}

TEST_F(HttpConnections, ATrailerDoesNotTakeThePlaceOfAHeader) {
  Request request = echo("x");
  std::string text = request.chunked(1000);
  text.insert(text.size() - 2, "mcp-name: other\r\nAccept: image/png\r\n");
  RawClient client = connect();
  ASSERT_TRUE(client.send(text));
  const Reply reply(client.read());
  EXPECT_EQ(reply.content(), "x") << reply.http.head << reply.http.body;
}

TEST_F(HttpConnections, AnOldClientIsNotToldToContinue) {
  Request request = echo("old");
  request.version = "HTTP/1.0";
  request.set("Expect", "100-continue");
  const std::string text = request.text();
  const auto body = text.find("\r\n\r\n") + 4;
  RawClient client = connect();
  ASSERT_TRUE(client.send(text.substr(0, body)));
  ASSERT_TRUE(client.send(text.substr(body)));
  const Reply reply(client.read());
  EXPECT_EQ(reply.status(), 200) << reply.http.head;
  EXPECT_EQ(reply.content(), "old");
}

TEST_F(HttpConnections, AHandlerThatThrowsBeforeItsCoroutineBeginsGivesAnError) {
  RawClient client = connect();
  const Reply reply = exchange(client, modern_call("throws_at_once"));
  EXPECT_EQ(reply.status(), 200);
  EXPECT_TRUE(reply.is_tool_error()) << reply.http.body;
  EXPECT_EQ(exchange(client, echo("next")).content(), "next");
}

TEST_F(HttpConnections, ClientsThatLeaveHalfwayCostNothing) {
  const std::string text = echo("x").text();
  for (const std::size_t cut :
       {std::size_t{0}, std::size_t{1}, std::size_t{20}, text.size() - 30, text.size() - 1}) {
    RawClient closes = connect();
    ASSERT_TRUE(closes.send(std::string_view(text).substr(0, cut)));
    RawClient resets = connect();
    ASSERT_TRUE(resets.send(std::string_view(text).substr(0, cut)));
    resets.reset();
  }
  expect_alive();
}

}  // namespace
}  // namespace sluice::testing
