// What it costs to make results smaller: windows, not sizes.
#include <gtest/gtest.h>

#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

/// {"rows":[{"n":0},{"id":12345678,"n":1.50},...],"tail":7} with so many rows of 25 bytes, as every
/// kind of step sees it; each of them reads all of it, but for limits.
std::string yaml() {
  const std::string source = R"(
    command: [sh, -c, "printf '{{\"rows\":[{{\"n\":0}}'; yes ',{{\"id\":12345678,\"n\":1.50}}' | head -n $0 | tr -d '\\n'; printf '],\"tail\":7}}'", "{rows}"]
    parameters: { rows: { type: integer, required: true } }
    result: json
    timeout: 300s
)";
  std::string out =
      "server: { listen: \"127.0.0.1:0\" }\nparking: { max_bytes: 4GiB, per_caller: 4GiB "
      "}\ntools:\n";
  const std::pair<const char*, const char*> tools[] = {
      {"select", "    select: $.tail\n"},
      {"drop", "    drop: $.rows\n"},
      {"items", "    max_items: { path: $.rows, max: 1000 }\n"},
      {"limit", "    max_bytes: 16KiB\n"},
      {"format", "    select: $.rows\n    format: csv\n    columns: [n]\n    max_bytes: 16KiB\n"},
      {"park", "    park: { over: 1KiB, preview: 100 }\n"},
      {"page", "    page: { by: items, size: 100, items: $.rows }\n    format: csv\n"},
      {"all",
       "    select: $.rows\n    drop: $..id\n    max_items: { path: $.rows, max: 100000000 }\n"
       "    max_bytes: 2GiB\n    format: csv\n    park: { over: 1KiB, preview: 100 }\n"}};
  for (const auto& [name, keys] : tools) out += "  " + std::string(name) + ":" + source + keys;
  return out;
}

/// Calls every tool for results of so many rows.
void expect_windows(const std::initializer_list<std::uint64_t> sizes) {
  ServerProcess server(yaml());
  ASSERT_NE(server.port(), 0) << server.log();
  for (const char* tool : {"select", "drop", "items", "limit", "format", "park", "page", "all"}) {
    for (const std::uint64_t rows : sizes) {
      const std::size_t before = server.counts().resident_kb;
      reset_peak(server.child().pid());
      const Reply reply =
          exchange(server.port(), modern_call(tool, "{\"rows\":" + std::to_string(rows) + "}"));
      const std::size_t peak = server.counts().peak_kb;
      EXPECT_FALSE(reply.is_tool_error()) << tool << reply.content().substr(0, 200);
      EXPECT_TRUE(reply.has("result.content.0")) << tool << reply.http.body.substr(0, 200);
      EXPECT_LT(peak > before ? peak - before : 0, 1536U) << tool << " " << rows;
    }
  }
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(ShapingMemory, IsAWindowForEachStepAndForAllOfThem) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  expect_windows({40, 40'000, 800'000});
}

TEST(ShapingMemory, IsTheSameForAGigabyte) {
  if (is_sanitized()) GTEST_SKIP() << "Sanitizers keep freed memory, so its size says nothing.";
  expect_windows({40, 40'000'000});
}

}  // namespace
}  // namespace sluice::testing
