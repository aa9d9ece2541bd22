// Structured content against the tool's output schema.
#include <atomic>

#include "result_bench.hpp"

namespace sluice::mcp::test {
namespace {

/// A writer whose structured content has to be an object with an integer `a`.
struct SchemaBench : ResultBench {
  SchemaBench() : checked(writer, options_with_schema()) {}

  JsonResultWriter::Options options_with_schema() {
    schema::Schema::CompileError error;
    schema = schema::Schema::compile(
        R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]})", error);
    JsonResultWriter::Options o;
    o.envelope = envelope;
    o.structured = Revision::Structured::any;
    o.max_bytes = UINT64_MAX;
    o.output_schema = schema.get();
    o.tool = "t";
    o.told_unchecked = &told;
    return o;
  }
  /// The result; `isError` and structured content as they come.
  Json end() {
    EXPECT_TRUE(now(checked.close()));
    EXPECT_TRUE(now(writer.finish()));
    text = message();
    const auto parsed = document.parse_copy(text);
    EXPECT_TRUE(parsed);
    return parsed ? parsed->find("result") : Json();
  }

  std::unique_ptr<const schema::Schema> schema;
  std::atomic<bool> told{false};
  JsonResultWriter checked;
};

std::string padded(std::size_t size) {
  return R"({"a":"x","b":")" + std::string(size, 'b') + "\"}";
}

TEST(ResultSchema, HoldsStructuredContentAgainstItBeforeAnythingIsSent) {
  for (const std::size_t size : {0U, 1000U, 100'000U, 200'000U}) {
    SchemaBench bench;
    ASSERT_TRUE(bench.start_json());
    static_cast<void>(bench.now(bench.checked.structured(padded(size))));
    const Json result = bench.end();
    EXPECT_EQ(result.find("isError").as_bool(), true) << size;
    EXPECT_FALSE(result.find("structuredContent"));
    EXPECT_FALSE(bench.told);
  }
}

TEST(ResultSchema, DoesSoWhereAMessageHasGoneAheadOfTheResult) {
  for (const bool is_first : {true, false}) {
    SchemaBench bench;
    ASSERT_TRUE(bench.start());
    if (is_first) {
      ASSERT_EQ(bench.writer.event("{}"), FrameWriter::Event::sent);
      bench.poll();
    }
    ASSERT_TRUE(bench.now(bench.checked.text("some text")));
    if (!is_first) {
      ASSERT_EQ(bench.writer.event("{}"), FrameWriter::Event::sent);
      bench.poll();
    }
    static_cast<void>(bench.now(bench.checked.structured(padded(10))));
    const Json result = bench.end();
    EXPECT_EQ(result.find("isError").as_bool(), true);
    EXPECT_FALSE(result.find("structuredContent"));
    EXPECT_EQ(str(at(result.find("content"), 0)), "some text");
  }
}

TEST(ResultSchema, SaysOnceThatAResultWentUnchecked) {
  SchemaBench bench;
  ASSERT_TRUE(bench.start_json());
  ASSERT_TRUE(bench.now(bench.checked.structured(padded(1'000'000))));
  const Json result = bench.end();
  EXPECT_FALSE(result.find("isError"));
  EXPECT_TRUE(result.find("structuredContent"));
  EXPECT_TRUE(bench.told);
}

}  // namespace
}  // namespace sluice::mcp::test
