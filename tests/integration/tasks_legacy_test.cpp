// Calls that become tasks: 2025-11-25, where the request asks for it.
#include <gtest/gtest.h>

#include <set>

#include "support/asked_call.hpp"
#include "support/deadline.hpp"
#include "support/held_stream.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class LegacyTasks : public WithServer<LegacyTasks> {
 public:
  static std::string yaml() {
    return R"(
plugins: ["@PLUGIN@"]
server: { listen: "127.0.0.1:0", list_page: 3 }
tasks: { spool: "@DIR@/spool" }
defaults: { task: auto, task_after: 300ms }
tools:
  strict: { command: [echo, strict], task: required }
  plain: { command: [echo, plain], task: off }
  failing: { command: [sh, -c, "echo some; exit 3"] }
)";
  }
  static Request call(const LegacySession& session, std::string_view tool,
                      std::string_view arguments = "{}", std::string_view task = "{}") {
    return session.request("tools/call", "\"name\":" + json_string(tool) +
                                             ",\"arguments\":" + std::string(arguments) +
                                             ",\"task\":" + std::string(task));
  }
  static Request about(const LegacySession& session, std::string_view method, std::string_view id) {
    return session.request(method, "\"taskId\":" + json_string(id));
  }
  static Reply wait_for(const LegacySession& session, std::string_view id) {
    EXPECT_TRUE(eventually(
        [&] { return send(about(session, "tasks/get", id)).text("result.status") != "working"; }));
    return send(about(session, "tasks/get", id));
  }
  static std::string make(const LegacySession& session, std::string_view tool,
                          std::string_view arguments = "{}") {
    const Reply created = send(call(session, tool, arguments));
    EXPECT_EQ(created.text("result.task.status"), "working") << created.http.body;
    return created.text("result.task.taskId");
  }
};

TEST_F(LegacyTasks, AreOfferedWithTheToolsThatHaveThem) {
  const LegacySession session(port(), "2025-11-25");
  EXPECT_EQ(session.initialized().text("result.capabilities.tasks"),
            R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})");
  const Reply list = send(session.request("tools/list"));
  EXPECT_EQ(list.text("result.tools.0.execution"), R"({"taskSupport":"required"})");
  EXPECT_FALSE(list.has("result.tools.1.execution"));
  EXPECT_EQ(list.text("result.tools.2.execution"), R"({"taskSupport":"optional"})");
  const LegacySession older(port(), "2025-06-18");
  EXPECT_FALSE(older.initialized().has("result.capabilities.tasks"));
  EXPECT_FALSE(send(older.request("tools/list")).has("result.tools.0.execution"));
}

TEST_F(LegacyTasks, AreMadeWhereTheRequestAsksForOne) {
  const LegacySession session(port(), "2025-11-25");
  const Reply created = send(call(session, "echo", R"({"text":"x"})"));
  const std::string id = created.text("result.task.taskId");
  EXPECT_FALSE(created.has("result.resultType"));
  EXPECT_TRUE(created.has("result.task.ttl"));
  EXPECT_EQ(created.text("result.task.pollInterval"), "1000");
  const Reply over = wait_for(session, id);
  EXPECT_EQ(over.text("result.status"), "completed");
  EXPECT_FALSE(over.has("result.result"));
  const Reply result = send(about(session, "tasks/result", id));
  EXPECT_EQ(result.content(), "x");
  EXPECT_EQ(result.text("result._meta"),
            R"({"io.modelcontextprotocol/related-task":{"taskId":")" + id + "\"}}");
}

TEST_F(LegacyTasks, AreNotMadeOtherwise) {
  const LegacySession session(port(), "2025-11-25");
  const Reply reply = send(session.call("slow", R"({"ms":600,"text":"done"})"));
  EXPECT_EQ(reply.content(), "done");
}

TEST_F(LegacyTasks, GiveTheirResultToWhoWaitsForIt) {
  const LegacySession session(port(), "2025-11-25");
  const std::string id = make(session, "slow", R"({"ms":1000,"text":"done"})");
  const Reply result = send(about(session, "tasks/result", id));
  EXPECT_EQ(result.content(), "done");
  EXPECT_EQ(send(about(session, "tasks/result", id)).content(), "done") << "as often as asked";
}

TEST_F(LegacyTasks, WaitingForAResultCanBeCancelled) {
  const LegacySession session(port(), "2025-11-25");
  const std::string id = make(session, "slow", R"({"ms":3600000})");
  RawClient waiting = connect();
  ASSERT_TRUE(
      waiting.send(session.request("tasks/result", "\"taskId\":" + json_string(id), "77").text()));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(send(session.notification("notifications/cancelled", R"("requestId":77)")).status(),
            202);
  const Reply none(waiting.read());
  EXPECT_TRUE(none.messages().empty()) << none.http.body;
  EXPECT_EQ(send(about(session, "tasks/get", id)).text("result.status"), "working")
      << "the task goes on";
  EXPECT_EQ(send(about(session, "tasks/cancel", id)).text("result.status"), "cancelled");
}

TEST_F(LegacyTasks, AreCancelledBeforeTheAnswer) {
  const LegacySession session(port(), "2025-11-25");
  const std::string id = make(session, "slow", R"({"ms":3600000})");
  const Reply cancelled = send(about(session, "tasks/cancel", id));
  EXPECT_EQ(cancelled.text("result.taskId"), id);
  EXPECT_EQ(cancelled.text("result.status"), "cancelled");
  const Reply again = send(about(session, "tasks/cancel", id));
  EXPECT_EQ(again.error(), -32602);
  EXPECT_EQ(again.error_text(), "The task is over already: cancelled");
  EXPECT_EQ(send(about(session, "tasks/result", id)).error_text(), "The task was cancelled");
}

TEST_F(LegacyTasks, FailWhereTheToolDoes) {
  const LegacySession session(port(), "2025-11-25");
  const std::string id = make(session, "failing");
  EXPECT_EQ(wait_for(session, id).text("result.status"), "failed");
  const Reply result = send(about(session, "tasks/result", id));
  EXPECT_TRUE(result.is_tool_error());
  EXPECT_EQ(result.text("result.content.0.text"), "some\n");
  const std::string thrown = make(session, "throws");
  EXPECT_EQ(wait_for(session, thrown).text("result.status"), "failed");
  EXPECT_EQ(send(about(session, "tasks/result", thrown)).error(), -32603);
}

TEST_F(LegacyTasks, AreRefusedWhereTheToolDoesNotGoWithThem) {
  const LegacySession session(port(), "2025-11-25");
  EXPECT_EQ(send(call(session, "plain")).error(), -32601);
  EXPECT_EQ(send(session.call("strict")).error(), -32601);
  EXPECT_EQ(send(call(session, "strict")).text("result.task.status"), "working");
  const LegacySession older(port(), "2025-06-18");
  EXPECT_EQ(send(older.call("strict")).error(), -32600);
  EXPECT_EQ(send(call(older, "plain")).content(), "plain\n") << "`task` means nothing there";
}

TEST_F(LegacyTasks, MayBeKeptForAShorterTime) {
  const LegacySession session(port(), "2025-11-25");
  const Reply created = send(call(session, "echo", "{}", R"({"ttl":600})"));
  EXPECT_EQ(created.text("result.task.ttl"), "600");
  const std::string id = created.text("result.task.taskId");
  EXPECT_TRUE(eventually([&] { return send(about(session, "tasks/get", id)).error() == -32602; }));
}

TEST_F(LegacyTasks, BelongToTheirSession) {
  const LegacySession session(port(), "2025-11-25");
  const LegacySession other(port(), "2025-11-25");
  const std::string id = make(session, "echo");
  for (const auto method : {"tasks/get", "tasks/result", "tasks/cancel"})
    EXPECT_EQ(send(about(other, method, id)).error(), -32602) << method;
  EXPECT_EQ(send(other.request("tasks/list")).text("result.tasks"), "[]");
}

TEST_F(LegacyTasks, TellTheStreamsOfTheirSessionWhatBecomesOfThem) {
  const LegacySession session(port(), "2025-11-25");
  const LegacySession other(port(), "2025-11-25");
  HeldStream stream(port(), session.bare("GET"));
  ASSERT_EQ(stream.status(), 200);
  static_cast<void>(make(other, "echo", R"({"text":"of another session"})"));
  const std::string id = make(session, "echo", R"({"text":"x"})");
  std::string told;
  while (told.find("\"completed\"") == std::string::npos) {
    const auto event = stream.next();
    ASSERT_TRUE(event);
    if (event->data.empty()) continue;  // primes the client
    told = event->data;
    EXPECT_TRUE(told.starts_with(
        R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":")" + id))
        << told;
  }
}

TEST_F(LegacyTasks, AreListedInPages) {
  const LegacySession session(port(), "2025-11-25");
  std::set<std::string> made;
  for (int i = 0; i < 7; ++i) made.insert(make(session, "echo"));
  std::set<std::string> listed;
  std::string params;
  int pages = 0;
  for (;;) {
    const Reply page = send(session.request("tasks/list", params));
    ++pages;
    for (const Json task : page.at("result.tasks"))
      listed.insert(std::string(*task.find("taskId").as_string()));
    if (!page.has("result.nextCursor")) break;
    params = "\"cursor\":" + json_string(page.text("result.nextCursor"));
    ASSERT_LT(pages, 10);
  }
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(listed, made);
  EXPECT_EQ(send(session.request("tasks/list", R"("cursor":"x")")).error(), -32602);
}

TEST_F(LegacyTasks, AskWhoWaitsForTheirResult) {
  const LegacySession session(port(), "2025-11-25", R"({"elicitation":{"form":{}}})");
  const std::string id = make(session, "ask_name");
  ASSERT_TRUE(eventually([&] {
    return send(about(session, "tasks/get", id)).text("result.status") == "input_required";
  }));
  AskedCall lost(port(), session, about(session, "tasks/result", id), "tasks/result");
  const std::string first = lost.next_question();
  EXPECT_NE(first.find(R"("method":"elicitation/create")"), std::string::npos);
  EXPECT_NE(first.find(R"("io.modelcontextprotocol/related-task":{"taskId":")" + id),
            std::string::npos);
  lost.client().reset();
  AskedCall call(port(), session, about(session, "tasks/result", id), "tasks/result");
  EXPECT_EQ(call.next_question(), first) << "until it is answered";
  EXPECT_EQ(call.answer(first, R"({"action":"accept","content":{"name":"Ann"}})").status(), 202);
  EXPECT_EQ(call.finish().content(), "Hello Ann!");
}

TEST_F(LegacyTasks, AskAsSoonAsTheyWantToWhoWaitsAlready) {
  const LegacySession session(port(), "2025-11-25", R"({"elicitation":{"form":{}}})");
  const std::string id = make(session, "ask_name", R"({"ms":500,"after":200})");
  AskedCall call(port(), session, about(session, "tasks/result", id), "tasks/result");
  call.answer(call.next_question(), R"({"action":"accept","content":{"name":"Ann"}})");
  EXPECT_EQ(call.finish().content(), "Hello Ann!");
  EXPECT_EQ(wait_for(session, id).text("result.status"), "completed");
}

}  // namespace
}  // namespace sluice::testing
