#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

constexpr std::string_view kUp = "version: 1\nsources: {up: {type: http, base_url: 'http://h'}}\n";

Tool tool_with(const std::string& keys) {
  return good(std::string(kUp) + "tools: {t: {source: up, request: GET /, " + keys + "}}\n")
      .tools.at(0);
}
std::string about(const std::string& keys) {
  return complaint(std::string(kUp) + "tools: {t: {source: up, request: GET /, " + keys + "}}\n");
}
bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ConfigShaping, ReadsEveryKey) {
  const auto tool = tool_with(
      "select: [$.rows, $.total], drop: $..debug, max_items: {path: $.rows, max: 100}, "
      "max_bytes: 16KiB, format: csv, columns: [a, b]");
  ASSERT_TRUE(tool.shaping);
  const Shaping& shaping = *tool.shaping;
  EXPECT_NE(shaping.select, nullptr);
  EXPECT_EQ(shaping.select_text, "$.rows, $.total");
  EXPECT_EQ(shaping.items_path, "$.rows");
  EXPECT_EQ(shaping.max_items, 100U);
  EXPECT_EQ(shaping.max_bytes, 16U * 1024);
  EXPECT_EQ(shaping.format, Shaping::Format::csv);
  EXPECT_EQ(shaping.columns, (Lines{"a", "b"}));
  EXPECT_TRUE(shaping.is_json);
}

TEST(ConfigShaping, TakesShortForms) {
  EXPECT_FALSE(tool_with("timeout: 1s").shaping);
  EXPECT_EQ(tool_with("max_items: 7").shaping->items_path, "$");
  const auto lines = tool_with("max_lines: 5");
  EXPECT_EQ(lines.shaping->max_lines, 5U);
  EXPECT_FALSE(lines.shaping->is_json);
  EXPECT_TRUE(tool_with("max_bytes: 1KiB, result: json").shaping->is_json);
}

TEST(ConfigShaping, MakesTheTextOfStructuredContentItself) {
  const auto tool = tool_with("max_bytes: 1KiB, structured: both");
  EXPECT_TRUE(tool.shaping->structured_as_text);
  EXPECT_EQ(std::get<HttpTool>(tool.source).structured, Structured::on);
}

TEST(ConfigShaping, HasLimitsForAllTools) {
  const auto config = good(
      "version: 1\ndefaults: {max_bytes: 10, max_lines: 2}\nplugins: [{path: /bin/sh, results: "
      "{a: {select: $.x}}}]\ntools: {small: {text: x}, large: {text: 12345678901}, long: {text: "
      "\"1\\n2\\n3\"}, cmd: {command: [ls], max_bytes: 20}}\n");
  EXPECT_FALSE(config.tools.at(0).shaping) << "sent from where it lies";
  EXPECT_EQ(config.tools.at(1).shaping->max_bytes, 10U);
  EXPECT_EQ(config.tools.at(2).shaping->max_lines, 2U);
  EXPECT_EQ(config.tools.at(3).shaping->max_bytes, 20U);
  EXPECT_EQ(config.tools.at(3).shaping->max_lines, 2U);
  EXPECT_EQ(config.defaults.shaping->max_bytes, 10U);
  ASSERT_EQ(config.plugins.at(0).results.size(), 1U);
  EXPECT_NE(config.plugins.at(0).results.at(0).shaping->select, nullptr);
}

TEST(ConfigShaping, SaysWhyAPathIsRefused) {
  EXPECT_TRUE(holds(about("select: '$.a[?@.b]'"), "t.select")) << about("select: '$.a[?@.b]'");
  EXPECT_TRUE(holds(about("select: '$.a[?@.b]'"), "filter")) << about("select: '$.a[?@.b]'");
  EXPECT_TRUE(holds(about("drop: '$.a[-1]'"), "character")) << about("drop: '$.a[-1]'");
  EXPECT_TRUE(holds(about("select: a"), "at character 1"));
}

TEST(ConfigShaping, RefusesWhatDoesNotGoTogether) {
  EXPECT_TRUE(holds(about("max_items: {max: 3}"), "needs path"));
  EXPECT_TRUE(holds(about("max_items: {path: $.a}"), "needs max"));
  EXPECT_TRUE(holds(about("max_items: {path: '$.a[*]', max: 3}"), "names one array"));
  EXPECT_TRUE(holds(about("max_lines: 3, select: $.a"), "is for text"));
  EXPECT_TRUE(holds(about("format: csv, structured: on"), "does not go with structured content"));
  EXPECT_TRUE(holds(about("columns: [a]"), "goes with format: csv or markdown only"));
  EXPECT_TRUE(holds(about("select: $.a, result: image"), "a result that is JSON"));
  EXPECT_TRUE(holds(about("format: xml"), "csv"));
}

TEST(ConfigShaping, ReadsPark) {
  const auto tool = tool_with("park: {over: 64KiB, preview: 1KiB, ttl: 5m, items: $.rows}");
  ASSERT_TRUE(tool.keeping.parking);
  const Parking& parking = *tool.keeping.parking;
  EXPECT_EQ(parking.over, 64U * 1024);
  EXPECT_EQ(parking.preview, 1024U);
  EXPECT_EQ(parking.ttl, 5min);
  EXPECT_EQ(parking.items, "$.rows");
  EXPECT_FALSE(tool.keeping.is_json);
  EXPECT_TRUE(tool_with("park: {}, select: $.a").keeping.is_json);
  EXPECT_FALSE(tool_with("park: {}, select: $.a, format: csv").keeping.is_json);
}

TEST(ConfigShaping, ReadsPages) {
  const auto items =
      tool_with("page: {by: items, size: 3, items: $.rows}, format: csv, columns: [a]");
  ASSERT_TRUE(items.keeping.paging);
  EXPECT_EQ(items.keeping.paging->by, Paging::By::items);
  EXPECT_EQ(items.keeping.paging->size, 3U);
  EXPECT_EQ(items.keeping.paging->format, Shaping::Format::csv) << "each page is a table";
  EXPECT_EQ(items.keeping.paging->columns, (Lines{"a"}));
  EXPECT_EQ(items.shaping->format, Shaping::Format::as_is);
  EXPECT_TRUE(items.keeping.is_json);
  EXPECT_EQ(tool_with("page: {by: bytes, size: 2KiB}").keeping.paging->size, 2048U);
  const auto lines = tool_with("page: {by: lines}, format: csv");
  EXPECT_EQ(lines.shaping->format, Shaping::Format::csv) << "all of it is one table";
  EXPECT_EQ(lines.keeping.paging->size, 200U);
}

TEST(ConfigShaping, ReadsPagesOfTheUpstream) {
  const auto by_path = tool_with("page: {next: $.next, parameter: page, ttl: 1m}");
  const auto& paging = std::get<HttpTool>(by_path.source).paging;
  ASSERT_TRUE(paging);
  EXPECT_EQ(paging->next, "$.next");
  EXPECT_EQ(paging->parameter, "page");
  EXPECT_EQ(paging->ttl, 1min);
  EXPECT_TRUE(by_path.keeping.is_nothing());
  EXPECT_EQ(std::get<HttpTool>(tool_with("page: {next: link}").source).paging->next, "");
  EXPECT_TRUE(tool_with("page: {next: link}, structured: on").shaping)
      << "what is said comes in front of structured content";
}

TEST(ConfigShaping, RefusesWhatCannotBeKept) {
  EXPECT_TRUE(holds(about("park: {preview: 2KiB, over: 1KiB}"), "preview is larger than over"));
  EXPECT_TRUE(holds(about("park: {items: '$.a[*]'}"), "names one array"));
  EXPECT_TRUE(holds(about("park: {}, cache: {}"), "does not go with cache"));
  EXPECT_TRUE(holds(about("page: {next: link}, cache: {}"), "does not go with cache"));
  EXPECT_TRUE(holds(about("park: {}, structured: on, output_schema: {type: object}"),
                    "does not go with output_schema"));
  EXPECT_TRUE(holds(about("park: {}, page: {by: lines}"), "does not go with page"));
  EXPECT_TRUE(holds(about("page: {}"), "needs by"));
  EXPECT_TRUE(holds(about("page: {by: lines, items: $.a}"), "goes with by: items"));
  EXPECT_TRUE(holds(about("page: {by: lines, parameter: a}"), "goes with next"));
  EXPECT_TRUE(holds(about("page: {by: lines, next: link}"), "does not go with next"));
  EXPECT_TRUE(holds(about("page: {next: link, parameter: a}"), "does not go with next: link"));
  EXPECT_TRUE(holds(about("page: {next: '$..a'}"), "names one value"));
  EXPECT_TRUE(holds(about("page: {by: items}, structured: both"), "a page is text"));
  EXPECT_TRUE(holds(complaint("version: 1\ntools: {t: {text: x, page: {next: link}}}\n"),
                    "is for results of upstreams"));
  EXPECT_TRUE(holds(complaint("version: 1\nparking: {keep: true}\n"), "keep needs directory"));
}

TEST(ConfigShaping, ParksForAllTools) {
  const auto config = good(
      "version: 1\nparking: {max_bytes: 1MiB, per_caller: 10KiB, max_results: 3, part: 2KiB, "
      "directory: /d, keep: true}\n"
      "defaults: {park: {over: 20, preview: 10}, max_bytes: 15}\n"
      "tools: {small: {text: x}, large: {text: 123456789012345678901}, cmd: {command: [ls]}, own: "
      "{command: [ls], park: {ttl: 1s}}, none: {command: [ls], park: false}, kept: {command: "
      "[ls], cache: {}}, paged: {command: [ls], page: {by: lines}}}\n");
  EXPECT_EQ(config.parking.max_bytes, 1024U * 1024);
  EXPECT_EQ(config.parking.per_caller, 10U * 1024);
  EXPECT_EQ(config.parking.max_results, 3U);
  EXPECT_EQ(config.parking.part, 2048U);
  EXPECT_EQ(config.parking.directory, "/d");
  EXPECT_TRUE(config.parking.keep);
  const auto& tools = config.tools;
  EXPECT_TRUE(tools.at(0).keeping.is_nothing()) << "sent from where it lies";
  EXPECT_EQ(tools.at(1).keeping.parking->over, 20U);
  EXPECT_FALSE(tools.at(1).shaping);
  EXPECT_EQ(tools.at(2).keeping.parking->preview, 10U);
  EXPECT_EQ(tools.at(3).keeping.parking->over, Parking{}.over);
  EXPECT_FALSE(tools.at(3).shaping) << "what a tool keeps itself is not cut by defaults";
  EXPECT_TRUE(tools.at(4).keeping.is_nothing());
  EXPECT_EQ(tools.at(4).shaping->max_bytes, 15U) << "what is not kept is cut";
  EXPECT_TRUE(tools.at(5).keeping.is_nothing());
  EXPECT_FALSE(tools.at(6).keeping.parking);
}

}  // namespace
}  // namespace sluice::config
