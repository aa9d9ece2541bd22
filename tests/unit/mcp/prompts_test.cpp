#include "mcp/prompts.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

class NoHandler final : public PromptHandler {
 public:
  Awaitable<Result<>> get(Call&, PromptWriter&) override { co_return Result<>{}; }
};

Prompt prompt(std::string name) {
  Prompt p;
  p.name = std::move(name);
  return p;
}

std::vector<std::string> complaints(Prompt p) {
  const config::Config config;
  Prompts::Builder builder(config);
  builder.add(std::move(p), std::make_unique<NoHandler>());
  return builder.take_complaints();
}

std::shared_ptr<const Prompts> prompts_of(Prompt p) {
  const config::Config config;
  Prompts::Builder builder(config);
  builder.add(std::move(p), std::make_unique<NoHandler>());
  EXPECT_TRUE(builder.take_complaints().empty());
  return std::move(builder).build();
}

TEST(Prompts, SayOfAPromptWhatTheRevisionKnows) {
  Prompt p = prompt("p");
  p.title = "T";
  p.description = "D";
  p.arguments = {{.name = "a", .title = "A", .description = "first", .required = true},
                 {.name = "b"}};
  p.icons = {{.src = "data:,"}};
  p.meta = "{\"k\":\n1}";
  const auto prompts = prompts_of(std::move(p));
  EXPECT_EQ(
      *prompts->pages().page({}, kModern),
      R"("prompts":[{"name":"p","title":"T","description":"D","arguments":[{"name":"a","title":"A","description":"first","required":true},{"name":"b"}],"icons":[{"src":"data:,"}],"_meta":{"k": 1}}])");
  EXPECT_EQ(
      *prompts->pages().page({}, *find_revision("2025-03-26")),
      R"("prompts":[{"name":"p","description":"D","arguments":[{"name":"a","description":"first","required":true},{"name":"b"}]}])");
}

TEST(Prompts, AreFoundByTheirExactName) {
  const auto prompts = prompts_of(prompt("p"));
  ASSERT_NE(prompts->find("p"), nullptr);
  EXPECT_EQ(prompts->find("P"), nullptr);
  EXPECT_EQ(prompts->find(""), nullptr);
  EXPECT_FALSE(prompts->empty());
}

TEST(Prompts, KnowWhetherTheyHaveValuesToOffer) {
  Prompt p = prompt("p");
  p.arguments = {{.name = "a"}};
  EXPECT_FALSE(prompts_of(p)->has_completions());
  p.arguments[0].completer = complete_from({"x"});
  EXPECT_TRUE(prompts_of(p)->has_completions());
}

TEST(Prompts, ComplainOfAllThatIsWrong) {
  EXPECT_EQ(complaints(prompt("a b")).size(), 1U);
  EXPECT_EQ(complaints(prompt("")).size(), 1U);
  Prompt p = prompt("p");
  p.meta = "[]";
  p.arguments = {{.name = "a"}, {.name = "a"}, {.name = ""}};
  const auto found = complaints(std::move(p));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], "prompt \"p\": there are two arguments \"a\"");

  const config::Config config;
  Prompts::Builder builder(config);
  builder.add(prompt("a"), std::make_unique<NoHandler>());
  builder.add(prompt("a"), std::make_unique<NoHandler>());
  EXPECT_EQ(builder.take_complaints().size(), 1U);
}

TEST(Prompts, NameTheLimitOnTheirTime) {
  EXPECT_EQ(prompts_of(prompt("p"))->find("p")->timeout_name, "timeouts.call (1m)");
  Prompt p = prompt("p");
  p.timeout = std::chrono::seconds(3);
  EXPECT_EQ(prompts_of(std::move(p))->find("p")->timeout_name, "the prompt's timeout (3s)");
}

}  // namespace
}  // namespace sluice::mcp
