// What a call asks of the kernel: one recv, one send, and not much more.
#include "support/call_counter.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

/// The counts of a server, while this lives.
class Counts {
 public:
  explicit Counts(const std::filesystem::path& file) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    void* memory = ::mmap(nullptr, sizeof(CallCounts), PROT_READ, MAP_SHARED, fd, 0);
    ::close(fd);
    if (memory != MAP_FAILED) counts_ = static_cast<const CallCounts*>(memory);
  }
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
  ~Counts() {
    if (counts_ != nullptr) ::munmap(const_cast<CallCounts*>(counts_), sizeof(CallCounts));
  }
  [[nodiscard]] bool is_open() const noexcept { return counts_ != nullptr; }
  [[nodiscard]] const CallCounts* operator->() const noexcept { return counts_; }

 private:
  const CallCounts* counts_ = nullptr;
};

struct Tally {
  explicit Tally(const Counts& from)
      : sends(from->sends),
        receives(from->receives),
        empty_receives(from->empty_receives),
        waits(from->waits),
        controls(from->controls) {}
  std::uint64_t sends, receives, empty_receives, waits, controls;
};

constexpr int kCalls = 200;

/// Calls one tool on one connection, again and again, and tells what that took.
void expect_one_each(RawClient& client, const Counts& counts, const Request& request) {
  for (int i = 0; i < 5; ++i) ASSERT_EQ(exchange(client, request).status(), 200);
  const Tally before(counts);
  for (int i = 0; i < kCalls; ++i) ASSERT_EQ(exchange(client, request).status(), 200);
  const Tally after(counts);
  EXPECT_EQ(after.sends - before.sends, kCalls);
  EXPECT_EQ(after.receives - before.receives, kCalls);
  EXPECT_EQ(after.empty_receives - before.empty_receives, 0u);
  // One of each too; the loop's own timer adds ten a second.
  EXPECT_LT(after.waits - before.waits, 2u * kCalls);
  EXPECT_LT(after.controls - before.controls, 2u * kCalls);
  const auto per_call = [](std::uint64_t n) { return std::to_string(double(n) / kCalls); };
  ::testing::Test::RecordProperty("waits_per_call", per_call(after.waits - before.waits));
  ::testing::Test::RecordProperty("controls_per_call", per_call(after.controls - before.controls));
}

TEST(SystemCalls, OfASmallCallAreOneReceiveAndOneSend) {
  if (is_sanitized()) GTEST_SKIP() << "A sanitizer's runtime has to be loaded first.";
  const TempFolder folder;
  const auto file = folder.path() / "counts";
  std::ofstream(folder.path() / "greeting.txt") << "hello";
  ServerProcess server(
      R"(
server: { listen: "127.0.0.1:0", loops: 1 }
tools:
  hello: { description: H., text: hello }
  greeting: { description: A tool with a handler., file: { root: ")" +
          folder.path().string() + R"(", path: greeting.txt } }
)",
      {.environment = {{"LD_PRELOAD", call_counter_library()}, {kCallCountsFile, file.string()}}});
  ASSERT_NE(server.port(), 0) << server.log();
  const Counts counts(file);
  ASSERT_TRUE(counts.is_open());
  RawClient client(server.port());
  expect_one_each(client, counts, modern_call("hello"));
  expect_one_each(client, counts, modern_call("greeting"));
  expect_one_each(client, counts, modern("tools/list"));
}

}  // namespace
}  // namespace sluice::testing
