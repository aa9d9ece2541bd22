#include "mcp/catalogue.hpp"

#include <gtest/gtest.h>

#include "base/units.hpp"
#include "json/document.hpp"

namespace sluice::mcp {
namespace {

class NoHandler final : public ToolHandler {
 public:
  Awaitable<Result<>> run(Call&, ResultWriter&) override { co_return Result<>{}; }
};

Tool tool(std::string name) {
  Tool t;
  t.name = std::move(name);
  return t;
}

std::vector<std::string> complaints(Tool t) {
  const config::Config config;
  Catalogue::Builder builder(config);
  builder.add(std::move(t), std::make_unique<NoHandler>());
  return builder.take_complaints();
}

std::shared_ptr<const Catalogue> catalogue_of(std::size_t tools) {
  const config::Config config;
  Catalogue::Builder builder(config);
  for (std::size_t i = 0; i < tools; ++i)
    builder.add(tool("t" + std::to_string(i)), std::make_unique<NoHandler>());
  EXPECT_TRUE(builder.take_complaints().empty());
  return std::move(builder).build();
}

const Revision& revision(std::string_view name) { return *find_revision(name); }

TEST(Catalogue, FindsToolsByTheirExactName) {
  const auto catalogue = catalogue_of(3);
  ASSERT_NE(catalogue->find("t2"), nullptr);
  EXPECT_EQ(catalogue->find("t2")->tool.name, "t2");
  for (const std::string_view name : {"", "T2", "t", "t22", " t2"})
    EXPECT_EQ(catalogue->find(name), nullptr) << name;
}

TEST(Catalogue, SaysOfAToolWhatIsSetAndNothingElse) {
  const config::Config config;
  Catalogue::Builder builder(config);
  builder.add(tool("plain"), std::make_unique<NoHandler>());
  Tool full = tool("grö\"ße");
  full.title = "T";
  full.description = "two\nlines";
  full.input_schema = "{\"type\":\n\"object\"}";
  full.output_schema = "{\"type\":\"array\"}";
  full.meta = "{\"k\":\r\n1}";
  full.annotations.title = "A";
  full.annotations.read_only = true;
  full.annotations.open_world = false;
  full.icons = {
      {.src = "https://example.com/a.png", .sizes = {"48x48", "any"}},
      {.src = "data:image/svg+xml,x", .mime_type = "image/svg+xml", .theme = Icon::Theme::dark}};
  builder.add(std::move(full), std::make_unique<NoHandler>());
  ASSERT_TRUE(builder.take_complaints().empty());
  const auto catalogue = std::move(builder).build();
  const std::string& page = *catalogue->pages().page({}, kModern);
  EXPECT_EQ(page.find_first_of("\r\n"), std::string::npos);
  EXPECT_TRUE(page.starts_with(R"("tools":[{"name":"plain","inputSchema":{"type":"object"}},)"))
      << page;
  json::Document document;
  const auto root = document.parse_copy("{" + page + "}");
  ASSERT_TRUE(root);
  auto it = root->find("tools").begin();
  ++it;
  const Json t = *it;
  EXPECT_EQ(t.find("name").as_string(), "grö\"ße");
  EXPECT_EQ(t.find("title").as_string(), "T");
  EXPECT_EQ(t.find("description").as_string(), "two\nlines");
  EXPECT_EQ(t.find("outputSchema").find("type").as_string(), "array");
  EXPECT_EQ(t.find("_meta").find("k").raw(), "1");
  EXPECT_EQ(t.find("annotations").raw(),
            R"({"title":"A","readOnlyHint":true,"openWorldHint":false})");
  EXPECT_EQ(t.find("icons").raw(),
            R"([{"src":"https://example.com/a.png","sizes":["48x48","any"]},)"
            R"({"src":"data:image/svg+xml,x","mimeType":"image/svg+xml","theme":"dark"}])");
}

TEST(Catalogue, TellsEachRevisionWhatItKnows) {
  const config::Config config;
  Catalogue::Builder builder(config);
  Tool t = tool("t");
  t.title = "T";
  t.output_schema = R"({"type":"object"})";
  t.annotations.read_only = true;
  t.icons = {{.src = "data:,"}};
  t.meta = R"({"k":1})";
  builder.add(std::move(t), std::make_unique<NoHandler>());
  const auto catalogue = std::move(builder).build();
  const auto members = [&](std::string_view name) {
    json::Document document;
    const auto root = document.parse_copy("{" + *catalogue->pages().page({}, revision(name)) + "}");
    std::string out;
    for (const auto member : (*root->find("tools").begin()).members())
      out += std::string(member.name) + ' ';
    return out;
  };
  EXPECT_EQ(members("2026-07-28"), "name title inputSchema outputSchema annotations icons _meta ");
  EXPECT_EQ(members("2025-11-25"), members("2026-07-28"));
  EXPECT_EQ(members("2025-06-18"), "name title inputSchema outputSchema annotations _meta ");
  EXPECT_EQ(members("2025-03-26"), "name inputSchema annotations ");
  EXPECT_EQ(members("2024-11-05"), "name inputSchema ");
}

TEST(Catalogue, ListsForOlderRevisionsHoldOutputSchemasOfObjectsOnly) {
  const config::Config config;
  Catalogue::Builder builder(config);
  for (const char* schema : {R"({"type":"array"})", R"({"type":"object"})", "true"}) {
    Tool t = tool(std::string("t") + std::to_string(std::string_view(schema).size()));
    t.output_schema = schema;
    builder.add(std::move(t), std::make_unique<NoHandler>());
  }
  ASSERT_TRUE(builder.take_complaints().empty());
  const auto catalogue = std::move(builder).build();
  const auto schemas = [&](std::string_view name) {
    json::Document document;
    const auto root = document.parse_copy("{" + *catalogue->pages().page({}, revision(name)) + "}");
    std::string out;
    for (const Json t : root->find("tools"))
      out += t.find("outputSchema") ? t.find("outputSchema").raw() : "-";
    return out;
  };
  EXPECT_EQ(schemas("2026-07-28"), R"({"type":"array"}{"type":"object"}true)");
  EXPECT_EQ(schemas("2025-06-18"), R"(-{"type":"object"}-)");
  EXPECT_EQ(schemas("2025-03-26"), "---");
}

TEST(Catalogue, ComplainsOfWhatIsWrongWithATool) {
  for (const std::string_view name : {std::string_view(""), std::string_view("a b"),
                                      std::string_view("a\n"), std::string_view("a\0b", 3)})
    EXPECT_EQ(complaints(tool(std::string(name))).size(), 1U) << name;
  EXPECT_EQ(complaints(tool(std::string(129, 'n'))).size(), 1U);
  EXPECT_TRUE(complaints(tool(std::string(128, 'n'))).empty());

  for (const std::string_view schema :
       {"", "nonsense", "[]", "true", "{}", R"({"type":"array"})", R"({"type":["object"]})",
        R"({"type":"object","properties":5})", R"({"type":"object","$ref":"#/nowhere"})",
        R"({"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}})"}) {
    Tool t = tool("t");
    t.input_schema = schema;
    const auto found = complaints(std::move(t));
    ASSERT_FALSE(found.empty()) << schema;
    EXPECT_NE(found[0].find("\"t\""), std::string::npos) << found[0];
  }
  Tool output = tool("t");
  output.output_schema = "{\"type\":5}";
  EXPECT_EQ(complaints(std::move(output)).size(), 1U);
  for (const std::string_view meta : {"[]", "nonsense", "5"}) {
    Tool t = tool("t");
    t.meta = meta;
    EXPECT_EQ(complaints(std::move(t)).size(), 1U) << meta;
  }
}

TEST(Catalogue, ComplainsOfAllToolsAtOnceAndOfNamesUsedTwice) {
  const config::Config config;
  Catalogue::Builder builder(config);
  builder.add(tool("a"), std::make_unique<NoHandler>());
  builder.add(tool("a"), std::make_unique<NoHandler>());
  builder.add(tool("b c"), std::make_unique<NoHandler>());
  EXPECT_EQ(builder.take_complaints().size(), 2U);
  EXPECT_TRUE(builder.take_complaints().empty());
}

TEST(Catalogue, TakesLimitsFromTheToolBeforeTheConfiguration) {
  config::Config config;
  config.timeouts.call = std::chrono::seconds(7);
  config.limits.result = 65536;
  Catalogue::Builder builder(config);
  builder.add(tool("a"), std::make_unique<NoHandler>());
  Tool own = tool("b");
  own.timeout = std::chrono::seconds(3);
  own.max_result = 1000;
  builder.add(std::move(own), std::make_unique<NoHandler>());
  const auto catalogue = std::move(builder).build();
  EXPECT_EQ(catalogue->find("a")->timeout, std::chrono::seconds(7));
  EXPECT_EQ(catalogue->find("a")->max_result, 65536U);
  EXPECT_EQ(catalogue->find("a")->limit_name, "limits.result (64KiB)");
  EXPECT_EQ(catalogue->find("b")->timeout, std::chrono::seconds(3));
  EXPECT_EQ(catalogue->find("b")->max_result, 1000U);
}

TEST(Catalogue, AppliesTheDefaultsToWhatToolsLeaveOpen) {
  config::Config config;
  config.defaults.framing = config::Tool::Framing::json;
  config.defaults.timeout = std::chrono::seconds(5);
  config.defaults.concurrency = 2;
  config.defaults.max_result = 2048;
  config.defaults.compression = config::Tool::Compression::automatic;
  Catalogue::Builder builder(config);
  builder.add(tool("open"), std::make_unique<NoHandler>());
  Tool own = tool("own");
  own.framing = Framing::sse;
  own.compression = Compression::off;
  own.timeout = std::chrono::seconds(3);
  own.concurrency = 9;
  own.max_result = 1024;
  builder.add(std::move(own), std::make_unique<NoHandler>());
  const auto catalogue = std::move(builder).build();
  const ToolEntry& open = *catalogue->find("open");
  EXPECT_EQ(open.tool.framing, Framing::json);
  EXPECT_EQ(open.tool.compression, Compression::automatic);
  EXPECT_EQ(open.tool.concurrency, 2U);
  EXPECT_EQ(open.timeout, std::chrono::seconds(5));
  EXPECT_EQ(open.timeout_name, "defaults.timeout (5s)");
  EXPECT_EQ(open.max_result, 2048U);
  EXPECT_EQ(open.limit_name, "defaults.max_result (2KiB)");
  const ToolEntry& set = *catalogue->find("own");
  EXPECT_EQ(set.tool.framing, Framing::sse);
  EXPECT_EQ(set.tool.compression, Compression::off);
  EXPECT_EQ(set.tool.concurrency, 9U);
  EXPECT_EQ(set.timeout_name, "the tool's timeout (3s)");
  EXPECT_EQ(set.limit_name, "the tool's max_result (1KiB)");
}

TEST(Catalogue, NamesTheBoundsOfTheServerWhereNothingElseIsSet) {
  const config::Config config;
  Catalogue::Builder builder(config);
  builder.add(tool("plain"), std::make_unique<NoHandler>());
  const auto catalogue = std::move(builder).build();
  const ToolEntry& plain = *catalogue->find("plain");
  EXPECT_EQ(plain.tool.framing, Framing::automatic);
  EXPECT_EQ(plain.tool.compression, Compression::off);
  EXPECT_FALSE(plain.tool.concurrency);
  EXPECT_EQ(plain.timeout_name, "timeouts.call (" + format_duration(config.timeouts.call) + ")");
  EXPECT_EQ(plain.limit_name, "limits.result (64MiB)");
}

}  // namespace
}  // namespace sluice::mcp
