// completion/complete: from the message to its answer.

#include <spdlog/spdlog.h>

#include <algorithm>

#include "json/document.hpp"
#include "mcp/completion_match.hpp"
#include "mcp/json_members.hpp"
#include "mcp/message_call.hpp"
#include "mcp/permit.hpp"
#include "mcp/request_params.hpp"
#include "mcp/result_text.hpp"
#include "mcp/service.hpp"

namespace sluice::mcp {
namespace {

/// Also what complete() throws before its coroutine begins ends up in the result of this one.
Awaitable<Result<>> find_values(Completer& completer, Call& call, std::string_view typed,
                                Completions& out) {
  auto found = co_await completer.complete(call, typed);
  if (!found) co_return found.error();
  out = *std::move(found);
  co_return Result<>{};
}

std::string completion_object(const Completions& found) {
  std::string values = "[";
  const std::size_t count = std::min(found.values.size(), kMaxCompletions);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) values += ',';
    json::append_string(values, found.values[i]);
  }
  std::string out = "{";
  append_member(out, "values", values + ']');
  // What is known of the number is at least what was found.
  const std::uint64_t known = std::max<std::uint64_t>(found.total.value_or(0), found.values.size());
  if (found.total || !found.has_more) append_member(out, "total", std::to_string(known));
  append_flag(out, "hasMore", found.has_more || known > count);
  return out + '}';
}

}  // namespace

std::optional<Failure> Service::find_completer(const Offer& offer, Json ref,
                                               std::string_view argument,
                                               std::shared_ptr<Completer>& found,
                                               std::string& name) const {
  const auto wrong = [](std::string text) {
    return Failure{rpc::kInvalidParams, 200, std::move(text), {}};
  };
  const auto type = ref.find("type").as_string();
  if (type == "ref/resource") {
    const auto uri = ref.find("uri").as_string();
    if (!uri) return wrong("params.ref.uri must be a string");
    const ResourceEntry* entry = offer.resources->find_template(*uri);
    if (entry == nullptr)
      return wrong("Unknown resource template: " + std::string(uri->substr(0, 128)));
    if (!entry->variables->has(argument))
      return wrong("the template has no variable \"" + std::string(argument.substr(0, 128)) + '"');
    const auto known = entry->resource.completers.find(argument);
    if (known != entry->resource.completers.end()) found = known->second;
    name = "resource " + entry->name;
    return std::nullopt;
  }
  if (type != "ref/prompt")
    return wrong("params.ref.type must be \"ref/prompt\" or \"ref/resource\"");
  const auto prompt = ref.find("name").as_string();
  if (!prompt) return wrong("params.ref.name must be a string");
  const PromptEntry* entry = offer.prompts->find(*prompt);
  if (entry == nullptr) return wrong("Unknown prompt: " + std::string(prompt->substr(0, 128)));
  const PromptArgument* known = entry->find(argument);
  if (known == nullptr)
    return wrong("the prompt has no argument \"" + std::string(argument.substr(0, 128)) + '"');
  found = known->completer;
  name = "prompt " + entry->prompt.name;
  return std::nullopt;
}

Awaitable<Outcome> Service::complete(Exchange& exchange, const Envelope& message,
                                     const Caller& caller, Place place) {
  const auto invalid = [&](std::string text) {
    return failed({rpc::kInvalidParams, 200, std::move(text), {}}, message.id);
  };
  const Json ref = message.params.find("ref");
  if (!ref.is(JsonKind::object)) co_return invalid("params.ref must be an object");
  const Json argument = message.params.find("argument");
  const auto name = argument.find("name").as_string();
  const auto typed = argument.find("value").as_string();
  if (!name || !typed)
    co_return invalid("params.argument must hold the strings \"name\" and \"value\"");
  Json others = message.params.find("context").find("arguments");
  if (!others) others = empty_object();
  if (!others.is(JsonKind::object)) co_return invalid("params.context.arguments must be an object");
  for (const auto other : others.members())
    if (!other.value.is(JsonKind::string))
      co_return invalid("params.context.arguments must hold strings");

  std::shared_ptr<Completer> completer;
  std::string owner;
  if (const auto refused = find_completer(*caller.offer, ref, *name, completer, owner))
    co_return failed(*refused, message.id);

  Completions found;
  const auto answer = [&](std::string_view problem) {
    if (!problem.empty()) {
      // Somebody is typing: that nothing is offered says enough.
      spdlog::warn("{}: no completions for \"{}\": {}", owner, std::string(*name), problem);
      found = {};
    }
    std::string result = begin_result(*caller.revision, server_info_);
    append_member(result, "completion", completion_object(found));
    result += '}';
    return Outcome{200, render_result(message.id, result), false};
  };
  if (!completer) co_return answer({});

  if (draining_) co_return failed(failure_of(Errc::shutting_down), message.id);
  Permit permit(calls_, config_.limits.calls_in_flight);
  if (!permit.is_held()) co_return failed(too_many_calls(), message.id);
  const Permit loop_permit(*exchange.loop().calls, UINT32_MAX);
  MessageCall call(exchange, message, caller, call_services_, place,
                   {owner, others, config_.timeouts.completion, config_.limits.completion});
  const auto on_end = [&](const GuardedRun& run) {
    permit.release();
    if (run.is_good()) return answer(std::string(found.problem));
    return answer(failure_of(run, "completion", completion_timeout_name_).message);
  };
  auto outcome = co_await call.run(find_values(*completer, call.context(), *typed, found), on_end);
  co_return outcome;
}

}  // namespace sluice::mcp
