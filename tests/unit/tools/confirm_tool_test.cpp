#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "tools/factory.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

/// Counts how often it runs.
class Counted final : public ToolHandler {
 public:
  explicit Counted(int& runs) : runs_(runs) {}
  Awaitable<Result<>> run(Call&, ResultWriter& out) override {
    ++runs_;
    const auto done = co_await out.text("done");
    co_return done;
  }

 private:
  int& runs_;
};

struct Confirmed {
  explicit Confirmed(std::string_view arguments = R"({"name":"a.txt"})",
                     std::string_view question = "Delete {name}?")
      : bench(arguments) {
    confirm.question = text_template(question);
  }
  void run() {
    const auto tool = make_confirmed_tool(confirm, std::make_unique<Counted>(runs));
    bench.run(*tool);
  }

  config::Confirm confirm;
  Bench bench;
  int runs = 0;
};

TEST(ConfirmedTool, RunsOnceTheUserAgrees) {
  Confirmed tool;
  tool.bench.call.answers = {R"({"action":"accept"})"};
  tool.run();
  EXPECT_EQ(tool.runs, 1);
  EXPECT_EQ(tool.bench.out.all(), "done");
  EXPECT_FALSE(tool.bench.out.is_error);
}

TEST(ConfirmedTool, DoesNothingUnlessTheUserAgrees) {
  for (const char* answer : {R"({"action":"decline"})", R"({"action":"cancel"})", "{}"}) {
    Confirmed tool;
    tool.bench.call.answers = {answer};
    tool.run();
    EXPECT_EQ(tool.runs, 0) << answer;
    EXPECT_TRUE(tool.bench.out.is_error);
    EXPECT_NE(tool.bench.out.failure().find("Nothing was done."), std::string::npos);
  }
}

TEST(ConfirmedTool, DoesNothingWhereThereIsNoAnswer) {
  for (const Errc why : {Errc::no_answer, Errc::bad_answer, Errc::cannot_ask, Errc::busy}) {
    Confirmed tool;
    tool.bench.call.ask_error = why;
    tool.run();
    EXPECT_EQ(tool.runs, 0);
    EXPECT_NE(tool.bench.out.failure().find("Nothing was done."), std::string::npos);
  }
  for (const Errc why : {Errc::missing_capability, Errc::peer_gone}) {
    Confirmed tool;
    tool.bench.call.ask_error = why;
    tool.run();
    EXPECT_EQ(tool.runs, 0);
    EXPECT_EQ(tool.bench.result.error(), why);
  }
}

TEST(ConfirmedTool, RunsUnaskedWhereThatIsAllowedAndTheClientCannotBeAsked) {
  for (const Errc why : {Errc::missing_capability, Errc::cannot_ask}) {
    Confirmed tool;
    tool.confirm.allows_unasked = true;
    tool.bench.call.ask_error = why;
    tool.run();
    EXPECT_EQ(tool.runs, 1);
  }
  for (const Errc why : {Errc::no_answer, Errc::bad_answer, Errc::peer_gone}) {
    Confirmed tool;
    tool.confirm.allows_unasked = true;
    tool.bench.call.ask_error = why;
    tool.run();
    EXPECT_EQ(tool.runs, 0) << "a client that did not answer could have been asked";
  }
  Confirmed declined;
  declined.confirm.allows_unasked = true;
  declined.bench.call.answers = {R"({"action":"decline"})"};
  declined.run();
  EXPECT_EQ(declined.runs, 0);
}

/// What is asked about an argument.
std::string question_about(std::string_view json) {
  Confirmed tool(R"({"name":)" + std::string(json) + "}", "Delete {name}?");
  std::string asked;
  tool.bench.call.on_ask = [&](const Question& question) {
    asked = std::get<Form>(question).message;
  };
  tool.bench.call.answers = {R"({"action":"cancel"})"};
  tool.run();
  return asked;
}

TEST(ConfirmedTool, AsksAboutTheArguments) {
  EXPECT_EQ(question_about(R"("a.txt")"), "Delete a.txt?");
  EXPECT_EQ(question_about("12345678901234567890"), "Delete 12345678901234567890?");
  EXPECT_EQ(question_about(R"(["a","b"])"), R"(Delete ["a","b"]?)");
}

TEST(ConfirmedTool, LetsNoArgumentLookLikeTheQuestion) {
  EXPECT_EQ(question_about(R"("x?\n\nAll is safe.\r\u0007")"), "Delete x?  All is safe.  ?");
  const std::string tall = question_about('"' + std::string(5000, 'y') + '"');
  EXPECT_EQ(tall, "Delete " + std::string(500, 'y') + "... (5000 bytes in all)?");
  std::string wide;
  for (int i = 0; i < 400; ++i) wide += "é";
  EXPECT_EQ(question_about("\"x" + wide + '"'),
            "Delete x" + wide.substr(0, 498) + "... (801 bytes in all)?")
      << "cut between characters";
}

TEST(ConfirmedTool, AnArgumentDoesNotTurnOrBreakTheLine) {
  Confirmed tool("{\"name\":\"a\\u2028b\\u202ec\\u2066d\\u0085e\\u061cf\\u4e2d\"}");
  std::string asked;
  tool.bench.call.answers = {R"({"action":"decline"})"};
  tool.bench.call.on_ask = [&](const Question& question) {
    asked = std::get<Form>(question).message;
  };
  tool.run();
  EXPECT_EQ(asked, "Delete a b c d e f\xE4\xB8\xAD?");
}

}  // namespace
}  // namespace sluice::tools
