#include "config/load.hpp"
#include "json/document.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

const std::string kFolder = SLUICE_SOURCE_DIR "/config/";

TEST(ConfigExamples, TheDefaultConfigurationLoadsWithNothingSet) {
  const auto loaded = load_file(kFolder + "sluice.yaml");
  EXPECT_EQ(complaints_of(loaded), Lines{});
  EXPECT_EQ(loaded.config.tools.size(), 4u);
}

TEST(ConfigExamples, TheHttpExampleInTheDefaultConfigurationLoadsOnceItIsNoComment) {
  std::ifstream in(kFolder + "sluice.yaml");
  std::string text;
  for (std::string line; std::getline(in, line);) {
    const bool is_example = line.starts_with("#sources") || line.starts_with("#  ");
    text += (is_example ? line.substr(1) : line) + "\n";
  }
  EXPECT_NE(complaints_of(load_text(text, kFolder + "sluice.yaml")), Lines{});
  const Variable token("MARKET_TOKEN", "x");
  const auto loaded = load_text(text, kFolder + "sluice.yaml");
  EXPECT_EQ(complaints_of(loaded), Lines{});
  EXPECT_EQ(loaded.config.tools.size(), 5u);
  EXPECT_EQ(loaded.config.http_sources.size(), 1u);
}

TEST(ConfigExamples, TheMarketExampleLoads) {
  const auto loaded = load_file(kFolder + "examples/market.yaml");
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& cached = std::get<InlineTool>(loaded.config.tools.at(1).source).blocks.at(0);
  EXPECT_GT(cached.text.size(), 100'000u);
  json::Document document;
  const auto table = document.parse_copy(cached.text);
  ASSERT_TRUE(table);
  EXPECT_EQ((*(*table).find("rows").begin()).raw(), R"(["20260101","2300","台積電",100.25])");
}

TEST(ConfigExamples, ThePromptsExampleLoads) {
  const auto loaded = load_file(kFolder + "examples/prompts.yaml");
  EXPECT_EQ(complaints_of(loaded), Lines{});
  EXPECT_EQ(loaded.config.prompts.size(), 2u);
}

TEST(ConfigExamples, TheDesignsExampleLoads) {
  const Folder folder;
  folder.put("libquotes.so", "");
  folder.put("reports/a.md", "");
  const Variable token("SLUICE_T", "x");
  const auto loaded = load_text(R"(version: 1
server:
  name: market-data
  listen: 127.0.0.1:8808        # host:port, [v6]:port; a list where there are several
  path: /mcp
sources:
  market:
    type: http
    base_url: https://data.example.com
    headers: { Authorization: "Bearer ${SLUICE_T:?set it}" }
    timeout: 30s
tools:
  get_data:
    description: Daily closing prices as one table.
    source: market
    request: GET /v1/{market}/data          # {..} are path parameters
    parameters:
      market: { type: string, enum: [twse, nyse], in: path, required: true }
      sizeMb: { type: integer, minimum: 1, maximum: 20, default: 1, in: query }
    result: text
    timeout: 60s
    framing: auto
  disk_usage:
    description: Free space on the data volume.
    command: [df, -h, /data]
  read_report:
    description: One of the nightly reports.
    file: { root: reports, path: "{name}.md" }
    parameters: { name: { type: string, pattern: "^[a-z0-9-]+$", required: true } }
plugins: [ libquotes.so ]
limits: { request_body: 4MiB, result: 64MiB, calls_in_flight: 256, frames: 256MiB }
)",
                                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  EXPECT_EQ(loaded.config.http_sources.at(0).headers.at(0).second, "Bearer x");
}

}  // namespace
}  // namespace sluice::config
