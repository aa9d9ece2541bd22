// What connections cost that wait: no buffers, no documents, no frames.
#include <gtest/gtest.h>

#include <vector>

#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

constexpr std::size_t kFirst = 100;
constexpr std::size_t kMore = 400;
constexpr std::size_t kStreamsPerSession = 8;
#ifdef NDEBUG
constexpr std::size_t kMostBytes = 8 * 1024;
#else
constexpr std::size_t kMostBytes = 12 * 1024;  // nothing of a coroutine's frame is left out
#endif

constexpr const char* kYaml = R"(
server: { listen: "127.0.0.1:0", loops: 1 }
tools:
  hello: { description: H., text: hello }
)";

/// By how many bytes the process grows for each of what `open` opens, once some are open.
template <class Open>
std::size_t bytes_each(const ServerProcess& server, Open open) {
  for (std::size_t i = 0; i < kFirst; ++i) open();
  const std::size_t before = server.counts().resident_kb;
  for (std::size_t i = 0; i < kMore; ++i) open();
  return (server.counts().resident_kb - before) * 1024 / kMore;
}

TEST(IdleMemory, OfAnEventStreamIsAtMostEightKiB) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(kYaml);
  ASSERT_NE(server.port(), 0) << server.log();
  std::vector<LegacySession> sessions;
  std::vector<RawClient> streams;
  const std::size_t bytes = bytes_each(server, [&] {
    if (streams.size() % kStreamsPerSession == 0)
      sessions.emplace_back(server.port(), "2025-11-25");
    RawClient& stream = streams.emplace_back(server.port());
    ASSERT_TRUE(stream.send(sessions.back().bare("GET").text()));
    Response response = stream.read_head();
    ASSERT_EQ(response.status, 200) << response.head;
    ASSERT_TRUE(stream.read_until(response, "\n\n"));
  });
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LE(bytes, kMostBytes);
}

TEST(IdleMemory, OfAListenerIsAtMostEightKiB) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(kYaml);
  ASSERT_NE(server.port(), 0) << server.log();
  std::vector<RawClient> streams;
  const std::size_t bytes = bytes_each(server, [&] {
    RawClient& stream = streams.emplace_back(server.port());
    ASSERT_TRUE(stream.send(
        modern("subscriptions/listen",
               R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]})")
            .text()));
    Response response = stream.read_head();
    ASSERT_EQ(response.status, 200) << response.head;
    ASSERT_TRUE(stream.read_until(response, "acknowledged"));
  });
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LE(bytes, kMostBytes);
}

TEST(IdleMemory, OfAConnectionBetweenRequestsIsAtMostEightKiB) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  ServerProcess server(kYaml);
  ASSERT_NE(server.port(), 0) << server.log();
  std::vector<RawClient> clients;
  const std::size_t bytes = bytes_each(server, [&] {
    RawClient& client = clients.emplace_back(server.port());
    ASSERT_EQ(exchange(client, modern_call("hello")).content(), "hello");
  });
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LE(bytes, kMostBytes);
}

}  // namespace
}  // namespace sluice::testing
