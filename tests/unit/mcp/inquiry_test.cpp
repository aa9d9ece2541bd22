#include "mcp/inquiry.hpp"

#include <gtest/gtest.h>

#include <sluice/answer.hpp>

namespace sluice::mcp {
namespace {

constexpr std::uint64_t kSteps = 1'000'000;

std::string params_of(const Question& question) {
  const auto inquiry = make_inquiry(question);
  return inquiry ? inquiry->params : inquiry.error().message();
}

/// What is wrong with an answer; empty: nothing.
std::string problem_of(const Question& question, std::string_view answer) {
  const auto inquiry = make_inquiry(question);
  std::string problem;
  const auto read = read_answer(*inquiry, answer, kSteps, problem);
  EXPECT_EQ(read.has_value(), problem.empty());
  return problem;
}

constexpr const char* kName =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";

TEST(Inquiry, OfAFormHasMessageAndSchema) {
  const auto inquiry =
      make_inquiry(Form{.message = "Who \"are\" you?", .schema = kName, .key = "k"});
  ASSERT_TRUE(inquiry);
  EXPECT_EQ(inquiry->key, "k");
  EXPECT_EQ(inquiry->method, "elicitation/create");
  EXPECT_EQ(inquiry->capability, "elicitation.form");
  EXPECT_EQ(inquiry->params,
            std::string(R"({"message":"Who \"are\" you?","requestedSchema":)") + kName + "}");
  EXPECT_EQ(members_of(*inquiry), R"("method":"elicitation/create","params":)" + inquiry->params);
  EXPECT_EQ(params_of(Form{.message = "Go on?"}),
            R"({"message":"Go on?","requestedSchema":{"type":"object","properties":{}}})");
}

TEST(Inquiry, OfAPageHasItsAddress) {
  const auto inquiry = make_inquiry(Page{.message = "Log in", .url = "https://example.com/a?b=c"});
  ASSERT_TRUE(inquiry);
  EXPECT_EQ(inquiry->capability, "elicitation.url");
  EXPECT_EQ(inquiry->params,
            R"({"mode":"url","message":"Log in","url":"https://example.com/a?b=c"})");
}

TEST(Inquiry, OfAModelHasAMessageOrMany) {
  EXPECT_EQ(
      params_of(Sampling{.prompt = "Capital?", .max_tokens = 7, .system_prompt = "Be brief."}),
      R"({"messages":[{"role":"user","content":{"type":"text","text":"Capital?"}}],"systemPrompt":"Be brief.","maxTokens":7})");
  EXPECT_EQ(
      params_of(Sampling{.messages = "[\n {\"role\":\"user\"} ]",
                         .more = R"({ "temperature": 0.10, "stopSequences" : ["a"] })"}),
      R"({"messages":[  {"role":"user"} ],"maxTokens":1024,"temperature":0.10,"stopSequences":["a"]})");
  EXPECT_EQ(make_inquiry(Sampling{.prompt = "x"})->capability, "sampling");
  EXPECT_EQ(make_inquiry(Sampling{.prompt = "x", .more = R"({"tools":[]})"})->capability,
            "sampling.tools");
}

TEST(Inquiry, OfRootsHasNothing) {
  const auto inquiry = make_inquiry(Roots{});
  ASSERT_TRUE(inquiry);
  EXPECT_EQ(members_of(*inquiry), R"("method":"roots/list","params":{})");
  EXPECT_EQ(inquiry->capability, "roots");
}

TEST(Inquiry, IsOneLineWhateverTheHandlerWrote) {
  const auto params = params_of(Form{.message = "a\nb", .schema = "{\r\n\"type\":\n\"object\"\n}"});
  EXPECT_EQ(params.find_first_of("\r\n"), std::string::npos) << params;
}

TEST(Inquiry, IsRefusedWhereItIsNotValidItself) {
  const Question wrong[] = {Form{.message = "m", .schema = "no JSON"},
                            Form{.message = "m", .schema = "[]"},
                            Form{.message = "m", .schema = R"({"type":"objekt"})"},
                            Page{.message = "m", .url = ""},
                            Sampling{.messages = "{}"},
                            Sampling{.messages = "[1"},
                            Sampling{.prompt = "p", .more = "[]"}};
  for (const auto& question : wrong) {
    const auto inquiry = make_inquiry(question);
    ASSERT_FALSE(inquiry);
    EXPECT_EQ(inquiry.error(), Errc::misuse);
  }
}

TEST(Inquiry, TakesAnswersToAForm) {
  const Form form{.message = "m", .schema = kName};
  for (const char* good : {R"({"action":"accept","content":{"name":"A"}})",
                           R"({"action":"decline"})", R"({"action":"cancel","content":null})",
                           R"({"action":"accept","content":{"name":"A"},"_meta":{"x":1}})"})
    EXPECT_EQ(problem_of(form, good), "") << good;
  EXPECT_EQ(problem_of(Form{.message = "m"}, R"({"action":"accept"})"), "")
      << "nothing was asked for";
}

TEST(Inquiry, RefusesWhatIsNoAnswerToAForm) {
  const Form form{.message = "m", .schema = kName};
  for (const char* bad :
       {"12345", "null", "[]", "\"accept\"", "{}", R"({"action":1})", R"({"action":"accepted"})",
        R"({"action":"accept"})", R"({"action":"accept","content":null})",
        R"({"action":"accept","content":[]})", R"({"action":"accept","content":{}})",
        R"({"action":"accept","content":{"name":5}})", "{"})
    EXPECT_NE(problem_of(form, bad), "") << bad;
}

TEST(Inquiry, TakesWhatModelsAndRootsAre) {
  EXPECT_EQ(problem_of(Page{.message = "m", .url = "http://x"}, R"({"action":"accept"})"), "");
  const Sampling model{.prompt = "p"};
  EXPECT_EQ(
      problem_of(model, R"({"role":"assistant","content":{"type":"text","text":"t"},"model":"m"})"),
      "");
  EXPECT_EQ(problem_of(model, R"({"role":"assistant","content":[],"model":"m"})"), "");
  for (const char* bad : {"{}", R"({"role":"assistant","content":"t","model":"m"})",
                          R"({"role":"assistant","content":[]})", R"({"content":[],"model":"m"})"})
    EXPECT_NE(problem_of(model, bad), "") << bad;
  EXPECT_EQ(problem_of(Roots{}, R"({"roots":[{"uri":"file:///a"}]})"), "");
  EXPECT_EQ(problem_of(Roots{}, R"({"roots":[]})"), "");
  for (const char* bad :
       {"{}", R"({"roots":{}})", R"({"roots":[1]})", R"({"roots":[{"name":"a"}]})"})
    EXPECT_NE(problem_of(Roots{}, bad), "") << bad;
}

Answer answer(std::string_view json) { return Answer(*JsonText::parse(json)); }

TEST(Answer, SaysWhatTheUserDid) {
  const auto accepted =
      answer(R"({"action":"accept","content":{"name":"A","n":12345678901234567890}})");
  EXPECT_TRUE(accepted.is_accepted());
  EXPECT_EQ(accepted.field("name").as_string(), "A");
  EXPECT_EQ(accepted.field("n").raw(), "12345678901234567890");
  EXPECT_FALSE(accepted.field("other"));
  EXPECT_EQ(answer(R"({"action":"decline"})").action(), Action::decline);
  EXPECT_EQ(answer(R"({"action":"cancel"})").action(), Action::cancel);
  EXPECT_FALSE(answer(R"({"action":"decline"})").content());
  EXPECT_EQ(answer("{}").action(), Action::cancel) << "what says nothing is no consent";
}

TEST(Answer, HasTheTextOfAModel) {
  const auto one = answer(R"({"content":{"type":"text","text":"t"},"model":"m"})");
  EXPECT_EQ(one.text(), "t");
  EXPECT_EQ(one.model(), "m");
  EXPECT_EQ(answer(R"({"content":[{"type":"image"},{"type":"text","text":"u"}]})").text(), "u");
  for (const char* none :
       {"{}", R"({"content":[]})", R"({"content":{"text":5}})", R"({"content":1})"})
    EXPECT_EQ(answer(none).text(), "") << none;
}

TEST(Answer, IsSharedByItsCopies) {
  std::optional<Answer> first = answer(R"({"roots":[{"uri":"file:///a"}]})");
  const Answer copy = *first;
  first.reset();
  EXPECT_EQ(copy.roots().raw(), R"([{"uri":"file:///a"}])");
}

}  // namespace
}  // namespace sluice::mcp
