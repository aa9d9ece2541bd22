// Handlers that ask their caller, in sessions: the question on the response stream, the answer by POST.
#include "support/asked_call.hpp"
#include "support/deadline.hpp"
#include "support/held_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr const char* kAll =
    R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}})";

class AskingLegacy : public WithServer<AskingLegacy> {
 public:
  static std::string yaml() {
    return "server: { listen: \"127.0.0.1:0\", loops: 2 }\nplugins: [\"@PLUGIN@\"]\n"
           "limits: { questions: 4 }\n";
  }
};

TEST_F(AskingLegacy, AFormIsShownAndItsAnswerGoesToTheHandler) {
  for (const char* version : {"2025-11-25", "2025-06-18"}) {
    const LegacySession session(port(), version, kAll);
    AskedCall call(port(), session, session.call("ask_name", "{}", "7"));
    ASSERT_TRUE(call.response().is_event_stream());
    const std::string question = call.next_question();
    EXPECT_NE(
        question.find(
            R"("method":"elicitation/create","params":{"message":"Who are you?","requestedSchema":{"type":"object")"),
        std::string::npos)
        << question;
    const Reply taken = call.answer(question, R"({"action":"accept","content":{"name":"Ann"}})");
    EXPECT_EQ(taken.status(), 202);
    EXPECT_TRUE(taken.http.body.empty());
    const Reply reply = call.finish();
    EXPECT_EQ(reply.content(), "Hello Ann!") << version;
    EXPECT_EQ(reply.id(), "7");
    EXPECT_EQ(reply.messages().size(), 2U);
  }
}

TEST_F(AskingLegacy, DecliningAndClosingAreAnswersToo) {
  const LegacySession session(port(), "2025-11-25", kAll);
  for (const char* action : {"decline", "cancel"}) {
    AskedCall call(port(), session, session.call("ask_name"));
    call.answer(call.next_question(), R"({"action":")" + std::string(action) + "\"}");
    EXPECT_EQ(call.finish().content(), action);
  }
}

TEST_F(AskingLegacy, APageHasAnIdOfItsOwn) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_page"));
  const std::string question = call.next_question();
  EXPECT_NE(
      question.find(
          R"("mode":"url","message":"Log in.","url":"https://example.com/login","elicitationId":")"),
      std::string::npos)
      << question;
  call.answer(question, R"({"action":"accept"})");
  EXPECT_EQ(call.finish().content(), "accept");
}

TEST_F(AskingLegacy, ModelsAndRootsAreAskedFor) {
  const LegacySession session(port(), "2025-03-26", kAll);
  AskedCall model(port(), session, session.call("ask_model"));
  const std::string question = model.next_question();
  EXPECT_NE(question.find("sampling/createMessage"), std::string::npos);
  EXPECT_NE(question.find(R"("maxTokens":100)"), std::string::npos);
  model.answer(question,
               R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m1"})");
  EXPECT_EQ(model.finish().content(), "m1: Paris");

  AskedCall roots(port(), session, session.call("ask_roots"));
  const std::string list = roots.next_question();
  EXPECT_NE(list.find(R"("method":"roots/list")"), std::string::npos);
  roots.answer(list, R"({"roots":[{"uri":"file:///a"},{"uri":"file:///b","name":"B"}]})");
  EXPECT_EQ(roots.finish().content(), "file:///a;file:///b;");
}

TEST_F(AskingLegacy, SeveralQuestionsAtOnceAreAnsweredInAnyOrder) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_all"));
  const std::string form = call.next_question();
  const std::string model = call.next_question();
  const std::string roots = call.next_question();
  EXPECT_NE(AskedCall::id_of(form), AskedCall::id_of(model));
  call.answer(roots, R"({"roots":[{"uri":"file:///a"}]})");
  call.answer(form, R"({"action":"accept","content":{"name":"A"}})");
  call.answer(model, R"({"role":"assistant","content":[{"type":"text","text":"Hi"}],"model":"m"})");
  EXPECT_EQ(call.finish().content(), "accept,Hi,1");
}

TEST_F(AskingLegacy, QuestionsOneAfterTheOtherGetTheirOwnAnswers) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_rounds", R"({"n":3})"));
  std::string first;
  for (const char* name : {"a", "b", "c"}) {
    const std::string question = call.next_question();
    if (first.empty()) first = question;
    // Repeated and made-up answers are taken and mean nothing.
    EXPECT_EQ(call.answer(first, R"({"action":"cancel"})").status(), 202);
    EXPECT_EQ(call.answer(R"({"id":"made-up",)", R"({"action":"cancel"})").status(), 202);
    if (question != first)
      call.answer(question,
                  R"({"action":"accept","content":{"name":")" + std::string(name) + "\"}}");
  }
  EXPECT_EQ(call.finish().content(), R"(cancel;"b";"c";)");
}

TEST_F(AskingLegacy, AnotherSessionCannotAnswer) {
  const LegacySession session(port(), "2025-11-25", kAll);
  const LegacySession other(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_name"));
  const std::string question = call.next_question();
  EXPECT_EQ(send(other.post(R"({"jsonrpc":"2.0","id":)" + AskedCall::id_of(question) +
                            R"(,"result":{"action":"accept","content":{"name":"Eve"}}})"))
                .status(),
            202);
  expect_alive();
  call.answer(question, R"({"action":"accept","content":{"name":"Ann"}})");
  EXPECT_EQ(call.finish().content(), "Hello Ann!");
}

TEST_F(AskingLegacy, AnErrorOrAnAnswerToSomethingElseIsTold) {
  const LegacySession session(port(), "2025-11-25", kAll);
  const auto answered = [&](std::string_view result, std::string_view member) {
    AskedCall call(port(), session, session.call("ask_name"));
    call.answer(call.next_question(), result, member);
    return call.finish();
  };
  for (const char* result :
       {"{}", "5", R"({"action":"accept"})", R"({"action":"accept","content":{"name":5}})",
        R"({"action":"accept","content":{}})", R"({"roots":[]})"}) {
    const Reply reply = answered(result, "result");
    EXPECT_TRUE(reply.is_tool_error()) << result;
    EXPECT_NE(reply.content().find("did not answer"), std::string::npos) << reply.content();
  }
  EXPECT_TRUE(answered(R"({"code":-1,"message":"User rejected"})", "error").is_tool_error());
  EXPECT_NE(server().log().find("User rejected"), std::string::npos);
}

TEST_F(AskingLegacy, AClientThatCannotBeAskedIsToldWhichCapabilityIsMissing) {
  struct Case {
    const char* capabilities;
    const char* tool;
    const char* missing;
  };
  for (const Case& c :
       {Case{"{}", "ask_name", "elicitation.form"},
        Case{R"({"elicitation":{"url":{}}})", "ask_name", "elicitation.form"},
        Case{R"({"elicitation":{}})", "ask_page", "elicitation.url"},
        Case{R"({"elicitation":{}})", "ask_model", "sampling"}, Case{"{}", "ask_roots", "roots"},
        Case{R"({"roots":{}})", "ask_all", "elicitation.form sampling"}}) {
    const LegacySession session(port(), "2025-11-25", c.capabilities);
    const Reply reply = send(session.call(c.tool));
    EXPECT_EQ(reply.status(), 200);
    EXPECT_TRUE(reply.is_tool_error());
    EXPECT_TRUE(reply.content().ends_with(std::string(": ") + c.missing)) << reply.content();
    EXPECT_EQ(reply.messages().size(), 1U) << "nothing was asked";
  }
  const LegacySession plain(port(), "2025-11-25", R"({"sampling":{}})");
  EXPECT_TRUE(
      send(plain.call("ask_model", R"({"tools":true})")).content().ends_with(": sampling.tools"));
  EXPECT_NE(send(plain.call("ask_or_say")).content().find("capability"), std::string::npos)
      << "a handler may have another way";
}

TEST_F(AskingLegacy, AClientThatTakesNoEventsCannotBeAsked) {
  const LegacySession session(port(), "2025-11-25", kAll);
  Request request = session.call("ask_or_say");
  request.set("Accept", "application/json");
  EXPECT_NE(send(request).content().find("cannot be asked"), std::string::npos);
}

TEST_F(AskingLegacy, AToolWhoseResultsAreJsonMayAskAllTheSame) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_json"));
  call.answer(call.next_question(), R"({"action":"accept"})");
  EXPECT_EQ(call.finish().content(), "accept");
}

TEST_F(AskingLegacy, AToolWhoseResultsAreSharedAsksNobody) {
  const LegacySession session(port(), "2025-11-25", kAll);
  EXPECT_NE(send(session.call("ask_kept")).content().find("cannot be asked"), std::string::npos);
}

TEST_F(AskingLegacy, WhatWasWrittenBeforeStaysBehindTheQuestion) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session,
                 session.call("ask_name", R"({"first":"so far, ","bytes":100000})"));
  call.answer(call.next_question(), R"({"action":"accept","content":{"name":"Ann"}})");
  const Reply reply = call.finish();
  EXPECT_EQ(reply.content(), "so far, " + std::string(100'000, 'x') + "Hello Ann!");
}

TEST_F(AskingLegacy, OnceTheResultLeavesNobodyIsAsked) {
  const LegacySession session(port(), "2025-11-25", kAll);
  const Reply reply = send(session.call("ask_name", R"({"bytes":1000000})"));
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_NE(reply.content().find("cannot be asked"), std::string::npos);
  EXPECT_EQ(reply.messages().size(), 1U);
}

TEST_F(AskingLegacy, AQuestionMayBeLargerThanAFrame) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_model", R"({"bytes":1000000})"));
  const std::string question = call.next_question();
  EXPECT_GT(question.size(), 1'000'000U);
  call.answer(question, R"({"role":"assistant","content":[],"model":"m"})");
  EXPECT_EQ(call.finish().content(), "m: ");
}

TEST_F(AskingLegacy, MoreQuestionsThanTheLimitAreRefusedAndNonsenseToo) {
  const LegacySession session(port(), "2025-11-25", kAll);
  EXPECT_NE(send(session.call("ask_many", R"({"n":5})")).content().find("limits.questions"),
            std::string::npos);
  AskedCall call(port(), session, session.call("ask_many", R"({"n":4})"));
  for (int i = 0; i < 4; ++i) call.answer(call.next_question(), R"({"action":"accept"})");
  EXPECT_EQ(call.finish().content(), "4 answers");
  EXPECT_EQ(send(session.call("ask_many", R"({"n":0})")).content(), "0 answers");
  EXPECT_TRUE(send(session.call("ask_nonsense")).is_tool_error());
}

TEST_F(AskingLegacy, ACallThatIsCancelledWhileItAsksEndsWithoutAnAnswer) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_name", "{}", "\"c\""));
  const std::string question = call.next_question();
  EXPECT_EQ(send(session.notification("notifications/cancelled", R"("requestId":"c")")).status(),
            202);
  EXPECT_EQ(call.finish().messages().size(), 1U) << "the question alone";
  EXPECT_EQ(call.answer(question, R"({"action":"accept"})").status(), 202) << "late";
  expect_alive();
}

TEST_F(AskingLegacy, AClientThatLosesTheConnectionFindsTheQuestionWhenItComesBack) {
  for (const char* version : {"2025-11-25", "2025-06-18"})
    for (const std::size_t bytes : {0UL, 100'000UL}) {
      const LegacySession session(port(), version, kAll);
      HeldStream lost(port(), session.call("ask_name", R"({"message":")" +
                                                           std::string(bytes + 1, 'q') + "\"}"));
      std::vector<EventStream::Event> came;
      do {
        const auto event = lost.next();
        ASSERT_TRUE(event);
        came.push_back(*event);
      } while (came.back().data.empty());
      const std::string question = came.back().data;
      lost.client.reset();
      Request rest = session.bare("GET");
      // Of the older clients the question itself brings the first id.
      rest.set("Last-Event-ID", came.front().id);
      HeldStream again(port(), rest);
      ASSERT_EQ(again.status(), 200);
      if (came.size() > 1) EXPECT_EQ(again.next_data(), question);
      const Reply taken =
          send(session.post(R"({"jsonrpc":"2.0","id":)" + AskedCall::id_of(question) +
                            R"(,"result":{"action":"accept","content":{"name":"Ann"}}})"));
      EXPECT_EQ(taken.status(), 202);
      EXPECT_NE(again.next_data().find("Hello Ann!"), std::string::npos) << version;
    }
}

TEST_F(AskingLegacy, ASessionThatEndsEndsItsQuestions) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_name"));
  ASSERT_FALSE(call.next_question().empty());
  EXPECT_EQ(send(session.bare("DELETE")).status(), 204);
  EXPECT_EQ(call.finish().messages().size(), 1U);
}

TEST_F(AskingLegacy, AQuestionAndItsAnswersInABatch) {
  const LegacySession session(port(), "2025-03-26", kAll);
  const Request request = session.post(
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_model","arguments":{}}},)"
      R"({"jsonrpc":"2.0","id":2,"method":"ping"}])");
  AskedCall call(port(), session, request);
  call.answer(call.next_question(),
              R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"})");
  const Reply reply = call.finish();
  EXPECT_EQ(reply.text("0.result.content.0.text"), "m: Paris");
  EXPECT_EQ(reply.text("1.id"), "2");
}

TEST_F(AskingLegacy, APromptAsksAsToolsDo) {
  const LegacySession session(port(), "2025-11-25", kAll);
  const Request get = session.request("prompts/get", R"("name":"prompt_asks")");
  AskedCall call(port(), session, get, "prompts/get");
  call.answer(call.next_question(), R"({"action":"accept","content":{"name":"cats"}})");
  EXPECT_EQ(call.finish().text("result.messages.0.content.text"), "About cats");
  AskedCall declined(port(), session, get, "prompts/get");
  declined.answer(declined.next_question(), R"({"action":"decline"})");
  EXPECT_EQ(declined.finish().error(), -32602);
  const LegacySession plain(port(), "2025-11-25");
  const Reply refused = send(plain.request("prompts/get", R"("name":"prompt_asks")"));
  EXPECT_TRUE(refused.has("error.data.requiredCapabilities.elicitation.form"));
}

TEST_F(AskingLegacy, TheLevelOfLogMessagesHoldsForCallsThatRunAlready) {
  const LegacySession session(port(), "2025-11-25", kAll);
  AskedCall call(port(), session, session.call("ask_and_log"));
  const std::string question = call.next_question();
  EXPECT_EQ(send(session.request("logging/setLevel", R"("level":"error")")).status(), 200);
  call.answer(question, R"({"action":"accept"})");
  const Reply reply = call.finish();
  EXPECT_EQ(reply.messages().size(), 3U) << "the question, an error, the result";
  EXPECT_NE(reply.messages().at(1).find("\"level\":\"error\""), std::string::npos);
}

TEST(AskingLegacyTimes, WaitingHasATimeOfItsOwnAndDoesNotCountForTheCall) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\ntimeouts: { ask: 1s, heartbeat: 100ms }\n");
  const LegacySession session(server.port(), "2025-11-25", kAll);
  // The tool has 300 ms; the user takes longer, and what is left of its time is then still there.
  AskedCall slow(server.port(), session, session.call("ask_in_time"));
  const std::string question = slow.next_question();
  EXPECT_TRUE(slow.client().read_until(
      slow.response(), ": keep-alive\n\n: keep-alive\n\n: keep-alive\n\n: keep-alive\n\n"))
      << "the line shows that it lives meanwhile";
  slow.answer(question, R"({"action":"accept"})");
  EXPECT_EQ(slow.finish().content(), "in time");

  AskedCall late(server.port(), session, session.call("ask_in_time", R"({"ms":2000})"));
  late.answer(late.next_question(), R"({"action":"accept"})");
  EXPECT_NE(late.finish().content().find("timeout (300ms)"), std::string::npos)
      << "the rest of its time is bounded as ever";

  AskedCall silent(server.port(), session, session.call("ask_name"));
  const std::string unanswered = silent.next_question();
  const Reply reply = silent.finish();
  EXPECT_NE(reply.content().find("timeouts.ask"), std::string::npos) << reply.content();
  ASSERT_EQ(reply.messages().size(), 3U);
  EXPECT_NE(reply.messages()[1].find("notifications/cancelled"), std::string::npos);
  EXPECT_NE(reply.messages()[1].find("\"requestId\":" + AskedCall::id_of(unanswered)),
            std::string::npos);
  EXPECT_EQ(silent.answer(unanswered, R"({"action":"accept"})").status(), 202) << "too late";
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(AskingLegacyTimes, AClientThatIsGoneAndCannotComeBackIsNotWaitedFor) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\ntimeouts: { ask: 1h }\nlimits: { replay: 0 }\n");
  const LegacySession session(server.port(), "2025-11-25", kAll);
  const auto before = server.counts().descriptors;
  for (int i = 0; i < 3; ++i) {
    AskedCall call(server.port(), session, session.call("ask_name"));
    ASSERT_FALSE(call.next_question().empty());
    call.client().reset();
    // Its connection is there until the handler has returned.
    EXPECT_TRUE(eventually([&] { return server.counts().descriptors <= before; }));
  }
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(AskingLegacyTimes, AResourceAsksAsToolsDo) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\n", {.environment = {{"ASKING_RESOURCE", "1"}}});
  const LegacySession session(server.port(), "2025-11-25", kAll);
  const Request read = session.request("resources/read", R"("uri":"ask://name")");
  AskedCall call(server.port(), session, read, "resources/read");
  call.answer(call.next_question(), R"({"action":"accept","content":{"name":"Ann"}})");
  EXPECT_EQ(call.finish().text("result.contents.0.text"), "Hello Ann!");
  const LegacySession plain(server.port(), "2025-11-25");
  const Reply refused =
      exchange(server.port(), plain.request("resources/read", R"("uri":"ask://name")"));
  EXPECT_NE(refused.error_text().find("elicitation.form"), std::string::npos);
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(AskingLegacyTimes, WhoeverIsAskedHoldsUpNobody) {
  ServerProcess server(R"(
plugins: ["@PLUGIN@"]
limits: { calls_in_flight: 1 }
tools:
  alone: { description: Runs alone., confirm: "Go on?", command: [sleep, "0.1"], concurrency: 1 }
)");
  const LegacySession session(server.port(), "2025-11-25", kAll);
  AskedCall first(server.port(), session, session.call("alone", "{}", "1"));
  const std::string one = first.next_question();
  AskedCall second(server.port(), session, session.call("alone", "{}", "2"));
  const std::string two = second.next_question();
  ASSERT_FALSE(one.empty() || two.empty());
  EXPECT_EQ(exchange(server.port(), session.call("echo", R"({"text":"x"})")).content(), "x");
  second.answer(two, R"({"action":"accept"})");
  EXPECT_FALSE(second.finish().is_tool_error());
  // There is one place, and it is taken when the other comes back for it.
  RawClient slow(server.port());
  ASSERT_TRUE(slow.send(session.call("slow", R"({"ms":3600000,"text":"never"})", "3").text()));
  ASSERT_TRUE(
      eventually([&] { return exchange(server.port(), session.call("echo")).status() == 503; }));
  first.answer(one, R"({"action":"accept"})");
  const Reply reply = first.finish();
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_NE(reply.content().find("Nothing was done"), std::string::npos) << reply.content();
  EXPECT_EQ(exchange(server.port(), session.bare("DELETE")).status(), 204);
  EXPECT_EQ(server.stop(), 0) << server.log();
}

TEST(AskingLegacyTimes, TheEndOfTheServerEndsTheWaiting) {
  ServerProcess server("plugins: [\"@PLUGIN@\"]\ntimeouts: { ask: 1h, grace: 100ms }\n");
  const LegacySession session(server.port(), "2025-11-25", kAll);
  AskedCall call(server.port(), session, session.call("ask_name"));
  ASSERT_FALSE(call.next_question().empty());
  EXPECT_EQ(server.stop(), 0) << server.log();
  EXPECT_NE(call.finish().content().find("shutting down"), std::string::npos);
}

}  // namespace
}  // namespace sluice::testing
