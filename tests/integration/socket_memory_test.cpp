// What slow readers hold outside of the process: the kernel's memory, on both legs of a call.
#include "support/socket_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>

#include "support/canned_upstream.hpp"
#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

constexpr std::size_t kReaders = 8;
constexpr std::size_t kBytes = 20'000'000;
constexpr std::size_t kMostPerReader = 512 * 1024;

CannedUpstream::Reply large_reply(const CannedUpstream::Request&) {
  return {.bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                   std::to_string(kBytes) + "\r\n\r\n",
          .fill = kBytes};
}

struct Stalled {
  std::size_t peak = 0;
  std::size_t last = 0;
};

/// Readers that take the head and then nothing: what their calls hold until nothing moves any more.
Stalled stall(ServerProcess& server, const Request& request, const RawClient::Options& options,
              std::list<RawClient>& readers) {
  for (std::size_t i = 0; i < kReaders; ++i) {
    RawClient& client = readers.emplace_back(server.port(), options);
    EXPECT_TRUE(client.send(request.text()));
    EXPECT_EQ(client.read_head().status, 200) << i;
  }
  Stalled out;
  int unchanged = 0;
  const bool is_still = eventually([&] {
    const SocketMemory now = socket_memory(server.child().pid());
    unchanged = now.bytes == out.last && now.unsent >= kReaders ? unchanged + 1 : 0;
    out.last = now.bytes;
    out.peak = std::max(out.peak, now.bytes);
    return unchanged == 20;
  });
  EXPECT_TRUE(is_still);
  return out;
}

class OfSlowReaders : public ::testing::Test {
 protected:
  void expect_bounded(const char* tool, const RawClient::Options& options) {
    std::list<RawClient> readers;
    const Stalled held = stall(server_, modern_call(tool), options, readers);
    RecordProperty(std::string("kib_per_reader_") + tool,
                   static_cast<int>(held.peak / kReaders / 1024));
    EXPECT_LE(held.peak, kReaders * kMostPerReader) << tool << ' ' << options.receive_buffer;
    EXPECT_GT(held.last, kReaders * 16 * 1024) << tool << " sent nothing that could be seen";
  }

  CannedUpstream upstream_{large_reply};
  ServerProcess server_{R"(
server: { listen: "127.0.0.1:0", loops: 2 }
sources: { up: { type: http, base_url: ")" +
                        upstream_.url() + R"(", connections: 64 } }
tools:
  fetch: { description: H., source: up, request: GET /large, result: text }
  inline: { description: I., text: )" +
                        std::string(kBytes, 'x') + " }\n"};
};

TEST_F(OfSlowReaders, KernelMemoryIsBoundedOnBothLegs) {
  ASSERT_NE(server_.port(), 0) << server_.log();
  for (const int receive_buffer : {0, 4096}) {
    expect_bounded("inline", {.receive_buffer = receive_buffer});
    expect_bounded("fetch", {.receive_buffer = receive_buffer});
  }
}

}  // namespace
}  // namespace sluice::testing
