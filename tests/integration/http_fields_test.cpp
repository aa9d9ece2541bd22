// What request fields decide: Accept, Content-Type, Host, Origin.
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class HttpFields : public WithServer<HttpFields> {
 public:
  static std::string yaml() {
    return R"(
server:
  listen: 127.0.0.1:0
  allowed_hosts: [mcp.example.com, "strict.example.com:8443"]
  allowed_origins: ["https://app.example.com"]
plugins: ["@PLUGIN@"]
)";
  }
  static Request echo() { return modern_call("echo", R"({"text":"hello"})"); }
};

TEST_F(HttpFields, AcceptIsReadAsMediaRanges) {
  struct Case {
    const char* accept;  // null: no such field
    int status;
    const char* type;  // of the answer; null: either
  };
  for (const Case& c : std::vector<Case>{
           {"*/*", 200, nullptr},
           {"application/*, text/*", 200, nullptr},
           {"application/json", 200, "application/json"},
           {"Application/JSON;q=0.5", 200, "application/json"},
           {"text/event-stream", 200, "text/event-stream"},
           {"application/json;q=0, text/event-stream", 200, "text/event-stream"},
           {"text/event-stream;q=0, */*", 200, "application/json"},
           {"", 200, nullptr},
           {nullptr, 200, nullptr},
           {"image/png", 406, nullptr},
           {"*/*;q=0", 406, nullptr},
       }) {
    Request request = echo();
    request.drop("Accept");
    if (c.accept != nullptr) request.set("Accept", c.accept);
    const Reply reply = send(request);
    const std::string about = c.accept == nullptr ? "no field" : c.accept;
    EXPECT_EQ(reply.status(), c.status) << about;
    if (c.status == 200) {
      EXPECT_EQ(reply.content(), "hello") << about;
    }
    if (c.type != nullptr) {
      EXPECT_EQ(reply.http.field("Content-Type"), c.type) << about;
    }
  }
}

TEST_F(HttpFields, SeveralAcceptLinesAreOneList) {
  Request request = echo();
  request.set("Accept", "image/png").add("Accept", "application/json");
  EXPECT_EQ(send(request).http.field("Content-Type"), "application/json");
}

TEST_F(HttpFields, AnErrorTooComesInAFormTheClientTakes) {
  for (const char* accept : {"application/json", "text/event-stream"}) {
    Request request = modern_call("no_such_tool");
    request.set("Accept", accept);
    const Reply reply = send(request);
    EXPECT_EQ(reply.error(), -32602) << accept;
    EXPECT_EQ(reply.http.field("Content-Type"), accept);
  }
}

TEST_F(HttpFields, ContentTypeIsJsonInAnySpellingAndNothingElse) {
  struct Case {
    const char* type;
    int status;
  };
  for (const Case& c : std::vector<Case>{{"application/json; charset=utf-8", 200},
                                         {"Application/JSON", 200},
                                         {"application/json;charset=\"UTF-8\"", 200},
                                         {"application/json; charset=utf-16", 415},
                                         {"text/plain", 415},
                                         {"application/x-www-form-urlencoded", 415},
                                         {"application/jsonx", 415},
                                         {"", 415}}) {
    Request request = echo();
    request.set("Content-Type", c.type);
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), c.status) << c.type;
    EXPECT_EQ(reply.content(), c.status == 200 ? "hello" : "") << c.type;
  }
  Request without = echo();
  without.drop("Content-Type");
  EXPECT_EQ(send(without).status(), 415);
  Request packed = echo();
  packed.set("Content-Encoding", "gzip");
  EXPECT_EQ(send(packed).status(), 415);
}

TEST_F(HttpFields, OnlyOurOwnHostNamesAreServed) {
  struct Case {
    const char* host;
    bool served;
  };
  for (const Case& c : std::vector<Case>{{"127.0.0.1", true},
                                         {"127.0.0.1:9999", true},
                                         {"localhost:8080", true},
                                         {"LOCALHOST:8080", true},
                                         {"[::1]:8080", true},
                                         {"[::1]", true},
                                         {"mcp.example.com", true},
                                         {"MCP.example.com:443", true},
                                         {"strict.example.com:8443", true},
                                         {"strict.example.com:8444", false},
                                         {"evil.example:8080", false},
                                         {"127.0.0.1.evil.example", false},
                                         {"mcp.example.com.evil.example", false},
                                         {"xmcp.example.com", false},
                                         {"localhost.evil.example", false},
                                         {"localhost:80@evil.example", false}}) {
    Request request = echo();
    request.host = c.host;
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), c.served ? 200 : 403) << c.host;
    EXPECT_EQ(reply.content(), c.served ? "hello" : "") << c.host;
  }
}

TEST_F(HttpFields, AnAbsoluteTargetOutranksTheHostField) {
  Request request = echo();
  request.target = "http://evil.example/mcp";
  EXPECT_EQ(send(request).status(), 403);
  request.target = "http://localhost:1234/mcp";
  EXPECT_EQ(send(request).content(), "hello");
  request.target = "http://localhost/other";
  EXPECT_EQ(send(request).status(), 404);
}

TEST_F(HttpFields, ARequestHasExactlyOneHost) {
  Request request = echo();
  request.add("Host", "localhost");
  EXPECT_EQ(send(request).status(), 400);
  request = echo();
  request.host = "";
  EXPECT_EQ(send(request).status(), 400);
}

TEST_F(HttpFields, OriginsAreComparedAsAWhole) {
  struct Case {
    const char* origin;
    bool served;
  };
  for (const Case& c : std::vector<Case>{{"http://127.0.0.1:8080", true},
                                         {"http://localhost", true},
                                         {"https://app.example.com", true},
                                         {"http://app.example.com", false},
                                         {"https://app.example.com:8443", false},
                                         {"https://app.example.com.evil.example", false},
                                         {"http://localhost.evil.example", false},
                                         {"http://localhost@evil.example", false},
                                         {"null", false},
                                         {"file://", false},
                                         {"evil", false}}) {
    Request request = echo();
    request.set("Origin", c.origin);
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), c.served ? 200 : 403) << c.origin;
    EXPECT_EQ(reply.http.field("Access-Control-Allow-Origin").value_or(""),
              c.served ? c.origin : "")
        << c.origin;
  }
  EXPECT_FALSE(send(echo()).http.field("Access-Control-Allow-Origin"));
}

}  // namespace
}  // namespace sluice::testing
