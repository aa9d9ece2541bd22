// What a call asks of the heap does not depend on the size of its result.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>

#include "support/canned_upstream.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

/// As tests/bench/count_malloc.cpp writes them.
struct HeapUse {
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
};

HeapUse read_counts(const std::filesystem::path& file) {
  HeapUse use;
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(::read(fd, &use, sizeof use), static_cast<ssize_t>(sizeof use));
  ::close(fd);
  return use;
}

/// Per call, once warm.
HeapUse use_of(RawClient& client, const Request& request, const std::filesystem::path& file) {
  constexpr std::uint64_t kCalls = 8;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(exchange(client, request).status(), 200);
  const HeapUse before = read_counts(file);
  for (std::uint64_t i = 0; i < kCalls; ++i) EXPECT_EQ(exchange(client, request).status(), 200);
  const HeapUse after = read_counts(file);
  return {(after.allocations - before.allocations) / kCalls, (after.bytes - before.bytes) / kCalls};
}

TEST(Heap, ACallTakesAsMuchWhateverTheSizeOfItsResult) {
  if (is_sanitized()) GTEST_SKIP() << "A sanitizer's runtime has a heap of its own.";
  constexpr std::array<std::size_t, 4> kSizes{1'000, 1'000'000, 10'000'000, 20'000'000};
  CannedUpstream upstream([](const CannedUpstream::Request& request) {
    const std::size_t bytes = std::stoul(request.line().substr(request.line().find('/') + 1));
    return CannedUpstream::Reply{
        .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                 std::to_string(bytes) + "\r\n\r\n",
        .fill = bytes};
  });
  const TempFolder folder;
  const auto counts = folder.path() / "counts";
  std::string inlines;
  for (const std::size_t size : kSizes)
    inlines += "  inline_" + std::to_string(size) +
               ": { description: I., content: [ { type: text, file: \"@DIR@/" +
               std::to_string(size) + ".txt\" } ] }\n";
  ServerProcess server(
      R"(
server: { listen: "127.0.0.1:0", loops: 1 }
sources: { up: { type: http, base_url: ")" +
          upstream.url() + R"(" } }
tools:
  file: { description: F., file: { root: "@DIR@", path: "{size}.txt" }, result: text, parameters: { size: { type: string, required: true } } }
  http: { description: H., source: up, request: "GET /{size}", parameters: { size: { type: string, required: true } } }
)" + inlines,
      {.prepare =
           [&](const TempFolder& own) {
             for (const std::size_t size : kSizes)
               own.write(std::to_string(size) + ".txt", std::string(size, 'x'));
           },
       .environment = {{"LD_PRELOAD", SLUICE_COUNT_MALLOC},
                       {"COUNT_MALLOC_FILE", counts.string()}}});
  ASSERT_NE(server.port(), 0) << server.log();
  RawClient client(server.port());
  for (const std::string tool : {"inline", "file", "http"}) {
    HeapUse small;
    for (const std::size_t size : kSizes) {
      const std::string text = std::to_string(size);
      const Request request = tool == "inline" ? modern_call("inline_" + text)
                                               : modern_call(tool, "{\"size\":\"" + text + "\"}");
      const HeapUse use = use_of(client, request, counts);
      if (size == kSizes.front()) small = use;
      // A wait more or less is the scheduler's business; a payload would be thousands of bytes.
      EXPECT_LE(use.allocations, small.allocations + 3) << tool << ' ' << size;
      EXPECT_LE(use.bytes, small.bytes + 1'500) << tool << ' ' << size;
      RecordProperty(tool + "_" + text,
                     std::to_string(use.allocations) + ", " + std::to_string(use.bytes) + " bytes");
    }
  }
}

}  // namespace
}  // namespace sluice::testing
