// Prompts and completion, in both eras.
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class Prompts : public WithServer<Prompts> {
 public:
  static std::string yaml() {
    return R"(
server: { listen: "127.0.0.1:0", list_page: 4, list_ttl: 7s }
limits: { prompt: 10kB }
timeouts: { completion: 300ms }
plugins: ["@PLUGIN@"]
sources:
  nobody: { type: http, base_url: "http://127.0.0.1:1", connect_timeout: 1s }
prompts:
  review:
    title: Review
    description: Asks for a review.
    icons: [{ src: "data:,", sizes: any }]
    meta: { example.com/k: 1 }
    arguments:
      text: { title: Text, description: What., required: true }
      tone: { enum: [kind, strict, keen] }
      name: { complete: { files: { root: "@DIR@/names", pattern: "**/*.md" } } }
      item: { complete: { http: { source: nobody, request: GET /items } } }
    messages:
      - { role: user, text: "Review {text} ({tone})." }
      - { role: user, file: "@DIR@/more.md", when: name }
      - { role: assistant, type: image, data: iVBORw0KGgo=, mime_type: image/png }
      - { role: user, type: audio, data: UklGRg==, mime_type: audio/wav }
      - { role: user, type: resource, uri: "note:{text}", text: "{text}", mime_type: text/plain }
      - { role: user, type: resource_link, uri: "note:1", name: one }
)";
  }
  static void prepare(const TempFolder& folder) {
    for (const auto* name : {"names/alpha.md", "names/deep/beta.md", "names/gamma.txt"})
      folder.write(name, "x");
    folder.write("more.md", "More of {name}, {{not}} less.");
  }

  static Request get_modern(const std::string& name, const std::string& arguments = "{}",
                            const std::string& meta = "") {
    Request request = modern_call(name, arguments, "1", meta);
    request.set("Mcp-Method", "prompts/get");
    request.body.replace(request.body.find("tools/call"), 10, "prompts/get");
    return request;
  }
  static std::string get_params(const std::string& name, const std::string& arguments = "{}") {
    return R"("name":)" + json_string(name) + R"(,"arguments":)" + arguments;
  }
  static std::string complete_params(const std::string& prompt, const std::string& argument,
                                     const std::string& typed, const std::string& more = "") {
    return R"("ref":{"type":"ref/prompt","name":)" + json_string(prompt) +
           R"(},"argument":{"name":)" + json_string(argument) + R"(,"value":)" +
           json_string(typed) + "}" + more;
  }
  static std::string values(const Reply& reply) {
    return std::string(reply.at("result.completion.values").raw());
  }
};

TEST_F(Prompts, AreToldOfInBothErasAndOnlyWhereThereAreAny) {
  const LegacySession session(port(), "2025-11-25");
  for (const Reply& reply : {session.initialized(), send(modern("server/discover"))}) {
    EXPECT_TRUE(reply.has("result.capabilities.prompts")) << reply.http.body;
    EXPECT_TRUE(reply.has("result.capabilities.completions")) << reply.http.body;
  }
  ServerProcess bare("tools: { a: { text: x } }\n");
  for (const auto* method : {"prompts/list", "prompts/get", "completion/complete"}) {
    const Reply reply = exchange(bare.port(), modern(method));
    EXPECT_EQ(reply.error(), -32601) << method;
    EXPECT_EQ(reply.status(), 404) << method;
  }
  const Reply discovered = exchange(bare.port(), modern("server/discover"));
  EXPECT_FALSE(discovered.has("result.capabilities.prompts"));
  EXPECT_FALSE(discovered.has("result.capabilities.completions"));
  EXPECT_EQ(bare.stop(), 0);
}

TEST_F(Prompts, AreListedInPages) {
  for (const std::string version : {"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}) {
    const bool is_modern = version == "2026-07-28";
    const LegacySession session(port(), is_modern ? "2025-11-25" : version);
    std::string names;
    std::string cursor;
    for (int page = 0; page < 5; ++page) {
      const std::string params = cursor.empty() ? "" : "\"cursor\":" + json_string(cursor);
      const Reply reply = send(is_modern ? modern("prompts/list", params)
                                         : session.request("prompts/list", params));
      EXPECT_EQ(reply.text("result.ttlMs"), is_modern ? "7000" : "");
      EXPECT_EQ(reply.text("result.cacheScope"), is_modern ? "public" : "");
      for (const Json prompt : reply.at("result.prompts"))
        names += std::string(*prompt.find("name").as_string()) + " ";
      if (page == 0) {
        const Json first = reply.at("result.prompts.0");
        EXPECT_EQ(static_cast<bool>(first.find("icons")), version >= "2025-11-25");
        EXPECT_EQ(static_cast<bool>(first.find("title")), version >= "2025-06-18");
        EXPECT_EQ(static_cast<bool>(first.find("_meta")), version >= "2025-06-18");
        EXPECT_EQ(reply.text("result.prompts.0.arguments.0.required"), "true");
      }
      cursor = reply.text("result.nextCursor");
      if (cursor.empty()) break;
    }
    EXPECT_EQ(names, "review prompt_asks prompt_slow prompt_big prompt_throws prompt_refuses ");
  }
  EXPECT_EQ(send(modern("prompts/list", R"("cursor":"tools-1")")).error(), -32602);
}

TEST_F(Prompts, HoldTheirArguments) {
  for (const std::string version : {"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}) {
    const bool is_modern = version == "2026-07-28";
    const LegacySession session(port(), is_modern ? "2025-11-25" : version);
    const std::string arguments = R"({"text":"{tone} \"x\"","tone":"kind"})";
    const Reply reply =
        send(is_modern ? get_modern("review", arguments)
                       : session.request("prompts/get", get_params("review", arguments)));
    ASSERT_EQ(reply.status(), 200) << reply.http.body;
    EXPECT_EQ(reply.text("result.description"), "Asks for a review.");
    EXPECT_EQ(reply.at("result.messages").size(), 5U) << "one is left out";
    EXPECT_EQ(reply.text("result.messages.0.content.text"), "Review {tone} \"x\" (kind).");
    EXPECT_EQ(reply.text("result.messages.1.content.type"), "image");
    EXPECT_EQ(reply.text("result.messages.1.role"), "assistant");
    EXPECT_EQ(reply.text("result.messages.2.content.type"), "audio");
    EXPECT_EQ(reply.text("result.messages.3.content.resource.uri"), "note:%7Btone%7D%20%22x%22");
    EXPECT_EQ(reply.text("result.messages.3.content.resource.text"), "{tone} \"x\"");
    EXPECT_EQ(reply.text("result.messages.4.content.type"),
              version >= "2025-06-18" ? "resource_link" : "text");
    EXPECT_EQ(reply.text("result.resultType"), is_modern ? "complete" : "");
  }
  const Reply more = send(get_modern("review", R"({"text":"","name":"n"})"));
  EXPECT_EQ(more.text("result.messages.1.content.text"), "More of n, {not} less.");
}

TEST_F(Prompts, RefuseWhatTheyDoNotKnow) {
  const LegacySession session(port(), "2025-11-25");
  const std::pair<std::string, std::string> cases[] = {
      {R"("name":"nobody")", "Unknown prompt: nobody"},
      {R"("name":5)", "params.name must be a string"},
      {"", "params.name must be a string"},
      {R"("name":"review")", "the argument \"text\" is missing"},
      {R"("name":"review","arguments":[])", "params.arguments must be an object"},
      {R"("name":"review","arguments":{"text":5})", "the argument \"text\" must be a string"},
      {R"("name":"review","arguments":{"text":"x","txt":"y"})",
       "the prompt has no argument \"txt\""},
      {R"("name":"review","arguments":{"text":"x","tone":"cold"})",
       "the argument \"tone\" must be one of: kind, strict, keen"},
      {R"("name":"prompt_refuses")", "not like this"}};
  for (const auto& [params, wanted] : cases) {
    const Reply reply = send(session.request("prompts/get", params));
    EXPECT_EQ(reply.error(), -32602) << params;
    EXPECT_EQ(reply.error_text(), wanted);
  }
  const Reply reply = send(get_modern("review"));
  EXPECT_EQ(reply.error(), -32602);
  Request other = get_modern("review", R"({"text":"x"})");
  other.set("Mcp-Name", "prompt_big");
  EXPECT_EQ(send(other).error(), -32020) << "the header names another prompt";
}

TEST_F(Prompts, OfPluginsMayTakeTimeAndSpeakMeanwhile) {
  const LegacySession session(port(), "2025-11-25");
  static_cast<void>(send(session.request("logging/setLevel", R"("level":"info")")));
  const Reply spoken =
      send(get_modern("prompt_slow", R"({"ms":"20"})",
                      R"(,"progressToken":7,"io.modelcontextprotocol/logLevel":"info")"));
  ASSERT_EQ(spoken.messages().size(), 3U) << spoken.http.body;
  EXPECT_NE(spoken.messages()[0].find("a warning"), std::string::npos);
  EXPECT_NE(spoken.messages()[1].find(R"("progressToken":7)"), std::string::npos);
  EXPECT_EQ(spoken.text("result.messages.0.content.text"), "slept");
  EXPECT_EQ(spoken.text("result.description"), "described by its handler");
  EXPECT_EQ(send(session.request("prompts/get", get_params("prompt_slow"))).messages().size(), 2U);

  const Reply silent = send(get_modern("prompt_slow"));
  EXPECT_EQ(silent.messages().size(), 1U);
  EXPECT_EQ(silent.text("result.messages.0.role"), "assistant");

  const Reply late = send(get_modern("prompt_slow", R"({"ms":"60000"})"));
  EXPECT_EQ(late.error(), -32603);
  EXPECT_EQ(late.error_text(), "the prompt's timeout (700ms) passed.");
}

TEST_F(Prompts, ThatFailDoSoWithoutTheirInside) {
  const Reply thrown = send(get_modern("prompt_throws"));
  EXPECT_EQ(thrown.error(), -32603);
  EXPECT_EQ(thrown.http.body.find("the inside"), std::string::npos);
  EXPECT_TRUE(server().child().wait_err("prompt prompt_throws: the inside of the prompt"));
  EXPECT_EQ(send(get_modern("prompt_big", R"({"bytes":"9000"})")).error(), 0);
  const Reply large = send(get_modern("prompt_big", R"({"bytes":"10000"})"));
  EXPECT_EQ(large.error(), -32603);
  EXPECT_EQ(large.error_text(), "The prompt is larger than limits.prompt (10000) allows.");
}

TEST_F(Prompts, StopWhenTheyAreCancelled) {
  const LegacySession session(port(), "2025-11-25");
  RawClient client = connect();
  ASSERT_TRUE(client.send(
      session.request("prompts/get", get_params("prompt_slow", R"({"ms":"60000"})"), "9").text()));
  const Reply told = send(session.notification("notifications/cancelled", R"("requestId":9)"));
  EXPECT_EQ(told.status(), 202);
  const Reply cancelled(client.read());
  EXPECT_FALSE(cancelled.has("result")) << cancelled.http.body;
  expect_alive();
}

TEST_F(Prompts, AnswerInABatch) {
  const LegacySession session(port(), "2025-03-26");
  const Reply reply = send(session.post(
      R"([{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","arguments":{"text":"x"}}},)"
      R"({"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"tone","value":""}}}])"));
  EXPECT_EQ(reply.text("0.result.messages.0.content.text"), "Review x ().");
  EXPECT_EQ(reply.at("1.result.completion.values").raw(), R"(["kind","strict","keen"])");
}

TEST_F(Prompts, CompleteTheirArguments) {
  for (const std::string version : {"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}) {
    const bool is_modern = version == "2026-07-28";
    const LegacySession session(port(), is_modern ? "2025-11-25" : version);
    const auto complete = [&](const std::string& prompt, const std::string& argument,
                              const std::string& typed) {
      const auto params = complete_params(prompt, argument, typed);
      const Reply reply = send(is_modern ? modern("completion/complete", params)
                                         : session.request("completion/complete", params));
      return reply;
    };
    EXPECT_EQ(values(complete("review", "tone", "k")), R"(["kind","keen"])");
    EXPECT_EQ(complete("review", "tone", "k").text("result.completion.total"), "2");
    EXPECT_EQ(complete("review", "tone", "k").text("result.completion.hasMore"), "false");
    EXPECT_EQ(values(complete("review", "text", "k")), "[]") << "nothing is offered";
    const Reply many = complete("prompt_big", "bytes", "1");
    EXPECT_EQ(many.at("result.completion.values").size(), 100U);
    EXPECT_EQ(many.text("result.completion.total"), "250");
    EXPECT_EQ(many.text("result.completion.hasMore"), "true");
  }
}

TEST_F(Prompts, CompleteFileNames) {
  const auto complete = [&](const std::string& typed) {
    return values(send(modern("completion/complete", complete_params("review", "name", typed))));
  };
  EXPECT_EQ(complete(""), R"(["alpha.md","deep/beta.md"])");
  EXPECT_EQ(complete("B"), R"(["deep/beta.md"])");
  EXPECT_EQ(complete("gamma"), "[]");
  EXPECT_EQ(complete("../"), "[]");
}

TEST_F(Prompts, OfferNothingWhereValuesCannotBeHad) {
  const auto complete = [&](const std::string& prompt, const std::string& argument,
                            const std::string& typed) {
    return values(send(modern("completion/complete", complete_params(prompt, argument, typed))));
  };
  EXPECT_EQ(complete("review", "item", "x"), "[]");
  EXPECT_TRUE(
      server().child().wait_err("no completions for \"item\": upstream nobody cannot be reached"));
  EXPECT_EQ(complete("prompt_throws", "a", ""), "[]");
  EXPECT_TRUE(server().child().wait_err("the inside of the completer"));
  EXPECT_EQ(complete("prompt_throws", "a", "wait"), "[]");
  EXPECT_TRUE(server().child().wait_err("timeouts.completion (300ms) passed"));
}

TEST_F(Prompts, RefuseCompletionsOfWhatTheyDoNotKnow) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "params.ref must be an object"},
      {R"("ref":{"type":"ref/tool"},"argument":{"name":"a","value":""})",
       "params.ref.type must be"},
      {R"("ref":{"type":"ref/prompt"},"argument":{"name":"a","value":""})",
       "params.ref.name must be a string"},
      {R"("ref":{"type":"ref/prompt","name":"review"})", "params.argument must hold"},
      {R"("ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"a","value":5})",
       "params.argument must hold"},
      {complete_params("nobody", "a", ""), "Unknown prompt: nobody"},
      {complete_params("review", "a", ""), "the prompt has no argument \"a\""},
      {complete_params("review", "tone", "", R"(,"context":{"arguments":[]})"),
       "params.context.arguments must be an object"},
      {complete_params("review", "tone", "", R"(,"context":{"arguments":{"text":5}})"),
       "params.context.arguments must hold strings"}};
  for (const auto& [params, wanted] : cases) {
    const Reply reply = send(modern("completion/complete", params));
    EXPECT_EQ(reply.error(), -32602) << params;
    EXPECT_NE(reply.error_text().find(wanted), std::string::npos) << reply.error_text();
  }
  const Reply good = send(
      modern("completion/complete",
             complete_params("review", "tone", "s", R"(,"context":{"arguments":{"text":"x"}})")));
  EXPECT_EQ(values(good), R"(["strict"])");
}

}  // namespace
}  // namespace sluice::testing
