// Calls that become tasks: 2026-07-28 with its extension.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "support/held_stream.hpp"
#include "support/task_requests.hpp"
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNoSuchTask = "0123456789abcdef0123456789abcdef";

class Tasks : public WithServer<Tasks> {
 public:
  static std::string yaml() {
    return R"(
plugins: ["@PLUGIN@"]
tasks: { spool: "@DIR@/spool" }
defaults: { task: auto, task_after: 300ms }
limits: { result: 32MiB }
timeouts: { call: 1h }
tools:
  quick: { command: [echo, quick], task: always }
  strict: { command: [echo, strict], task: required }
  plain: { command: [sleep, "1"], task: off }
  begun: { command: [sh, -c, "head -c 400000 /dev/zero | tr '\\0' a; sleep 1; echo done"] }
  group: { command: [sh, -c, "sleep 3600 & sleep 3600"], task: always }
  json: { command: [sh, -c, "echo '{{\"n\": 12345678901234567890}}'; sleep 1"], result: json, structured: both }
  large: { command: [sh, -c, "head -c 400000 /dev/zero | tr '\\0' a"], task: always }
  short: { command: [sleep, "3600"], timeout: 1s, task: always }
  failing: { command: [sh, -c, "echo some; exit 3"], task: always }
)";
  }
};

TEST_F(Tasks, AreOfferedWhereTheRevisionHasThem) {
  const Reply modern_reply = send(modern("server/discover"));
  EXPECT_TRUE(modern_reply.has("result.capabilities.extensions.io.modelcontextprotocol/tasks") ||
              modern_reply.http.body.find(R"("extensions":{"io.modelcontextprotocol/tasks":{}})") !=
                  std::string::npos)
      << modern_reply.http.body;
  EXPECT_FALSE(modern_reply.has("result.capabilities.tasks"));
  EXPECT_FALSE(send(modern("tools/list")).has("result.tools.0.execution"));
}

TEST_F(Tasks, AQuickCallIsAnsweredAsEver) {
  const Reply reply = send(task_call("echo", R"({"text":"here"})"));
  EXPECT_EQ(reply.content(), "here");
  EXPECT_EQ(reply.text("result.resultType"), "complete");
  EXPECT_FALSE(reply.has("result.taskId"));
  const Reply plain = send(modern_call("echo", R"({"text":"here"})"));
  EXPECT_EQ(reply.http.body, plain.http.body) << "byte for byte";
}

TEST_F(Tasks, ALongCallBecomesOne) {
  const Reply created = send(task_call("slow", R"({"ms":1500,"first":"begun ","text":"done"})"));
  EXPECT_EQ(created.status(), 200);
  EXPECT_EQ(created.text("result.resultType"), "task");
  EXPECT_EQ(created.text("result.status"), "working");
  EXPECT_EQ(created.text("result.pollIntervalMs"), "1000");
  EXPECT_EQ(created.text("result.ttlMs"), "4500000") << "an hour for the tool, and 15 minutes";
  EXPECT_FALSE(created.has("result.result"));
  EXPECT_FALSE(created.has("result.content"));
  const std::string id = created.text("result.taskId");

  const Reply working = send(task_request("tasks/get", id));
  EXPECT_EQ(working.text("result.resultType"), "complete");
  EXPECT_EQ(working.text("result.taskId"), id);
  EXPECT_EQ(working.text("result.status"), "working");
  EXPECT_EQ(working.text("result.createdAt"), created.text("result.createdAt"));

  const Reply over = wait_for_task(port(), id);
  EXPECT_EQ(over.text("result.status"), "completed") << over.http.body;
  EXPECT_EQ(over.text("result.result.content.0.text"), "begun ");
  EXPECT_EQ(over.text("result.result.content.1.text"), "done");
  EXPECT_EQ(over.text("result.result.resultType"), "complete");
  EXPECT_FALSE(over.has("result.result.isError"));
  EXPECT_FALSE(over.has("result.statusMessage"));
  EXPECT_TRUE(over.http.field("Content-Length")) << "it is sent in one write";
}

TEST_F(Tasks, AreNotForClientsThatCannotHaveThem) {
  const Reply reply = send(modern_call("slow", R"({"ms":700,"text":"done"})"));
  EXPECT_EQ(reply.content(), "done");
  EXPECT_EQ(reply.text("result.resultType"), "complete");
  EXPECT_EQ(send(modern_call("quick")).content(), "quick\n");
}

TEST_F(Tasks, AreMadeAtOnceWhereTheToolSaysAlways) {
  const Reply created = send(task_call("quick"));
  EXPECT_EQ(created.text("result.resultType"), "task") << created.http.body;
  EXPECT_EQ(
      wait_for_task(port(), created.text("result.taskId")).text("result.result.content.0.text"),
      "quick\n");
}

TEST_F(Tasks, AreRequiredWhereTheToolSaysSo) {
  const Reply refused = send(modern_call("strict"));
  EXPECT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.error(), -32021);
  EXPECT_EQ(refused.text("error.data"),
            R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})");
  EXPECT_EQ(send(task_call("strict")).text("result.resultType"), "task");
}

TEST_F(Tasks, AreNotMadeOfToolsThatHaveThemOff) {
  EXPECT_EQ(send(task_call("plain")).text("result.resultType"), "complete");
}

TEST_F(Tasks, AResultThatHasBegunToLeaveStaysAnOrdinaryOne) {
  const Reply reply = send(task_call("begun"));
  EXPECT_EQ(reply.text("result.resultType"), "complete");
  EXPECT_EQ(reply.content(), std::string(400'000, 'a') + "done\n");
}

TEST_F(Tasks, KeepTheBytesOfTheSource) {
  const Reply created = send(task_call("json"));
  ASSERT_EQ(created.text("result.resultType"), "task") << created.http.body;
  const Reply over = wait_for_task(port(), created.text("result.taskId"));
  EXPECT_EQ(over.text("result.result.structuredContent"), R"({"n": 12345678901234567890})");
}

TEST_F(Tasks, CompleteWithTheErrorOfTheTool) {
  const Reply created = send(task_call("failing"));
  const Reply over = wait_for_task(port(), created.text("result.taskId"));
  EXPECT_EQ(over.text("result.status"), "completed");
  EXPECT_EQ(over.text("result.statusMessage"), "The tool reported an error.");
  EXPECT_EQ(over.text("result.result.isError"), "true");
  EXPECT_EQ(over.text("result.result.content.0.text"), "some\n");
}

TEST_F(Tasks, EndAtTheTimeoutOfTheirTool) {
  const Reply created = send(task_call("short"));
  const Reply over = wait_for_task(port(), created.text("result.taskId"));
  EXPECT_EQ(over.text("result.status"), "completed");
  EXPECT_EQ(over.text("result.result.content.0.text"),
            "the tool's timeout (1s) passed after 0 bytes of its result.");
}

TEST_F(Tasks, TellHowFarTheyAre) {
  const Reply created = send(task_call("progress", R"({"n":600})"));
  ASSERT_EQ(created.text("result.resultType"), "task") << created.http.body;
  const std::string id = created.text("result.taskId");
  EXPECT_TRUE(eventually(
      [&] { return send(task_request("tasks/get", id)).text("result.statusMessage") == "step"; }));
  EXPECT_EQ(wait_for_task(port(), id).text("result.status"), "completed");
}

TEST_F(Tasks, SpeakToTheRequestUntilTheyAreMade) {
  const Reply reply =
      send(declaring_tasks(modern_call("progress", R"({"n":3})", "1", R"(,"progressToken":"p")")));
  ASSERT_GT(reply.messages().size(), 1U) << reply.http.body;
  EXPECT_NE(reply.messages()[0].find("notifications/progress"), std::string::npos);
  EXPECT_EQ(reply.content(), "done");

  // Progress has left, but nothing of the result: it can still become a task.
  const Reply created = send(
      declaring_tasks(modern_call("progress", R"({"n":600})", "1", R"(,"progressToken":"p")")));
  ASSERT_GT(created.messages().size(), 1U);
  EXPECT_EQ(created.text("result.resultType"), "task");
  EXPECT_EQ(wait_for_task(port(), created.text("result.taskId")).text("result.status"),
            "completed");
}

TEST_F(Tasks, AreCancelledWithAllTheirProcesses) {
  const auto programs = [] { return children_of(server().child().pid()).size(); };
  ASSERT_TRUE(eventually([&] { return programs() == 0; })) << "those of earlier calls";
  const Reply created = send(task_call("group"));
  const std::string id = created.text("result.taskId");
  ASSERT_TRUE(eventually([&] { return programs() > 0; }));
  const pid_t group = children_of(server().child().pid()).back();
  const Reply acknowledged = send(task_request("tasks/cancel", id));
  EXPECT_EQ(acknowledged.status(), 200);
  EXPECT_EQ(acknowledged.text("result.resultType"), "complete");
  EXPECT_FALSE(acknowledged.has("result.taskId"));
  const Reply cancelled = send(task_request("tasks/get", id));
  EXPECT_EQ(cancelled.text("result.status"), "cancelled") << "at once";
  EXPECT_EQ(cancelled.text("result.statusMessage"), "The task was cancelled by request.");
  EXPECT_TRUE(eventually([&] { return ::kill(-group, 0) != 0; }));
  EXPECT_EQ(send(task_request("tasks/cancel", id)).text("result.resultType"), "complete")
      << "once more";
  EXPECT_EQ(send(task_request("tasks/get", id)).text("result.status"), "cancelled");
}

TEST_F(Tasks, FailWhereTheirHandlerThrows) {
  const Reply ordinary = send(task_call("throws", R"({"text":"some"})"));
  EXPECT_TRUE(ordinary.is_tool_error()) << "nothing is lost of an ordinary answer";
  EXPECT_EQ(ordinary.text("result.content.0.text"), "some");
  const Reply created = send(task_call("throws", R"({"ms":600,"text":"some"})"));
  const Reply over = wait_for_task(port(), created.text("result.taskId"));
  EXPECT_EQ(over.text("result.status"), "failed") << over.http.body;
  EXPECT_EQ(over.text("result.error"),
            R"({"code":-32603,"message":"The tool failed unexpectedly."})");
  EXPECT_EQ(over.text("result.statusMessage"), "The tool failed unexpectedly.");
  EXPECT_FALSE(over.has("result.result"));
}

TEST_F(Tasks, AreUnknownToOthers) {
  const Reply created = send(task_call("quick").set("Authorization", "Bearer one"));
  const std::string id = created.text("result.taskId");
  ASSERT_FALSE(id.empty());
  for (const auto method : {"tasks/get", "tasks/cancel"}) {
    const Reply none = send(task_request(method, id));
    EXPECT_EQ(none.error(), -32602) << method;
    EXPECT_EQ(none.error_text(), "There is no such task, or it has expired");
    const Reply other = send(task_request(method, id).set("Authorization", "Bearer two"));
    EXPECT_EQ(other.error(), -32602) << method;
    const Reply unknown = send(task_request(method, kNoSuchTask));
    EXPECT_EQ(unknown.error_text(), none.error_text()) << "nothing tells the two apart";
  }
  EXPECT_EQ(
      send(task_request("tasks/get", id).set("Authorization", "Bearer one")).text("result.taskId"),
      id);
}

TEST_F(Tasks, AreAskedForInTheRightWay) {
  const std::string id = send(task_call("quick")).text("result.taskId");
  for (const auto method : {"tasks/get", "tasks/cancel", "tasks/update"}) {
    const Reply undeclared =
        send(modern(method, "\"taskId\":" + json_string(id) + R"(,"inputResponses":{})")
                 .set("Mcp-Name", id));
    EXPECT_EQ(undeclared.error(), -32021) << method;
    EXPECT_EQ(send(task_request(method, id).set("Mcp-Name", "other")).error(), -32020) << method;
    EXPECT_EQ(send(task_request(method, id).drop("Mcp-Name")).error(), -32020) << method;
    EXPECT_EQ(send(declaring_tasks(modern(method)).set("Mcp-Name", "1")).error(), -32602) << method;
    EXPECT_EQ(send(declaring_tasks(modern(method, R"("taskId":1)")).set("Mcp-Name", "1")).error(),
              -32602)
        << method;
    EXPECT_EQ(send(task_request(method, "../../etc/passwd")).error(), -32602) << method;
  }
  EXPECT_EQ(send(task_request("tasks/update", id)).error(), -32602) << "without inputResponses";
  EXPECT_EQ(send(task_request("tasks/update", id, R"(,"inputResponses":{"unknown":{}})"))
                .text("result.resultType"),
            "complete");
  for (const auto method : {"tasks/result", "tasks/list"})
    EXPECT_EQ(send(task_request(method, id)).error(), -32601) << "of another revision";
}

TEST_F(Tasks, AnswerInTheFormThatTheClientTakes) {
  const std::string id = send(task_call("quick")).text("result.taskId");
  static_cast<void>(wait_for_task(port(), id));
  const Reply json = send(task_request("tasks/get", id).set("Accept", "application/json"));
  EXPECT_EQ(json.http.field("Content-Type"), "application/json");
  const Reply events = send(task_request("tasks/get", id).set("Accept", "text/event-stream"));
  EXPECT_TRUE(events.http.is_event_stream());
  EXPECT_EQ(json.messages().back(), events.messages().back());
  const Reply created = send(task_call("quick").set("Accept", "application/json"));
  EXPECT_EQ(created.text("result.resultType"), "task");
}

TEST_F(Tasks, AClientThatLeavesBeforeStopsTheCall) {
  const auto programs = [] { return children_of(server().child().pid()).size(); };
  ASSERT_TRUE(eventually([&] { return programs() == 0; })) << "those of earlier calls";
  RawClient client = connect();
  // task_after is far away for this one.
  ASSERT_TRUE(client.send(task_call("begun").text()));
  ASSERT_TRUE(eventually([&] { return programs() > 0; }));
  client.reset();
  EXPECT_TRUE(eventually([&] { return programs() == 0; }));
}

TEST_F(Tasks, OutliveTheConnectionThatMadeThem) {
  std::string id;
  {
    RawClient client = connect();
    ASSERT_TRUE(client.send(task_call("slow", R"({"ms":1500,"text":"done"})").text()));
    const Reply created(client.read());
    id = created.text("result.taskId");
  }
  EXPECT_EQ(wait_for_task(port(), id).text("result.result.content.0.text"), "done");
}

TEST_F(Tasks, CarryResultsOfAnySizeInBoundedMemory) {
  constexpr std::size_t kBytes = 20'000'000;
  const Reply warm = send(task_call("begun"));
  EXPECT_FALSE(warm.is_tool_error());
  reset_peak(server().child().pid());
  const auto before = server().counts().resident_kb;
  const Reply created =
      send(declaring_tasks(modern_call("big_later", "{\"bytes\":" + std::to_string(kBytes) + "}")));
  ASSERT_EQ(created.text("result.resultType"), "task") << created.http.body;
  const std::string id = created.text("result.taskId");
  EXPECT_TRUE(
      eventually([&] { return fs::exists(server().folder().path() / "spool" / (id + ".task")); }));
  const Reply over = send(task_request("tasks/get", id));
  EXPECT_EQ(over.text("result.status"), "completed");
  EXPECT_EQ(over.text("result.result.content.0.text").size(), kBytes);
  if (!is_sanitized()) EXPECT_LT(server().counts().peak_kb, before + 3000);
}

constexpr std::string_view kForms = R"("elicitation":{},)";
constexpr std::string_view kAnn =
    R"(,"inputResponses":{"name":{"action":"accept","content":{"name":"Ann"}}})";

TEST_F(Tasks, AskTheirCallers) {
  const Reply created =
      send(declaring_tasks(modern_call("ask_name", R"({"ms":600,"after":100})"), kForms));
  const std::string id = created.text("result.taskId");
  ASSERT_FALSE(id.empty()) << created.http.body;
  const Request get = task_request("tasks/get", id);
  ASSERT_TRUE(eventually([&] { return send(get).text("result.status") == "input_required"; }));
  const Reply asks = send(get);
  EXPECT_EQ(asks.text("result.resultType"), "complete");
  EXPECT_EQ(asks.text("result.inputRequests.name.method"), "elicitation/create");
  EXPECT_EQ(asks.text("result.inputRequests.name.params.message"), "Who are you?");
  EXPECT_FALSE(asks.has("result.requestState"));
  const Reply other =
      send(task_request("tasks/update", id, R"(,"inputResponses":{"x":{"action":"accept"}})"));
  EXPECT_EQ(other.text("result.resultType"), "complete");
  EXPECT_EQ(send(get).text("result.status"), "input_required") << "that was not asked for";
  const Reply taken = send(task_request("tasks/update", id, kAnn));
  EXPECT_EQ(taken.text("result.resultType"), "complete");
  EXPECT_FALSE(taken.has("result.status"));
  EXPECT_FALSE(send(get).has("result.inputRequests"));
  EXPECT_EQ(send(task_request("tasks/update", id, kAnn)).text("result.resultType"), "complete");
  const Reply over = wait_for_task(port(), id);
  EXPECT_EQ(over.text("result.status"), "completed");
  EXPECT_EQ(over.text("result.result.content.0.text"), "Hello Ann!");
}

TEST_F(Tasks, TakeAnswersOneByOne) {
  const Reply created =
      send(declaring_tasks(modern_call("ask_many", R"({"n":2,"ms":600})"), kForms));
  const std::string id = created.text("result.taskId");
  ASSERT_FALSE(id.empty()) << created.http.body;
  const Request get = task_request("tasks/get", id);
  ASSERT_TRUE(eventually([&] { return send(get).text("result.status") == "input_required"; }));
  EXPECT_TRUE(send(get).has("result.inputRequests.q1"));
  EXPECT_TRUE(send(get).has("result.inputRequests.q2"));
  const auto answer = [&](std::string_view responses) {
    const Reply taken =
        send(task_request("tasks/update", id, ",\"inputResponses\":" + std::string(responses)));
    EXPECT_EQ(taken.text("result.resultType"), "complete");
  };
  answer(R"({"q1":{"action":"accept"}})");
  EXPECT_EQ(send(get).text("result.status"), "input_required");
  EXPECT_FALSE(send(get).has("result.inputRequests.q1"));
  EXPECT_TRUE(send(get).has("result.inputRequests.q2"));
  answer(R"({"q2":{"action":"decline"}})");
  EXPECT_EQ(wait_for_task(port(), id).text("result.result.content.0.text"), "2 answers");
}

TEST_F(Tasks, EndWhenTheyAreCancelledWhileTheyAsk) {
  const Reply created = send(declaring_tasks(modern_call("ask_name", R"({"ms":600})"), kForms));
  const std::string id = created.text("result.taskId");
  const Request get = task_request("tasks/get", id);
  ASSERT_TRUE(eventually([&] { return send(get).text("result.status") == "input_required"; }));
  EXPECT_EQ(send(task_request("tasks/cancel", id)).text("result.resultType"), "complete");
  EXPECT_EQ(send(get).text("result.status"), "cancelled");
  EXPECT_FALSE(send(get).has("result.inputRequests"));
  EXPECT_EQ(send(task_request("tasks/update", id, kAnn)).text("result.resultType"), "complete");
}

TEST_F(Tasks, WhatIsAskedBeforeACallIsOneIsItsResultFirst) {
  const Reply question =
      send(declaring_tasks(modern_call("ask_name", R"({"after":1500})"), kForms));
  EXPECT_EQ(question.text("result.resultType"), "input_required") << question.http.body;
  EXPECT_FALSE(question.has("result.taskId"));
  Request again = declaring_tasks(modern_call("ask_name", R"({"after":1500})"), kForms);
  const std::string more = std::string(kAnn.substr(1)) + R"(,"requestState":")" +
                           question.text("result.requestState") + "\",";
  again.body.insert(again.body.find(R"("arguments":)"), more);
  const Reply created = send(again);
  EXPECT_EQ(created.text("result.resultType"), "task") << created.http.body;
  EXPECT_FALSE(created.has("result.requestState"));
  EXPECT_EQ(
      wait_for_task(port(), created.text("result.taskId")).text("result.result.content.0.text"),
      "Hello Ann!");
}

TEST_F(Tasks, ACallWhoseCallerCannotBeAskedIsRefused) {
  const Reply refused = send(task_call("ask_name"));
  EXPECT_EQ(refused.status(), 400);
  EXPECT_EQ(refused.error(), -32021);
  EXPECT_EQ(refused.id(), "1");
}

Request listen_to(std::string_view id) {
  Request request =
      modern("subscriptions/listen", R"("notifications":{"taskIds":[")" + std::string(kNoSuchTask) +
                                         "\",\"" + std::string(id) + "\"]}");
  return declaring_tasks(std::move(request));
}

TEST_F(Tasks, TellWhoListensHowTheyAre) {
  const std::string id =
      send(task_call("slow", R"({"ms":1500,"text":"done"})")).text("result.taskId");
  HeldStream stream(port(), listen_to(id));
  EXPECT_NE(stream.next_data().find(R"("notifications":{"taskIds":[")" + id + "\"]}"),
            std::string::npos)
      << "not the one that is not there";
  const std::string told = stream.next_data();
  EXPECT_NE(told.find(R"("method":"notifications/tasks")"), std::string::npos);
  EXPECT_NE(told.find(R"(subscriptionId":1)"), std::string::npos) << told;
  EXPECT_NE(told.find("\"taskId\":\"" + id + R"(","status":"completed")"), std::string::npos);
  EXPECT_NE(told.find(R"("result":{"resultType":"complete","content":[)"), std::string::npos);
  EXPECT_NE(told.find("done"), std::string::npos);
}

TEST_F(Tasks, TellWhoListensLateHowTheyHaveEnded) {
  const std::string id = send(task_call("large")).text("result.taskId");
  ASSERT_EQ(wait_for_task(port(), id).text("result.status"), "completed");
  HeldStream stream(port(), listen_to(id));
  EXPECT_NE(stream.next_data().find(id), std::string::npos);
  const std::string told = stream.next_data();
  EXPECT_NE(told.find(std::string(400'000, 'a')), std::string::npos) << told.size();
  EXPECT_TRUE(told.ends_with("]}}}") || told.ends_with("}}}")) << told.substr(told.size() - 40);
}

TEST_F(Tasks, TellWhatTheyAskToo) {
  const std::string id = send(declaring_tasks(modern_call("ask_name", R"({"ms":1000})"), kForms))
                             .text("result.taskId");
  HeldStream stream(port(), listen_to(id));
  EXPECT_NE(stream.next_data().find(id), std::string::npos);
  EXPECT_NE(stream.next_data().find(R"("inputRequests":{"name":{"method":"elicitation/create")"),
            std::string::npos);
  EXPECT_EQ(send(task_request("tasks/update", id, kAnn)).text("result.resultType"), "complete");
  std::string told;
  do told = stream.next_data();
  while (told.find("\"status\":\"working\"") != std::string::npos);
  EXPECT_NE(told.find("Hello Ann!"), std::string::npos) << told;
}

TEST_F(Tasks, TellNothingToClientsThatCannotHaveThem) {
  const Reply refused =
      send(modern("subscriptions/listen", R"("notifications":{"taskIds":["x"]})"));
  EXPECT_EQ(refused.error(), -32021);
  EXPECT_EQ(refused.text("error.data"),
            R"({"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}})");
}

}  // namespace
}  // namespace sluice::testing
