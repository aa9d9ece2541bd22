#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/document.hpp"
#include "mcp/parked_results.hpp"
#include "support/temp_folder.hpp"
#include "tools/factory.hpp"
#include "tools/page_cursor.hpp"
#include "tools/pages.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

using By = config::Paging::By;
using Kept = testing::FakeWriter::Kept;

/// Writes text in pieces, and says how it ended.
class Source final : public ToolHandler {
 public:
  Awaitable<Result<>> run(Call& call, ResultWriter& out) override {
    ++runs;
    Block block;
    block.kind = kind;
    block.mime_type = mime_type;
    const auto begun = co_await out.begin(block);
    if (!begun) co_return begun;
    for (std::uint64_t round = 0; round < repeat; ++round) {
      for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const auto sent = co_await out.write(std::string_view(bytes).substr(at, piece));
        if (!sent) {
          stopped = true;
          co_return sent;
        }
      }
    }
    if (waits) {
      co_await call.sleep(std::chrono::hours(1));
    }
    if (!failure.empty()) {
      const auto told = co_await out.fail(failure);
      co_return told;
    }
    co_return Result<>();
  }

  std::string bytes;
  BlockKind kind = BlockKind::text;
  std::string mime_type;
  std::size_t piece = 1000;
  std::uint64_t repeat = 1;
  bool waits = false;
  std::string failure;
  bool stopped = false;
  int runs = 0;
};

/// A tool whose results are kept, and what reads them.
struct Keeper {
  explicit Keeper(std::string bytes) : source(new Source) { source->bytes = std::move(bytes); }
  ~Keeper() {
    if (tool == nullptr) delete source;
  }

  void run(Bench& bench) {
    prepare(bench);
    bench.run(*tool);
    EXPECT_EQ(bench.call.frames().in_use(), 0U);
  }
  void prepare(Bench& bench) {
    if (!store) store = std::make_unique<mcp::ParkedResults>(lot, folder.path().string());
    if (!tool)
      tool = make_keeping_tool(keeping, config.limits, std::unique_ptr<ToolHandler>(source));
    bench.call.store = store.get();
  }
  /// What read_result gives.
  std::vector<Kept> read(const std::string& arguments, const std::string& who = "caller") {
    config.parking = lot;
    const auto reader = make_parked_reader(config);
    Bench bench(arguments);
    bench.call.who = who;
    bench.call.store = store.get();
    bench.run(*reader);
    is_missing = bench.out.is_missing;
    return bench.out.blocks;
  }
  void park(std::uint64_t over, std::uint64_t preview, bool is_json = false) {
    keeping.parking = config::Parking{.over = over, .preview = preview};
    keeping.is_json = is_json;
  }
  void page(By by, std::uint64_t size, std::string items = "$") {
    auto& paging = keeping.paging.emplace();
    paging.by = by;
    paging.size = size;
    paging.items = std::move(items);
    keeping.is_json = by == By::items;
  }

  const testing::TempFolder folder;
  Source* source;
  config::Keeping keeping;
  config::ParkingLot lot;
  config::Config config;
  std::unique_ptr<mcp::ParkedResults> store;
  std::unique_ptr<ToolHandler> tool;
  bool is_missing = false;
};

std::string text_of(const Kept& block) {
  json::Document document;
  const auto root = document.parse_copy(block.bytes);
  return root ? std::string(root->find("text").as_string().value_or("")) : std::string();
}

std::string numbers(int count) {
  std::string out = "[0";
  for (int i = 1; i < count; ++i) out += "," + std::to_string(i);
  return out + "]";
}

std::string cursor_in(const Kept& block) {
  const std::string text = text_of(block);
  return text.substr(text.rfind(' ') + 1);
}

std::string with_cursor(const std::string& cursor) { return "{\"cursor\":\"" + cursor + "\"}"; }

TEST(KeepingTool, PassesWhatIsSmallAsItIs) {
  for (const auto kind : {BlockKind::text, BlockKind::structured, BlockKind::resource_blob}) {
    // Up to the limit, in a frame and in a file.
    Keeper keeper(std::string(200'000, 'x'));
    keeper.source->kind = kind;
    keeper.source->mime_type = "text/x";
    keeper.park(200'000, 10);
    Bench bench;
    keeper.run(bench);
    ASSERT_EQ(bench.out.blocks.size(), 1U);
    EXPECT_EQ(bench.out.blocks[0].bytes, keeper.source->bytes);
    EXPECT_EQ(bench.out.blocks[0].kind, kind);
    EXPECT_EQ(bench.out.blocks[0].mime_type, "text/x");
    EXPECT_TRUE(bench.result);
  }
}

TEST(KeepingTool, GivesTheBeginningAndALinkOfWhatIsLarge) {
  for (const std::size_t size : {101U, 70'000U, 500'000U}) {
    std::string text;
    while (text.size() < size) text += "line\n";
    text.resize(size);
    Keeper keeper(text);
    keeper.park(100, 12);
    Bench bench;
    keeper.run(bench);
    ASSERT_EQ(bench.out.blocks.size(), 3U) << size;
    EXPECT_EQ(bench.out.blocks[0].bytes, "line\nline\n");
    const std::string notice = text_of(bench.out.blocks[1]);
    EXPECT_TRUE(notice.starts_with("The result has " + std::to_string(size) + " bytes")) << notice;
    const Kept& link = bench.out.blocks[2];
    EXPECT_TRUE(link.is_link);
    EXPECT_NE(notice.find(link.uri), std::string::npos) << notice;
    std::string all;
    const std::string result = "{\"result\":\"" + link.uri + "\",\"offset\":";
    while (all.size() < size) {
      const auto part = keeper.read(result + std::to_string(all.size()) + ",\"limit\":30000}");
      ASSERT_FALSE(part.at(0).bytes.empty());
      all += part.at(0).bytes;
    }
    EXPECT_EQ(all, text);
    EXPECT_TRUE(keeper.read("{\"result\":\"" + link.uri + "\"}", "other").at(0).is_failure);
    EXPECT_TRUE(keeper.is_missing);
  }
}

TEST(KeepingTool, GivesTheBeginningOfJsonAsJson) {
  Keeper keeper(numbers(50'000));
  keeper.park(1000, 12, true);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 3U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "[0,1,2,3,4]");
  EXPECT_EQ(bench.out.blocks[2].mime_type, "application/json");
  const auto part =
      keeper.read("{\"result\":\"" + bench.out.blocks[2].uri + "\",\"items\":\"40000-40002\"}");
  EXPECT_EQ(part.at(0).bytes, "[40000,40001,40002]");
  EXPECT_NE(text_of(part.at(1)).find("the next item is 40003"), std::string::npos);
}

TEST(KeepingTool, GivesLargeStructuredContentAsText) {
  Keeper keeper(numbers(1000));
  keeper.source->kind = BlockKind::structured;
  keeper.park(100, 10);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 3U);
  EXPECT_EQ(bench.out.blocks[0].kind, BlockKind::text);
  EXPECT_EQ(bench.out.blocks[0].bytes, "[0,1,2,3]");
}

TEST(KeepingTool, KeepsABlobWithoutABeginning) {
  std::string bytes(300, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
  Keeper keeper(bytes);
  keeper.source->kind = BlockKind::resource_blob;
  keeper.source->mime_type = "application/pdf";
  keeper.park(100, 10);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 2U);
  EXPECT_EQ(bench.out.blocks[1].mime_type, "application/pdf");
  EXPECT_NE(keeper.read("{\"result\":\"" + bench.out.blocks[1].uri + "\"}")
                .at(0)
                .bytes.find("can only be read as the resource"),
            std::string::npos);
}

TEST(KeepingTool, LimitsWhatItHasNoRoomFor) {
  Keeper keeper("0123456789\n");
  keeper.source->repeat = ~std::uint64_t{0};
  keeper.lot.per_caller = 200'000;
  keeper.park(100, 20);
  Bench bench;
  keeper.run(bench);
  EXPECT_TRUE(keeper.source->stopped);
  EXPECT_TRUE(bench.result);
  EXPECT_FALSE(bench.out.is_error);
  ASSERT_EQ(bench.out.blocks.size(), 2U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "0123456789\n");
  EXPECT_NE(text_of(bench.out.blocks[1]).find("parking.per_caller"), std::string::npos);
}

TEST(KeepingTool, LimitsAPageThatItHasNoRoomFor) {
  Keeper keeper(numbers(100'000));
  keeper.lot.per_caller = 70'000;
  keeper.page(By::items, 50'000);
  Bench bench;
  keeper.run(bench);
  EXPECT_TRUE(bench.out.blocks.at(0).bytes.starts_with("[0,1,2"));
  EXPECT_NE(text_of(bench.out.blocks.at(1)).find("parking.per_caller"), std::string::npos);
  EXPECT_FALSE(bench.out.is_error);
}

TEST(KeepingTool, SaysThatABlockWithoutPagesIsNotWhole) {
  Keeper keeper(std::string(200'000, 'x'));
  keeper.lot.directory = "/nowhere/at/all";
  keeper.page(By::items, 3);
  Bench text;
  keeper.run(text);
  EXPECT_TRUE(text_of(text.out.blocks.at(1)).starts_with("The rest of it is lost"));
  EXPECT_FALSE(text.out.is_error);
  keeper.source->kind = BlockKind::resource_blob;
  Bench blob;
  keeper.run(blob);
  EXPECT_TRUE(blob.out.is_error) << "half of it is of no use";
}

TEST(KeepingTool, GivesHalfAJsonValueAsText) {
  Keeper keeper(R"({"rows":[1,2,)");
  keeper.source->kind = BlockKind::structured;
  keeper.source->failure = "upstream closed";
  keeper.park(100, 20);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 2U);
  EXPECT_EQ(bench.out.blocks[0].kind, BlockKind::text);
  EXPECT_EQ(bench.out.blocks[0].bytes, keeper.source->bytes);
  EXPECT_EQ(bench.out.failure(), "upstream closed");
}

TEST(KeepingTool, ShowsTheBeginningOfWhatOnlyCallsItselfJson) {
  Keeper keeper("<html>" + std::string(200, 'x'));
  keeper.park(100, 10, true);
  Bench bench;
  keeper.run(bench);
  EXPECT_EQ(bench.out.blocks.at(0).bytes, "<html>xxxx");
  EXPECT_EQ(bench.out.blocks.size(), 3U);
}

TEST(KeepingTool, PushesNothingOutForWhatPassesInTheEnd) {
  Keeper keeper(std::string(150'000, 'x'));
  keeper.lot.per_caller = 200'000;
  keeper.park(120'000, 10);
  Bench large;
  keeper.run(large);
  const std::string uri = large.out.blocks.at(2).uri;
  keeper.source->bytes.resize(110'000);
  Bench small;
  keeper.run(small);
  EXPECT_EQ(small.out.blocks.size(), 1U);
  EXPECT_NE(keeper.store->find(uri.substr(kParkedScheme.size()), "caller"), nullptr);
}

TEST(KeepingTool, LimitsWhereThereIsNoDisk) {
  Keeper keeper(std::string(300'000, 'x'));
  keeper.lot.directory = "/nowhere/at/all";
  keeper.park(100, 20);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 2U);
  EXPECT_EQ(bench.out.blocks[0].bytes, std::string(20, 'x'));
  EXPECT_NE(text_of(bench.out.blocks[1]).find("No such file or directory"), std::string::npos);
  EXPECT_FALSE(bench.out.is_error);
}

TEST(KeepingTool, GivesWhatThereWasOfAHandlerThatFails) {
  Keeper keeper("one\ntwo\n");
  keeper.source->failure = "broken";
  keeper.park(100, 20);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 2U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "one\ntwo\n");
  EXPECT_EQ(bench.out.failure(), "broken");
}

TEST(KeepingTool, GivesWhatThereWasOfAHandlerThatIsStopped) {
  Keeper keeper("one\ntwo\n");
  keeper.source->waits = true;
  keeper.park(100, 20);
  Bench bench;
  keeper.prepare(bench);
  bench.start(*keeper.tool);
  bench.loop.poll();
  EXPECT_TRUE(bench.out.blocks.empty());
  bench.call.set_cancelled(Errc::deadline);
  bench.cancel.emit(boost::asio::cancellation_type::terminal);
  bench.finish();
  ASSERT_EQ(bench.out.blocks.size(), 1U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "one\ntwo\n");
}

TEST(KeepingTool, GivesNothingOfAHandlerThatIsToRunAgain) {
  Keeper keeper("one\ntwo\n");
  keeper.source->waits = true;
  keeper.park(100, 20);
  Bench bench;
  keeper.prepare(bench);
  bench.start(*keeper.tool);
  bench.loop.poll();
  bench.call.set_cancelled(Errc::input_required);
  bench.cancel.emit(boost::asio::cancellation_type::terminal);
  bench.finish();
  EXPECT_TRUE(bench.out.blocks.empty());
}

TEST(KeepingTool, GivesPagesOfItemsAsTables) {
  std::string rows = R"({"columns":["n"],"rows":[)";
  for (int i = 0; i < 2500; ++i) rows += (i == 0 ? "[" : ",[") + std::to_string(i) + "]";
  Keeper keeper(rows + "]}");
  keeper.page(By::items, 1000, "$.rows");
  keeper.keeping.paging->format = config::Shaping::Format::csv;
  std::string cursor;
  std::string all;
  int pages = 0;
  for (; pages < 5; ++pages) {
    Bench bench(pages == 0 ? "{}" : with_cursor(cursor));
    keeper.run(bench);
    ASSERT_TRUE(bench.out.blocks.at(0).bytes.starts_with("n\n")) << bench.out.blocks.at(0).bytes;
    all += bench.out.blocks.at(0).bytes.substr(2);
    EXPECT_EQ(bench.out.blocks.size(), pages == 0 ? 3U : 2U);
    const std::string notice = text_of(bench.out.blocks.at(1));
    if (notice == "This is the last page.") break;
    EXPECT_NE(notice.find("for the next 1000 items"), std::string::npos) << notice;
    cursor = cursor_in(bench.out.blocks.at(1));
  }
  EXPECT_EQ(pages, 2);
  EXPECT_EQ(keeper.source->runs, 1) << "later pages are read from what is kept";
  std::string wanted;
  for (int i = 0; i < 2500; ++i) wanted += std::to_string(i) + "\n";
  EXPECT_EQ(all, wanted);
}

TEST(KeepingTool, GivesOnePageAsItIs) {
  Keeper keeper("[1, 2]");
  keeper.page(By::items, 2);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 1U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "[1, 2]");
}

TEST(KeepingTool, PassesWhatHasNoItems) {
  Keeper keeper("Nothing to see");
  keeper.page(By::items, 2);
  Bench bench;
  keeper.run(bench);
  ASSERT_EQ(bench.out.blocks.size(), 1U);
  EXPECT_EQ(bench.out.blocks[0].bytes, "Nothing to see");
}

TEST(KeepingTool, GivesPagesOfLinesAndBytes) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += "\xE5\x8F\xB0 " + std::to_string(i) + "\n";
  for (const auto by : {By::lines, By::bytes}) {
    Keeper keeper(text);
    keeper.page(by, by == By::lines ? 7000 : 65'000);
    std::string all;
    std::string cursor;
    for (int pages = 0; pages < 100; ++pages) {
      Bench bench(pages == 0 ? "{}" : with_cursor(cursor));
      keeper.run(bench);
      all += bench.out.blocks.at(0).bytes;
      if (text_of(bench.out.blocks.at(1)) == "This is the last page.") break;
      cursor = cursor_in(bench.out.blocks.at(1));
    }
    EXPECT_EQ(all, text);
  }
}

TEST(KeepingTool, TakesCursorsOfTheSameCallAlone) {
  Keeper keeper(numbers(100));
  keeper.page(By::items, 10);
  Bench first(R"({"a":1,"b":[2]})");
  keeper.run(first);
  const std::string cursor = cursor_in(first.out.blocks.at(1));
  const auto run = [&](const std::string& arguments, const auto& change) {
    Bench bench(arguments);
    change(bench);
    keeper.run(bench);
    return bench.out.is_error ? bench.out.failure() : bench.out.blocks.at(0).bytes;
  };
  const auto as_it_is = [](Bench&) {};
  const std::string same = R"({"b": [2],"cursor":")" + cursor + R"(","a":1})";
  EXPECT_EQ(run(same, as_it_is), "[10,11,12,13,14,15,16,17,18,19]");
  for (const std::string& other : {R"({"a":2,"b":[2],"cursor":")" + cursor + "\"}",
                                   R"({"a":1,"b":[2],"cursor":")" + cursor.substr(1) + "\"}",
                                   std::string(R"({"a":1,"b":[2],"cursor":7})")})
    EXPECT_TRUE(run(other, as_it_is).starts_with("The cursor is none")) << other;
  EXPECT_TRUE(
      run(same, [](Bench& bench) { bench.call.who = "other"; }).starts_with("The cursor is none"));
  EXPECT_TRUE(
      run(same, [](Bench& bench) { bench.call.name = "other"; }).starts_with("The cursor is none"));
}

TEST(KeepingTool, SaysThatACursorHasExpired) {
  Keeper keeper(numbers(100));
  keeper.page(By::items, 10);
  Bench bench;
  keeper.prepare(bench);
  const std::string old = seal_cursor(bench.call, "0 0 x", std::chrono::milliseconds(-2000));
  const std::string lost = seal_cursor(bench.call, "0 0 x", std::chrono::hours(1));
  Bench expired(with_cursor(old));
  keeper.run(expired);
  EXPECT_TRUE(expired.out.failure().starts_with("The cursor has expired"));
  Bench gone(with_cursor(lost));
  keeper.run(gone);
  EXPECT_TRUE(gone.out.failure().starts_with("What the cursor points into is not kept"));
}

TEST(KeepingTool, LeavesRoomInMemoryForAWindowHoweverMuchComes) {
  for (const std::uint64_t repeat : {1U, 20'000U}) {
    Keeper keeper(std::string(1000, 'x'));
    keeper.source->repeat = repeat;
    keeper.park(100, 20);
    Bench bench;
    std::size_t most = 0;
    bench.out.on_write = [&](testing::FakeWriter&) {
      most = std::max(most, bench.call.frames().in_use());
    };
    keeper.run(bench);
    EXPECT_LE(most, 3U);
  }
}

TEST(PageCursor, IsAddedToASchema) {
  std::string problem;
  const std::string schema = schema_with_cursor(
      R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]})", problem);
  EXPECT_EQ(problem, "");
  json::Document document;
  const auto root = document.parse_copy(schema);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("required").raw(), R"(["a"])");
  EXPECT_TRUE(root->find("properties").find("a"));
  EXPECT_EQ(root->find("properties").find("cursor").find("type").as_string(), "string");
  static_cast<void>(schema_with_cursor(schema, problem));
  EXPECT_NE(problem, "");
}

}  // namespace
}  // namespace sluice::tools
