#include <gtest/gtest.h>

#include "call_tool.hpp"
#include "mcp/prompt_text.hpp"
#include "tools/prompts.hpp"

namespace sluice::tools {
namespace {

using namespace sluice::testing;
using Kind = config::InlineBlock::Kind;

config::PromptMessage message(std::string_view text, std::string when = {}) {
  config::PromptMessage out;
  out.text = parse_template(text);
  out.when = std::move(when);
  return out;
}

Awaitable<void> get(PromptHandler& handler, Call& call, PromptWriter& out, Result<>& result) {
  const auto done = co_await handler.get(call, out);
  result = done;
}

struct Got {
  Result<> result;
  std::string messages;
  std::string refusal;
};

Got got(const config::Prompt& prompt, std::string_view arguments) {
  boost::asio::io_context io{1};
  FakeCall call(io.get_executor(), arguments);
  mcp::PromptText text(mcp::kModern, 1 << 20);
  Got out;
  const auto handler = make_prompt(prompt);
  run(io, get(*handler, call, text, out.result));
  out.messages = text.messages();
  out.refusal = text.refusal();
  return out;
}

/// The texts alone, with a line for each.
std::string texts(const Got& got) {
  json::Document document;
  const auto root = document.parse_copy("[" + got.messages + "]");
  std::string out;
  for (const Json m : *root)
    out += std::string(m.find("content").find("text").as_string().value_or("?")) + "|";
  return out;
}

TEST(PromptTemplate, PutsArgumentsInOnceAndAsTheyAre) {
  config::Prompt prompt;
  prompt.messages = {message("[{a}] [{b}]")};
  EXPECT_EQ(texts(got(prompt, R"({"a":"{b}","b":"{{a}} ${X} \"\\\n"})")),
            "[{b}] [{{a}} ${X} \"\\\n]|");
}

TEST(PromptTemplate, LeavesNothingInASlotWithoutAValue) {
  config::Prompt prompt;
  prompt.messages = {message("[{a}{b}]"), message("{a}")};
  EXPECT_EQ(texts(got(prompt, "{}")), "[]||");
}

TEST(PromptTemplate, LeavesAMessageOutWhereItsArgumentHasNoValue) {
  config::Prompt prompt;
  prompt.messages = {message("one"), message("two {a}", "a"), message("three", "b")};
  EXPECT_EQ(texts(got(prompt, "{}")), "one|");
  EXPECT_EQ(texts(got(prompt, R"({"a":"x"})")), "one|two x|");
  EXPECT_EQ(texts(got(prompt, R"({"a":"","b":"y"})")), "one|three|");
}

TEST(PromptTemplate, TakesNoValueThatIsNotInTheEnum) {
  config::Prompt prompt;
  prompt.arguments.push_back({});
  prompt.arguments[0].name = "tone";
  prompt.arguments[0].allowed = {"kind", "strict"};
  prompt.messages = {message("{tone}")};
  EXPECT_EQ(texts(got(prompt, R"({"tone":"kind"})")), "kind|");
  EXPECT_EQ(texts(got(prompt, "{}")), "|") << "it is not required";
  const auto refused = got(prompt, R"({"tone":"Kind"})");
  EXPECT_EQ(refused.result.error(), Errc::invalid_params);
  EXPECT_EQ(refused.refusal, "the argument \"tone\" must be one of: kind, strict");
  EXPECT_EQ(refused.messages, "");
}

TEST(PromptTemplate, KeepsAnArgumentInsideItsPlaceInAUri) {
  config::Prompt prompt;
  config::PromptMessage link;
  link.block.kind = Kind::resource_link;
  link.uri = parse_template("https://e/x/{a}?q={a}");
  link.name = parse_template("{a}");
  prompt.messages = {link};
  EXPECT_EQ(got(prompt, R"({"a":"../b?c#d {e}"})").messages,
            R"({"role":"user","content":{"type":"resource_link",)"
            R"("uri":"https://e/x/..%2Fb%3Fc%23d%20%7Be%7D?q=..%2Fb%3Fc%23d%20%7Be%7D",)"
            R"("name":"../b?c#d {e}"}})");
}

TEST(PromptTemplate, TakesAWholeUriWhereOneSlotIsAllOfIt) {
  config::Prompt prompt;
  config::PromptMessage resource;
  resource.block.kind = Kind::resource;
  resource.block.mime_type = "text/plain";
  resource.uri = parse_template("{a}");
  resource.text = parse_template("t");
  prompt.messages = {resource};
  EXPECT_EQ(
      got(prompt, R"({"a":"test://x/y?z"})").messages,
      R"({"role":"user","content":{"type":"resource","resource":{"uri":"test://x/y?z","mimeType":"text/plain","text":"t"}}})");
  for (const auto* wrong : {"{}", R"({"a":""})", R"({"a":"x"})", R"({"a":"x:a b"})"})
    EXPECT_EQ(got(prompt, wrong).refusal, "the argument \"a\" must be a URI") << wrong;
}

TEST(PromptTemplate, SendsBytesAsBase64) {
  config::Prompt prompt;
  config::PromptMessage image;
  image.role = config::PromptMessage::Role::assistant;
  image.block.kind = Kind::image;
  image.block.mime_type = "image/png";
  image.block.is_binary = true;
  image.block.data = "PNG";
  prompt.messages = {image};
  EXPECT_EQ(
      got(prompt, "{}").messages,
      R"({"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"UE5H"}})");
}

}  // namespace
}  // namespace sluice::tools
