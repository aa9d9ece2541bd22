// Handlers of tools, where they serve a resource.
#include <gtest/gtest.h>

#include "mcp/resource_facts.hpp"
#include "support/temp_folder.hpp"
#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

constexpr std::string_view kUri = "x://asked";

void run(Bench& bench, const std::unique_ptr<ToolHandler>& handler) {
  ASSERT_TRUE(handler);
  bench.call.asked_uri = kUri;
  bench.run(*handler);
  ASSERT_TRUE(bench.is_done && bench.result.has_value());
}

config::FileTool file_of(const testing::TempFolder& folder, std::string_view path) {
  config::FileTool file;
  file.root = folder.path().string();
  file.path = text_template(path);
  return file;
}

TEST(ResourceHandlers, NameTheUriThatWasAskedFor) {
  const testing::TempFolder folder;
  folder.write("a.png", "picture");
  const auto file = file_of(folder, "a.png");
  std::string problem;
  Bench bench;
  run(bench, make_file({"r", {}}, file, problem));
  ASSERT_EQ(bench.out.blocks.size(), 1U);
  EXPECT_EQ(bench.out.blocks[0].kind, BlockKind::image);
  EXPECT_EQ(bench.out.blocks[0].mime_type, "image/png");
  const auto odd = file_of(folder, "a.odd");
  folder.write("a.odd", "odd");
  Bench blob;
  run(blob, make_file({"r", {}}, odd, problem));
  EXPECT_EQ(blob.out.blocks.at(0).kind, BlockKind::resource_blob);
  EXPECT_EQ(blob.out.blocks.at(0).uri, kUri);
}

TEST(ResourceHandlers, SayTheTypeOfTextToo) {
  const testing::TempFolder folder;
  folder.write("a.csv", "a,b");
  const auto file = file_of(folder, "a.csv");
  std::string problem;
  Bench bench;
  run(bench, make_file({"r", {}}, file, problem));
  EXPECT_EQ(bench.out.blocks.at(0).kind, BlockKind::text);
  EXPECT_EQ(bench.out.blocks.at(0).mime_type, "text/csv");
}

TEST(ResourceHandlers, HaveAnElementForAnEmptyFile) {
  const testing::TempFolder folder;
  folder.write("a.md", "");
  const auto file = file_of(folder, "a.md");
  std::string problem;
  Bench bench;
  run(bench, make_file({"r", {}}, file, problem));
  EXPECT_FALSE(bench.out.is_error);
  ASSERT_EQ(bench.out.blocks.size(), 1U);
  EXPECT_EQ(bench.out.blocks[0].mime_type, "text/markdown");
}

TEST(ResourceHandlers, TellAMissingFileFromOneThatCannotBeRead) {
  const testing::TempFolder folder;
  const auto file = file_of(folder, "{name}");
  std::string problem;
  const auto handler = make_file({"r", {}}, file, problem);
  for (const std::string_view arguments :
       {R"({"name":"none"})", R"({"name":"../x"})", R"({"name":""})", R"({"name":"/etc/passwd"})",
        R"({"name":"a\u0000"})", R"({"name":"."})", "{}"}) {
    Bench bench(arguments);
    run(bench, handler);
    EXPECT_TRUE(bench.out.is_missing) << arguments;
  }
}

TEST(ResourceHandlers, KnowTheFactsOfAFile) {
  const testing::TempFolder folder;
  const auto file = file_of(folder, "a.txt");
  std::string problem;
  const auto handler = make_file({"r", {}}, file, problem);
  const auto* facts = dynamic_cast<const mcp::ResourceFacts*>(handler.get());
  ASSERT_NE(facts, nullptr);
  EXPECT_FALSE(facts->facts());
  folder.write("a.txt", "1234");
  ASSERT_TRUE(facts->facts());
  EXPECT_EQ(facts->facts()->size, 4U);
  EXPECT_EQ(facts->facts()->last_modified.back(), 'Z');
}

TEST(ResourceHandlers, TakeTheDeclaredTypeForACommand) {
  config::CommandTool command;
  command.argv = {text_template("printf"), text_template("abc")};
  command.result = config::ResultKind::automatic;
  std::string problem;
  for (const std::string_view type : {"application/pdf", "text/plain", "application/json"}) {
    Bench bench;
    run(bench, make_command({"r", {}, type}, command, problem));
    ASSERT_EQ(bench.out.blocks.size(), 1U) << problem;
    EXPECT_EQ(bench.out.blocks[0].kind == BlockKind::text, type != "application/pdf") << type;
  }
}

TEST(ResourceHandlers, PutVariablesIntoText) {
  config::TextTemplate text;
  text.text = text_template("Report {name}: {n}");
  Bench bench(R"({"name":"a \"b\"","n":1.50})");
  run(bench, make_text(text));
  EXPECT_EQ(bench.out.all(), "Report a \"b\": 1.50");
  Bench missing(R"({"name":"x"})");
  run(missing, make_text(text));
  EXPECT_TRUE(missing.out.is_missing);
}

}  // namespace
}  // namespace sluice::tools
