#include <fstream>
#include <sstream>

#include "config/keys.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

const std::string kReference = SLUICE_SOURCE_DIR "/config/examples/reference.yaml";

Config reference() {
  auto loaded = load_file(kReference);
  EXPECT_EQ(complaints_of(loaded), Lines{});
  return std::move(loaded.config);
}

const Tool& tool(const Config& config, const std::string& name) {
  for (const auto& t : config.tools)
    if (t.name == name) return t;
  throw std::out_of_range(name);
}

TEST(ConfigReference, StatesTheDefaults) {
  const auto config = reference();
  EXPECT_EQ(config.server, Server{});
  EXPECT_EQ(config.limits, Limits{});
  EXPECT_EQ(config.timeouts, Timeouts{});
  EXPECT_EQ(config.tasks, Tasks{});
  EXPECT_EQ(config.parking, ParkingLot{});
  EXPECT_EQ(config.log, Log{});
  EXPECT_TRUE(config.plugins.empty());
}

TEST(ConfigReference, StatesTheDefaultsOfSources) {
  const auto config = reference();
  const HttpSource defaults;
  const auto& source = config.http_sources.at(0);
  EXPECT_EQ(source.timeout, defaults.timeout);
  EXPECT_EQ(source.connect_timeout, defaults.connect_timeout);
  EXPECT_EQ(source.idle_timeout, defaults.idle_timeout);
  EXPECT_EQ(source.connections, defaults.connections);
  EXPECT_EQ(source.redirects, defaults.redirects);
  EXPECT_EQ(source.error_body, defaults.error_body);
  EXPECT_EQ(source.tls, defaults.tls);
}

TEST(ConfigReference, StatesTheDefaultsOfTools) {
  const auto config = reference();
  const auto& http = std::get<HttpTool>(tool(config, "http_example").source);
  EXPECT_EQ(http.result, HttpTool{}.result);
  EXPECT_EQ(http.structured, HttpTool{}.structured);
  EXPECT_EQ(http.mime_type, HttpTool{}.mime_type);
  const auto& file = std::get<FileTool>(tool(config, "file_example").source);
  EXPECT_EQ(file.result, FileTool{}.result);
  EXPECT_EQ(file.mime_type, FileTool{}.mime_type);
  const auto& command = std::get<CommandTool>(tool(config, "command_example").source);
  EXPECT_EQ(command.env_allow, CommandTool{}.env_allow);
  EXPECT_EQ(command.env, CommandTool{}.env);
  EXPECT_EQ(command.directory, CommandTool{}.directory);
  EXPECT_EQ(command.stderr_tail, CommandTool{}.stderr_tail);
  EXPECT_EQ(command.result, CommandTool{}.result);
}

TEST(ConfigReference, StatesTheDefaultsOfWhatIsKept) {
  const auto config = reference();
  const auto& parking = *tool(config, "http_parked_example").keeping.parking;
  EXPECT_EQ(parking.over, Parking{}.over);
  EXPECT_EQ(parking.preview, Parking{}.preview);
  EXPECT_EQ(parking.ttl, Parking{}.ttl);
  EXPECT_EQ(parking.items, Parking{}.items);
  const auto& paging = *tool(config, "http_pages_example").keeping.paging;
  EXPECT_EQ(paging.size, Paging{}.size);
  EXPECT_EQ(paging.ttl, Paging{}.ttl);
  EXPECT_EQ(paging.items, Paging{}.items);
  const auto& next = std::get<HttpTool>(tool(config, "http_next_example").source).paging;
  EXPECT_EQ(next->ttl, UpstreamPaging{}.ttl);
}

TEST(ConfigReference, MentionsEveryKey) {
  std::ifstream in(kReference);
  std::stringstream text;
  text << in.rdbuf();
  for (const auto* table : key_tables())
    for (const auto key : table->keys)
      EXPECT_NE(text.str().find(std::string(key) + ":"), std::string::npos)
          << table->section << "." << key;
}

}  // namespace
}  // namespace sluice::config
