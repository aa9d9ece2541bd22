// Where the `data:` lines of an event are broken.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "mcp/json_result_writer.hpp"
#include "result_bench.hpp"

namespace sluice::mcp::test {
namespace {

/// The `data:` lines of the one event that a result with two blocks makes.
std::ptrdiff_t lines_of(std::size_t first, std::string_view second) {
  ResultBench bench;
  bench.options.prefer = FrameWriter::Options::Prefer::events;
  EXPECT_TRUE(bench.start());
  EXPECT_TRUE(bench.now(bench.out.text(std::string(first, 'a'))));
  EXPECT_TRUE(bench.now(bench.out.text(second)));
  EXPECT_TRUE(bench.now(bench.out.close()));
  EXPECT_TRUE(bench.now(bench.writer.finish()));
  const auto response = bench.response();
  EXPECT_EQ(response.field("Content-Type"), "text/event-stream");
  const std::string& body = response.body;
  EXPECT_TRUE(body.ends_with("\n\n"));
  return std::count(body.begin(), body.end(), '\n') - 1;
}

TEST(JsonResultWriter, KeepsAShortEventInOneLine) {
  EXPECT_EQ(lines_of(1, "b"), 1);
  EXPECT_EQ(lines_of(60'000, "b"), 1);
}

TEST(JsonResultWriter, BreaksALineThatHasGrownLongBeforeTheNextBlock) {
  EXPECT_EQ(lines_of(70'000, "b"), 2);
}

}  // namespace
}  // namespace sluice::mcp::test
