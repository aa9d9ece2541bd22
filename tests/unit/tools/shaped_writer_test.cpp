#include "tools/shaped_writer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/document.hpp"
#include "json/path.hpp"
#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

/// Handlers borrow them.
const config::Limits kLimits;

/// Writes a block in pieces, and remembers whether it was told to stop.
class Source final : public ToolHandler {
 public:
  explicit Source(std::string bytes) : bytes(std::move(bytes)) {}

  Awaitable<Result<>> run(Call&, ResultWriter& out) override {
    Block block;
    block.kind = kind;
    block.mime_type = mime_type;
    const auto begun = co_await out.begin(block);
    if (!begun) co_return begun;
    const auto led = co_await out.write(lead);
    if (!led) co_return led;
    for (std::uint64_t round = 0; round < repeat; ++round) {
      for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const auto sent = co_await out.write(std::string_view(bytes).substr(at, piece));
        if (!sent) {
          stopped = true;
          co_return sent;
        }
        ++pieces;
      }
    }
    if (!failure.empty()) {
      const auto told = co_await out.fail(failure);
      co_return told;
    }
    co_return Result<>();
  }

  std::string lead;
  std::string bytes;
  BlockKind kind = BlockKind::text;
  std::string mime_type;
  std::size_t piece = 7;
  std::uint64_t repeat = 1;
  std::string failure;
  bool stopped = false;
  std::uint64_t pieces = 0;
};

std::vector<json::Path> paths(const std::vector<std::string>& texts) {
  std::vector<json::Path> out;
  json::Path::Problem problem;
  for (const auto& text : texts) out.push_back(*json::Path::parse(text, problem));
  return out;
}

struct Shaped {
  explicit Shaped(std::string bytes) : source(new Source(std::move(bytes))) {}
  ~Shaped() {
    if (tool == nullptr) delete source;
  }
  Shaped& select(const std::vector<std::string>& texts) {
    selection.select = paths(texts);
    shaping.select_text = texts.front();
    return *this;
  }
  Shaped& max_items(const std::string& path, std::uint64_t max) {
    selection.items = json::Selection::Items{};
    selection.items->path = paths({path}).front();
    selection.items->max = max;
    shaping.max_items = max;
    shaping.items_path = path;
    return *this;
  }
  void run() {
    if (!selection.select.empty() || selection.items) {
      std::string problem;
      shaping.select =
          std::make_shared<const json::SelectPlan>(*json::SelectPlan::make(selection, problem));
      shaping.is_json = true;
    }
    tool = make_shaped_tool(shaping, kLimits, std::unique_ptr<ToolHandler>(source));
    bench.run(*tool);
  }
  /// The text blocks, one after the other, and what is said beside them.
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const auto& block : bench.out.blocks) {
      json::Document document;
      const auto said = block.is_raw ? document.parse_copy(block.bytes) : Result<Json>(Json());
      if (block.kind == BlockKind::text)
        out.emplace_back(said->find("text").as_string().value_or(block.bytes));
    }
    return out;
  }
  std::string structured() const { return bench.out.all(BlockKind::structured); }

  Source* source;
  config::Shaping shaping;
  json::Selection selection;
  std::unique_ptr<ToolHandler> tool;
  Bench bench;
};

constexpr const char* kRows =
    R"({"meta":{"debug":1},"rows":[{"id":1,"n":1.50},{"id":2,"n":2.500},{"id":3,"n":3}],"total":3})";

TEST(ShapedWriter, SelectsByteForByte) {
  Shaped tool(kRows);
  tool.select({"$.rows[*].n"}).run();
  EXPECT_EQ(tool.texts(), std::vector<std::string>{R"([{"n":1.50},{"n":2.500},{"n":3}])"});
  EXPECT_FALSE(tool.bench.out.is_error);
}

TEST(ShapedWriter, SaysThatNothingMatches) {
  Shaped tool(kRows);
  tool.select({"$.none"}).run();
  EXPECT_EQ(tool.texts(), std::vector<std::string>{"Nothing in the result matches $.none."});
  EXPECT_FALSE(tool.bench.out.is_error);
}

TEST(ShapedWriter, StopsASourceThatNeverEndsAndSaysWhatIsMissing) {
  Shaped tool("12345678901234567890,");
  tool.source->lead = "[";
  tool.source->repeat = ~std::uint64_t{0};
  tool.max_items("$", 2).run();
  EXPECT_TRUE(tool.source->stopped);
  EXPECT_LT(tool.source->pieces, 20U);
  ASSERT_EQ(tool.texts().size(), 2U);
  EXPECT_EQ(tool.texts()[0], "[12345678901234567890,12345678901234567890]");
  EXPECT_NE(tool.texts()[1].find("max_items (2) was reached"), std::string::npos)
      << tool.texts()[1];
  EXPECT_FALSE(tool.bench.out.is_error);
}

TEST(ShapedWriter, CutsTextBetweenLinesAndCharacters) {
  Shaped lines("one\ntwo\nthree\nfour\n");
  lines.shaping.max_lines = 2;
  lines.run();
  ASSERT_EQ(lines.texts().size(), 2U);
  EXPECT_EQ(lines.texts()[0], "one\ntwo\n");
  EXPECT_NE(lines.texts()[1].find("max_lines (2) was reached"), std::string::npos);
  EXPECT_TRUE(lines.source->stopped);

  Shaped bytes("\xC3\xA4\xC3\xA4\xC3\xA4");
  bytes.shaping.max_bytes = 3;
  bytes.run();
  EXPECT_EQ(bytes.texts()[0], "\xC3\xA4");
  EXPECT_NE(bytes.texts()[1].find("max_bytes (3)"), std::string::npos) << bytes.texts()[1];
}

TEST(ShapedWriter, LeavesWhatFitsAsItIs) {
  Shaped tool("one\ntwo");
  tool.shaping.max_lines = 2;
  tool.shaping.max_bytes = 7;
  tool.run();
  EXPECT_EQ(tool.texts(), std::vector<std::string>{"one\ntwo"});
  EXPECT_FALSE(tool.source->stopped);
}

TEST(ShapedWriter, CutJsonStaysJson) {
  std::string numbers = "[0";
  for (int i = 1; i < 1000; ++i) numbers += "," + std::to_string(i);
  Shaped tool(numbers + "]");
  tool.source->mime_type = "application/json; charset=utf-8";
  tool.shaping.max_bytes = 100;
  tool.run();
  ASSERT_EQ(tool.texts().size(), 2U);
  const std::string text = tool.texts()[0];
  EXPECT_LE(text.size(), 100U);
  EXPECT_TRUE(json::Document().parse_copy(text)) << text;
  EXPECT_NE(tool.texts()[1].find("max_bytes (100"), std::string::npos) << tool.texts()[1];
  EXPECT_TRUE(tool.source->stopped);
}

TEST(ShapedWriter, MakesTablesOfWhatIsSelected) {
  Shaped tool(kRows);
  tool.shaping.format = config::Shaping::Format::csv;
  tool.select({"$.rows"}).run();
  EXPECT_EQ(tool.texts(), std::vector<std::string>{"id,n\n1,1.50\n2,2.500\n3,3\n"});
}

TEST(ShapedWriter, SaysWhatHasNoPlaceInATable) {
  Shaped tool(R"([{"a":1},{"a":2,"b":3}])");
  tool.shaping.format = config::Shaping::Format::csv;
  tool.shaping.is_json = true;
  tool.run();
  ASSERT_EQ(tool.texts().size(), 2U);
  EXPECT_EQ(tool.texts()[0], "a\n1\n2\n");
  EXPECT_NE(tool.texts()[1].find("1 value of later rows under other names (b)"), std::string::npos)
      << tool.texts()[1];
}

TEST(ShapedWriter, RefusesWhatIsNotWhatItShouldBe) {
  Shaped tool("<html>no</html>");
  tool.select({"$.rows"}).run();
  EXPECT_TRUE(tool.bench.out.is_error);
  EXPECT_NE(tool.bench.out.failure().find("cannot be made smaller"), std::string::npos)
      << tool.bench.out.failure();
  EXPECT_TRUE(tool.source->stopped);

  Shaped table("17");
  table.shaping.format = config::Shaping::Format::markdown;
  table.shaping.is_json = true;
  table.run();
  EXPECT_TRUE(table.bench.out.is_error);
  EXPECT_NE(table.bench.out.failure().find("not a table"), std::string::npos)
      << table.bench.out.failure();
}

TEST(ShapedWriter, StructuredContentComesBehindWhatIsSaidOfIt) {
  Shaped tool(kRows);
  tool.source->kind = BlockKind::structured;
  tool.max_items("$.rows", 1).run();
  ASSERT_EQ(tool.bench.out.blocks.size(), 2U);
  EXPECT_EQ(tool.bench.out.blocks[0].kind, BlockKind::text);
  EXPECT_NE(tool.bench.out.blocks[0].bytes.find("max_items (1)"), std::string::npos);
  EXPECT_NE(tool.bench.out.blocks[0].bytes.find("What stands behind them is left out too."),
            std::string::npos);
  EXPECT_EQ(tool.structured(), R"({"meta":{"debug":1},"rows":[{"id":1,"n":1.50}]})");
}

TEST(ShapedWriter, StructuredContentIsATextTooWhereThatWasAsked) {
  Shaped tool(kRows);
  tool.source->kind = BlockKind::structured;
  tool.shaping.structured_as_text = true;
  tool.select({"$.total"}).run();
  EXPECT_EQ(tool.texts(), std::vector<std::string>{"3"});
  EXPECT_EQ(tool.structured(), "3");
}

TEST(ShapedWriter, WhatAClientDoesNotTakeAsStructuredIsText) {
  Shaped tool(kRows);
  tool.source->kind = BlockKind::structured;
  tool.bench.out.structured_others = false;
  tool.select({"$.rows[0].n"}).run();
  EXPECT_EQ(tool.structured(), "");
  EXPECT_EQ(tool.texts(), std::vector<std::string>{"1.50"});
}

TEST(ShapedWriter, CutStructuredContentWithASchemaIsTextAndAnError) {
  Shaped tool(kRows);
  tool.source->kind = BlockKind::structured;
  tool.shaping.has_schema = true;
  tool.max_items("$.rows", 1).run();
  EXPECT_EQ(tool.structured(), "");
  EXPECT_EQ(tool.bench.out.all(), R"({"meta":{"debug":1},"rows":[{"id":1,"n":1.50}]})");
  EXPECT_NE(tool.bench.out.failure().find("max_items (1)"), std::string::npos)
      << "clients want structured content of such a tool, unless it failed";
}

TEST(ShapedWriter, WhatCameBeforeAFailureStays) {
  Shaped tool("[1,2");
  tool.source->failure = "The upstream broke off.";
  tool.shaping.max_bytes = 1000;
  tool.shaping.is_json = true;
  tool.run();
  EXPECT_TRUE(tool.bench.out.is_error);
  EXPECT_EQ(tool.bench.out.failures, std::vector<std::string>{"The upstream broke off."});
}

TEST(ShapedWriter, ACutOfWhatIsSelectedIsNoFault) {
  for (const std::size_t piece : {1U, 7U, 1000U}) {
    Shaped tool(kRows);
    tool.source->piece = piece;
    tool.shaping.max_bytes = 30;
    tool.select({"$.rows"}).run();
    EXPECT_FALSE(tool.bench.out.is_error) << piece << ": " << tool.bench.out.failure();
    ASSERT_EQ(tool.texts().size(), 2U);
    EXPECT_EQ(tool.texts()[0], R"([{"id":1,"n":1.50}])");
  }
}

TEST(ShapedWriter, TextThatWasHeldBackStaysWhereTheSourceFails) {
  Shaped tool("some output");
  tool.source->failure = "exited with status 1";
  tool.shaping.max_bytes = 1000;
  tool.run();
  EXPECT_EQ(tool.bench.out.all(), "some output");
  EXPECT_EQ(tool.bench.out.failures, std::vector<std::string>{"exited with status 1"});
}

/// Writes several blocks, each as a whole.
class Blocks final : public ToolHandler {
 public:
  explicit Blocks(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  Awaitable<Result<>> run(Call&, ResultWriter& out) override {
    for (const auto& text : texts_) {
      const auto sent = co_await out.text(text);
      if (!sent) co_return sent;
    }
    const auto sent = co_await out.structured(R"({"whole":true})");
    co_return sent;
  }

 private:
  const std::vector<std::string> texts_;
};

TEST(ShapedWriter, BlocksBehindOneThatWasCutStay) {
  config::Shaping shaping;
  shaping.max_lines = 1;
  Bench bench;
  const auto tool = make_shaped_tool(
      shaping, kLimits, std::make_unique<Blocks>(std::vector<std::string>{"1\n2\n", "x"}));
  bench.run(*tool);
  ASSERT_EQ(bench.out.blocks.size(), 4U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "1\n");
  EXPECT_EQ(bench.out.blocks[1].bytes, "x");
  EXPECT_NE(bench.out.blocks[2].bytes.find("max_lines (1)"), std::string::npos);
  EXPECT_EQ(bench.out.all(BlockKind::structured), R"({"whole":true})");
}

TEST(ShapedWriter, BlocksForWhichNothingIsLeftAreLeftOutAndSaidSo) {
  config::Shaping shaping;
  shaping.max_bytes = 4;
  Bench bench;
  const auto tool = make_shaped_tool(
      shaping, kLimits, std::make_unique<Blocks>(std::vector<std::string>{"abcdef", "gh"}));
  bench.run(*tool);
  EXPECT_FALSE(bench.out.is_error);
  EXPECT_EQ(bench.out.blocks[0].bytes, "abcd");
  EXPECT_EQ(bench.out.all(BlockKind::structured), "");
  EXPECT_NE(bench.out.blocks[1].bytes.find("What came behind is left out"), std::string::npos)
      << bench.out.blocks[1].bytes;
}

TEST(ShapedWriter, StructuredContentIsBoundedWhileItIsKept) {
  Shaped tool("12345678901234567890,");
  tool.source->lead = "[";
  tool.source->repeat = ~std::uint64_t{0};
  tool.source->piece = 21;
  tool.source->kind = BlockKind::structured;
  tool.shaping.max_lines = 1;  // which is for text
  tool.bench.call.result_limit = 100'000;
  tool.run();
  EXPECT_TRUE(tool.source->stopped);
  EXPECT_NE(tool.bench.out.failure().find("larger than the limit"), std::string::npos)
      << tool.bench.out.failure();
}

TEST(ShapedWriter, WhatCannotBeKeptIsAFailureWithAText) {
  Shaped tool(R"({"a":1,"rows":[NaN,2,3]})");
  tool.source->kind = BlockKind::structured;
  tool.shaping.max_bytes = 1000;
  tool.run();
  EXPECT_EQ(tool.bench.out.failures,
            std::vector<std::string>{"The tool did not give one JSON value."});
}

TEST(ShapedWriter, AByteOrderMarkIsNoPartOfJson) {
  Shaped tool("\xEF\xBB\xBF{\"a\":1,\"b\":2}");
  tool.source->piece = 1;
  tool.select({"$.b"}).run();
  EXPECT_EQ(tool.texts(), std::vector<std::string>{"2"});
}

TEST(ShapedWriter, HoldsAWindowHoweverMuchComes) {
  for (const std::uint64_t repeat :
       {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{100'000}}) {
    Shaped tool(std::string(1000, 'x') + '\n');
    tool.source->repeat = repeat;
    tool.source->piece = 1001;
    tool.bench.out.keep = false;
    tool.shaping.max_lines = 1'000'000;
    tool.run();
    EXPECT_EQ(tool.bench.out.bytes(), repeat * 1001);
    EXPECT_LE(tool.bench.out.largest_write, kFrameBytes);
  }
}

}  // namespace
}  // namespace sluice::tools
