// prompts/get: from the message to its answer.

#include "base/units.hpp"
#include "mcp/json_members.hpp"
#include "mcp/message_call.hpp"
#include "mcp/modern.hpp"
#include "mcp/modern_asking.hpp"
#include "mcp/permit.hpp"
#include "mcp/prompt_text.hpp"
#include "mcp/request_params.hpp"
#include "mcp/result_text.hpp"
#include "mcp/service.hpp"

namespace sluice::mcp {
namespace {

/// Also what get() throws before its coroutine begins ends up in the result of this one.
Awaitable<Result<>> get_messages(PromptHandler& handler, Call& call, PromptWriter& out) {
  const auto done = co_await handler.get(call, out);
  co_return done;
}

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text.substr(0, 128)) + '"';
}

/// What is wrong with the arguments; empty: nothing.
std::string wrong_arguments(const PromptEntry& entry, Json arguments) {
  if (!arguments.is(JsonKind::object)) return "params.arguments must be an object";
  for (const auto argument : arguments.members()) {
    if (entry.find(argument.name) == nullptr)
      return "the prompt has no argument " + in_quotes(argument.name);
    if (!argument.value.is(JsonKind::string))
      return "the argument " + in_quotes(argument.name) + " must be a string";
  }
  for (const auto& argument : entry.prompt.arguments)
    if (argument.required && !arguments.find(argument.name))
      return "the argument " + in_quotes(argument.name) + " is missing";
  return {};
}

}  // namespace

Awaitable<Outcome> Service::get_prompt(Exchange& exchange, const Envelope& message,
                                       const Caller& caller, Place place) {
  const auto invalid = [&](std::string text) {
    return failed({rpc::kInvalidParams, 200, std::move(text), {}}, message.id);
  };
  const Json name = message.params.find("name");
  if (!name || !name.is(JsonKind::string)) co_return invalid("params.name must be a string");
  const auto prompt_name = *name.as_string();
  if (caller.revision->is_modern)
    if (const auto refused = modern::check_name(prompt_name, exchange))
      co_return failed(*refused, message.id);

  const PromptEntry* entry = caller.offer->prompts->find(prompt_name);
  if (entry == nullptr)
    co_return invalid("Unknown prompt: " + std::string(prompt_name.substr(0, 128)));
  Json arguments = message.params.find("arguments");
  if (!arguments) arguments = empty_object();
  if (auto wrong = wrong_arguments(*entry, arguments); !wrong.empty())
    co_return invalid(std::move(wrong));

  GivenAnswers given;
  const AskedIn asked_in{exchange,      caller,      call_services_, server_info_, message.id,
                         "prompts/get", prompt_name, arguments,      &given};
  if (caller.revision->is_modern)
    if (const auto refused = given.read(message.params, asked_in))
      co_return failed(*refused, message.id);

  if (draining_) co_return failed(failure_of(Errc::shutting_down), message.id);
  Permit permit(calls_, config_.limits.calls_in_flight);
  if (!permit.is_held()) co_return failed(too_many_calls(), message.id);
  const Permit loop_permit(*exchange.loop().calls, UINT32_MAX);

  PromptText text(*caller.revision, config_.limits.prompt);
  ResponseLog log = log_of(caller, exchange, message.id);
  MessageCall call(exchange, message, caller, call_services_, place,
                   {entry->prompt.name, arguments, entry->timeout, config_.limits.prompt, log.get(),
                    &asked_in, &permit});
  const auto answer = [&](const GuardedRun& run) {
    permit.release();
    if (!run.why() && !text.refusal().empty()) return invalid(text.refusal());
    if (!run.is_good() && text.is_too_large())
      return failed({rpc::kInternalError,
                     200,
                     "The prompt is larger than limits.prompt (" +
                         format_bytes(config_.limits.prompt) + ") allows.",
                     {}},
                    message.id);
    if (!run.is_good())
      return failed(failure_of(run, "prompt " + entry->prompt.name, entry->timeout_name),
                    message.id);
    std::string result = begin_result(*caller.revision, server_info_);
    append_text(result, "description",
                text.description().empty() ? entry->prompt.description : text.description());
    append_member(result, "messages", "[");
    result += text.messages();
    result += "]}";
    return Outcome{200, render_result(message.id, result), false};
  };
  auto outcome = co_await call.run(get_messages(*entry->handler, call.context(), text), answer);
  co_return outcome;
}

}  // namespace sluice::mcp
