// What results cost: windows, not sizes.
#include "support/canned_upstream.hpp"

#include <gtest/gtest.h>

#include <list>

#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

constexpr std::size_t kMB = 1'000'000;

/// Runs `work` and tells by how many KiB the process was larger than before at its largest.
template <class Work>
std::size_t growth(const ServerProcess& server, Child& child, Work work) {
  const std::size_t before = server.counts().resident_kb;
  reset_peak(child.pid());
  work();
  const std::size_t peak = server.counts().peak_kb;
  return peak > before ? peak - before : 0;
}

ServerProcess::Options with_file() {
  return {.prepare = [](const TempFolder& folder) {
    folder.write("large.txt", std::string(20 * kMB, 'x'));
  }};
}

constexpr const char* kYaml = R"(
plugins: ["@PLUGIN@"]
server: { listen: "127.0.0.1:0", loops: 2 }
tools:
  large: { description: A large file., file: { root: "@DIR@", path: large.txt }, result: text }
)";

// What a call of any size may add, where the compiler has not left everything on the stack for a
// debugger.
#ifdef NDEBUG
constexpr std::size_t kWindowKb = 1024;
#else
constexpr std::size_t kWindowKb = 1536;
#endif

TEST(Memory, OfALargeResultIsAWindowWhateverItsSource) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  CannedUpstream upstream([](const CannedUpstream::Request& request) {
    const std::size_t bytes = request.line().find("/large ") != std::string::npos ? 20 * kMB : 10;
    return CannedUpstream::Reply{
        .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                 std::to_string(bytes) + "\r\n\r\n",
        .fill = bytes};
  });
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
sources: { up: { type: http, base_url: ")" +
                           upstream.url() + R"(" } }
tools:
  file: { description: F., file: { root: "@DIR@", path: "{size}.txt" }, result: text, parameters: { size: { type: string, required: true } } }
  fetch: { description: H., source: up, request: "GET /{size}", parameters: { size: { type: string, required: true } } }
  copy: { description: C., command: [cat, "@DIR@/{size}.txt"], parameters: { size: { type: string, required: true } } }
  inline_small: { description: I., text: xxxxxxxxxx }
  inline_large: { description: I., text: )" +
                           std::string(20 * kMB, 'x') + " }\n",
                       {.prepare = [](const TempFolder& folder) {
                         folder.write("small.txt", std::string(10, 'x'));
                         folder.write("large.txt", std::string(20 * kMB, 'x'));
                       }});
  ASSERT_NE(server.port(), 0) << server.log();
  struct Case {
    std::string name;
    Request small;
    Request large;
  };
  std::vector<Case> cases = {{"plugin", modern_call("big", R"({"bytes":10})"),
                              modern_call("big", R"({"bytes":20000000})")},
                             {"inline", modern_call("inline_small"), modern_call("inline_large")}};
  for (const char* tool : {"file", "fetch", "copy"})
    cases.push_back(
        {tool, modern_call(tool, R"({"size":"small"})"), modern_call(tool, R"({"size":"large"})")});
  for (const Case& c : cases) {
    RawClient client(server.port());
    ASSERT_EQ(exchange(client, c.small).content().size(), 10u) << c.name;
    const std::size_t kb = growth(server, server.child(), [&] {
      EXPECT_EQ(exchange(client, c.large).content().size(), 20 * kMB) << c.name;
    });
    RecordProperty("growth_kb_" + c.name, static_cast<int>(kb));
    EXPECT_LT(kb, kWindowKb) << c.name;
  }
}

TEST(Memory, OfManySlowReadersIsAWindowEach) {
  ServerProcess server(std::string(kYaml) + "limits: { frames: 10MiB }\n",
                       with_file());  // 32 readers times five frames
  for (int round = 0; round < 3; ++round) {
    std::list<RawClient> readers;
    const std::size_t kb = growth(server, server.child(), [&] {
      for (int i = 0; i < 32; ++i) {
        RawClient& client =
            readers.emplace_back(server.port(), RawClient::Options{.receive_buffer = 4096});
        ASSERT_TRUE(client.send(modern_call("large").text()));
        ASSERT_EQ(client.read_head().status, 200) << i;
      }
      EXPECT_EQ(exchange(server.port(), modern("tools/list")).status(), 200);
    });
    if (!is_sanitized()) {
      EXPECT_LT(kb, 32u * 512u) << "round " << round;
    }
    // Two of them read on, the others leave.
    while (readers.size() > 2) readers.pop_back();
    for (auto& client : readers) {
      Response rest;
      rest.status = 200;
      rest.is_chunked = true;
      client.read_rest(rest);
      EXPECT_TRUE(rest.is_complete) << rest.body.size() << server.log();
      EXPECT_GT(rest.body.size(), 20 * kMB);
    }
  }
}

TEST(Memory, OfLargeRequestsGoesBack) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(kYaml, with_file());
  RawClient client(server.port());
  const Request large = modern_call("echo", "{\"text\":\"" + std::string(3 * kMB, 'x') + "\"}");
  ASSERT_EQ(exchange(client, large).content().size(), 3 * kMB);
  ASSERT_EQ(exchange(client, modern_call("echo")).status(), 200);
  const std::size_t once = server.counts().resident_kb;
  std::list<RawClient> clients;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(server.port());
    ASSERT_EQ(exchange(clients.back(), large).content().size(), 3 * kMB);
    ASSERT_EQ(exchange(clients.back(), modern_call("echo")).status(), 200);
  }
  EXPECT_LT(server.counts().resident_kb, once + 8 * 1024)
      << "twenty connections that once had 3 MB are idle";
}

}  // namespace
}  // namespace sluice::testing
