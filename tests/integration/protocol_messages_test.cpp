// JSON-RPC: ids, shapes, repeated names, notifications, batches.
#include <atomic>
#include <thread>

#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class Messages : public WithServer<Messages> {
 public:
  static std::string yaml() {
    return R"(
plugins: ["@PLUGIN@"]
tools:
  secret: { description: Not for everybody., command: [touch, "@DIR@/secret-ran"] }
)";
  }
  static bool secret_ran() {
    return std::filesystem::exists(server().folder().path() / "secret-ran");
  }
};

TEST_F(Messages, AnIdComesBackByteForByte) {
  const LegacySession session(port(), "2025-11-25");
  for (const char* id : {"0", "-7", "2147483648", "1774232524389", "9007199254740993", "-0",
                         "123456789012345678901234567890", R"("1")", R"("")", R"("q\"\\\u00e9\n")",
                         R"("é漢🙂")", R"("\ud83d\ude42")"}) {
    EXPECT_EQ(send(session.request("ping", "", id)).id(), id);
    EXPECT_EQ(send(modern("server/discover", "", id)).id(), id);
    const Reply call = send(modern_call("echo", R"({"text":"x"})", id));
    EXPECT_EQ(call.id(), id);
    EXPECT_EQ(call.content(), "x") << id;
    EXPECT_EQ(send(modern_call("none", "{}", id)).id(), id);
  }
}

TEST_F(Messages, AnIdThatIsNoStringOrIntegerIsRefused) {
  for (const char* id : {"1.5", "1e3", "null", "true", "[]", "{}"}) {
    const Reply reply = send(modern_call("echo", R"({"text":"x"})", id));
    EXPECT_EQ(reply.status(), 400) << id;
    EXPECT_EQ(reply.error(), -32600) << id;
  }
}

TEST_F(Messages, CallsWithTheSameIdGetTheirOwnResults) {
  const LegacySession session(port(), "2025-11-25");
  const auto ask = [](const Request& request) { return exchange(server().port(), request); };
  const std::vector<std::pair<Request, std::string>> calls = {
      {modern_call("slow", R"({"ms":600,"text":"A"})"), "A"},
      {modern_call("slow", R"({"ms":50,"text":"B"})"), "B"},
      {session.call("slow", R"({"ms":600,"text":"C"})"), "C"},
      {session.call("slow", R"({"ms":50,"text":"D"})"), "D"},
      {session.call("slow", R"({"ms":200,"text":"E"})", "\"1\""), "E"},
  };
  std::vector<std::string> got(calls.size());
  std::vector<std::string> ids(calls.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < calls.size(); ++i)
    threads.emplace_back([&, i] {
      const Reply reply = ask(calls[i].first);
      got[i] = reply.content();
      ids[i] = reply.id();
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(got[i], calls[i].second);
  EXPECT_EQ(ids.back(), "\"1\"");
}

TEST_F(Messages, JsonOfTheWrongShapeIsAnErrorWithTheId) {
  struct Case {
    std::string body;
    int code;
  };
  const std::string head = R"({"jsonrpc":"2.0","id":"abc",)";
  const LegacySession session(port(), "2025-11-25");
  std::vector<Case> cases;
  for (const char* params : {R"("x")", "42", "[1,2]", "null"})
    cases.push_back({head + R"("method":"tools/call","params":)" + params + "}", -32602});
  for (const char* arguments : {R"("x")", "5", "[]", "null"})
    cases.push_back(
        {head + R"("method":"tools/call","params":{"name":"echo","arguments":)" + arguments + "}}",
         -32602});
  for (const char* name : {"{}", "5", "null", "[\"echo\"]"})
    cases.push_back(
        {head + R"("method":"tools/call","params":{"name":)" + std::string(name) + "}}", -32602});
  cases.push_back({head + R"("method":"tools/call","params":{}})", -32602});
  cases.push_back({head + R"("method":"tools/call"})", -32602});
  cases.push_back({head + R"("method":"tools/list","params":{"_meta":5}})", -32602});
  for (const char* method : {"123", "true", "null", "{}"})
    cases.push_back({head + R"("method":)" + method + "}", -32600});
  cases.push_back({R"({"id":"abc","method":"ping"})", -32600});
  cases.push_back({R"({"jsonrpc":"1.0","id":"abc","method":"ping"})", -32600});
  cases.push_back({R"({"jsonrpc":2.0,"id":"abc","method":"ping"})", -32600});
  cases.push_back({R"({"jsonrpc":"2.0","id":"abc"})", -32600});
  for (const auto& c : cases) {
    const Reply reply = send(session.post(c.body));
    EXPECT_EQ(reply.error(), c.code) << c.body << " -> " << reply.http.body;
    EXPECT_EQ(reply.id(), "\"abc\"") << c.body;
    EXPECT_EQ(reply.status(), reply.error() == -32600 ? 400 : reply.status()) << c.body;
    EXPECT_LT(reply.status(), 500) << c.body;
    EXPECT_FALSE(reply.error_text().empty());
    expect_alive();
  }
}

TEST_F(Messages, ArgumentsOfTheWrongShapeAreAnErrorWithTheIdIn20260728Too) {
  for (const char* arguments : {"null", "\"x\"", "5", "[]"}) {
    const Reply reply = send(modern_call("echo", arguments, "\"abc\""));
    EXPECT_EQ(reply.error(), -32602) << arguments << reply.http.body;
    EXPECT_EQ(reply.id(), "\"abc\"") << arguments;
  }
}

TEST_F(Messages, AnInitializeOfTheWrongShapeOpensNoSession) {
  for (const char* params : {"{}", R"({"protocolVersion":5})", "[]"}) {
    const Reply reply = send(post(R"({"jsonrpc":"2.0","id":"abc","method":"initialize","params":)" +
                                  std::string(params) + "}"));
    EXPECT_EQ(reply.error(), -32602) << params << reply.http.body;
    EXPECT_EQ(reply.id(), "\"abc\"") << params;
    EXPECT_FALSE(reply.http.field("Mcp-Session-Id")) << params;
  }
  const LegacySession session(port(), "2025-11-25");
  EXPECT_EQ(send(session.request("logging/setLevel", R"("level":5)")).error(), -32602);
}

TEST_F(Messages, AScalarIsNoMessage) {
  for (const char* body : {"5", "\"x\"", "null", "true"}) {
    const Reply reply = send(post(body));
    EXPECT_EQ(reply.status(), 400);
    EXPECT_EQ(reply.error(), -32600) << body;
  }
}

TEST_F(Messages, NamesMatchExactly) {
  Request request =
      modern("tools/call", R"("name":"echo","Name":"secret","arguments":{"text":"ran"})");
  request.set("Mcp-Name", "echo");
  EXPECT_EQ(send(request).content(), "ran");
  Request wrong = modern("tools/call", R"("Name":"echo","arguments":{})");
  wrong.set("Mcp-Name", "echo");
  EXPECT_EQ(send(wrong).error(), -32602);
  EXPECT_FALSE(secret_ran());
}

TEST_F(Messages, RepeatedNamesAreRefused) {
  std::vector<Request> requests;
  for (const char* params : {R"("name":"echo","name":"secret","arguments":{})",
                             R"("name":"secret","name":"echo","arguments":{})",
                             R"("name":"echo","n\u0061me":"secret","arguments":{})",
                             R"("name":"echo","arguments":{},"arguments":{"text":"x"})"}) {
    Request request = modern("tools/call", params);
    request.set("Mcp-Name", "echo");
    requests.push_back(request);
  }
  Request method = modern_call("echo");
  method.body.replace(1, 0, R"("method":"tools/list",)");
  requests.push_back(method);
  Request id = modern_call("echo");
  id.body.replace(1, 0, R"("id":7,)");
  requests.push_back(id);
  Request version = modern_call("echo");
  version.body.replace(version.body.find("\"_meta\":{") + 9, 0,
                       R"("io.modelcontextprotocol/protocolVersion":"2025-11-25",)");
  requests.push_back(version);
  for (const auto& request : requests) {
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), 400) << request.body;
    EXPECT_EQ(reply.error(), -32600) << request.body;
  }
  EXPECT_FALSE(secret_ran());
}

TEST_F(Messages, DeepNestingIsRefused) {
  const std::string brackets = std::string(100'000, '[') + std::string(100'000, ']');
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  objects += "1" + std::string(100'000, '}');
  for (const auto& value : {brackets, objects, std::string(100'000, '['),
                            std::string(300, '[') + std::string(300, ']')}) {
    const Reply reply = send(modern_call("echo", "{\"value\":" + value + "}"));
    EXPECT_EQ(reply.status(), 400);
    EXPECT_TRUE(reply.error() == -32600 || reply.error() == -32700) << reply.http.body;
    expect_alive();
  }
  const std::string fine = std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(send(modern_call("echo", "{\"value\":" + fine + "}")).content(), fine);
}

TEST_F(Messages, NotificationsAndResponsesAreAcceptedWithoutABody) {
  const LegacySession session(port(), "2025-11-25");
  for (const Request& request :
       {session.notification("notifications/initialized"),
        session.notification("notifications/cancelled", R"("requestId":"unknown")"),
        session.notification("notifications/cancelled"),
        session.notification("notifications/made_up"),
        session.post(R"({"jsonrpc":"2.0","id":9,"result":{}})"),
        session.post(R"({"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}})")}) {
    const Reply reply = send(request);
    EXPECT_EQ(reply.status(), 202) << request.body;
    EXPECT_TRUE(reply.http.body.empty()) << request.body;
    EXPECT_FALSE(reply.http.field("Content-Type")) << request.body;
  }
}

TEST_F(Messages, ResponsesAreRefusedIn20260728) {
  Request request = post(R"({"jsonrpc":"2.0","id":9,"result":{}})");
  request.set("MCP-Protocol-Version", "2026-07-28");
  EXPECT_EQ(send(request).status(), 400);
}

TEST_F(Messages, BatchesAreRefusedByRevisionsThatHaveNone) {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const std::string run =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"secret"}})";
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/made_up"})";
  for (const char* version : {"2025-11-25", "2025-06-18", "2024-11-05"}) {
    const LegacySession session(port(), version);
    for (const std::string& body :
         {std::string("[]"), std::string("[1]"), "[" + ping + "," + ping + "]", "[" + run + "]",
          "[" + note + "]"}) {
      Request stateless = post(body);
      stateless.set("MCP-Protocol-Version", "2026-07-28")
          .set("Mcp-Method", "tools/call")
          .set("Mcp-Name", "secret");
      for (const Request& request : {session.post(body), stateless, post(body)}) {
        const Reply reply = send(request);
        EXPECT_EQ(reply.status(), 400) << version << body;
        EXPECT_EQ(reply.error(), -32600) << version << body << reply.http.body;
        EXPECT_TRUE(reply.at("").is(JsonKind::object));
      }
    }
  }
  // The header of a later revision outweighs the session of the one that has them.
  const LegacySession session(port(), "2025-03-26");
  for (const std::string& body : {"[" + ping + "," + ping + "]", "[" + run + "]"}) {
    Request later = session.post(body);
    later.set("MCP-Protocol-Version", "2026-07-28");
    const Reply reply = send(later);
    EXPECT_EQ(reply.status(), 400) << body;
    EXPECT_EQ(reply.error(), -32600) << body;
  }
  EXPECT_FALSE(secret_ran());
}

TEST_F(Messages, AMethodOfRequestsThatComesWithoutAnIdIsNotRun) {
  const std::string run = R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"secret"}})";
  const LegacySession session(port(), "2025-11-25");
  const Reply alone = send(session.notification("tools/call", R"("name":"secret")"));
  EXPECT_EQ(alone.status(), 202);
  EXPECT_TRUE(alone.http.body.empty());
  const LegacySession older(port(), "2025-03-26");
  const Reply batch = send(older.post("[" + run + R"(,{"jsonrpc":"2.0","id":1,"method":"ping"}])"));
  EXPECT_EQ(batch.at("").size(), 1u);
  Request stateless = post(run);
  stateless.set("MCP-Protocol-Version", "2026-07-28")
      .set("Mcp-Method", "tools/call")
      .set("Mcp-Name", "secret");
  const Reply modern_reply = send(stateless);
  EXPECT_EQ(modern_reply.status(), 202) << modern_reply.http.body;
  EXPECT_TRUE(modern_reply.http.body.empty());
  EXPECT_FALSE(secret_ran());
}

TEST_F(Messages, ABatchOf20250326IsAnsweredByAnArray) {
  const LegacySession session(port(), "2025-03-26");
  const std::string ping = R"({"jsonrpc":"2.0","id":"p","method":"ping"})";
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/made_up"})";
  const std::string call =
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"in a batch"}}})";
  const std::string large =
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"big","arguments":{"bytes":700000}}})";
  const std::string broken = R"({"jsonrpc":"2.0","id":4,"method":5})";
  const Reply reply =
      send(session.post("[" + ping + "," + note + "," + call + "," + large + ",1," + broken + "]"));
  ASSERT_EQ(reply.status(), 200) << reply.http.body.substr(0, 500);
  ASSERT_TRUE(reply.at("").is(JsonKind::array)) << reply.http.body.substr(0, 500);
  ASSERT_EQ(reply.at("").size(), 5u);
  EXPECT_EQ(reply.at("0.id").raw(), "\"p\"");
  EXPECT_EQ(reply.at("0.result").raw(), "{}");
  EXPECT_EQ(reply.text("1.result.content.0.text"), "in a batch");
  EXPECT_EQ(reply.text("2.result.content.0.text").size(), 700'000u);
  EXPECT_EQ(reply.text("3.error.code"), "-32600");
  EXPECT_EQ(reply.text("4.error.code"), "-32600");
  EXPECT_EQ(reply.at("4.id").raw(), "4");

  Request events = session.post("[" + ping + "," + ping + "]");
  events.set("Accept", "text/event-stream");
  const Reply as_event = send(events);
  ASSERT_TRUE(as_event.http.is_event_stream());
  EXPECT_EQ(as_event.at("").size(), 2u);

  EXPECT_EQ(send(session.post("[]")).error(), -32600);
  const Reply notes = send(session.post("[" + note + "," + note + "]"));
  EXPECT_EQ(notes.status(), 202);
  EXPECT_TRUE(notes.http.body.empty());
}

TEST_F(Messages, CallsOfABatchWithTheSameIdGetTheirOwnResults) {
  const LegacySession session(port(), "2025-03-26");
  const auto call = [](std::string_view text) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" +
           std::string(text) + R"("}}})";
  };
  const Reply reply = send(session.post("[" + call("A") + "," + call("B") + "]"));
  EXPECT_EQ(reply.text("0.result.content.0.text"), "A");
  EXPECT_EQ(reply.text("1.result.content.0.text"), "B");
}

TEST_F(Messages, InitializeIsNoPartOfABatch) {
  const LegacySession session(port(), "2025-03-26");
  const Reply reply = send(session.post(
      R"([{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}])"));
  EXPECT_NE(reply.text("0.error.code"), "") << reply.http.body;
  EXPECT_FALSE(reply.http.field("Mcp-Session-Id"));
}

}  // namespace
}  // namespace sluice::testing
