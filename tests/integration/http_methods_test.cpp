// Methods and targets other than a POST to the endpoint.
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class HttpMethods : public WithServer<HttpMethods> {
 public:
  static std::string yaml() { return "plugins: [\"@PLUGIN@\"]\n"; }
  static Request bare(std::string method) {
    Request request;
    request.method = std::move(method);
    request.set("Accept", "text/event-stream");
    return request;
  }
};

TEST_F(HttpMethods, GetAndDeleteAreNotPartOf20260728) {
  for (const char* method : {"GET", "DELETE"}) {
    Request request = bare(method);
    request.set("MCP-Protocol-Version", "2026-07-28");
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), 405) << method;
    EXPECT_NE(reply.http.field("Allow").value_or("").find("POST"), std::string::npos) << method;
    EXPECT_TRUE(reply.http.is_complete) << method;
  }
}

TEST_F(HttpMethods, GetWithoutASessionOpensNothing) {
  const Reply reply = send(bare("GET"));
  EXPECT_TRUE(reply.status() == 400 || reply.status() == 405) << reply.status();
  EXPECT_FALSE(reply.http.is_event_stream());
}

TEST_F(HttpMethods, HeadIsAnsweredAtOnceAndWithoutBody) {
  RawClient client = connect();
  ASSERT_TRUE(client.send(bare("HEAD").text()));
  const Response response = client.read(true);
  EXPECT_EQ(response.status, 405);
  EXPECT_TRUE(response.field("Allow"));
  // What follows is the next answer, not a body.
  const Reply next = exchange(client, modern_call("echo", R"({"text":"next"})"));
  EXPECT_EQ(next.content(), "next");
}

TEST_F(HttpMethods, UnknownMethodsAreRefusedWithTheListOfKnownOnes) {
  for (const char* method : {"PUT", "PATCH", "TRACE", "BREW"}) {
    const Reply reply = send(bare(method));
    EXPECT_EQ(reply.status(), 405) << method;
    const std::string allow = reply.http.field("Allow").value_or("");
    EXPECT_NE(allow.find("POST"), std::string::npos) << method << ": " << allow;
  }
}

TEST_F(HttpMethods, OptionsAnswersAPreflight) {
  Request request = bare("OPTIONS");
  request.set("Origin", "http://localhost:3000")
      .set("Access-Control-Request-Method", "POST")
      .set("Access-Control-Request-Headers", "content-type, mcp-protocol-version, mcp-method");
  const Reply reply = send(request);
  EXPECT_EQ(reply.status(), 204);
  EXPECT_EQ(reply.http.field("Access-Control-Allow-Origin"), "http://localhost:3000");
  EXPECT_NE(reply.http.field("Access-Control-Allow-Methods").value_or("").find("POST"),
            std::string::npos);
  EXPECT_NE(reply.http.field("Access-Control-Allow-Headers").value_or("").find("mcp-method"),
            std::string::npos);

  request.set("Origin", "http://evil.example");
  const Reply refused = send(request);
  EXPECT_EQ(refused.status(), 403);
  EXPECT_FALSE(refused.http.field("Access-Control-Allow-Origin"));

  EXPECT_EQ(send(bare("OPTIONS")).status(), 204);
}

TEST_F(HttpMethods, APageMayReadTheSessionId) {
  Request request = post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
  request.set("Origin", "http://localhost:3000");
  const Reply reply = send(request);
  EXPECT_TRUE(reply.http.field("Mcp-Session-Id"));
  const std::string exposed = reply.http.field("Access-Control-Expose-Headers").value_or("");
  EXPECT_TRUE(exposed.find("Mcp-Session-Id") != std::string::npos || exposed == "*")
      << reply.http.head;
}

TEST_F(HttpMethods, OtherPathsAreNotFound) {
  for (const char* target :
       {"/", "/mcp/", "/mcpx", "/other", "/.well-known/oauth-protected-resource"}) {
    Request request = modern_call("echo");
    request.target = target;
    EXPECT_EQ(send(request).status(), 404) << target;
  }
  Request query = modern_call("echo", R"({"text":"q"})");
  query.target = "/mcp?x=1";
  EXPECT_EQ(send(query).content(), "q");
}

}  // namespace
}  // namespace sluice::testing
