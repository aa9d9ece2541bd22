// Resources of every kind, over the wire.
#include "support/canned_upstream.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <span>

#include "json/base64.hpp"
#include "support/deadline.hpp"
#include "support/held_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

std::string base64(std::string_view text) {
  std::string out(text.size() * 2 + 8, '\0');
  json::Base64Encoder encoder;
  std::size_t n = encoder.step(text, out).written;
  n += encoder.finish(std::span<char>(out).subspan(n));
  out.resize(n);
  return out;
}

Request read_request(const std::string& uri, std::string_view id = "1") {
  Request request = modern("resources/read", "\"uri\":" + json_string(uri), id);
  const bool is_plain =
      std::all_of(uri.begin(), uri.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  return request.set("Mcp-Name", is_plain ? uri : "=?base64?" + base64(uri) + "?=");
}

constexpr std::array kLegacy{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

class Resources : public WithServer<Resources> {
 public:
  static std::string yaml() {
    return R"(
plugins: ["@PLUGIN@"]
server: { list_page: 3 }
resources:
  text: { uri: "demo://text", mime_type: text/x-demo, text: "a \"text\"\n", ttl: 5s, cache_scope: public, title: T, meta: { k: 1 } }
  blob: { uri: "demo://blob", data: AAH/ }
  page: { uri: "ui://demo/page.html", mime_type: "text/html;profile=mcp-app", meta: { ui: { prefersBorder: true } }, text: "<p>" }
  file: { uri: "demo://file", file: { root: "@DIR@/share", path: sub/one.md } }
  notes: { uri_template: "demo://notes/{name}{?tone}", parameters: { name: { type: string, pattern: "^[a-z.]+$", required: true }, tone: { type: string, enum: [kind, strict] } }, complete: { name: { list: [a, b] } }, file: { root: "@DIR@/share", path: "{name}.txt" } }
  greet: { uri_template: "demo://greet/{name}", text: "Hello {name}." }
  tree: { directory: { root: "@DIR@/share", uri: "tree:///", exclude: ["*.key"] } }
  command: { uri: "demo://command", command: [printf, "from a command"], mime_type: text/plain }
  failing: { uri: "demo://failing", command: [sh, -c, "echo half; exit 3"] }
  large: { uri: "demo://large", command: [head, -c, "3000000", /dev/zero], mime_type: application/octet-stream, max_result: 1000000 }
  small: { uri: "demo://small", command: [head, -c, "3000", /dev/zero], mime_type: application/octet-stream, max_result: 2000 }
  slow: { uri: "demo://slow", command: [sleep, "60"], timeout: 200ms }
)";
  }
  static void prepare(const TempFolder& folder) {
    folder.write("share/a.txt", "A");
    folder.write("share/b b.txt", "B");
    folder.write("share/c.png", "\x89PNG");
    folder.write("share/id.key", "SECRET");
    folder.write("share/sub/one.md", "# One");
    folder.write("outside/secret", "SECRET");
    std::filesystem::create_symlink("/etc/passwd", folder.path() / "share/link");
    std::filesystem::create_symlink(folder.path() / "outside", folder.path() / "share/dirlink");
  }
  static Reply read(const std::string& uri) { return send(read_request(uri)); }
};

TEST_F(Resources, AreOfferedInBothEras) {
  const Reply discovered = send(modern("server/discover"));
  EXPECT_TRUE(discovered.at("result.capabilities.resources").is(JsonKind::object));
  for (const char* version : kLegacy)
    EXPECT_TRUE(LegacySession(port(), version)
                    .initialized()
                    .at("result.capabilities.resources")
                    .is(JsonKind::object))
        << version;
}

TEST_F(Resources, GiveTextAsTextAndBytesAsBase64) {
  const Reply text = read("demo://text");
  EXPECT_EQ(
      text.at("result.contents").raw(),
      R"([{"uri":"demo://text","mimeType":"text/x-demo","_meta":{"k":1},"text":"a \"text\"\n"}])");
  EXPECT_EQ(text.text("result.resultType"), "complete");
  EXPECT_EQ(text.text("result.ttlMs"), "5000");
  EXPECT_EQ(text.text("result.cacheScope"), "public");
  EXPECT_TRUE(text.has("result._meta"));
  const Reply blob = read("demo://blob");
  EXPECT_EQ(blob.at("result.contents").raw(), R"([{"uri":"demo://blob","blob":"AAH/"}])");
  EXPECT_EQ(blob.text("result.ttlMs"), "0");
  EXPECT_EQ(blob.text("result.cacheScope"), "private");
}

TEST_F(Resources, AreReadInSessionsToo) {
  for (const char* version : kLegacy) {
    LegacySession session(port(), version);
    const Reply reply = send(session.request("resources/read", R"("uri":"demo://file")", "\"x\""));
    EXPECT_EQ(reply.at("result").raw(),
              R"({"contents":[{"uri":"demo://file","mimeType":"text/markdown","text":"# One"}]})")
        << version;
    EXPECT_EQ(reply.id(), "\"x\"");
  }
}

TEST_F(Resources, ThatAreNotThereAreTheErrorOfTheRevision) {
  for (const char* uri : {"demo://nothing", "tree:///nothing", "demo://notes/nothing"}) {
    const Reply reply = read(uri);
    EXPECT_EQ(reply.status(), 200);
    EXPECT_EQ(reply.error(), -32602) << uri << reply.http.body;
    EXPECT_EQ(reply.text("error.data.uri"), uri);
    for (const char* version : kLegacy) {
      LegacySession session(port(), version);
      EXPECT_EQ(send(session.request("resources/read", "\"uri\":" + json_string(uri))).error(),
                -32002)
          << version << uri;
    }
  }
}

TEST_F(Resources, AreAskedForWithAUri) {
  EXPECT_EQ(send(modern("resources/read")).error(), -32602);
  EXPECT_EQ(send(modern("resources/read", R"("uri":7)")).error(), -32602);
  EXPECT_EQ(read("no scheme").error(), -32602);
  EXPECT_EQ(read("x:" + std::string(9000, 'x')).error(), -32602);
  Request mismatch = read_request("demo://text");
  mismatch.set("Mcp-Name", "demo://blob");
  EXPECT_EQ(send(mismatch).error(), -32020);
  Request missing = read_request("demo://text");
  missing.drop("Mcp-Name");
  EXPECT_EQ(send(missing).error(), -32020);
}

TEST_F(Resources, HaveTemplatesWhoseVariablesComeFromTheUri) {
  EXPECT_EQ(read("demo://notes/a").text("result.contents.0.text"), "A");
  EXPECT_EQ(read("demo://notes/a?tone=kind").text("result.contents.0.uri"),
            "demo://notes/a?tone=kind");
  EXPECT_EQ(read("demo://greet/Zo%C3%AB%20B").text("result.contents.0.text"), "Hello Zoë B.");
  EXPECT_EQ(read("demo://greet/Zoë").text("result.contents.0.text"), "Hello Zoë.");
  const Reply wrong = read("demo://notes/A1");
  EXPECT_EQ(wrong.error(), -32602);
  EXPECT_NE(wrong.error_text().find("/name"), std::string::npos) << wrong.error_text();
  for (const char* uri : {"demo://notes/..", "demo://notes/%2e%2e%2foutside%2fsecret"})
    EXPECT_NE(read(uri).error(), 0) << uri;
  const Reply list = send(modern("resources/templates/list"));
  EXPECT_EQ(list.at("result.resourceTemplates").size(), 2U);
  EXPECT_EQ(list.text("result.resourceTemplates.0.uriTemplate"), "demo://notes/{name}{?tone}");
  EXPECT_EQ(list.text("result.resourceTemplates.0.mimeType"), "text/plain");
  EXPECT_EQ(list.text("result.cacheScope"), "public");
}

TEST_F(Resources, OfferValuesForTheVariablesOfATemplate) {
  const auto complete = [](const std::string& uri, const std::string& variable,
                           const std::string& typed) {
    return send(modern("completion/complete", R"("ref":{"type":"ref/resource","uri":)" +
                                                  json_string(uri) + R"(},"argument":{"name":)" +
                                                  json_string(variable) + R"(,"value":)" +
                                                  json_string(typed) + "}"));
  };
  const std::string uri = "demo://notes/{name}{?tone}";
  EXPECT_EQ(complete(uri, "tone", "st").at("result.completion.values").raw(), R"(["strict"])");
  EXPECT_EQ(complete(uri, "name", "").at("result.completion.values").raw(), R"(["a","b"])");
  EXPECT_EQ(complete(uri, "other", "").error(), -32602);
  EXPECT_EQ(complete("demo://nothing/{x}", "x", "").error(), -32602);
  EXPECT_EQ(complete("demo://greet/{name}", "name", "").at("result.completion.values").raw(), "[]");
}

TEST_F(Resources, AreListedPageByPageWithTheFilesOfTrees) {
  for (const bool is_modern : {true, false}) {
    LegacySession session(port(), "2025-11-25");
    std::vector<std::string> uris;
    std::string cursor;
    for (int pages = 0; pages < 20; ++pages) {
      const std::string params = cursor.empty() ? "" : "\"cursor\":" + json_string(cursor);
      const Reply page = send(is_modern ? modern("resources/list", params)
                                        : session.request("resources/list", params));
      ASSERT_EQ(page.error(), 0) << page.http.body;
      const Json items = page.at("result.resources");
      EXPECT_LE(items.size(), 3U);
      for (const Json item : items) uris.emplace_back(*item.find("uri").as_string());
      cursor = page.text("result.nextCursor");
      if (cursor.empty()) break;
    }
    EXPECT_EQ(uris, (std::vector<std::string>{"demo://text", "demo://blob", "ui://demo/page.html",
                                              "demo://file", "tree:///a.txt", "tree:///b%20b.txt",
                                              "tree:///c.png", "tree:///sub/one.md",
                                              "demo://command", "demo://failing", "demo://large",
                                              "demo://small", "demo://slow"}));
  }
  const Reply first = send(modern("resources/list"));
  EXPECT_EQ(first.text("result.resources.0.size"), "9");
  EXPECT_EQ(first.text("result.resources.0.title"), "T");
  const Reply second = send(modern("resources/list", R"("cursor":"resources-3")"));
  EXPECT_EQ(second.text("result.resources.0.size"), "5");
  EXPECT_EQ(second.text("result.resources.1.name"), "a.txt");
  EXPECT_EQ(second.text("result.resources.1.mimeType"), "text/plain");
  EXPECT_EQ(second.text("result.resources.1.size"), "1");
  EXPECT_TRUE(second.has("result.resources.1.annotations.lastModified"));
  for (const char* wrong : {"\"x\"", "\"\"", "7", "null", "\"tools-1\""})
    EXPECT_EQ(send(modern("resources/list", std::string("\"cursor\":") + wrong)).error(), -32602)
        << wrong;
}

TEST_F(Resources, OfATreeAreItsFilesAndNothingElse) {
  EXPECT_EQ(read("tree:///a.txt").text("result.contents.0.text"), "A");
  EXPECT_EQ(read("tree:///b%20b.txt").text("result.contents.0.text"), "B");
  EXPECT_EQ(read("tree:///c.png").text("result.contents.0.blob"), "iVBORw==");
  EXPECT_EQ(read("TREE:///sub/one%2emd").text("result.contents.0.text"), "# One");
  for (const char* rest : {"link",
                           "dirlink/secret",
                           "../outside/secret",
                           "%2e%2e/outside/secret",
                           "sub/../../outside/secret",
                           "..%2Foutside%2Fsecret",
                           "sub/../a.txt",
                           "/etc/passwd",
                           "//etc/passwd",
                           "sub",
                           "sub/",
                           ".",
                           "..",
                           "",
                           "id.key",
                           "a.txt%00",
                           "a.txt/",
                           "a.txt?",
                           "a.txt#x",
                           "%252e%252e/outside/secret"}) {
    const Reply reply = read(std::string("tree:///") + rest);
    EXPECT_EQ(reply.error(), -32602) << rest << reply.http.body;
    EXPECT_EQ(reply.http.body.find("SECRET"), std::string::npos) << rest;
    EXPECT_EQ(reply.http.body.find("root:"), std::string::npos) << rest;
  }
}

TEST_F(Resources, CanBePagesOfApps) {
  const Reply page = read("ui://demo/page.html");
  EXPECT_EQ(page.text("result.contents.0.mimeType"), "text/html;profile=mcp-app");
  EXPECT_EQ(page.text("result.contents.0._meta.ui.prefersBorder"), "true");
  EXPECT_EQ(page.text("result.contents.0.text"), "<p>");
  const Reply list = send(modern("resources/list"));
  EXPECT_EQ(list.text("result.resources.2._meta.ui.prefersBorder"), "true");
}

TEST_F(Resources, AreAnErrorWhereTheirSourceFailsInTime) {
  EXPECT_EQ(read("demo://command").text("result.contents.0.text"), "from a command");
  const Reply failing = read("demo://failing");
  EXPECT_EQ(failing.status(), 200);
  EXPECT_EQ(failing.error(), -32603);
  EXPECT_NE(failing.error_text().find("status 3"), std::string::npos) << failing.error_text();
  EXPECT_FALSE(failing.has("result"));
  const Reply small = read("demo://small");
  EXPECT_EQ(small.error(), -32603);
  EXPECT_NE(small.error_text().find("max_result (2000)"), std::string::npos) << small.error_text();
  const Reply slow = read("demo://slow");
  EXPECT_EQ(slow.error(), -32603);
  EXPECT_NE(slow.error_text().find("timeout (200ms)"), std::string::npos) << slow.error_text();
}

TEST_F(Resources, BreakOffWhereNothingCanBeSaidAnyMore) {
  RawClient client = connect();
  ASSERT_TRUE(client.send(read_request("demo://large").text()));
  const Response response = client.read();
  EXPECT_EQ(response.status, 200);
  EXPECT_FALSE(response.is_complete);
  EXPECT_LT(response.body.size(), 3'000'000U);
  EXPECT_TRUE(eventually([] {
    return server().log().find("resource large: the result broke off after") != std::string::npos;
  })) << server().log();
}

TEST_F(Resources, FailInABatchWithoutHarmToTheRest) {
  LegacySession session(port(), "2025-03-26");
  const auto item = [](int id, const char* uri) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"resources/read","params":{"uri":")" + uri + "\"}}";
  };
  const Reply reply =
      send(session.post("[" + item(1, "demo://text") + "," + item(2, "demo://failing") + "," +
                        item(3, "demo://nothing") + "," + item(4, "demo://blob") + "," +
                        item(5, "tree:///nothing") + "]"));
  json::Document document;
  const auto root = document.parse_copy(reply.http.body);
  ASSERT_TRUE(root && root->size() == 5U) << reply.http.body;
  std::vector<std::string> seen;
  for (const Json answer : *root)
    seen.push_back(
        std::string(answer.find("id").raw()) + ':' +
        (answer.find("result") ? "ok" : std::string(answer.find("error").find("code").raw())));
  EXPECT_EQ(seen, (std::vector<std::string>{"1:ok", "2:-32603", "3:-32002", "4:ok", "5:-32002"}));
}

TEST_F(Resources, GoOutInTheFormThatIsAskedFor) {
  Request events = read_request("demo://file");
  events.set("Accept", "text/event-stream");
  const Reply stream = send(events);
  EXPECT_TRUE(stream.http.is_event_stream());
  EXPECT_EQ(stream.text("result.contents.0.text"), "# One");
  Request failing = read_request("demo://failing");
  failing.set("Accept", "text/event-stream");
  const Reply error = send(failing);
  EXPECT_TRUE(error.http.is_event_stream());
  EXPECT_EQ(error.error(), -32603);
}

TEST(ResourcesNone, AreNotOffered) {
  ServerProcess server("tools: { t: { text: x } }\n");
  EXPECT_FALSE(
      exchange(server.port(), modern("server/discover")).has("result.capabilities.resources"));
  for (const char* method : {"resources/list", "resources/templates/list", "resources/read"}) {
    const Reply reply = exchange(server.port(), modern(method));
    EXPECT_EQ(reply.error(), -32601) << method;
    EXPECT_EQ(reply.status(), 404) << method;
  }
}

TEST(ResourcesUpstream, StreamAnyAmountThroughAWindow) {
  constexpr std::size_t kBytes = 10'000'000;
  CannedUpstream upstream([](const CannedUpstream::Request& request) {
    const bool is_large = request.line().find("/large") != std::string::npos;
    const std::size_t bytes = is_large ? kBytes : 10;
    const char* type =
        request.line().find("bin") != std::string::npos ? "application/octet-stream" : "text/plain";
    return CannedUpstream::Reply{.bytes = "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) +
                                          "\r\nContent-Length: " + std::to_string(bytes) +
                                          "\r\n\r\n",
                                 .fill = bytes};
  });
  ServerProcess server("sources: { up: { type: http, base_url: \"" + upstream.url() + R"(" } }
resources:
  any: { uri_template: "up://{size}/{kind}", source: up, request: "GET /{size}/{kind}" }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  RawClient client(server.port());
  for (const std::string kind : {"txt", "bin"}) {
    ASSERT_EQ(exchange(client, read_request("up://small/" + kind)).error(), 0) << server.log();
    const std::size_t before = server.counts().resident_kb;
    reset_peak(server.child().pid());
    const Reply large = exchange(client, read_request("up://large/" + kind));
    const std::size_t peak = server.counts().peak_kb;
    if (kind == "txt") {
      EXPECT_EQ(large.text("result.contents.0.text").size(), kBytes);
      EXPECT_EQ(large.text("result.contents.0.mimeType"), "text/plain");
    } else {
      EXPECT_EQ(large.text("result.contents.0.blob").size(), (kBytes + 2) / 3 * 4);
    }
    if (is_sanitized()) continue;
    EXPECT_LT(peak > before ? peak - before : 0, 1536U) << kind;
  }
}

TEST(ResourcesUpstream, TellAMissingPageFromAFailure) {
  CannedUpstream upstream([](const CannedUpstream::Request& request) {
    const auto at = request.line().find("/s/") + 3;
    return CannedUpstream::Reply{canned(request.line().substr(at, 3) + " Odd", "no")};
  });
  ServerProcess server("sources: { up: { type: http, base_url: \"" + upstream.url() + R"(" } }
resources:
  any: { uri_template: "up://{status}", source: up, request: "GET /s/{status}", mime_type: text/plain }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  EXPECT_EQ(exchange(server.port(), read_request("up://404")).error(), -32602);
  EXPECT_EQ(exchange(server.port(), read_request("up://410")).error(), -32602);
  EXPECT_EQ(exchange(server.port(), read_request("up://500")).error(), -32603);
  EXPECT_EQ(exchange(server.port(), read_request("up://403")).error(), -32603);
  EXPECT_EQ(exchange(server.port(), read_request("up://200")).text("result.contents.0.text"), "no");
}

TEST(ResourcesUpstream, BreakOffWithTheirSource) {
  CannedUpstream upstream([](const CannedUpstream::Request& request) {
    const bool is_late = request.line().find("/late") != std::string::npos;
    // A reset takes with it what the kernel still holds, up to 4 MB.
    return CannedUpstream::Reply{
        .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9000000\r\n\r\n",
        .then = CannedUpstream::Then::reset,
        .fill = is_late ? std::uint64_t{8'000'000} : 1000};
  });
  ServerProcess server("sources: { up: { type: http, base_url: \"" + upstream.url() + R"(" } }
resources:
  any: { uri_template: "up://{when}", source: up, request: "GET /{when}" }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  EXPECT_EQ(exchange(server.port(), read_request("up://early")).error(), -32603);
  RawClient client(server.port());
  ASSERT_TRUE(client.send(read_request("up://late").text()));
  EXPECT_FALSE(client.read().is_complete);
  EXPECT_EQ(exchange(server.port(), read_request("up://early")).error(), -32603) << "still there";
}

/// What a stream tells, until a message with that in it has come; all of it.
std::string told_until(HeldStream& stream, std::string_view wanted) {
  std::string all;
  while (all.find(wanted) == std::string::npos) {
    const auto event = stream.next();
    if (!event) return all + "(end)";
    all += event->data + '\n';
  }
  return all;
}

constexpr const char* kWatched = R"(
server: { watch_interval: 10ms, change_interval: 10ms }
timeouts: { heartbeat: 200ms }
resources:
  tree: { directory: { root: "@DIR@/share", uri: "tree:///" } }
  file: { uri: "demo://file", file: { root: "@DIR@/share", path: sub/a.md } }
  notes: { uri_template: "demo://{name}{?x}", file: { root: "@DIR@/share", path: "sub/{name}.md" } }
  quiet: { uri: "demo://quiet", watch: false, file: { root: "@DIR@/share", path: sub/a.md } }
)";

ServerProcess::Options with_a_note() {
  return {.prepare = [](const TempFolder& folder) { folder.write("share/sub/a.md", "1"); }};
}

TEST(ResourcesWatched, TellOfChangesOnDisk) {
  ServerProcess server(kWatched, with_a_note());
  ASSERT_NE(server.port(), 0) << server.log();
  HeldStream stream(
      server.port(),
      modern(
          "subscriptions/listen",
          R"("notifications":{"resourcesListChanged":true,"resourceSubscriptions":)"
          R"(["tree:///sub/a.md","demo://file","demo://a","demo://quiet","tree:///sub/new%20b.md"]})"));
  ASSERT_EQ(stream.status(), 200);
  static_cast<void>(stream.next_data());
  server.folder().write("share/sub/a.md", "2");
  std::string told;
  for (const char* uri : {"tree:///sub/a.md", "demo://file", "demo://a"})
    if (const std::string part = '"' + std::string(uri) + '"'; told.find(part) == std::string::npos)
      told += told_until(stream, part);
  EXPECT_EQ(told.find("list_changed"), std::string::npos) << told;
  server.folder().write("share/sub/new b.md", "1");
  told = told_until(stream, "\"tree:///sub/new%20b.md\"");
  if (told.find("notifications/resources/list_changed") == std::string::npos)
    told += told_until(stream, "notifications/resources/list_changed");
  EXPECT_EQ(told.find("(end)"), std::string::npos) << told;
  EXPECT_EQ(told.find("quiet"), std::string::npos) << told;
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(ResourcesWatched, TellSessionsToo) {
  ServerProcess server(kWatched, with_a_note());
  ASSERT_NE(server.port(), 0) << server.log();
  LegacySession session(server.port(), "2025-11-25");
  EXPECT_EQ(session.initialized().text("result.capabilities.resources.subscribe"), "true");
  HeldStream stream(server.port(), session.bare("GET"));
  ASSERT_EQ(stream.status(), 200);
  EXPECT_EQ(
      exchange(server.port(), session.request("resources/subscribe", R"("uri":"demo://file")"))
          .error(),
      0);
  std::filesystem::remove(server.folder().path() / "share/sub/a.md");
  server.folder().write("share/sub/other", "2");
  std::filesystem::rename(server.folder().path() / "share/sub/other",
                          server.folder().path() / "share/sub/a.md");
  const std::string told = told_until(stream, "notifications/resources/updated");
  EXPECT_NE(told.find("demo://file"), std::string::npos) << told;
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(ResourcesReloaded, TellWhatMayHaveChanged) {
  ServerProcess server(R"(
server: { change_interval: 10ms }
timeouts: { heartbeat: 200ms }
resources:
  same: { uri: "demo://same", text: same }
  other: { uri: "demo://other", text: before }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  HeldStream stream(
      server.port(),
      modern("subscriptions/listen",
             R"("notifications":{"resourcesListChanged":true,"resourceSubscriptions":)"
             R"(["demo://same","demo://other"]})"));
  ASSERT_EQ(stream.status(), 200);
  static_cast<void>(stream.next_data());
  static_cast<void>(write_configuration(server.folder(), R"(
server: { change_interval: 10ms }
timeouts: { heartbeat: 200ms }
resources:
  same: { uri: "demo://same", text: same }
  other: { uri: "demo://other", text: after }
  new: { uri: "demo://new", text: new }
)"));
  server.child().signal(SIGHUP);
  std::string told = told_until(stream, "\"demo://other\"");
  if (told.find("notifications/resources/list_changed") == std::string::npos)
    told += told_until(stream, "notifications/resources/list_changed");
  EXPECT_EQ(told.find("demo://same"), std::string::npos) << told;
  EXPECT_EQ(exchange(server.port(), read_request("demo://other")).text("result.contents.0.text"),
            "after");
  EXPECT_EQ(exchange(server.port(), read_request("demo://new")).text("result.contents.0.text"),
            "new");
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(ResourcesGrouped, AreThoseThatTheGroupNames) {
  ServerProcess server(R"(
resources:
  a: { uri: "demo://a", text: a }
  b: { uri: "demo://b", text: b }
groups: { first: { resources: [a] } }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  Request list = modern("resources/list");
  list.target = "/mcp/first";
  EXPECT_EQ(exchange(server.port(), list).at("result.resources").size(), 1U);
  Request read = read_request("demo://b");
  EXPECT_EQ(exchange(server.port(), read).error(), 0);
  read.target = "/mcp/first";
  EXPECT_EQ(exchange(server.port(), read).error(), -32602);
}

}  // namespace
}  // namespace sluice::testing
