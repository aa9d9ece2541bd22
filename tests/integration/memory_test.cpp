// What results cost: windows, not sizes.
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
  return {.prepare = [](const TempFolder& folder) { folder.write("large.txt", std::string(20 * kMB, 'x')); }};
}

constexpr const char* kYaml = R"(
plugins: ["@PLUGIN@"]
server: { listen: "127.0.0.1:0", loops: 2 }
tools:
  large: { description: A large file., file: { root: "@DIR@", path: large.txt }, result: text }
)";

TEST(Memory, OfALargeResultIsAWindow) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(kYaml, with_file());
  ASSERT_NE(server.port(), 0) << server.log();
  for (const char* tool : {"large", "big"}) {
    const Request request = modern_call(tool, tool == std::string("big") ? R"({"bytes":20000000})" : "{}");
    for (int i = 0; i < 4; ++i) ASSERT_EQ(exchange(server.port(), request).content().size(), 20 * kMB);
    const std::size_t kb = growth(server, server.child(), [&] {
      EXPECT_EQ(exchange(server.port(), request).content().size(), 20 * kMB);
    });
    RecordProperty(std::string("growth_kb_") + tool, static_cast<int>(kb));
    EXPECT_LT(kb, 1536u) << tool;
  }
}

TEST(Memory, OfManySlowReadersIsAWindowEach) {
  ServerProcess server(std::string(kYaml) + "limits: { frames: 10MiB }\n", with_file());  // 32 readers times five frames
  for (int round = 0; round < 3; ++round) {
    std::list<RawClient> readers;
    const std::size_t kb = growth(server, server.child(), [&] {
      for (int i = 0; i < 32; ++i) {
        RawClient& client = readers.emplace_back(server.port(), RawClient::Options{.receive_buffer = 4096});
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
  EXPECT_LT(server.counts().resident_kb, once + 8 * 1024) << "twenty connections that once had 3 MB are idle";
}

}  // namespace
}  // namespace sluice::testing
