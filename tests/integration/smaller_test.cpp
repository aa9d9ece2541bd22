// Results made smaller while they stream: select, limit, format, for every source.
#include <gtest/gtest.h>

#include "support/canned_upstream.hpp"
#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr std::string_view kRows =
    R"({"meta":{"debug":1},"rows":[{"id":1,"price":1.50},{"id":2,"price":20000000000000000001}],"total":2})";

std::string block(const Reply& reply, int at) {
  return reply.text("result.content." + std::to_string(at) + ".text");
}

class Smaller : public WithServer<Smaller> {
 public:
  static void prepare(const TempFolder& folder) { folder.write("rows.json", std::string(kRows)); }
  static std::string yaml() {
    return R"(
server: { listen: "127.0.0.1:0" }
tools:
  file: { file: { root: "@DIR@", path: rows.json }, select: "$.rows[*].price" }
  command: { command: [cat, "@DIR@/rows.json"], select: $.rows, format: markdown }
  inline: { text: ')" +
           std::string(kRows) + R"(', select: $.rows, format: csv, columns: [price, id] }
  both: { file: { root: "@DIR@", path: rows.json }, structured: both, drop: $.meta, max_items: { path: $.rows, max: 1 } }
  nothing: { file: { root: "@DIR@", path: rows.json }, select: $.none }
  broken: { text: "<html>", select: $.rows }
  endless_lines: { command: ["yes"], max_lines: 3 }
  endless_items: { command: [sh, -c, "printf '[0'; yes ',1' | tr -d '\\n'"], max_items: 4 }
  endless_bytes: { command: [sh, -c, "printf '[0'; yes ',1' | tr -d '\\n'"], result: json, max_bytes: 16KiB }
  cached: { command: [sh, -c, "seq 1 100000"], max_lines: 2, cache: { ttl: 60s } }
)";
  }
};

TEST_F(Smaller, EverySourceIsSelectedFromByteForByte) {
  EXPECT_EQ(send(modern_call("file")).content(),
            R"([{"price":1.50},{"price":20000000000000000001}])");
  EXPECT_EQ(send(modern_call("command")).content(),
            "|id|price|\n|---|---|\n|1|1.50|\n|2|20000000000000000001|\n");
  EXPECT_EQ(send(modern_call("inline")).content(), "price,id\n1.50,1\n20000000000000000001,2\n");
}

TEST_F(Smaller, StructuredContentGoesTheSameWay) {
  const Reply reply = send(modern_call("both"));
  constexpr std::string_view kWanted = R"({"rows":[{"id":1,"price":1.50}]})";
  EXPECT_EQ(block(reply, 0), kWanted);
  EXPECT_NE(block(reply, 1).find("max_items (1) was reached: there are more items of $.rows"),
            std::string::npos)
      << block(reply, 1);
  EXPECT_EQ(reply.at("result.structuredContent").raw(), kWanted);
  EXPECT_FALSE(reply.is_tool_error());
}

TEST_F(Smaller, WhatMatchesNothingSaysSo) {
  const Reply reply = send(modern_call("nothing"));
  EXPECT_EQ(reply.content(), "Nothing in the result matches $.none.");
  EXPECT_FALSE(reply.is_tool_error());
}

TEST_F(Smaller, WhatIsNoJsonIsAnErrorThatSaysWhere) {
  const Reply reply = send(modern_call("broken"));
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_NE(reply.content().find("at byte"), std::string::npos) << reply.content();
}

TEST_F(Smaller, ASourceWithoutAnEndIsStopped) {
  const Reply lines = send(modern_call("endless_lines"));
  EXPECT_EQ(block(lines, 0), "y\ny\ny\n");
  EXPECT_NE(block(lines, 1).find("max_lines (3) was reached"), std::string::npos);
  const Reply items = send(modern_call("endless_items"));
  EXPECT_EQ(block(items, 0), "[0,1,1,1]");
  const Reply bytes = send(modern_call("endless_bytes"));
  EXPECT_LE(block(bytes, 0).size(), 16384U);
  EXPECT_GT(block(bytes, 0).size(), 16000U);
  EXPECT_TRUE(block(bytes, 0).ends_with(",1]"));
  EXPECT_NE(block(bytes, 1).find("max_bytes (16KiB) was reached"), std::string::npos)
      << block(bytes, 1);
  for (const Reply* reply : {&lines, &items, &bytes}) EXPECT_FALSE(reply->is_tool_error());
}

TEST_F(Smaller, WhatIsKeptIsTheSmallerResult) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(block(send(modern_call("cached")), 0), "1\n2\n");
}

TEST(SmallerPlugins, HaveTheirResultsMadeSmallerToo) {
  ServerProcess server(R"(
server: { listen: "127.0.0.1:0" }
defaults: { max_bytes: 1KiB }
plugins: [{ path: "@PLUGIN@", results: { big: { max_bytes: 2KiB } } }]
)");
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply own = exchange(server.port(), modern_call("big", R"({"bytes":100000})"));
  EXPECT_EQ(block(own, 0).size(), 2048U);
  EXPECT_NE(block(own, 1).find("max_bytes (2KiB)"), std::string::npos) << block(own, 1);
  const Reply echo =
      exchange(server.port(), modern_call("echo", "{\"text\":\"" + std::string(5000, 'x') + "\"}"));
  EXPECT_EQ(block(echo, 0).size(), 1024U);
  EXPECT_NE(block(echo, 1).find("max_bytes (1KiB)"), std::string::npos) << block(echo, 1);
}

TEST(SmallerPlugins, AreToldOfToolsThatTheyDoNotHave) {
  ServerProcess server(
      "plugins: [{ path: \"@PLUGIN@\", results: { nothing: { max_bytes: 2KiB } } }]\n");
  EXPECT_EQ(server.port(), 0);
  EXPECT_NE(server.log().find("results: the plug-in has no tool \"nothing\""), std::string::npos)
      << server.log();
}

TEST(SmallerUpstream, ADownloadThatIsTooLargeIsBrokenOff) {
  constexpr std::uint64_t kBytes = 1'000'000'000;
  CannedUpstream upstream([](const CannedUpstream::Request&) {
    return CannedUpstream::Reply{
        .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                 std::to_string(kBytes) + "\r\n\r\n",
        .fill = kBytes};
  });
  ServerProcess server(
      "server: { listen: \"127.0.0.1:0\" }\nsources: { up: { type: http, base_url: \"" +
      upstream.url() + "\" } }\ntools: { t: { source: up, request: GET /, max_bytes: 16KiB } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  const Reply reply = exchange(server.port(), modern_call("t"));
  EXPECT_EQ(block(reply, 0).size(), 16384U);
  EXPECT_NE(block(reply, 1).find("max_bytes (16KiB)"), std::string::npos) << block(reply, 1);
  EXPECT_FALSE(reply.is_tool_error());
}

}  // namespace
}  // namespace sluice::testing
