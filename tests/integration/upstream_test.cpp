// Tools over HTTP, from the client of sluice to a prepared upstream.
#include "support/canned_upstream.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>

#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

using Then = CannedUpstream::Then;

/// A server whose tools call one prepared upstream.
struct Bench {
  Bench(CannedUpstream::Script script, const std::string& tools, const std::string& rest = "")
      : upstream(std::move(script)),
        server("sources: { up: { type: http, base_url: \"" + upstream.url() +
               "\", headers: { Authorization: Bearer top-secret } } }\n" + rest + "\ntools:\n" +
               tools) {}
  [[nodiscard]] Reply call(const std::string& tool, const std::string& arguments = "{}") {
    return exchange(server.port(), modern_call(tool, arguments));
  }
  CannedUpstream upstream;
  ServerProcess server;
};

std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

CannedUpstream::Reply by_path(
    const CannedUpstream::Request& request,
    const std::vector<std::pair<std::string, CannedUpstream::Reply>>& replies) {
  for (const auto& [path, reply] : replies)
    if (request.line().find(" " + path + " ") != std::string::npos) return reply;
  return {canned("404 Not Found", "no such page")};
}

TEST(Upstream, FailuresAreResultsThatSayWhatHappened) {
  struct Case {
    std::string status;
    std::string body;
    std::string fields;
  };
  const std::vector<Case> cases = {
      {"401 Unauthorized", R"({"error":"who are you"})", "Content-Type: application/json\r\n"},
      {"404 Not Found", R"({"error":"gone"})", "Content-Type: application/json\r\n"},
      {"409 Conflict", "", ""},
      {"422 Unprocessable Content", "bad", "Content-Type: text/plain\r\n"},
      {"429 Too Many Requests", "", "Retry-After: 17\r\n"},
      {"500 Internal Server Error", "<html>oh</html>", "Content-Type: text/html\r\n"},
      {"503 Service Unavailable", "", ""}};
  Bench bench(
      [&](const auto& request) {
        const auto at = static_cast<std::size_t>(
            std::stoi(request.line().substr(request.line().find("/s/") + 3)));
        return CannedUpstream::Reply{
            canned(cases.at(at).status, cases.at(at).body, cases.at(at).fields)};
      },
      "  get: { description: Gets., source: up, request: \"GET /s/{n}\", parameters: { n: { type: "
      "integer, required: true } } }\n");
  ASSERT_NE(bench.server.port(), 0) << bench.server.log();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Reply reply = bench.call("get", "{\"n\":" + std::to_string(i) + "}");
    EXPECT_EQ(reply.status(), 200);
    EXPECT_TRUE(reply.is_tool_error()) << cases[i].status;
    EXPECT_NE(reply.content().find(cases[i].status.substr(0, 3)), std::string::npos)
        << reply.content();
    EXPECT_NE(reply.content().find(cases[i].body), std::string::npos) << reply.content();
    EXPECT_EQ(reply.http.body.find("top-secret"), std::string::npos);
    if (cases[i].status.starts_with("429")) {
      EXPECT_NE(reply.content().find("17"), std::string::npos);
    }
  }
}

TEST(Upstream, NoContentIsAnEmptySuccess) {
  Bench bench([](const auto&) { return CannedUpstream::Reply{"HTTP/1.1 204 No Content\r\n\r\n"}; },
              "  get: { description: Gets., source: up, request: GET /x }\n");
  const Reply reply = bench.call("get");
  EXPECT_FALSE(reply.is_tool_error());
  EXPECT_TRUE(reply.at("result.content").is(JsonKind::array));
  EXPECT_EQ(reply.content(), "");
}

TEST(Upstream, WhoIsNotThereIsATextToTheModel) {
  std::uint16_t dead = 0;
  {
    CannedUpstream gone("");
    dead = gone.port();
  }
  ServerProcess server(
      "sources: { up: { type: http, base_url: \"http://127.0.0.1:" + std::to_string(dead) +
      "\" }, tls: { type: http, base_url: \"https://127.0.0.1:" + std::to_string(dead) +
      "\" } }\ntools:\n  get: { description: Gets., source: up, request: GET /x }\n"
      "  safe: { description: Gets., source: tls, request: GET /x }\n");
  for (const char* tool : {"get", "safe"}) {
    const Reply reply = exchange(server.port(), modern_call(tool));
    EXPECT_EQ(reply.status(), 200);
    EXPECT_TRUE(reply.is_tool_error());
    EXPECT_FALSE(reply.content().empty());
  }
}

TEST(Upstream, WhatBreaksOffLeavesAWellFormedResult) {
  const std::string half =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n";
  Bench bench(
      [&](const auto& request) {
        const Then then =
            request.line().find("reset") != std::string::npos ? Then::reset : Then::close;
        return CannedUpstream::Reply{.bytes = half, .then = then, .fill = 50'000};
      },
      "  get: { description: Gets., source: up, request: \"GET /{how}\", parameters: { how: { "
      "type: string, required: true } } }\n");
  for (const char* how : {"close", "reset"}) {
    const Reply reply = bench.call("get", std::string(R"({"how":")") + how + "\"}");
    EXPECT_TRUE(reply.http.is_complete) << how;
    EXPECT_TRUE(reply.is_tool_error()) << how << reply.http.body.substr(0, 300);
    EXPECT_EQ(reply.at("result.content").size() > 1 || how == std::string("reset"), true);
  }
}

TEST(Upstream, CompressedBodiesArriveAsText) {
  const std::string text = "readable é漢🙂 text, and enough of it to be worth packing. ";
  std::string long_text;
  for (int i = 0; i < 2000; ++i) long_text += text;
  const std::string packed = gzip(long_text);
  const std::string type = "Content-Type: text/plain; charset=utf-8\r\n";
  Bench bench(
      [&](const auto& request) {
        return by_path(
            request,
            {{"/gzip", {canned("200 OK", packed, type + "Content-Encoding: gzip\r\n")}},
             {"/upper", {canned("200 OK", packed, type + "Content-Encoding: GZIP\r\n")}},
             {"/cut",
              {canned("200 OK", packed.substr(0, packed.size() / 2),
                      type + "Content-Encoding: gzip\r\n")}},
             {"/plain", {canned("200 OK", long_text, type + "Content-Encoding: gzip\r\n")}},
             {"/odd", {canned("200 OK", packed, type + "Content-Encoding: x-odd\r\n")}},
             {"/bomb",
              {canned("200 OK", gzip(std::string(3'000'000, 'x')),
                      type + "Content-Encoding: gzip\r\n")}}});
      },
      "  get: { description: Gets., source: up, request: \"GET /{how}\", max_result: 1MB, "
      "parameters: { how: { type: string, required: true } } }\n");
  for (const char* how : {"gzip", "upper"})
    EXPECT_EQ(bench.call("get", std::string(R"({"how":")") + how + "\"}").content(), long_text)
        << how;
  for (const char* how : {"cut", "plain", "odd", "bomb"}) {
    const Reply reply = bench.call("get", std::string(R"({"how":")") + how + "\"}");
    EXPECT_TRUE(reply.is_tool_error()) << how << reply.content().substr(0, 200);
    EXPECT_LT(reply.content().size(), 1'001'000u);
    if (how == std::string("odd")) {
      EXPECT_NE(reply.content().find("x-odd"), std::string::npos) << reply.content().substr(0, 300);
    }
  }
  // The client's own fields do not travel on.
  Request request = modern_call("get", R"({"how":"gzip"})");
  request.set("Accept-Encoding", "br, x-odd")
      .set("X-Forwarded-For", "1.2.3.4")
      .set("Cookie", "a=b");
  ASSERT_EQ(exchange(bench.server.port(), request).content(), long_text);
  EXPECT_EQ(bench.upstream.last().head.find("x-odd"), std::string::npos);
  EXPECT_EQ(bench.upstream.last().head.find("1.2.3.4"), std::string::npos);
  EXPECT_EQ(bench.upstream.last().head.find("a=b"), std::string::npos);
}

TEST(Upstream, AnArgumentIsOnePathSegmentAndNeverMore) {
  Bench bench(
      [](const auto&) {
        return CannedUpstream::Reply{canned("200 OK", "fine", "Content-Type: text/plain\r\n")};
      },
      R"(  item:
    description: Gets.
    source: up
    request: GET /items/{id}/detail
    parameters: { id: { type: string, required: true }, q: { type: string, in: query }, h: { type: string, in: header, as: X-Arg } }
)");
  struct Case {
    std::string id;
    std::string segment;  // empty: refused
  };
  for (const Case& c : std::vector<Case>{{"../../admin", "..%2F..%2Fadmin"},
                                         {"a/b", "a%2Fb"},
                                         {"a?x=1", "a%3Fx%3D1"},
                                         {"a#f", "a%23f"},
                                         {"%2e%2e%2f", "%252e%252e%252f"},
                                         {"a b", "a%20b"},
                                         {"é", "%C3%A9"},
                                         {"a\r\nX-Evil: 1", "a%0D%0AX-Evil%3A%201"},
                                         {"..", ""},
                                         {".", ""},
                                         {"", ""}}) {
    const auto before = bench.upstream.requests().size();
    const Reply reply = bench.call("item", "{\"id\":" + json_string(c.id) + "}");
    if (c.segment.empty()) {
      EXPECT_TRUE(reply.is_tool_error()) << c.id;
      EXPECT_EQ(bench.upstream.requests().size(), before) << c.id;
    } else {
      EXPECT_EQ(reply.content(), "fine") << c.id << reply.http.body;
      EXPECT_EQ(bench.upstream.last().line(), "GET /items/" + c.segment + "/detail HTTP/1.1");
      EXPECT_EQ(bench.upstream.last().head.find("\r\nX-Evil"), std::string::npos);
    }
  }
  EXPECT_EQ(bench.call("item", R"({"id":"1","q":"a&b=c#d é"})").content(), "fine");
  EXPECT_EQ(bench.upstream.last().line(), "GET /items/1/detail?q=a%26b%3Dc%23d%20%C3%A9 HTTP/1.1");
  for (const char* evil : {R"("x\r\nX-Evil: 1")", R"("x\ny")", R"("x\u0000y")"}) {
    const auto before = bench.upstream.requests().size();
    EXPECT_TRUE(bench.call("item", std::string(R"({"id":"1","h":)") + evil + "}").is_tool_error());
    EXPECT_EQ(bench.upstream.requests().size(), before);
  }
}

TEST(Upstream, DefaultsAreSentAndUnsetInputsAreNot) {
  Bench bench(
      [](const auto&) {
        return CannedUpstream::Reply{canned("200 OK", "fine", "Content-Type: text/plain\r\n")};
      },
      R"(  find:
    description: Finds.
    source: up
    request: POST /find/{limit}
    query: { n: "{limit}", lang: "{lang}" }
    body: { limit: "{limit}", flag: "{flag}", options: { lang: "{lang}" } }
    parameters:
      limit: { type: integer, default: 100 }
      lang: { type: string, enum: [de, en] }
      flag: { type: boolean, default: false }
)");
  ASSERT_NE(bench.server.port(), 0) << bench.server.log();
  EXPECT_EQ(bench.call("find").content(), "fine");
  EXPECT_EQ(bench.upstream.last().line(), "POST /find/100?n=100 HTTP/1.1");
  EXPECT_EQ(bench.upstream.last().body, R"({"limit":100,"flag":false,"options":{}})");
  EXPECT_EQ(bench.call("find", R"({"limit":0,"flag":true,"lang":"de"})").content(), "fine");
  EXPECT_EQ(bench.upstream.last().line(), "POST /find/0?n=0&lang=de HTTP/1.1");
  EXPECT_EQ(bench.upstream.last().body, R"({"limit":0,"flag":true,"options":{"lang":"de"}})");
  EXPECT_TRUE(bench.call("find", R"({"limit":null})").is_tool_error());
}

TEST(Upstream, RedirectsStayInsideTheOrigin) {
  CannedUpstream other(canned("200 OK", "stolen", "Content-Type: text/plain\r\n"));
  const auto to = [](const std::string& where, const char* status = "302 Found") {
    return CannedUpstream::Reply{
        canned(status, "moved", where.empty() ? "" : "Location: " + where + "\r\n")};
  };
  Bench bench(
      [&](const auto& request) {
        return by_path(request,
                       {{"/home", {canned("200 OK", "home", "Content-Type: text/plain\r\n")}},
                        {"/relative", to("/home")},
                        {"/permanent", to("/home", "308 Permanent Redirect")},
                        {"/other", to(other.url("/home"))},
                        {"/host", to("http://localhost:1/home")},
                        {"/metadata", to("http://169.254.169.254/latest")},
                        {"/loop", to("/loop")},
                        {"/file", to("file:///etc/passwd")},
                        {"/nowhere", to("")}});
      },
      "  get: { description: Gets., source: up, request: \"GET /{how}\", parameters: { how: { "
      "type: string, required: true } } }\n");
  for (const char* how : {"relative", "permanent"})
    EXPECT_EQ(bench.call("get", std::string(R"({"how":")") + how + "\"}").content(), "home") << how;
  for (const char* how : {"other", "host", "metadata", "loop", "file", "nowhere"}) {
    const Reply reply = bench.call("get", std::string(R"({"how":")") + how + "\"}");
    EXPECT_TRUE(reply.is_tool_error()) << how;
    EXPECT_NE(reply.content().find("302"), std::string::npos) << how << reply.content();
  }
  EXPECT_TRUE(other.requests().empty());
}

TEST(Upstream, StructuredResultsFitTheRevisionAndTheSchema) {
  const std::string type = "Content-Type: application/json\r\n";
  Bench bench(
      [&](const auto& request) {
        return by_path(request,
                       {{"/array", {canned("200 OK", "[1,2]", type)}},
                        {"/null", {canned("200 OK", "null", type)}},
                        {"/number", {canned("200 OK", "5", type)}},
                        {"/object", {canned("200 OK", R"({"a":1})", type)}},
                        {"/broken", {canned("200 OK", R"({"a":)", type)}},
                        {"/html", {canned("200 OK", "<p>", "Content-Type: text/html\r\n")}},
                        {"/nothing", {"HTTP/1.1 204 No Content\r\n\r\n"}},
                        {"/down", {canned("500 Internal Server Error", R"({"a":1})", type)}}});
      },
      R"(  both: { description: B., source: up, request: "GET /{what}", structured: both, parameters: { what: { type: string, required: true } } }
  checked:
    description: C.
    source: up
    request: GET /{what}
    structured: both
    output_schema: { type: object, properties: { a: { type: integer } }, required: [a] }
    parameters: { what: { type: string, required: true } }
)");
  ASSERT_NE(bench.server.port(), 0) << bench.server.log();
  struct Case {
    const char* what;
    const char* text;
    bool is_object;
  };
  for (const char* version : {"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}) {
    const bool is_modern = std::string_view(version) == "2026-07-28";
    std::optional<LegacySession> session;
    if (!is_modern) session.emplace(bench.server.port(), version);
    const auto call = [&](const std::string& tool, const std::string& what) {
      const std::string arguments = "{\"what\":\"" + what + "\"}";
      return exchange(bench.server.port(),
                      is_modern ? modern_call(tool, arguments) : session->call(tool, arguments));
    };
    for (const Case& c : std::vector<Case>{{"array", "[1,2]", false},
                                           {"null", "null", false},
                                           {"number", "5", false},
                                           {"object", R"({"a":1})", true}}) {
      const Reply reply = call("both", c.what);
      EXPECT_EQ(reply.content(), c.text) << version << c.what << reply.http.body;
      const bool has = is_modern || (c.is_object && std::string_view(version) != "2025-03-26");
      EXPECT_EQ(reply.has("result.structuredContent"), has) << version << c.what;
      if (has) {
        EXPECT_EQ(reply.at("result.structuredContent").raw(), c.text);
      }
      EXPECT_FALSE(reply.is_tool_error());
    }
    EXPECT_FALSE(call("checked", "object").is_tool_error()) << version;
    // A client that was told the schema waits for structure; the oldest revision has none.
    for (const char* what : {"array", "number", "null", "html", "nothing"}) {
      const Reply reply = call("checked", what);
      EXPECT_EQ(reply.is_tool_error(), std::string_view(version) != "2025-03-26")
          << version << what << reply.http.body;
      EXPECT_FALSE(reply.has("result.structuredContent")) << version << what;
    }
    for (const char* what : {"down", "broken"}) {
      // Where there is no structure, what came is text, whole or not.
      if (std::string_view(version) == "2025-03-26" && std::string_view(what) == "broken") continue;
      const Reply reply = call("checked", what);
      EXPECT_TRUE(reply.is_tool_error()) << version << what << reply.http.body;
      EXPECT_FALSE(reply.has("result.structuredContent")) << version << what;
      EXPECT_TRUE(reply.at("result.content").is(JsonKind::array));
    }
  }
}

TEST(Upstream, DigitsAndLayoutPassAsTheyAre) {
  const std::string text =
      "{\n  \"big\": 9007199254740993,\n  \"low\": -9223372036854775808,\n  \"price\": 1.10,\n  "
      "\"huge\": 1e400\n}";
  Bench bench(
      [&](const auto&) {
        return CannedUpstream::Reply{canned("200 OK", text, "Content-Type: application/json\r\n")};
      },
      "  both: { description: B., source: up, request: GET /x, structured: both }\n"
      "  on: { description: B., source: up, request: GET /x, structured: on }\n"
      "  off: { description: B., source: up, request: GET /x }\n");
  for (const char* accept : {"application/json", "text/event-stream"}) {
    for (const char* tool : {"both", "on", "off"}) {
      Request request = modern_call(tool);
      request.set("Accept", accept);
      const Reply reply = exchange(bench.server.port(), request);
      EXPECT_EQ(reply.messages().size(), 1u);
      if (std::string_view(tool) != "on") {
        EXPECT_EQ(reply.content(), text) << tool;
      }
      if (std::string_view(tool) != "off") {
        const std::string structured(reply.at("result.structuredContent").raw());
        for (const char* digits : {"9007199254740993", "-9223372036854775808", "1.10", "1e400"})
          EXPECT_NE(structured.find(digits), std::string::npos) << structured;
      }
    }
  }
}

TEST(Upstream, JsonNestedThousandsDeepIsAnErrorOfTheTool) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  Bench bench(
      [&](const auto&) {
        return CannedUpstream::Reply{canned("200 OK", deep, "Content-Type: application/json\r\n")};
      },
      "  both: { description: B., source: up, request: GET /x, structured: both }\n"
      "  off: { description: B., source: up, request: GET /x }\n");
  EXPECT_TRUE(bench.call("both").is_tool_error());
  EXPECT_EQ(bench.call("off").content(), deep);
}

TEST(Upstream, AClosedStreamClosesTheUpstreamRequest) {
  Bench bench([&](const auto&) { return CannedUpstream::Reply{.bytes = "", .then = Then::hold}; },
              "  hang: { description: Hangs., source: up, request: GET /x, timeout: 1h }\n",
              "timeouts: { call: 1h }");
  const auto hold = [&](int ended) {
    RawClient client(bench.server.port());
    static_cast<void>(client.send(modern_call("hang").text()));
    EXPECT_TRUE(bench.upstream.wait_requests(static_cast<std::size_t>(ended)));
    client.close();
    return bench.upstream.wait_ended(ended);
  };
  for (int i = 1; i <= 5; ++i) EXPECT_TRUE(hold(i));
}

TEST(Upstream, InASessionOnlyACancellationClosesTheUpstreamRequest) {
  Bench bench([&](const auto&) { return CannedUpstream::Reply{.bytes = "", .then = Then::hold}; },
              "  hang: { description: Hangs., source: up, request: GET /x, timeout: 1h }\n"
              "  quick: { description: Quick., text: quick }\n",
              "server: { listen: \"127.0.0.1:0\", loops: 1 }\ntimeouts: { call: 1h }");
  for (const char* version : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    const int ended = bench.upstream.ended();
    const std::size_t requests = bench.upstream.requests().size();
    const LegacySession session(bench.server.port(), version);
    RawClient client(bench.server.port());
    ASSERT_TRUE(client.send(session.call("hang", "{}", "7").text()));
    ASSERT_TRUE(bench.upstream.wait_requests(requests + 1));
    client.close();
    // The one loop has heard of the loss before it hears of this.
    EXPECT_EQ(exchange(bench.server.port(), session.call("quick", "{}", "8")).content(), "quick");
    EXPECT_EQ(bench.upstream.ended(), ended) << version;
    EXPECT_EQ(exchange(bench.server.port(),
                       session.notification("notifications/cancelled", R"("requestId":7)"))
                  .status(),
              202);
    EXPECT_TRUE(bench.upstream.wait_ended(ended + 1)) << version;
  }
}

TEST(Upstream, HundredsOfAbortedRequestsLeaveNothingBehind) {
  Bench bench([&](const auto&) { return CannedUpstream::Reply{.bytes = "", .then = Then::hold}; },
              "  hang: { description: Hangs., source: up, request: GET /x, timeout: 1h }\n"
              "  quick: { description: Quick., text: quick }\n");
  ASSERT_EQ(bench.call("quick").content(), "quick");
  const auto before = bench.server.counts();
  for (int round = 0; round < 15; ++round) {
    std::array<RawClient, 10> clients;
    for (auto& client : clients) {
      client = RawClient(bench.server.port());
      ASSERT_TRUE(client.send(modern_call("hang").text()));
    }
    if (round % 2 == 0) {
      ASSERT_TRUE(bench.upstream.wait_requests(1));
    }
    for (std::size_t i = 0; i < clients.size(); ++i)
      i % 2 == 0 ? clients[i].reset() : clients[i].close();
  }
  EXPECT_TRUE(eventually([&] {
    const auto now = bench.server.counts();
    return now.descriptors <= before.descriptors && now.threads <= before.threads + 4;
  })) << bench.server.counts().descriptors
      << " descriptors, before " << before.descriptors;
  EXPECT_EQ(bench.call("quick").content(), "quick");
  EXPECT_EQ(bench.server.stop(), 0) << bench.server.log();
}

TEST(Upstream, ASlowClientSlowsItsUpstream) {
  Bench bench(
      [&](const auto&) {
        return CannedUpstream::Reply{
            .bytes =
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 40000000\r\n\r\n",
            .fill = 40'000'000};
      },
      "  large: { description: Large., source: up, request: GET /x }\n  quick: { description: "
      "Quick., text: quick }\n");
  RawClient client(bench.server.port(), {.receive_buffer = 4096});
  ASSERT_TRUE(client.send(modern_call("large").text()));
  Response response = client.read_head();
  ASSERT_EQ(response.status, 200);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(bench.call("quick").content(), "quick");
  EXPECT_LT(bench.upstream.sent(), 20'000'000u)
      << "what the kernel and the window hold, not the whole";
  client.read_rest(response);
  EXPECT_TRUE(response.is_complete) << response.body.size() << bench.server.log();
  EXPECT_EQ(Reply(response).content().size(), 40'000'000u);
}

}  // namespace
}  // namespace sluice::testing
