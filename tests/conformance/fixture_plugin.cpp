// The tools, prompts and resources that the official conformance suite asks for by name, with the
// contents that it expects.

#include <chrono>
#include <sluice/plugin.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "fixture_asking.hpp"

namespace {

using namespace std::chrono_literals;
using sluice::Awaitable;
using sluice::Block;
using sluice::BlockKind;
using sluice::Call;
using sluice::Result;
using sluice::ResultWriter;

/// One red pixel.
constexpr std::string_view kPng{
    "\x89PNG\r\n\x1a\n"
    "\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
    "\0\0\0\x0cIDATx\xda"
    "c\xf8\xcf\xc0\0\0\3\1\1\0\xf7\3AC"
    "\0\0\0\0IEND\xae"
    "B`\x82",
    69};
/// Half a sample of silence: 8 kHz, mono, 8 bit.
constexpr std::string_view kWav{
    "RIFF\x25\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0"
    "data\1\0\0\0\x80",
    45};

Awaitable<Result<>> simple_text(Call&, ResultWriter& out) {
  const auto done = co_await out.text("This is a simple text response for testing.");
  co_return done;
}

Awaitable<Result<>> image(Call&, ResultWriter& out) {
  const Block block{.kind = BlockKind::image, .mime_type = "image/png"};
  const auto done = co_await out.block(block, kPng);
  co_return done;
}

Awaitable<Result<>> audio(Call&, ResultWriter& out) {
  const Block block{.kind = BlockKind::audio, .mime_type = "audio/wav"};
  const auto done = co_await out.block(block, kWav);
  co_return done;
}

Awaitable<Result<>> embedded_resource(Call&, ResultWriter& out) {
  const Block block{.kind = BlockKind::resource_text,
                    .mime_type = "text/plain",
                    .uri = "test://embedded-resource"};
  const auto done = co_await out.block(block, "This is an embedded resource content.");
  co_return done;
}

Awaitable<Result<>> multiple_content_types(Call&, ResultWriter& out) {
  const auto text = co_await out.text("Multiple content types test:");
  if (!text) co_return text;
  const Block picture{.kind = BlockKind::image, .mime_type = "image/png"};
  const auto shown = co_await out.block(picture, kPng);
  if (!shown) co_return shown;
  const Block resource{.kind = BlockKind::resource_text,
                       .mime_type = "application/json",
                       .uri = "test://mixed-content-resource"};
  const auto done = co_await out.block(resource, R"({"test":"data","value":123})");
  co_return done;
}

Awaitable<Result<>> with_logging(Call& call, ResultWriter& out) {
  const auto started = co_await call.log(sluice::LogLevel::info, "Tool execution started");
  if (!started) co_return started;
  co_await call.sleep(50ms);
  const auto processing = co_await call.log(sluice::LogLevel::info, "Tool processing data");
  if (!processing) co_return processing;
  co_await call.sleep(50ms);
  const auto completed = co_await call.log(sluice::LogLevel::info, "Tool execution completed");
  if (!completed) co_return completed;
  const auto done = co_await out.text("Tool with logging executed successfully");
  co_return done;
}

Awaitable<Result<>> with_progress(Call& call, ResultWriter& out) {
  for (const double done : {0.0, 50.0, 100.0}) {
    if (done > 0) {
      co_await call.sleep(50ms);
    }
    const auto told = co_await call.progress(done, 100.0);
    if (!told) co_return told;
  }
  const auto done = co_await out.text("Tool with progress executed successfully");
  co_return done;
}

Awaitable<Result<>> error_handling(Call&, ResultWriter& out) {
  const auto done = co_await out.fail("This tool intentionally returns an error for testing");
  co_return done;
}

/// Its client has to come back for the result.
Awaitable<Result<>> reconnection(Call& call, ResultWriter& out) {
  const auto left = co_await call.hang_up();
  if (!left) co_return left;
  co_await call.sleep(100ms);
  const auto done = co_await out.text("Reconnection test completed successfully.");
  co_return done;
}

Awaitable<Result<>> echo_arguments(Call& call, ResultWriter& out) {
  const auto done = co_await out.text(call.arguments().raw());
  co_return done;
}

Awaitable<Result<>> simple_prompt(Call&, sluice::PromptWriter& out) {
  co_return out.text(sluice::Role::user, "This is a simple prompt for testing.");
}

Awaitable<Result<>> prompt_with_image(Call&, sluice::PromptWriter& out) {
  const Block picture{.kind = BlockKind::image, .mime_type = "image/png"};
  const auto shown = out.message(sluice::Role::user, picture, kPng);
  if (!shown) co_return shown;
  co_return out.text(sluice::Role::user, "Please analyze the image above.");
}

Awaitable<Result<>> static_text(Call&, ResultWriter& out) {
  const auto done = co_await out.text("This is the content of the static text resource.");
  co_return done;
}

Awaitable<Result<>> static_binary(Call&, ResultWriter& out) {
  const Block block{.kind = BlockKind::image, .mime_type = "image/png"};
  const auto done = co_await out.block(block, kPng);
  co_return done;
}

Awaitable<Result<>> template_data(Call& call, ResultWriter& out) {
  const std::string id(call.argument("id").raw());
  const std::string json =
      R"({"id":)" + id + R"(,"templateTest":true,"data":"Data for ID: )" + id.substr(1) + "}";
  const auto done = co_await out.text(json);
  co_return done;
}

Awaitable<Result<>> watched(Call&, ResultWriter& out) {
  const auto done = co_await out.text("Watched resource content");
  co_return done;
}

Awaitable<Result<>> greet(Call& call, ResultWriter& out) {
  const auto name = call.argument("name");
  const std::string text = "Hello, " + std::string(name ? name.as_string().value_or("") : "") + "!";
  const auto done = co_await out.text(text);
  co_return done;
}

Awaitable<Result<>> slow_compute(Call& call, ResultWriter& out) {
  const auto seconds = call.argument("seconds");
  co_await call.sleep(std::chrono::seconds(seconds ? seconds.as_int().value_or(0) : 0));
  const auto done = co_await out.text("computed");
  co_return done;
}

Awaitable<Result<>> confirm_delete(Call& call, ResultWriter& out) {
  const sluice::Form form{
      .message = "Delete the file?",
      .schema =
          R"({"type":"object","properties":{"confirm":{"type":"boolean"}},"required":["confirm"]})",
      .key = "confirm"};
  const auto answer = co_await call.elicit(form);
  if (!answer) co_return answer.error();
  const auto done = co_await out.text(answer->is_accepted() ? "Deleted." : "Kept.");
  co_return done;
}

constexpr const char* kNameSchema =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";

Awaitable<Result<>> multi_input(Call& call, ResultWriter& out) {
  const sluice::Question questions[] = {
      sluice::Form{.message = "The first name?", .schema = kNameSchema, .key = "first"},
      sluice::Form{.message = "The second name?", .schema = kNameSchema, .key = "second"}};
  const auto answers = co_await call.ask(questions);
  if (!answers) co_return answers.error();
  const auto done = co_await out.text("Both names are there.");
  co_return done;
}

/// Asks at once, and takes long then.
Awaitable<Result<>> ask_then_work(Call& call, ResultWriter& out) {
  const sluice::Form form{
      .message = "What is your name?", .schema = kNameSchema, .key = "user_name"};
  const auto answer = co_await call.elicit(form);
  if (!answer) co_return answer.error();
  co_await call.sleep(500ms);
  const auto name = answer->field("name");
  const std::string text = "Hello, " + std::string(name ? name.as_string().value_or("") : "") + "!";
  const auto done = co_await out.text(text);
  co_return done;
}

Awaitable<Result<>> failing_job(Call& call, ResultWriter& out) {
  co_await call.sleep(100ms);
  const auto done = co_await out.fail("This job fails");
  co_return done;
}

Awaitable<Result<>> protocol_error_job(Call& call, ResultWriter&) {
  co_await call.sleep(100ms);
  throw std::runtime_error("this job throws");
}

constexpr const char* kSchema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
    }
  },
  "properties": {
    "name": { "type": "string" },
    "address": { "$ref": "#/$defs/address" },
    "contactMethod": { "type": "string", "enum": ["phone", "email"] },
    "phone": { "type": "string" },
    "email": { "type": "string" }
  },
  "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] },
  "additionalProperties": false
})";

constexpr const char* kHeaderSchema = R"({
  "type": "object",
  "properties": {
    "region": { "type": "string", "x-mcp-header": "Region" },
    "rank": { "type": "integer", "x-mcp-header": "Rank" }
  },
  "required": ["region"]
})";

Awaitable<Result<>> tools_changed(Call& call, ResultWriter& out) {
  call.notifier().list_changed(sluice::List::tools);
  const auto done = co_await out.text("Told.");
  co_return done;
}

Awaitable<Result<>> prompts_changed(Call& call, ResultWriter& out) {
  call.notifier().list_changed(sluice::List::prompts);
  const auto done = co_await out.text("Told.");
  co_return done;
}

sluice::Tool tool(std::string name, std::string description) {
  sluice::Tool out;
  out.name = std::move(name);
  out.description = std::move(description);
  return out;
}

}  // namespace

SLUICE_PLUGIN(registry) {
  // The first tool is the one that the suite calls with any arguments.
  registry.add(tool("test_simple_text", "Answers with a sentence."), simple_text);
  registry.add(tool("test_image_content", "Answers with an image."), image);
  registry.add(tool("test_audio_content", "Answers with a sound."), audio);
  registry.add(tool("test_embedded_resource", "Answers with a resource."), embedded_resource);
  registry.add(tool("test_multiple_content_types", "Answers with text, an image and a resource."),
               multiple_content_types);
  registry.add(tool("test_tool_with_logging", "Logs what it does."), with_logging);
  registry.add(tool("test_logging_tool", "Logs what it does."), with_logging);
  registry.add(tool("test_tool_with_progress", "Tells how far it is."), with_progress);
  registry.add(tool("test_error_handling", "Fails."), error_handling);
  registry.add(tool("test_reconnection", "Closes its stream and goes on."), reconnection);

  registry.add(tool("test_trigger_tool_change", "Says that the list of tools has changed."),
               tools_changed);
  registry.add(tool("test_trigger_prompt_change", "Says that the list of prompts has changed."),
               prompts_changed);

  auto text = sluice::Resource::at("test://static-text", "Static text");
  text.description = "A text.";
  text.mime_type = "text/plain";
  registry.add(std::move(text), static_text);
  auto binary = sluice::Resource::at("test://static-binary", "Static binary");
  binary.description = "A picture.";
  binary.mime_type = "image/png";
  registry.add(std::move(binary), static_binary);
  auto by_id = sluice::Resource::matching("test://template/{id}/data", "Data by its id");
  by_id.description = "A template.";
  by_id.mime_type = "application/json";
  registry.add(std::move(by_id), template_data);
  auto watch = sluice::Resource::at("test://watched-resource", "Watched resource");
  watch.description = "One to subscribe to.";
  watch.mime_type = "text/plain";
  registry.add(std::move(watch), watched);
  registry.add(tool("greet", "Greets."), greet);
  const auto add_task = [&](std::string name, sluice::TaskMode mode, auto handler) {
    auto task = tool(std::move(name), "May be a task.");
    task.task = mode;
    registry.add(std::move(task), handler);
  };
  add_task("slow_compute", sluice::TaskMode::always, slow_compute);
  add_task("failing_job", sluice::TaskMode::required, failing_job);
  add_task("protocol_error_job", sluice::TaskMode::always, protocol_error_job);
  add_task("confirm_delete", sluice::TaskMode::always, confirm_delete);
  add_task("multi_input", sluice::TaskMode::always, multi_input);
  auto asks_first = tool("test_tool_with_task", "Asks, then becomes a task.");
  asks_first.task = sluice::TaskMode::automatic;
  asks_first.task_after = 100ms;
  registry.add(std::move(asks_first), ask_then_work);

  auto schema = tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features");
  schema.input_schema = kSchema;
  registry.add(std::move(schema), echo_arguments);

  auto headers = tool("test_header_parameters", "Has parameters that clients mirror into headers.");
  headers.input_schema = kHeaderSchema;
  registry.add(std::move(headers), echo_arguments);

  auto capability = tool("test_missing_capability", "Needs a client with sampling.");
  capability.client_capabilities = {"sampling"};
  registry.add(std::move(capability), simple_text);

  add_asking_tools(registry);

  registry.add({.name = "test_simple_prompt", .description = "A sentence."}, simple_prompt);
  registry.add({.name = "test_prompt_with_image", .description = "An image and a question."},
               prompt_with_image);
}
