#include "fixture_asking.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using sluice::Action;
using sluice::Answer;
using sluice::Awaitable;
using sluice::Call;
using sluice::Form;
using sluice::Question;
using sluice::Result;
using sluice::ResultWriter;
using sluice::Roots;
using sluice::Sampling;

constexpr const char* kName =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";
constexpr const char* kColor =
    R"({"type":"object","properties":{"color":{"type":"string"}},"required":["color"]})";
constexpr const char* kOk =
    R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]})";

std::string argument(const Call& call, std::string_view name) {
  const auto value = call.argument(name);
  return value ? std::string(value.as_string().value_or("")) : std::string();
}

std::string describe(const Answer& answer) {
  std::string text = "action=";
  switch (answer.action()) {
    case Action::accept:
      text += "accept";
      break;
    case Action::decline:
      text += "decline";
      break;
    case Action::cancel:
      text += "cancel";
      break;
  }
  if (answer.content()) text += ", content=" + std::string(answer.content().raw());
  return text;
}

Awaitable<Result<>> ask_form(Call& call, ResultWriter& out, Form form, std::string_view title) {
  const auto answer = co_await call.elicit(form);
  if (!answer) co_return answer.error();
  const std::string text = std::string(title) + describe(*answer);
  const auto done = co_await out.text(text);
  co_return done;
}

Awaitable<Result<>> elicitation(Call& call, ResultWriter& out) {
  const std::string message = argument(call, "message");
  const Form form{.message = message, .schema = R"({
    "type": "object",
    "properties": {
      "username": { "type": "string", "description": "User's response" },
      "email": { "type": "string", "description": "User's email address" }
    },
    "required": ["username", "email"]
  })"};
  const auto done = co_await ask_form(call, out, form, "User response: ");
  co_return done;
}

Awaitable<Result<>> defaults(Call& call, ResultWriter& out) {
  const Form form{.message = "Please review these values.", .schema = R"({
    "type": "object",
    "properties": {
      "name": { "type": "string", "default": "John Doe" },
      "age": { "type": "integer", "default": 30 },
      "score": { "type": "number", "default": 95.5 },
      "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
      "verified": { "type": "boolean", "default": true }
    },
    "required": []
  })"};
  const auto done = co_await ask_form(call, out, form, "Elicitation completed: ");
  co_return done;
}

Awaitable<Result<>> enums(Call& call, ResultWriter& out) {
  const Form form{.message = "Please choose.", .schema = R"({
    "type": "object",
    "properties": {
      "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
      "titledSingle": { "type": "string", "oneOf": [
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" }] },
      "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"],
                      "enumNames": ["Option One", "Option Two", "Option Three"] },
      "untitledMulti": { "type": "array",
                         "items": { "type": "string", "enum": ["option1", "option2", "option3"] } },
      "titledMulti": { "type": "array", "items": { "anyOf": [
        { "const": "value1", "title": "First Choice" },
        { "const": "value2", "title": "Second Choice" },
        { "const": "value3", "title": "Third Choice" }] } }
    },
    "required": []
  })"};
  const auto done = co_await ask_form(call, out, form, "Elicitation completed: ");
  co_return done;
}

Awaitable<Result<>> sampling(Call& call, ResultWriter& out) {
  const std::string prompt = argument(call, "prompt");
  const auto answer = co_await call.sample({.prompt = prompt, .max_tokens = 100});
  if (!answer) co_return answer.error();
  const std::string text = "LLM response: " + std::string(answer->text());
  const auto done = co_await out.text(text);
  co_return done;
}

Awaitable<Result<>> name(Call& call, ResultWriter& out) {
  const auto answer =
      co_await call.elicit({.message = "What is your name?", .schema = kName, .key = "user_name"});
  if (!answer) co_return answer.error();
  const auto field = answer->field("name");
  const std::string text =
      field ? "Hello, " + std::string(*field.as_string()) + "!" : std::string("Hello, stranger!");
  const auto done = co_await out.text(text);
  co_return done;
}

Awaitable<Result<>> capital(Call& call, ResultWriter& out) {
  const auto answer = co_await call.sample(
      {.prompt = "What is the capital of France?", .max_tokens = 100, .key = "capital_question"});
  if (!answer) co_return answer.error();
  const auto done = co_await out.text(answer->text());
  co_return done;
}

Awaitable<Result<>> roots(Call& call, ResultWriter& out) {
  const auto answer = co_await call.list_roots({.key = "client_roots"});
  if (!answer) co_return answer.error();
  const auto done = co_await out.text(answer->roots().raw());
  co_return done;
}

/// The state is checked before the handler runs.
Awaitable<Result<>> state(Call& call, ResultWriter& out) {
  const auto answer =
      co_await call.elicit({.message = "Please confirm", .schema = kOk, .key = "confirm"});
  if (!answer) co_return answer.error();
  const auto done = co_await out.text("state-ok");
  co_return done;
}

Awaitable<Result<>> several(Call& call, ResultWriter& out) {
  const Question questions[] = {
      Form{.message = "What is your name?", .schema = kName, .key = "user_name"},
      Sampling{.prompt = "Generate a greeting", .max_tokens = 50, .key = "greeting"},
      Roots{.key = "client_roots"}};
  const auto answers = co_await call.ask(questions);
  if (!answers) co_return answers.error();
  const auto& all = *answers;
  const std::string text = describe(all[0]) + "; " + std::string(all[1].text()) + "; " +
                           std::string(all[2].roots().raw());
  const auto done = co_await out.text(text);
  co_return done;
}

Awaitable<Result<>> rounds(Call& call, ResultWriter& out) {
  const auto first = co_await call.elicit(
      {.message = "Step 1: What is your name?", .schema = kName, .key = "step1"});
  if (!first) co_return first.error();
  const auto second = co_await call.elicit(
      {.message = "Step 2: What is your favorite color?", .schema = kColor, .key = "step2"});
  if (!second) co_return second.error();
  const std::string text = describe(*first) + "; " + describe(*second);
  const auto done = co_await out.text(text);
  co_return done;
}

/// Asks only what the client can be asked.
Awaitable<Result<>> capabilities(Call& call, ResultWriter& out) {
  std::vector<Question> questions;
  if (call.has_capability("elicitation.form"))
    questions.push_back(Form{.message = "What is your name?", .schema = kName, .key = "name"});
  if (call.has_capability("sampling"))
    questions.push_back(Sampling{.prompt = "Sample request", .max_tokens = 50, .key = "sample"});
  const auto answers = co_await call.ask(questions);
  if (!answers) co_return answers.error();
  const std::string text = std::to_string(answers->size()) + " answers";
  const auto done = co_await out.text(text);
  co_return done;
}

/// Tells how far it is before it asks.
Awaitable<Result<>> streaming(Call& call, ResultWriter& out) {
  const auto told = co_await call.progress(50, 100);
  if (!told) co_return told;
  const auto done = co_await name(call, out);
  co_return done;
}

/// A prompt asks as tools do.
Awaitable<Result<>> context(Call& call, sluice::PromptWriter& out) {
  const auto answer = co_await call.elicit(
      {.message = "What context should the prompt use?",
       .schema =
           R"({"type":"object","properties":{"context":{"type":"string"}},"required":["context"]})",
       .key = "user_context"});
  if (!answer) co_return answer.error();
  const auto field = answer->field("context");
  const std::string text =
      "Use this context: " + (field ? std::string(*field.as_string()) : std::string("none"));
  co_return out.text(sluice::Role::user, text);
}

void add(sluice::Registry& registry, const char* name, const char* description,
         sluice::HandlerFunction handler, const char* schema = R"({"type":"object"})") {
  sluice::Tool tool;
  tool.name = name;
  tool.description = description;
  tool.input_schema = schema;
  registry.add(std::move(tool), std::move(handler));
}

}  // namespace

void add_asking_tools(sluice::Registry& registry) {
  add(registry, "test_elicitation", "Asks the user.", elicitation,
      R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})");
  add(registry, "test_elicitation_sep1034_defaults", "Asks with defaults.", defaults);
  add(registry, "test_elicitation_sep1330_enums", "Asks for choices.", enums);
  add(registry, "test_sampling", "Asks the model.", sampling,
      R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})");
  add(registry, "test_input_required_result_elicitation", "Asks for a name.", name);
  add(registry, "test_input_required_result_sampling", "Asks the model.", capital);
  add(registry, "test_input_required_result_list_roots", "Asks for the roots.", roots);
  add(registry, "test_input_required_result_request_state", "Asks with a state.", state);
  add(registry, "test_input_required_result_tampered_state", "Asks with a state.", state);
  add(registry, "test_input_required_result_multiple_inputs", "Asks several things.", several);
  add(registry, "test_input_required_result_multi_round", "Asks twice.", rounds);
  add(registry, "test_input_required_result_capabilities", "Asks what it can.", capabilities);
  registry.add({.name = "test_input_required_result_prompt", .description = "Asks first."},
               context);
  add(registry, "test_streaming_elicitation", "Asks while it streams.", streaming);
}
