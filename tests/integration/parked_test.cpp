// Results that are kept on disk: parked, in pages, and in the pages of an upstream.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/canned_upstream.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

std::string block(const Reply& reply, int at, std::string_view member = "text") {
  return reply.text("result.content." + std::to_string(at) + "." + std::string(member));
}

std::string cursor_of(const Reply& reply) {
  const std::string text = block(reply, 1);
  const auto at = text.rfind(": ");
  return at == std::string::npos ? std::string() : text.substr(at + 2);
}

Request read(const std::string& uri) {
  return modern("resources/read", "\"uri\":" + json_string(uri)).set("Mcp-Name", uri);
}

/// A document of so many rows, with numbers and names that a careless reader would change.
std::string document(int rows) {
  std::string out = R"({"columns": ["n", "price", "name"], "rows": [)";
  for (int i = 0; i < rows; ++i)
    out += (i == 0 ? "[" : ",\n [") + std::to_string(i) + ", 1.10, \"\xE5\x8F\xB0 \\u00e9\"]";
  return out + R"(], "total": 12345678901234567890})";
}

class Parked : public WithServer<Parked> {
 public:
  static constexpr int kRows = 60'000;  // 2 MB
  static void prepare(const TempFolder& folder) {
    folder.write("rows.json", document(kRows));
    folder.write("small.json", document(2));
    std::filesystem::create_directory(folder.path() / "spool");
  }
  static std::string yaml() {
    return R"(
server: { listen: "127.0.0.1:0" }
parking: { directory: "@DIR@/spool", part: 4KiB }
plugins: [ { path: "@PLUGIN@", results: { big: { park: { over: 1KiB, preview: 10 } } } } ]
tools:
  file: { file: { root: "@DIR@", path: rows.json }, park: { over: 64KiB, preview: 300, items: $.rows }, result: json }
  small: { file: { root: "@DIR@", path: small.json }, park: { over: 64KiB, preview: 300 }, result: json, structured: on }
  text: { command: [seq, "100000"], park: { over: 1KiB, preview: 10 } }
  pages: { command: [cat, "@DIR@/rows.json"], page: { by: items, size: 25000, items: $.rows }, format: csv, columns: [price, n] }
  lines: { command: [seq, "{to}"], parameters: { to: { type: integer, required: true } }, page: { by: lines, size: 3 } }
  other: { text: x }
groups:
  some: { tools: [text] }
  none: { tools: [other] }
)";
  }
};

TEST_F(Parked, AResultIsReadWholeAndInParts) {
  const std::string all = document(kRows);
  const Reply reply = send(modern_call("file"));
  EXPECT_FALSE(reply.is_tool_error());
  EXPECT_TRUE(
      block(reply, 0).starts_with(R"({"columns": ["n", "price", "name"], "rows": [[0, 1.10)"));
  EXPECT_LE(block(reply, 0).size(), 300U);
  EXPECT_EQ(block(reply, 2, "type"), "resource_link");
  EXPECT_EQ(block(reply, 2, "size"), std::to_string(all.size()));
  EXPECT_EQ(block(reply, 2, "mimeType"), "application/json");
  const std::string uri = block(reply, 2, "uri");
  const Reply whole = send(read(uri));
  EXPECT_EQ(whole.text("result.contents.0.text"), all);
  EXPECT_EQ(whole.text("result.contents.0.mimeType"), "application/json");
  std::string together;
  for (std::size_t at = 0; at < all.size(); at = together.size())
    together += send(read(uri + "?offset=" + std::to_string(at) + "&limit=100001"))
                    .text("result.contents.0.text");
  EXPECT_EQ(together, all);
  EXPECT_EQ(send(read(uri + "?items=1-1")).text("result.contents.0.text"),
            "{\"columns\": [\"n\", \"price\", \"name\"], \"rows\": [[1, 1.10, \"\xE5\x8F\xB0 "
            "\\u00e9\"]]}");
  EXPECT_EQ(send(read(uri + "?lines=1-2")).text("result.contents.0.text"),
            " [1, 1.10, \"\xE5\x8F\xB0 \\u00e9\"],\n [2, 1.10, \"\xE5\x8F\xB0 \\u00e9\"],\n");
  EXPECT_EQ(send(read(uri + "?items=x")).error(), -32602);
}

TEST_F(Parked, AToolReadsPartsForModelsThatHaveNoResources) {
  const std::string uri = block(send(modern_call("text")), 2, "uri");
  const auto part = [&](const std::string& more) {
    return send(modern_call("read_result", "{\"result\":" + json_string(uri) + more + "}"));
  };
  const Reply first = part("");
  EXPECT_EQ(block(first, 0).size(), 4096U);
  EXPECT_TRUE(block(first, 1).ends_with("go on with offset=4096.")) << block(first, 1);
  EXPECT_EQ(block(part(R"(,"lines":"99998-")"), 0), "99999\n100000\n");
  EXPECT_EQ(block(part(R"(,"lines":"99998-")"), 1), "This is the end of the result.");
  EXPECT_NE(part(R"(,"items":"0-1")").content().find("is no JSON"), std::string::npos);
  EXPECT_TRUE(part(R"(,"lines":"1","offset":2)").is_tool_error());
  EXPECT_TRUE(part(R"(,"offset":-1)").is_tool_error());
}

TEST_F(Parked, SmallResultsAreAsTheyWere) {
  const Reply reply = send(modern_call("small"));
  EXPECT_EQ(reply.at("result.structuredContent").raw(),
            document(2).replace(document(2).find('\n'), 1, " "));
  EXPECT_FALSE(reply.has("result.content.1"));
}

TEST_F(Parked, ResultsBelongToTheirCallers) {
  const auto as = [](Request request, std::string_view who) {
    return request.set("Authorization", who);
  };
  const std::string uri = block(send(as(modern_call("text"), "Bearer a")), 2, "uri");
  EXPECT_EQ(send(as(read(uri), "Bearer a")).error(), 0);
  EXPECT_EQ(send(as(read(uri), "Bearer b")).error(), -32602);
  EXPECT_EQ(send(read(uri)).error(), -32602);
  const LegacySession own(port(), "2025-11-25");
  const LegacySession other(port(), "2025-11-25");
  const std::string of_session = block(send(own.call("text")), 2, "uri");
  const std::string params = "\"uri\":" + json_string(of_session);
  EXPECT_EQ(send(own.request("resources/read", params)).error(), 0);
  EXPECT_EQ(send(other.request("resources/read", params)).error(), -32002);
}

TEST_F(Parked, ARevisionWithoutLinksHasThemAsText) {
  const LegacySession session(port(), "2025-03-26");
  const Reply reply = send(session.call("text"));
  EXPECT_EQ(block(reply, 2, "type"), "text");
  EXPECT_TRUE(block(reply, 2).starts_with("text: sluice://result/")) << block(reply, 2);
}

TEST_F(Parked, PluginsHaveTheirResultsParkedToo) {
  const Reply reply = send(modern_call("big", R"({"bytes":100000})"));
  EXPECT_EQ(block(reply, 0).size(), 10U);
  EXPECT_EQ(block(reply, 2, "size"), "100000");
}

TEST_F(Parked, PagesHaveAllOfIt) {
  std::string rows;
  std::string arguments = "{}";
  int pages = 0;
  for (; pages < 5; ++pages) {
    const Reply page = send(modern_call("pages", arguments));
    ASSERT_FALSE(page.is_tool_error()) << page.content();
    ASSERT_TRUE(block(page, 0).starts_with("price,n\n"));
    rows += block(page, 0).substr(8);
    if (block(page, 1).ends_with("This is the last page.")) break;
    arguments = "{\"cursor\":\"" + cursor_of(page) + "\"}";
  }
  EXPECT_EQ(pages, 2);
  std::string wanted;
  for (int i = 0; i < kRows; ++i) wanted += "1.10," + std::to_string(i) + "\n";
  EXPECT_EQ(rows, wanted);
}

TEST_F(Parked, ACursorGoesWithItsArguments) {
  const Reply first = send(modern_call("lines", R"({"to":7})"));
  EXPECT_EQ(block(first, 0), "1\n2\n3\n");
  const std::string cursor = ",\"cursor\":\"" + cursor_of(first) + "\"}";
  EXPECT_EQ(block(send(modern_call("lines", R"({"to":7)" + cursor)), 0), "4\n5\n6\n");
  const Reply other = send(modern_call("lines", R"({"to":8)" + cursor));
  EXPECT_TRUE(other.is_tool_error());
  EXPECT_NE(other.content().find("The cursor is none"), std::string::npos) << other.content();
  EXPECT_EQ(send(modern_call("lines", R"({"to":3})")).content(), "1\n2\n3\n");
  const Reply list = send(modern("tools/list"));
  EXPECT_TRUE(list.has("result.tools.7")) << list.http.body;
  EXPECT_NE(list.http.body.find(R"("cursor":{"type":"string")"), std::string::npos);
}

TEST_F(Parked, AGroupHasWhatReadsTheResultsOfItsTools) {
  const auto names = [](const char* group) {
    Request request = modern("tools/list");
    request.target = std::string("/mcp/") + group;
    const Reply list = send(request);
    return list.text("result.tools.0.name") + " " + list.text("result.tools.1.name");
  };
  EXPECT_EQ(names("some"), "text read_result");
  EXPECT_EQ(names("none"), "other ");
}

TEST_F(Parked, NothingHasANameOnDisk) {
  static_cast<void>(send(modern_call("text")));
  EXPECT_TRUE(std::filesystem::is_empty(server().folder().path() / "spool"));
}

TEST(ParkedRestart, ResultsAreFoundAgainWhereTheyAreKept) {
  const TempFolder spool;
  const std::string yaml = "server: { listen: \"127.0.0.1:0\" }\nparking: { directory: \"" +
                           spool.path().string() +
                           "\", keep: true }\ntools: { t: { command: [seq, \"1000\"], park: { "
                           "over: 100, preview: 10 } } }\n";
  std::string uri;
  {
    ServerProcess server(yaml);
    ASSERT_NE(server.port(), 0) << server.log();
    uri = block(exchange(server.port(), modern_call("t")), 2, "uri");
    EXPECT_EQ(server.stop(), 0) << server.log();
  }
  ServerProcess server(yaml);
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply whole = exchange(server.port(), read(uri));
  EXPECT_TRUE(whole.text("result.contents.0.text").ends_with("999\n1000\n"));
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(ParkedStart, SaysWhatIsWrong) {
  ServerProcess no_folder("parking: { directory: /nowhere/at/all }\ntools: { t: { text: x } }\n");
  EXPECT_EQ(no_folder.port(), 0);
  EXPECT_NE(no_folder.log().find("parking.directory: cannot make the directory"), std::string::npos)
      << no_folder.log();
  ServerProcess twice(
      "tools: { t: { command: [ls], parameters: { cursor: { type: string } }, page: { by: lines } "
      "} }\n");
  EXPECT_EQ(twice.port(), 0);
  EXPECT_NE(twice.log().find("has a parameter named cursor"), std::string::npos) << twice.log();
}

/// Pages of two numbers each, up to 5.
CannedUpstream::Reply number_page(const CannedUpstream::Request& request) {
  const std::string line = request.line();
  const auto at = line.find("page=");
  const int page = at == std::string::npos ? 1 : std::stoi(line.substr(at + 5));
  std::string fields;
  std::string next = "null";
  if (page < 3) {
    fields = "Link: </api/list?page=" + std::to_string(page + 1) + ">; rel=\"next\"\r\n";
    next = std::to_string(page + 1);
  }
  if (line.find("/away") != std::string::npos)
    fields = "Link: <http://other.example/list?page=2>; rel=\"next\"\r\n";
  if (line.find("/outside") != std::string::npos) fields = "Link: </other>; rel=next\r\n";
  const std::string url = page < 3 ? "\"?page=" + next + "\"" : "\"\"";
  return {.bytes =
              canned("200 OK",
                     "{\"rows\":[" + std::to_string(2 * page - 1) + "," + std::to_string(2 * page) +
                         "],\"next\":" + next + ",\"url\":" + url + "}",
                     "Content-Type: application/json\r\n" + fields)};
}

TEST(UpstreamPages, AreFollowedToTheEnd) {
  CannedUpstream upstream(number_page);
  ServerProcess server("sources: { up: { type: http, base_url: \"" + upstream.url("/api") + R"(" } }
tools:
  by_path: { source: up, request: "GET /list?page=1&size=2", select: $.rows, page: { next: $.next, parameter: page } }
  by_url: { source: up, request: GET /list, select: $.rows, page: { next: $.url } }
  by_link: { source: up, request: GET /list, select: $.rows, page: { next: link } }
  structured: { source: up, request: GET /list, result: json, structured: on, page: { next: link } }
  away: { source: up, request: GET /away, page: { next: link } }
  outside: { source: up, request: GET /outside, page: { next: link } }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  for (const char* tool : {"by_path", "by_url", "by_link"}) {
    std::string all;
    std::string arguments = "{}";
    int pages = 0;
    for (; pages < 5; ++pages) {
      const Reply page = exchange(server.port(), modern_call(tool, arguments));
      ASSERT_FALSE(page.is_tool_error()) << page.content();
      all += block(page, 0);
      if (cursor_of(page).empty()) break;
      arguments = "{\"cursor\":\"" + cursor_of(page) + "\"}";
    }
    EXPECT_EQ(all, "[1,2][3,4][5,6]") << tool;
    EXPECT_EQ(pages, 2) << tool;
  }
  EXPECT_EQ(upstream.requests().at(1).line(), "GET /api/list?size=2&page=2 HTTP/1.1");
  const Reply structured = exchange(server.port(), modern_call("structured"));
  EXPECT_EQ(structured.text("result.structuredContent.next"), "2");
  EXPECT_NE(structured.content().find("There is more."), std::string::npos);
  for (const char* tool : {"away", "outside"}) {
    const Reply page = exchange(server.port(), modern_call(tool));
    EXPECT_NE(block(page, 1).find("is not followed"), std::string::npos) << page.content();
    EXPECT_FALSE(page.is_tool_error());
  }
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(ParkedRoom, AnEndlessSourceIsStoppedWhereThereIsNoMoreRoom) {
  ServerProcess server(R"(
server: { listen: "127.0.0.1:0" }
parking: { per_caller: 1MiB }
tools: { endless: { command: ["yes"], park: { over: 1KiB, preview: 4 } } }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply reply = exchange(server.port(), modern_call("endless"));
  EXPECT_EQ(block(reply, 0), "y\ny\n");
  EXPECT_NE(block(reply, 1).find("parking.per_caller"), std::string::npos) << reply.content();
  EXPECT_FALSE(reply.is_tool_error());
  EXPECT_EQ(server.stop(), 0) << server.log();
}

}  // namespace
}  // namespace sluice::testing
