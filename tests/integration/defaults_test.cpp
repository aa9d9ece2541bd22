// `defaults` reaches tools that the file does not describe.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/deadline.hpp"
#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

TEST(Defaults, HoldForToolsOfPlugins) {
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
defaults: { timeout: 300ms, max_result: 1KiB, framing: json }
)");
  ASSERT_NE(server.port(), 0) << server.log();

  const Reply late = exchange(server.port(), modern_call("slow", R"({"ms":3600000})"));
  EXPECT_TRUE(late.is_tool_error()) << late.http.body;
  EXPECT_NE(late.content().find("timeout"), std::string::npos) << late.content();
  EXPECT_NE(late.content().find("300ms"), std::string::npos) << late.content();

  const Reply large = exchange(server.port(), modern_call("big", R"({"bytes":30000})"));
  EXPECT_TRUE(large.is_tool_error()) << large.http.body;
  EXPECT_NE(large.content().find("defaults.max_result (1KiB)"), std::string::npos)
      << large.content();

  const auto type = [&](const char* tool) {
    const Reply reply = exchange(server.port(), modern_call(tool, R"({"bytes":500})"));
    EXPECT_EQ(reply.content(), std::string(500, 'a'));
    return std::string(reply.http.field("Content-Type").value_or(""));
  };
  EXPECT_EQ(type("big"), "application/json");
  EXPECT_EQ(type("big_events"), "text/event-stream") << "what the tool says goes first";
}

TEST(Defaults, BoundCallsOfEachToolAtOnce) {
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
defaults: { concurrency: 1 }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  const auto begun = server.folder().path() / "begun";
  RawClient held(server.port());
  ASSERT_TRUE(held.send(
      modern_call("slow", R"({"ms":3600000,"begun":)" + json_string(begun.string()) + "}").text()));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(begun); })) << server.log();
  EXPECT_EQ(exchange(server.port(), modern_call("slow", R"({"ms":0})")).status(), 503);
  EXPECT_EQ(exchange(server.port(), modern_call("echo", R"({"text":"x"})")).content(), "x")
      << "of each tool";
}

}  // namespace
}  // namespace sluice::testing
