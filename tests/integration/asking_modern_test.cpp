// Handlers that ask their caller, in 2026-07-28: the question is the result, and the answer comes with the same call again.
#include <optional>
#include <set>
#include <string>

#include "support/asking_client.hpp"
#include "support/deadline.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr const char* kAnn = R"({"name":{"action":"accept","content":{"name":"Ann"}}})";

class AskingModern : public WithServer<AskingModern> {
 public:
  static std::string yaml() {
    return "plugins: [\"@PLUGIN@\"]\nlimits: { questions: 4, request_state: 4KiB }\n"
           "timeouts: { heartbeat: 100ms }\n";
  }
  AskingClient client;
};

TEST_F(AskingModern, AQuestionIsTheResultAndItsAnswerComesWithTheCall) {
  for (const char* accept : {"application/json", "text/event-stream"}) {
    Request first = client.call("ask_name");
    first.set("Accept", accept);
    const Reply question = send(first);
    ASSERT_TRUE(asks(question)) << question.http.body;
    EXPECT_EQ(question.status(), 200);
    EXPECT_EQ(question.text("result.inputRequests.name.method"), "elicitation/create");
    EXPECT_EQ(question.text("result.inputRequests.name.params.message"), "Who are you?");
    EXPECT_TRUE(question.has("result.inputRequests.name.params.requestedSchema.properties.name"));
    EXPECT_TRUE(question.has("result._meta"));
    EXPECT_FALSE(question.has("result.content"));
    EXPECT_EQ(question.messages().size(), 1U);
    Request second = client.call("ask_name", "{}", kAnn, state_of(question));
    second.set("Accept", accept);
    const Reply answered = send(second);
    EXPECT_EQ(answered.content(), "Hello Ann!") << answered.http.body;
    EXPECT_EQ(answered.text("result.resultType"), "complete");
  }
}

TEST_F(AskingModern, DecliningAndClosingAreAnswersToo) {
  const std::string state = state_of(send(client.call("ask_name")));
  for (const char* action : {"decline", "cancel"})
    EXPECT_EQ(send(client.call("ask_name", "{}",
                               R"({"name":{"action":")" + std::string(action) + "\"}}", state))
                  .content(),
              action);
}

TEST_F(AskingModern, PagesModelsAndRootsAreAskedForToo) {
  const Reply page = send(client.call("ask_page"));
  EXPECT_EQ(page.text("result.inputRequests.login.params.url"), "https://example.com/login");
  EXPECT_FALSE(page.has("result.inputRequests.login.params.elicitationId"));
  EXPECT_EQ(send(client.call("ask_page", "{}", R"({"login":{"action":"accept"}})", state_of(page)))
                .content(),
            "accept");
  const Reply model = send(client.call("ask_model"));
  EXPECT_EQ(model.text("result.inputRequests.capital.method"), "sampling/createMessage");
  EXPECT_EQ(
      send(
          client.call(
              "ask_model", "{}",
              R"({"capital":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}})",
              state_of(model)))
          .content(),
      "m: Paris");
  const Reply roots = send(client.call("ask_roots"));
  EXPECT_EQ(roots.text("result.inputRequests.roots.method"), "roots/list");
  EXPECT_EQ(roots.text("result.inputRequests.roots.params"), "{}");
  EXPECT_EQ(send(client.call("ask_roots", "{}", R"({"roots":{"roots":[{"uri":"file:///a"}]}})",
                             state_of(roots)))
                .content(),
            "file:///a;");
}

TEST_F(AskingModern, OnlyWhatIsStillMissingIsAskedAgain) {
  const Reply all = send(client.call("ask_all"));
  for (const char* key : {"name", "greeting", "roots"})
    EXPECT_TRUE(all.has("result.inputRequests." + std::string(key))) << key;
  const Reply rest = send(client.call("ask_all", "{}", kAnn, state_of(all)));
  ASSERT_TRUE(asks(rest)) << rest.http.body;
  EXPECT_FALSE(rest.has("result.inputRequests.name"));
  EXPECT_TRUE(rest.has("result.inputRequests.greeting"));
  const Reply done = send(client.call(
      "ask_all", "{}",
      R"({"greeting":{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m"},"roots":{"roots":[]}})",
      state_of(rest)));
  EXPECT_EQ(done.content(), "accept,Hi,0");
}

TEST_F(AskingModern, RoundsGoOnFromWhereTheyWere) {
  const int before = std::stoi(send(modern_call("runs")).content());
  std::optional<Reply> reply;
  reply.emplace(send(client.call("ask_rounds", R"({"n":3})")));
  std::set<std::string> states;
  for (const std::string key : {"q1", "q2", "q3"}) {
    ASSERT_TRUE(asks(*reply)) << reply->http.body;
    ASSERT_TRUE(reply->has("result.inputRequests." + key)) << reply->http.body;
    EXPECT_EQ(reply->at("result.inputRequests").size(), 1U);
    const std::string state = state_of(*reply);
    EXPECT_TRUE(states.insert(state).second);
    const std::string responses =
        "{\"" + key + R"(":{"action":"accept","content":{"name":")" + key + "\"}}}";
    reply.emplace(send(client.call("ask_rounds", R"({ "n" : 3 })", responses, state)));
  }
  EXPECT_EQ(reply->content(), R"("q1";"q2";"q3";)");
  EXPECT_EQ(std::stoi(send(modern_call("runs")).content()), before + 4)
      << "the handler runs again in each round";
}

TEST_F(AskingModern, TheSameKeyAgainIsAnotherQuestion) {
  const auto guess = [](const std::string& key, const std::string& name) {
    return "{\"" + key + R"(":{"action":"accept","content":{"name":")" + name + "\"}}}";
  };
  const Reply first = send(client.call("ask_again"));
  ASSERT_TRUE(first.has("result.inputRequests.guess"));
  const Reply second =
      send(client.call("ask_again", "{}", guess("guess", "wrong"), state_of(first)));
  ASSERT_TRUE(second.has("result.inputRequests.guess-2")) << second.http.body;
  EXPECT_EQ(
      send(client.call("ask_again", "{}", guess("guess-2", "right"), state_of(second))).content(),
      "2 tries");
}

TEST_F(AskingModern, AnAnswerMayComeBeforeItIsAskedFor) {
  EXPECT_EQ(send(client.call("ask_name", "{}", kAnn)).content(), "Hello Ann!");
  EXPECT_EQ(
      send(
          client.call(
              "ask_name", "{}",
              R"({"name":{"action":"accept","content":{"name":"Ann"}},"other":{"action":"accept"},"x":5})"))
          .content(),
      "Hello Ann!")
      << "what is not known is ignored";
  EXPECT_TRUE(asks(send(client.call("ask_name", "{}", R"({"wrong":{"action":"accept"}})"))));
  EXPECT_TRUE(asks(send(client.call("ask_name", "{}", "{}"))));
}

TEST_F(AskingModern, WhatIsNoAnswerIsRefused) {
  const std::string state = state_of(send(client.call("ask_name")));
  for (const char* responses :
       {"null", "[]", "5", "\"x\"", R"({"name":12345})", R"({"name":{}})",
        R"({"name":{"action":"accept"}})", R"({"name":{"action":"accept","content":{"name":1}}})",
        R"({"name":{"action":"yes","content":{"name":"A"}}})"}) {
    const Reply reply = send(client.call("ask_name", "{}", responses, state));
    EXPECT_EQ(reply.error(), -32602) << responses << reply.http.body;
    EXPECT_EQ(reply.id(), "1");
    EXPECT_NE(reply.error_text().find("inputResponses"), std::string::npos);
  }
  EXPECT_EQ(send(client.call("ask_name", "{}", R"({"name":7})")).error(), -32602);
}

TEST_F(AskingModern, AStateIsGoodForItsCallerAndItsCallAlone) {
  AskingClient ann{.authorization = "Bearer ann"};
  AskingClient bob{.authorization = "Bearer bob"};
  const std::string state = state_of(send(ann.call("ask_name", R"({"ms":0})")));
  const auto refused = [&](const Request& request) {
    const Reply reply = send(request);
    EXPECT_EQ(reply.error(), -32602) << reply.http.body;
    EXPECT_NE(reply.error_text().find("requestState"), std::string::npos);
    return reply.error() == -32602;
  };
  EXPECT_TRUE(refused(bob.call("ask_name", R"({"ms":0})", kAnn, state)));
  EXPECT_TRUE(refused(client.call("ask_name", R"({"ms":0})", kAnn, state)));
  EXPECT_TRUE(refused(ann.call("ask_name", R"({"ms":1})", kAnn, state)));
  EXPECT_TRUE(refused(ann.call("ask_or_say", R"({"ms":0})", kAnn, state)));
  EXPECT_TRUE(refused(ann.call("echo", R"({"ms":0})", kAnn, state))) << "also what asks nothing";
  EXPECT_TRUE(refused(ann.call("ask_name", R"({"ms":0})", kAnn, state + "-TAMPERED")));
  EXPECT_TRUE(refused(ann.call("ask_name", R"({"ms":0})", kAnn, "x")));
  EXPECT_TRUE(refused(ann.call("ask_name", R"({"ms":0})", kAnn, std::string(100'000, 'A'))));
  std::string changed = state;
  for (std::size_t i = 0; i < changed.size(); i += 7) {
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    if (changed != state) EXPECT_TRUE(refused(ann.call("ask_name", R"({"ms":0})", kAnn, changed)));
    changed[i] = state[i];
  }
  Request number = ann.call("ask_name", R"({"ms":0})", kAnn, "S");
  replace_once(number.body, "\"S\"", "5");
  EXPECT_TRUE(refused(number));
  // A session id of the older revisions is sealed with the same key, and still no state.
  EXPECT_TRUE(
      refused(ann.call("ask_name", R"({"ms":0})", kAnn, LegacySession(port(), "2025-11-25").id())));
  EXPECT_EQ(send(ann.call("ask_name", R"({ "ms" : 0 })", kAnn, state)).content(), "Hello Ann!");
}

TEST_F(AskingModern, AnAnswerCountsForTheQuestionThatWasAsked) {
  // The message is an argument here, so that what is asked can change under one key: first the answer to another tool's
  // question of the same key, then an answer to what was never asked in this state.
  const std::string state = state_of(send(client.call("ask_name", R"({"message":"A?"})")));
  EXPECT_EQ(send(client.call("ask_name", R"({"message":"B?"})", kAnn, state)).error(), -32602);
  const Reply other =
      send(client.call("ask_name", R"({"message":"A?"})", R"({"q1":{"action":"accept"}})", state));
  EXPECT_TRUE(asks(other)) << "only what was asked is answered";
}

TEST_F(AskingModern, AClientThatCannotBeAskedIsRefused) {
  struct Case {
    const char* capabilities;
    const char* tool;
    const char* path;
  };
  for (const Case& c :
       {Case{"{}", "ask_name", "elicitation.form"},
        Case{R"({"elicitation":{"url":{}}})", "ask_name", "elicitation.form"},
        Case{R"({"elicitation":{}})", "ask_page", "elicitation.url"},
        Case{R"({"elicitation":{}})", "ask_model", "sampling"}, Case{"{}", "ask_roots", "roots"},
        Case{R"({"elicitation":{}})", "ask_all", "roots"}}) {
    client.capabilities = c.capabilities;
    const Reply reply = send(client.call(c.tool));
    EXPECT_EQ(reply.status(), 400) << c.tool;
    EXPECT_EQ(reply.error(), -32021) << reply.http.body;
    EXPECT_TRUE(reply.has("error.data.requiredCapabilities." + std::string(c.path)))
        << reply.http.body;
    EXPECT_EQ(reply.id(), "1");
  }
  client.capabilities = "{}";
  EXPECT_NE(send(client.call("ask_or_say")).content().find("capability"), std::string::npos)
      << "a handler may have another way";
  EXPECT_EQ(send(client.call("ask_name", R"({"first":"so far"})")).content().find("so far"), 0U)
      << "what was written stays";
}

TEST_F(AskingModern, WhatWasWrittenBeforeIsTakenBack) {
  const Reply question = send(client.call("ask_name", R"({"first":"so far, ","bytes":100000})"));
  ASSERT_TRUE(asks(question));
  EXPECT_LT(question.http.body.size(), 2000U);
  const Reply reply = send(
      client.call("ask_name", R"({"first":"so far, ","bytes":100000})", kAnn, state_of(question)));
  EXPECT_EQ(reply.content(), "so far, " + std::string(100'000, 'x') + "Hello Ann!");
}

TEST_F(AskingModern, OnceTheResultLeavesNobodyIsAsked) {
  const Reply reply = send(client.call("ask_name", R"({"bytes":1000000})"));
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_NE(reply.content().find("cannot be asked"), std::string::npos);
}

TEST_F(AskingModern, TheQuestionFollowsMessagesThatWereSent) {
  Request request = client.call("ask_name", R"({"progress":true,"ms":300})");
  replace_once(request.body, R"("_meta":{)", R"("_meta":{"progressToken":"p",)");
  const Reply question = send(request);
  ASSERT_TRUE(asks(question)) << question.http.body;
  EXPECT_EQ(question.messages().size(), 2U);
  EXPECT_NE(question.messages()[0].find("notifications/progress"), std::string::npos);
  EXPECT_NE(question.http.body.find(": keep-alive"), std::string::npos);
  // Blanks that kept a JSON response alive may go ahead too.
  Request json = client.call("ask_name", R"({"ms":300})");
  json.set("Accept", "application/json");
  EXPECT_TRUE(asks(send(json)));
  // And a refusal follows them as it can, without its status.
  client.capabilities = "{}";
  const Reply refused = send(client.call("ask_name", R"({"ms":300})"));
  EXPECT_EQ(refused.status(), 200);
  EXPECT_EQ(refused.error(), -32021);
}

TEST_F(AskingModern, AHandlerThatCatchesEverythingAsksAllTheSame) {
  const Reply question = send(client.call("ask_and_catch"));
  ASSERT_TRUE(asks(question)) << question.http.body;
  EXPECT_EQ(
      send(client.call("ask_and_catch", "{}", R"({"go":{"action":"accept"}})", state_of(question)))
          .content(),
      "accept");
}

TEST_F(AskingModern, APromptAsksAsToolsDo) {
  const auto get = [&](const std::string& more) {
    Request request = modern("prompts/get", R"("name":"prompt_asks")" + more);
    replace_once(request.body, R"(clientCapabilities":{})",
                 R"(clientCapabilities":)" + client.capabilities);
    return request.set("Mcp-Name", "prompt_asks");
  };
  const Reply question = send(get(""));
  ASSERT_TRUE(asks(question)) << question.http.body;
  EXPECT_EQ(question.text("result.inputRequests.topic.params.message"), "About what?");
  const std::string state = R"(,"requestState":")" + state_of(question) + '"';
  const std::string answer =
      R"(,"inputResponses":{"topic":{"action":"accept","content":{"name":"cats"}}})";
  EXPECT_EQ(send(get(answer + state)).text("result.messages.0.content.text"), "About cats");
  EXPECT_EQ(send(get(R"(,"inputResponses":{"topic":{"action":"decline"}})" + state)).error(),
            -32602);
  EXPECT_EQ(send(get(answer + R"(,"requestState":"x")")).error(), -32602);
  EXPECT_EQ(send(client.call("prompt_asks", "{}", "{}", state_of(question))).error(), -32602)
      << "a tool of that name would be something else";
  client.capabilities = "{}";
  const Reply refused = send(get(""));
  EXPECT_EQ(refused.error(), -32021);
  EXPECT_EQ(refused.status(), 400);
}

TEST_F(AskingModern, LimitsAreKept) {
  EXPECT_NE(send(client.call("ask_many", R"({"n":5})")).content().find("limits.questions"),
            std::string::npos);
  EXPECT_EQ(send(client.call("ask_many", R"({"n":4})")).at("result.inputRequests").size(), 4U);
  EXPECT_EQ(send(client.call("ask_many", R"({"n":0})")).content(), "0 answers");
  EXPECT_TRUE(send(client.call("ask_nonsense")).is_tool_error());
  const Reply question = send(client.call("ask_rounds", R"({"n":2})"));
  const Reply reply = send(client.call(
      "ask_rounds", R"({"n":2})",
      R"({"q1":{"action":"accept","content":{"name":")" + std::string(5000, 'n') + "\"}}}",
      state_of(question)));
  EXPECT_NE(reply.content().find("limits.request_state"), std::string::npos) << reply.http.body;
}

TEST_F(AskingModern, AToolWhoseResultsAreSharedAsksNobody) {
  EXPECT_NE(send(client.call("ask_kept")).content().find("cannot be asked"), std::string::npos);
}

TEST(AskingModernTimes, AResourceAsksAsToolsDo) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\n", {.environment = {{"ASKING_RESOURCE", "1"}}});
  const AskingClient client;
  const auto read = [&](const std::string& more) {
    Request request = modern("resources/read", R"("uri":"ask://name")" + more);
    replace_once(request.body, R"(clientCapabilities":{})",
                 R"(clientCapabilities":)" + client.capabilities);
    request.set("Mcp-Name", "ask://name");
    return exchange(server.port(), request);
  };
  const Reply question = read("");
  ASSERT_TRUE(asks(question)) << question.http.body;
  EXPECT_FALSE(question.has("result.contents"));
  const std::string responses = R"(,"inputResponses":)" + std::string(kAnn);
  const std::string state = R"(,"requestState":")" + state_of(question) + '"';
  EXPECT_EQ(read(responses + state).text("result.contents.0.text"), "Hello Ann!");
  const Reply other =
      exchange(server.port(), client.call("ask_name", "{}", kAnn, state_of(question)));
  EXPECT_EQ(other.error(), -32602) << "a state is good for what it was made for";
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(AskingModernTimes, AStateExpires) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\ntimeouts: { ask: 1s }\n");
  const AskingClient client;
  const std::string state = state_of(exchange(server.port(), client.call("ask_name")));
  EXPECT_TRUE(eventually([&] {
    return exchange(server.port(), client.call("ask_name", "{}", kAnn, state)).error_text() ==
           "params.requestState has expired: make the call anew";
  }));
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(AskingModernTimes, RoundsGoOnAfterARestartAndOnAReplicaWithTheSameKey) {
  const auto yaml = [](const std::string& keys) {
    return "server: { listen: \"127.0.0.1:0\", keys: [" + keys + "] }\nplugins: [\"@PLUGIN@\"]\n";
  };
  const std::string old_key = '"' + std::string(64, '1') + '"';
  const std::string new_key = '"' + std::string(64, '2') + '"';
  const AskingClient client;
  std::string state;
  {
    ServerProcess first(yaml(old_key));
    state = state_of(exchange(first.port(), client.call("ask_rounds", R"({"n":2})")));
    EXPECT_EQ(first.stop(), 0) << first.log();
  }
  ServerProcess second(yaml(new_key + ", " + old_key));
  const Reply question = exchange(
      second.port(), client.call("ask_rounds", R"({"n":2})",
                                 R"({"q1":{"action":"accept","content":{"name":"a"}}})", state));
  ASSERT_TRUE(asks(question)) << question.http.body;
  ServerProcess third(yaml(new_key));
  EXPECT_EQ(
      exchange(third.port(), client.call("ask_rounds", R"({"n":2})",
                                         R"({"q2":{"action":"accept","content":{"name":"b"}}})",
                                         state_of(question)))
          .content(),
      R"("a";"b";)");
  ServerProcess stranger("plugins: [\"@PLUGIN@\"]\n");
  EXPECT_EQ(exchange(stranger.port(), client.call("ask_rounds", R"({"n":2})", "{}", state)).error(),
            -32602);
  for (auto* server : {&second, &third, &stranger}) EXPECT_EQ(server->stop(), 0) << server->log();
}

}  // namespace
}  // namespace sluice::testing
