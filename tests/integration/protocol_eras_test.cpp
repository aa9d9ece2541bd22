// The two eras: headers, metadata, versions, sessions.
#include "support/deadline.hpp"
#include "support/held_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class Eras : public WithServer<Eras> {
 public:
  static std::string yaml() {
    return R"(
plugins: ["@PLUGIN@"]
tools:
  größe: { description: A name that is not ASCII., text: big }
  mirrored: { command: [printf, "%s", "{region}"], parameters: { region: { type: string, enum: [eu, us], required: true, x-mcp-header: Region } } }
  "=?base64?ZWNobw==?=": { description: A name in the shape of an encoding., text: shaped }
)";
  }
};

/// A call of the tool `echo` whose Mcp-Name is what the test says; null: no such header.
Request named(const char* header, const std::string& tool = "echo") {
  Request request = modern_call(tool, tool == "echo" ? R"({"text":"hello"})" : "{}");
  request.drop("Mcp-Name");
  if (header != nullptr) request.set("Mcp-Name", header);
  return request;
}

TEST_F(Eras, McpNameIsDecodedBeforeItIsCompared) {
  struct Case {
    const char* header;
    const char* tool;
    bool served;
  };
  for (const Case& c : std::vector<Case>{{"echo", "echo", true},
                                         {"=?base64?ZWNobw==?=", "echo", true},
                                         {"=?base64?Z3LDtsOfZQ==?=", "größe", true},
                                         {"  echo  ", "echo", true},
                                         {"=?BASE64?ZWNobw==?=", "echo", false},
                                         {"=?base64?ZWNobw?=", "echo", false},
                                         {"=?base64?/w==?=", "echo", false},
                                         {"größe", "größe", false},
                                         {"Echo", "echo", false},
                                         {"", "echo", false},
                                         {nullptr, "echo", false},
                                         {"echo, echo", "echo", false}}) {
    const Reply reply = send(named(c.header, c.tool));
    const std::string about =
        std::string(c.header == nullptr ? "no header" : c.header) + " for " + c.tool;
    EXPECT_EQ(reply.status(), c.served ? 200 : 400) << about << reply.http.body;
    EXPECT_EQ(reply.error(), c.served ? 0 : -32020) << about;
    EXPECT_EQ(reply.id(), "1") << about;
  }
  Request odd_case = named(nullptr);
  odd_case.set("mCP-nAME", "echo");
  EXPECT_EQ(send(odd_case).content(), "hello");
}

TEST_F(Eras, HeadersThatContradictTheBodyOrEachOtherAreRefused) {
  EXPECT_EQ(send(modern_call("echo", R"({"text":"x"})").add("Mcp-Name", "mirrored")).error(),
            -32020);
  EXPECT_EQ(send(modern_call("echo", R"({"text":"x"})").add("Mcp-Method", "tools/list")).error(),
            -32020);
  const auto mirrored = [](const char* region, const std::string& arguments) {
    Request request = modern_call("mirrored", arguments);
    if (region != nullptr) request.set("Mcp-Param-Region", region);
    return send(request);
  };
  EXPECT_EQ(mirrored("eu", R"({"region":"eu"})").content(), "eu");
  EXPECT_EQ(mirrored(nullptr, R"({"region":"eu"})").error(), -32020);
  EXPECT_EQ(mirrored("us", R"({"region":"eu"})").error(), -32020);
  // A name that stands twice means one thing to the check of the header, the schema and the tool.
  const Reply twice = mirrored("eu", R"({"region":"us","region":"eu"})");
  EXPECT_TRUE(twice.content() == "eu" || twice.error() != 0) << twice.http.body;
  EXPECT_NE(mirrored("us", R"({"region":"us","region":"eu"})").error(), 0);
  EXPECT_NE(mirrored("eu", R"({"region":"zz","region":"eu"})").content(), "zz");
}

TEST_F(Eras, AToolNamedLikeAnEncodingIsReachedByEncodingItsName) {
  // Not every server lets such names be: ask the list first.
  const std::string name = "=?base64?ZWNobw==?=";
  if (send(modern("tools/list")).http.body.find(name) == std::string::npos)
    GTEST_SKIP() << "Such names are refused at start.";
  EXPECT_EQ(send(named("=?base64?PT9iYXNlNjQ/WldOb2J3PT0/PQ==?=", name)).content(), "shaped");
  EXPECT_EQ(send(named(name.c_str(), name)).error(), -32020);
}

TEST_F(Eras, RefusalsOf20260728KeepTheIdAndHaveTheirStatus) {
  struct Case {
    const char* what;
    Request request;
    int status;
    int code;
  };
  Request wrong_method = modern("server/discover", "", "\"abc\"");
  wrong_method.set("Mcp-Method", "tools/list");
  Request no_method = modern("server/discover", "", "\"abc\"");
  no_method.drop("Mcp-Method");
  Request no_meta = modern("server/discover", "", "\"abc\"");
  no_meta.body = R"({"jsonrpc":"2.0","id":"abc","method":"server/discover","params":{}})";
  Request no_capabilities = modern("server/discover", "", "\"abc\"");
  no_capabilities.body =
      R"({"jsonrpc":"2.0","id":"abc","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
  Request old = modern("server/discover", "", "\"abc\"");
  old.set("MCP-Protocol-Version", "1900-01-01");
  old.body.replace(old.body.find("2026-07-28"), 10, "1900-01-01");
  Request contradicts = modern("server/discover", "", "\"abc\"");
  contradicts.set("MCP-Protocol-Version", "2025-11-25");
  Request no_version = modern("server/discover", "", "\"abc\"");
  no_version.drop("MCP-Protocol-Version");
  for (const Case& c :
       std::vector<Case>{{"wrong Mcp-Method", wrong_method, 400, -32020},
                         {"no Mcp-Method", no_method, 400, -32020},
                         {"no _meta", no_meta, 400, -32602},
                         {"no capabilities", no_capabilities, 400, -32602},
                         {"version 1900", old, 400, -32022},
                         {"header contradicts", contradicts, 400, -32020},
                         {"no version header", no_version, 400, -32020},
                         {"unknown method", modern("no/such", "", "\"abc\""), 404, -32601},
                         {"ping", modern("ping", "", "\"abc\""), 404, -32601},
                         {"initialize", modern("initialize", "", "\"abc\""), 404, -32601},
                         {"unknown tool", modern_call("none", "{}", "\"abc\""), 200, -32602}}) {
    const Reply reply = send(c.request);
    EXPECT_EQ(reply.status(), c.status) << c.what << reply.http.body;
    EXPECT_EQ(reply.error(), c.code) << c.what << reply.http.body;
    EXPECT_EQ(reply.id(), "\"abc\"") << c.what;
    if (c.code == -32022) {
      EXPECT_EQ(reply.text("error.data.requested"), "1900-01-01");
      EXPECT_NE(reply.text("error.data.supported").find("2026-07-28"), std::string::npos);
    }
  }
}

TEST_F(Eras, ClientCapabilitiesAreAnOpenSet) {
  Request request = modern("server/discover");
  const std::string empty = R"("io.modelcontextprotocol/clientCapabilities":{})";
  request.body.replace(
      request.body.find(empty), empty.size(),
      R"("io.modelcontextprotocol/clientCapabilities":{"roots":{"listChanged":true},"sampling":{"zz":{}},"foo":{}})");
  const Reply reply = send(request);
  EXPECT_EQ(reply.status(), 200);
  EXPECT_TRUE(reply.has("result.supportedVersions"));
}

TEST_F(Eras, ALegacyCallWithAReservedKeyStaysLegacy) {
  const LegacySession session(port(), "2025-11-25");
  const Reply reply = send(session.request(
      "tools/call",
      R"("name":"echo","arguments":{"text":"old rules"},"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}})"));
  EXPECT_EQ(reply.content(), "old rules");
  EXPECT_FALSE(reply.has("result.resultType"));
}

TEST_F(Eras, PingIsAnsweredInASession) {
  const LegacySession session(port(), "2025-11-25");
  const Reply reply = send(session.request("ping", "", "\"abc\""));
  EXPECT_EQ(reply.status(), 200);
  EXPECT_EQ(reply.text("result"), "{}");
  EXPECT_EQ(reply.id(), "\"abc\"");
  const Reply unknown = send(session.request("no/such", "", "\"abc\""));
  EXPECT_EQ(unknown.status(), 200);
  EXPECT_EQ(unknown.error(), -32601);
}

TEST_F(Eras, TheVersionHeaderOfASessionNamesOneKnownVersion) {
  const LegacySession session(port(), "2025-11-25");
  struct Case {
    std::vector<const char*> lines;
    int status;
  };
  for (const Case& c : std::vector<Case>{{{"2025-11-25"}, 200},
                                         {{}, 200},
                                         {{"2025-11-25", "2025-11-25"}, 200},
                                         {{"2025-11-25, 2025-11-25"}, 200},
                                         {{"2025-11-25,2025-11-25"}, 200},
                                         {{"1999-01-01"}, 400},
                                         {{"banana"}, 400},
                                         {{""}, 400},
                                         {{"2025-11-25", "2025-06-18"}, 400},
                                         {{"2025-11-25, 2025-06-18"}, 400}}) {
    Request request = session.request("tools/list");
    request.drop("MCP-Protocol-Version");
    for (const char* line : c.lines) request.add("MCP-Protocol-Version", line);
    EXPECT_EQ(send(request).status(), c.status) << (c.lines.empty() ? "none" : c.lines[0]);
  }
}

TEST_F(Eras, EveryOlderRevisionIsNegotiatedAndUnknownOnesGetTheNewestOfThem) {
  for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    const LegacySession session(port(), version);
    EXPECT_EQ(session.initialized().text("result.protocolVersion"), version);
    EXPECT_FALSE(session.id().empty());
    EXPECT_EQ(send(session.call("echo", R"({"text":"hi"})")).content(), "hi") << version;
  }
  for (const char* version : {"1.0", "2099-01-01", "2026-07-28"})
    EXPECT_EQ(LegacySession(port(), version).initialized().text("result.protocolVersion"),
              "2025-11-25")
        << version;
}

TEST_F(Eras, AMissingSessionIs400AndAnUnknownOne404) {
  const LegacySession session(port(), "2025-11-25");
  const LegacySession ended(port(), "2025-11-25");
  EXPECT_EQ(send(ended.bare("DELETE")).status(), 204);
  struct Case {
    const char* id;  // null: no header
    int status;
  };
  for (const Case& c :
       std::vector<Case>{{nullptr, 400}, {"made-up", 404}, {ended.id().c_str(), 404}, {"", 404}}) {
    for (Request request :
         {session.request("tools/list"), session.bare("GET"), session.bare("DELETE"),
          session.notification("notifications/initialized")}) {
      request.drop("Mcp-Session-Id");
      if (c.id != nullptr) request.set("Mcp-Session-Id", c.id);
      const Reply reply = send(request);
      const bool empty = c.id != nullptr && *c.id == '\0';
      EXPECT_TRUE(reply.status() == c.status || (empty && reply.status() == 400))
          << request.method << " " << (c.id == nullptr ? "none" : c.id) << ": " << reply.status();
      EXPECT_FALSE(reply.http.is_event_stream());
    }
  }
  Request spelled = session.request("ping");
  spelled.drop("Mcp-Session-Id").set("mcp-session-id", session.id());
  EXPECT_EQ(send(spelled).status(), 200);
}

TEST_F(Eras, ASessionDoesNotOutliveAServerThatMadeItsOwnKey) {
  std::string id;
  {
    ServerProcess first("plugins: [\"@PLUGIN@\"]\n");
    id = LegacySession(first.port(), "2025-11-25").id();
    EXPECT_EQ(first.stop(), 0) << first.log();
  }
  Request request = LegacySession(port(), "2025-11-25").request("ping");
  request.set("Mcp-Session-Id", id);
  EXPECT_EQ(send(request).status(), 404);
}

TEST(Sessions, SurviveARestartWithTheSameKeysAndWorkOnEveryReplica) {
  const std::string keys =
      "server: { listen: \"127.0.0.1:0\", keys: [\"" + std::string(64, '1') + "\"] }\n";
  const std::string yaml = keys + "plugins: [\"@PLUGIN@\"]\n";
  ServerProcess first(yaml);
  const LegacySession session(first.port(), "2025-06-18");
  const LegacySession ended(first.port(), "2025-11-25");
  ServerProcess replica(yaml);
  const Request call = session.call("echo", R"({"text":"hi"})");
  EXPECT_EQ(exchange(replica.port(), call).content(), "hi");
  EXPECT_EQ(exchange(first.port(), ended.bare("DELETE")).status(), 204);
  EXPECT_EQ(exchange(first.port(), ended.request("ping")).status(), 404);
  EXPECT_EQ(first.stop(), 0) << first.log();
  EXPECT_EQ(first.log().find("a key was made at start"), std::string::npos);

  ServerProcess again(yaml);
  EXPECT_EQ(exchange(again.port(), call).content(), "hi");
  // The level that logging/setLevel asked for is not in the id, the revision is.
  Request other = call;
  other.set("MCP-Protocol-Version", "2025-11-25");
  EXPECT_EQ(exchange(again.port(), other).content(), "hi");
  RawClient stream(again.port());
  ASSERT_TRUE(stream.send(session.bare("GET").text()));
  EXPECT_EQ(stream.read_head().status, 200);
  EXPECT_EQ(exchange(again.port(), session.bare("DELETE")).status(), 204);
  EXPECT_EQ(exchange(again.port(), call).status(), 404);
  EXPECT_EQ(again.stop(), 0) << again.log();
  EXPECT_EQ(replica.stop(), 0) << replica.log();
}

TEST(Sessions, ARotatedKeyStillOpensTheSessionsOfTheOldOne) {
  const auto yaml = [](const std::string& keys) {
    return "server: { listen: \"127.0.0.1:0\", keys: [" + keys + "] }\nplugins: [\"@PLUGIN@\"]\n";
  };
  const std::string old_key = '"' + std::string(64, '1') + '"';
  const std::string new_key = '"' + std::string(64, '2') + '"';
  ServerProcess before(yaml(old_key));
  const LegacySession session(before.port(), "2025-11-25");
  ServerProcess during(yaml(new_key + ", " + old_key));
  EXPECT_EQ(exchange(during.port(), session.request("ping")).status(), 200);
  const LegacySession fresh(during.port(), "2025-11-25");
  ServerProcess after(yaml(new_key));
  EXPECT_EQ(exchange(after.port(), fresh.request("ping")).status(), 200);
  EXPECT_EQ(exchange(after.port(), session.request("ping")).status(), 404);
  for (auto* server : {&before, &during, &after}) {
    EXPECT_EQ(server->stop(), 0);
    EXPECT_EQ(server->log().find("1111"), std::string::npos) << "keys are never printed";
  }
}

TEST(Sessions, AnIdleSessionIsMadeAgainAndAnExpiredOneIsUnknown) {
  ServerProcess server(
      "plugins: [\"@PLUGIN@\"]\nlimits: { sessions: 1 }\ntimeouts: { session_life: 1s }\n");
  EXPECT_NE(server.log().find("a key was made at start"), std::string::npos) << server.log();
  const LegacySession first(server.port(), "2025-11-25");
  const LegacySession second(server.port(), "2025-11-25");  // which drops the first
  EXPECT_EQ(exchange(server.port(), first.request("ping")).status(), 200);
  EXPECT_TRUE(
      eventually([&] { return exchange(server.port(), first.request("ping")).status() == 404; }));
  EXPECT_EQ(exchange(server.port(), second.request("ping")).status(), 404);
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST_F(Eras, AStaleSessionIs404AtEveryDoorButInitialize) {
  const LegacySession session(port(), "2025-11-25");
  const std::string gone = session.id();
  ASSERT_EQ(send(session.bare("DELETE")).status(), 204);
  for (const char* method : {"GET", "DELETE"}) {
    const Reply reply = send(session.bare(method));
    EXPECT_EQ(reply.status(), 404) << method;
    EXPECT_FALSE(reply.http.is_event_stream()) << method;
  }
  Request initialize = post(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
  initialize.set("Mcp-Session-Id", gone);
  const Reply fresh = send(initialize);
  EXPECT_EQ(fresh.status(), 200) << fresh.http.body;
  EXPECT_NE(fresh.http.field("Mcp-Session-Id").value_or(gone), gone);
}

TEST_F(Eras, TheLaterRevisionHasNoStreamAndNoSessionToDelete) {
  const LegacySession session(port(), "2025-11-25");
  for (const char* method : {"GET", "DELETE"}) {
    Request request = session.bare(method);
    request.set("MCP-Protocol-Version", "2026-07-28");
    EXPECT_EQ(send(request).status(), 405) << method;
  }
  EXPECT_EQ(send(session.request("ping")).status(), 200);
}

TEST_F(Eras, AHeaderThatNamesNoKnownVersionIsRefusedAtEveryDoor) {
  const LegacySession session(port(), "2025-11-25");
  for (const char* version : {"banana", "1999-01-01", "2025-11-25, 2025-06-18"}) {
    for (const char* method : {"GET", "DELETE"}) {
      Request request = session.bare(method);
      request.set("MCP-Protocol-Version", version);
      EXPECT_EQ(send(request).status(), 400) << method << version;
    }
    Request initialize = post(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    initialize.set("MCP-Protocol-Version", version);
    const Reply refused = send(initialize);
    EXPECT_EQ(refused.status(), 400) << version;
    EXPECT_FALSE(refused.http.field("Mcp-Session-Id")) << version;
  }
  EXPECT_EQ(send(session.request("ping")).status(), 200) << "the session lives";
}

TEST_F(Eras, AStatelessRequestHasNoSession) {
  Request request = modern_call("echo", R"({"text":"x"})");
  request.set("Mcp-Session-Id", "whatever");
  const Reply reply = send(request);
  EXPECT_EQ(reply.content(), "x");
  EXPECT_FALSE(reply.http.field("Mcp-Session-Id"));
}

TEST_F(Eras, DeletingASessionEndsItsCallsAndStreams) {
  const LegacySession session(port(), "2025-11-25");
  RawClient stream = connect();
  ASSERT_TRUE(stream.send(session.bare("GET").text()));
  Response get = stream.read_head();
  ASSERT_EQ(get.status, 200);
  RawClient call = connect();
  ASSERT_TRUE(call.send(session.call("slow", R"({"ms":3600000,"text":"never"})").text()));
  ASSERT_EQ(send(session.bare("DELETE")).status(), 204);
  stream.read_rest(get);
  EXPECT_TRUE(get.is_complete);
  const Reply ended(call.read());
  EXPECT_TRUE(ended.http.is_complete);
  EXPECT_FALSE(ended.has("result"));
}

TEST_F(Eras, DeletingASessionEndsItsBatches) {
  const LegacySession session(port(), "2025-03-26");
  const auto call = [](std::string_view tool, std::string_view arguments) {
    return R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" +
           std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}}";
  };
  HeldStream began(port(),
                   modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
  ASSERT_NE(began.next_data(), "");
  const std::string slow = call("slow", R"({"ms":3600000,"text":"never"})");
  RawClient calls = connect();
  ASSERT_TRUE(calls.send(
      session.post("[" + call("changed", R"({"list":"tools"})") + "," + slow + "," + slow + "]")
          .text()));
  ASSERT_NE(began.next_data(), "");
  ASSERT_EQ(send(session.bare("DELETE")).status(), 204);
  const Reply ended(calls.read());
  EXPECT_EQ(ended.status(), 200);
  EXPECT_TRUE(ended.http.is_complete);
  EXPECT_EQ(exchange(calls, modern_call("echo", R"({"text":"next"})")).content(), "next");
}

}  // namespace
}  // namespace sluice::testing
