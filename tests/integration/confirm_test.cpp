// Tools of the configuration that ask before they run, of every type and in both eras.
#include <filesystem>
#include <mutex>
#include <string>

#include "support/asked_call.hpp"
#include "support/asking_client.hpp"
#include "support/canned_upstream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

constexpr const char* kYes = R"({"confirm":{"action":"accept"}})";
constexpr const char* kForms = R"({"elicitation":{}})";

class Confirm : public ::testing::Test {
 protected:
  Confirm()
      : upstream_("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nsent"),
        server_(R"(
sources: { up: { type: http, base_url: "http://127.0.0.1:)" +
                    std::to_string(upstream_.port()) + R"(" } }
defaults: { timeout: 2s }
tools:
  touch:
    description: Makes a file.
    parameters: { name: { type: string, pattern: "^[a-z]+$", required: true } }
    confirm: "Make {name}?"
    command: [touch, --, "{name}"]
    directory: "@DIR@"
  post:
    description: Sends something.
    confirm: Send it?
    source: up
    request: POST /send
  read:
    description: Reads something.
    parameters: { name: { type: string, default: note.txt } }
    confirm: "Show {name}?"
    file: { root: "@DIR@", path: "{name}" }
  tell:
    description: Tells something.
    confirm: Really?
    text: A secret.
    structured: { secret: true }
    output_schema: { type: object, required: [secret] }
  touch_anyway:
    description: Makes a file.
    confirm: Make it?
    confirm_fallback: allow
    command: [touch, anyway]
    directory: "@DIR@"
)",
                {.prepare = [](const TempFolder& folder) { folder.write("note.txt", "a note"); }}) {
  }
  void TearDown() override { EXPECT_EQ(server_.stop(), 0) << server_.log(); }

  Reply send(const Request& request) { return exchange(server_.port(), request); }
  bool is_there(const std::string& name) {
    return std::filesystem::exists(server_.folder().path() / name);
  }
  std::size_t requests() { return upstream_.requests().size(); }

  CannedUpstream upstream_;
  ServerProcess server_;
  AskingClient client_;
};

TEST_F(Confirm, AModernClientIsAskedAndTheToolRunsOnceItAgrees) {
  const Reply question = send(client_.call("touch", R"({"name":"a"})"));
  ASSERT_TRUE(asks(question)) << question.http.body;
  EXPECT_EQ(question.text("result.inputRequests.confirm.params.message"), "Make a?");
  EXPECT_EQ(question.text("result.inputRequests.confirm.params.requestedSchema"),
            R"({"type":"object","properties":{}})");
  EXPECT_FALSE(is_there("a"));
  EXPECT_EQ(send(client_.call("touch", R"({"name":"b"})", kYes, state_of(question))).error(),
            -32602)
      << "what was agreed to was something else";
  EXPECT_FALSE(is_there("b"));
  const Reply done = send(client_.call("touch", R"({"name":"a"})", kYes, state_of(question)));
  EXPECT_FALSE(done.is_tool_error()) << done.http.body;
  EXPECT_TRUE(is_there("a"));
}

TEST_F(Confirm, ALegacyClientIsAskedAndTheToolRunsOnceItAgrees) {
  const LegacySession session(server_.port(), "2025-06-18", kForms);
  AskedCall call(server_.port(), session, session.call("touch", R"({"name":"a"})"));
  const std::string question = call.next_question();
  EXPECT_NE(question.find(R"("message":"Make a?")"), std::string::npos) << question;
  EXPECT_FALSE(is_there("a"));
  call.answer(question, R"({"action":"accept","content":{}})");
  EXPECT_FALSE(call.finish().is_tool_error());
  EXPECT_TRUE(is_there("a"));
}

TEST_F(Confirm, NothingIsDoneWhereTheUserDoesNotAgree) {
  const LegacySession session(server_.port(), "2025-11-25", kForms);
  for (const std::string action : {"decline", "cancel"}) {
    const std::string answer = R"({"action":")" + action + "\"}";
    const Reply question = send(client_.call("touch", R"({"name":"a"})"));
    const Reply modern = send(client_.call("touch", R"({"name":"a"})",
                                           R"({"confirm":)" + answer + "}", state_of(question)));
    AskedCall call(server_.port(), session, session.call("touch", R"({"name":"a"})"));
    call.answer(call.next_question(), answer);
    const Reply legacy = call.finish();
    for (const Reply* reply : {&modern, &legacy}) {
      EXPECT_TRUE(reply->is_tool_error());
      EXPECT_TRUE(reply->content().ends_with("Nothing was done.")) << reply->content();
    }
  }
  EXPECT_FALSE(is_there("a"));
}

TEST_F(Confirm, AClientThatCannotBeAskedIsToldSo) {
  client_.capabilities = "{}";
  const Reply modern = send(client_.call("touch", R"({"name":"a"})"));
  EXPECT_EQ(modern.status(), 400);
  EXPECT_EQ(modern.error(), -32021);
  EXPECT_TRUE(modern.has("error.data.requiredCapabilities.elicitation.form"));
  const LegacySession session(server_.port(), "2025-11-25");
  const Reply legacy = send(session.call("touch", R"({"name":"a"})"));
  EXPECT_TRUE(legacy.is_tool_error());
  EXPECT_NE(legacy.content().find("elicitation.form"), std::string::npos) << legacy.content();
  const LegacySession able(server_.port(), "2025-11-25", kForms);
  Request json = able.call("touch", R"({"name":"a"})");
  json.set("Accept", "application/json");
  EXPECT_NE(send(json).content().find("takes no questions"), std::string::npos);
  EXPECT_FALSE(is_there("a"));
}

TEST_F(Confirm, AClientThatCannotBeAskedGetsTheResultWhereThatIsAllowed) {
  client_.capabilities = "{}";
  EXPECT_FALSE(send(client_.call("touch_anyway")).is_tool_error());
  EXPECT_TRUE(is_there("anyway"));
  std::filesystem::remove(server_.folder().path() / "anyway");
  const LegacySession session(server_.port(), "2025-11-25");
  EXPECT_FALSE(send(session.call("touch_anyway")).is_tool_error());
  EXPECT_TRUE(is_there("anyway"));
  client_.capabilities = kForms;
  EXPECT_TRUE(asks(send(client_.call("touch_anyway")))) << "the others are asked";
}

TEST_F(Confirm, ToolsOfEveryTypeAsk) {
  struct Case {
    const char* tool;
    const char* question;
    const char* content;
  };
  const LegacySession session(server_.port(), "2025-11-25", kForms);
  for (const Case& c : {Case{"post", "Send it?", "sent"}, Case{"read", "Show note.txt?", "a note"},
                        Case{"tell", "Really?", "A secret."}}) {
    const Reply question = send(client_.call(c.tool));
    EXPECT_EQ(question.text("result.inputRequests.confirm.params.message"), c.question);
    const auto before = requests();
    EXPECT_TRUE(
        send(client_.call(c.tool, "{}", R"({"confirm":{"action":"decline"}})", state_of(question)))
            .is_tool_error());
    EXPECT_EQ(requests(), before) << c.tool;
    EXPECT_EQ(send(client_.call(c.tool, "{}", kYes, state_of(question))).content(), c.content);
    AskedCall call(server_.port(), session, session.call(c.tool));
    call.answer(call.next_question(), R"({"action":"accept"})");
    const Reply reply = call.finish();
    EXPECT_EQ(reply.content(), c.content);
    EXPECT_EQ(reply.has("result.structuredContent"), c.tool == std::string("tell"));
  }
}

TEST_F(Confirm, ArgumentsAreCheckedBeforeAnybodyIsAsked) {
  const Reply reply = send(client_.call("touch", R"({"name":"../x"})"));
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_FALSE(asks(reply));
}

TEST(ConfirmLimits, SoManyWaitForAnAnswerAndNoMore) {
  ServerProcess server(
      "limits: { asking: 1 }\ntools: { t: { text: done, confirm: \"Go on?\" } }\n");
  ASSERT_NE(server.port(), 0) << server.log();
  const LegacySession session(server.port(), "2025-11-25", kForms);
  AskedCall first(server.port(), session, session.call("t", "{}", "1"));
  const std::string question = first.next_question();
  ASSERT_NE(question, "");
  const Reply refused = exchange(server.port(), session.call("t", "{}", "2"));
  EXPECT_TRUE(refused.is_tool_error());
  EXPECT_NE(refused.content().find("limits.asking"), std::string::npos) << refused.content();
  EXPECT_EQ(first.answer(question, R"({"action":"accept"})").status(), 202);
  EXPECT_EQ(first.finish().content(), "done");
  AskedCall second(server.port(), session, session.call("t", "{}", "3"));
  EXPECT_NE(second.next_question(), "") << "there is a place again";
  EXPECT_EQ(server.stop(), 0) << server.log();
}

}  // namespace
}  // namespace sluice::testing
