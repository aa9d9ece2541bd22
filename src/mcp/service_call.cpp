// tools/call: from the message to the end of its answer.

#include <algorithm>
#include <chrono>

#include "base/await.hpp"
#include "json/document.hpp"
#include "mcp/framing.hpp"
#include "mcp/modern.hpp"
#include "mcp/modern_asking.hpp"
#include "mcp/request_params.hpp"
#include "mcp/service.hpp"
#include "mcp/tool_call.hpp"
#include "mcp/violations.hpp"

namespace sluice::mcp {
Awaitable<Outcome> Service::call_tool(Exchange& exchange, const Envelope& message,
                                      const Caller& caller, Place place) {
  const auto invalid = [&](std::string text) {
    return failed({rpc::kInvalidParams, 200, std::move(text), {}}, message.id);
  };
  const Json name = message.params.find("name");
  if (!name || !name.is(JsonKind::string)) co_return invalid("params.name must be a string");
  const auto tool_name = *name.as_string();
  if (caller.revision->is_modern)
    if (const auto refused = modern::check_name(tool_name, exchange))
      co_return failed(*refused, message.id);

  const ToolEntry* entry = caller.offer->tools->find(tool_name);
  if (entry == nullptr) co_return invalid("Unknown tool: " + std::string(tool_name.substr(0, 128)));
  Json arguments = message.params.find("arguments");
  if (!arguments) arguments = empty_object();
  if (!arguments.is(JsonKind::object)) co_return invalid("params.arguments must be an object");
  if (caller.revision->is_modern)
    if (const auto refused = modern::check_parameters(*entry, arguments, exchange))
      co_return failed(*refused, message.id);
  if (const auto refused = missing_capabilities(*entry, caller))
    co_return failed(*refused, message.id);
  if (tasks_)
    if (const auto refused = TaskService::refusal_of(*entry, message, caller))
      co_return failed(*refused, message.id);

  GivenAnswers given;
  const AskedIn asked_in{exchange,     caller,    call_services_, server_info_, message.id,
                         "tools/call", tool_name, arguments,      &given};
  if (caller.revision->is_modern)
    if (const auto refused = given.read(message.params, asked_in))
      co_return failed(*refused, message.id);

  if (draining_) co_return failed(failure_of(Errc::shutting_down), message.id);
  Permit permit(calls_, config_.limits.calls_in_flight);
  if (!permit.is_held()) co_return failed(too_many_calls(), message.id);
  Permit loop_permit(*exchange.loop().calls, UINT32_MAX);

  FrameWriter& frames = exchange.writer();
  ResponseLog log = log_of(caller, exchange, message.id);
  if (place == Place::alone) {
    auto options = frame_options(exchange, *entry, config_.server);
    options.log = log.get();
    if (!frames.start(options)) co_return failed(failure_of(Errc::frames_exhausted), message.id);
  }
  const Outcome streamed{200, {}, true};

  const auto verdict = entry->input->validate(arguments, config_.limits.schema_steps);
  json::Document with_defaults;
  if (!verdict.defaults.empty()) {
    const auto filled = with_defaults.parse_copy(schema::apply(arguments.raw(), verdict.defaults),
                                                 config_.limits.nesting + 64);
    if (filled) arguments = *filled;
  }
  ToolCall call(exchange, message, caller, *entry, arguments, call_services_, asked_in, place);
  if (verdict.out_of_steps || !verdict.violations.empty()) {
    const std::string text =
        verdict.violations.empty()
            ? "Checking the arguments took more than limits.schema_steps allows."
            : describe("The arguments do not fit the tool's input schema:", verdict.violations);
    if (tasks_ && place == Place::alone && !caller.revision->is_modern &&
        TaskService::answer_to(*entry, message, caller) == TaskService::Answer::task) {
      // Who asks for a task takes no result for an answer.
      frames.abort();
      co_return failed({rpc::kInvalidParams, 200, text, {}}, message.id);
    }
    co_await call.refuse(text);
    co_return streamed;
  }
  if (const auto& fixed = entry->fixed_for(caller.revision->structured)) {
    permit.release();
    co_await call.send(fixed);
    co_return streamed;
  }

  Permit tool_permit(entry->in_flight, entry->concurrency.value_or(UINT32_MAX));
  const bool may_be_task =
      tasks_ && place == Place::alone && tool_permit.is_held() &&
      TaskService::answer_to(*entry, message, caller) != TaskService::Answer::ordinary;
  if (may_be_task) {
    TaskContext::Options context;
    context.entry = entry;
    context.arguments = arguments;
    context.meta = message.meta;
    context.revision = caller.revision;
    context.log_level = caller.log_level;
    context.deadline = std::chrono::steady_clock::now() + entry->timeout;
    context.session = caller.session;
    context.capabilities = caller.capabilities();
    context.asked_in = &asked_in;
    TaskRun::Options options{
        caller.offer,
        std::move(context),
        result_options(*entry, caller.revision->structured, config_.limits, {}),
        std::move(permit),
        std::move(loop_permit),
        std::move(tool_permit)};
    auto outcome = co_await tasks_->call(exchange, message, caller, std::move(options));
    co_return outcome;
  }
  const ToolCall::Permits permits{permit, tool_permit};
  const auto key =
      entry->cache && place == Place::alone ? call.cache_key() : std::optional<std::string>();
  if (key) {
    using IfMissing = ResultCache::IfMissing;
    auto found =
        entry->cache->find(*key, tool_permit.is_held() ? IfMissing::begin : IfMissing::nothing,
                           exchange.executor(), ResultCache::Clock::now());
    if (found.recording && found.recording->is_whole()) {
      tool_permit.release();
      permit.release();
      co_await call.send(std::move(found.recording));
      co_return streamed;
    }
    auto reader = found.recording ? found.recording->read(exchange.executor()) : nullptr;
    if (reader) {
      co_await call.share(std::move(found), std::move(reader), *key, permits);
      co_return streamed;
    }
  }
  if (!tool_permit.is_held()) {
    frames.abort();
    co_return failed(too_many_calls(*entry), message.id);
  }
  auto outcome = co_await call.run(permits);
  co_return outcome;
}

std::optional<Failure> Service::missing_capabilities(const ToolEntry& entry, const Caller& caller) {
  if (entry.tool.client_capabilities.empty()) return std::nullopt;
  std::vector<std::string> missing;
  for (const auto& capability : entry.tool.client_capabilities)
    if (!caller.has_capability(capability)) missing.push_back(capability);
  if (missing.empty()) return std::nullopt;
  return missing_capability(missing, *caller.revision);
}

}  // namespace sluice::mcp
