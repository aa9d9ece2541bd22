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
  ASSERT_EQ(config.plugins.at(0).shaping.size(), 1U);
  EXPECT_NE(config.plugins.at(0).shaping.at(0).second.select, nullptr);
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

}  // namespace
}  // namespace sluice::config
