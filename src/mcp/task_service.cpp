#include "mcp/task_service.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "json/document.hpp"
#include "mcp/caller_key.hpp"
#include "mcp/capabilities.hpp"
#include "mcp/json_members.hpp"
#include "mcp/modern.hpp"
#include "mcp/result_text.hpp"
#include "mcp/task_call.hpp"

namespace sluice::mcp {
namespace {

using Tasks = Revision::Tasks;

constexpr std::array<std::string_view, 3> kModernMethods{"tasks/get", "tasks/update",
                                                         "tasks/cancel"};
constexpr std::array<std::string_view, 4> kLegacyMethods{"tasks/get", "tasks/result", "tasks/list",
                                                         "tasks/cancel"};

bool has_extension(const Caller& caller) {
  return caller.revision->tasks == Tasks::extension &&
         caller.declared.find("extensions").find(kTasksExtension).is(JsonKind::object);
}

bool asks_for_task(const Envelope& message, const Caller& caller) {
  return caller.revision->tasks == Tasks::asked_for &&
         message.params.find("task").is(JsonKind::object);
}

Failure missing_extension() {
  return {
      rpc::kMissingCapability, 400, "The client has not declared the tasks extension",
      R"({"requiredCapabilities":{"extensions":{")" + std::string(kTasksExtension) + R"(":{}}}})"};
}

Failure invalid(std::string text) { return {rpc::kInvalidParams, 200, std::move(text), {}}; }

Failure unknown_task() { return invalid("There is no such task, or it has expired"); }

/// `task.ttl` of a request, which is a number of milliseconds.
std::optional<std::chrono::milliseconds> wanted_ttl(const Envelope& message) {
  const Json ttl = message.params.find("task").find("ttl");
  if (!ttl || !ttl.is(JsonKind::number)) return std::nullopt;
  const auto ms = ttl.as_int();
  if (!ms || *ms < 0) return std::nullopt;
  return std::chrono::milliseconds(*ms);
}

}  // namespace

TaskService::TaskService(const config::Config& config, CallServices& services,
                         std::string_view server_info)
    : config_(config),
      services_(services),
      server_info_(server_info),
      store_(config.tasks, *services.workers) {}

TaskService::Answer TaskService::answer_to(const ToolEntry& entry, const Envelope& message,
                                           const Caller& caller) {
  if (entry.task == TaskMode::off) return Answer::ordinary;
  if (asks_for_task(message, caller)) return Answer::task;
  if (!has_extension(caller)) return Answer::ordinary;
  return entry.task == TaskMode::automatic ? Answer::task_if_long : Answer::task;
}

std::optional<Failure> TaskService::refusal_of(const ToolEntry& entry, const Envelope& message,
                                               const Caller& caller) {
  const bool is_required = entry.task == TaskMode::required;
  switch (caller.revision->tasks) {
    case Tasks::extension:
      if (is_required && !has_extension(caller)) return missing_extension();
      break;
    case Tasks::asked_for:
      if (is_required && !asks_for_task(message, caller))
        return Failure{rpc::kMethodNotFound, 200, "The tool can be called as a task only", {}};
      if (entry.task == TaskMode::off && asks_for_task(message, caller))
        return Failure{rpc::kMethodNotFound, 200, "The tool cannot be called as a task", {}};
      break;
    case Tasks::none:
      if (is_required)
        return Failure{
            rpc::kInvalidRequest, 200, "The tool needs a revision of MCP that has tasks", {}};
      break;
  }
  return std::nullopt;
}

Awaitable<Outcome> TaskService::call(Exchange& exchange, const Envelope& message,
                                     const Caller& caller, TaskRun::Options options) {
  TaskCall call(exchange, message, caller, services_, store_, server_info_);
  if (answer_to(*options.context.entry, message, caller) == Answer::task) {
    auto outcome = co_await call.answer_with_task(std::move(options), wanted_ttl(message));
    co_return outcome;
  }
  auto outcome = co_await call.answer(std::move(options));
  co_return outcome;
}

Awaitable<TaskService::Found> TaskService::find(Exchange& exchange, const Caller& caller,
                                                std::span<const std::string_view> ids) {
  Found found;
  if (ids.empty()) co_return found;
  if (!has_extension(caller)) {
    found.failure = missing_extension();
    co_return found;
  }
  const std::string owner = caller_key(exchange, caller);
  for (const auto id : ids) {
    auto task = co_await store_.find(id, owner);
    if (task && (!task->is_elsewhere() || is_terminal(task->record().status)))
      found.tasks.push_back(std::move(task));
  }
  co_return found;
}

bool TaskService::has_method(std::string_view method, const Revision& revision) {
  switch (revision.tasks) {
    case Tasks::extension:
      return std::ranges::find(kModernMethods, method) != kModernMethods.end();
    case Tasks::asked_for:
      return std::ranges::find(kLegacyMethods, method) != kLegacyMethods.end();
    case Tasks::none:
      break;
  }
  return false;
}

Awaitable<Outcome> TaskService::handle(Exchange& exchange, const Envelope& message,
                                       const Caller& caller) {
  const bool is_modern = caller.revision->is_modern;
  const std::string owner = caller_key(exchange, caller);
  if (message.method == "tasks/list") co_return list(message, caller, owner);

  const Json id = message.params.find("taskId");
  if (!id.is(JsonKind::string))
    co_return failed(invalid("params.taskId must be a string"), message.id);
  if (is_modern) {
    if (const auto refused = modern::check_name(*id.as_string(), exchange))
      co_return failed(*refused, message.id);
    if (!has_extension(caller)) co_return failed(missing_extension(), message.id);
  }
  auto task = co_await store_.find(*id.as_string(), owner);
  if (!task) co_return failed(unknown_task(), message.id);
  if (message.method == "tasks/get") {
    auto outcome = co_await get(exchange, message, caller, task);
    co_return outcome;
  }
  if (message.method == "tasks/update") co_return update(message, caller, task);
  if (message.method == "tasks/cancel") {
    auto outcome = co_await cancel(exchange, message, caller, task);
    co_return outcome;
  }
  auto outcome = co_await result(exchange, message, caller, task);
  co_return outcome;
}

Awaitable<Outcome> TaskService::get(Exchange& exchange, const Envelope& message,
                                    const Caller& caller, TaskPointer task) {
  auto [record, questions] = task->look();
  const auto& revision = *caller.revision;
  if (revision.is_modern && record.status == TaskStatus::completed) {
    if (!start(exchange)) co_return failed(failure_of(Errc::frames_exhausted), message.id);
    std::string front = completed_front(record, terms(revision), message.id);
    co_await send_result(exchange, message, std::move(record), std::move(front), kCompletedEnd);
    co_return Outcome{200, {}, true};
  }
  co_return Outcome{200, render_result(message.id, task_result(record, questions, terms(revision))),
                    false};
}

Outcome TaskService::acknowledged(const Envelope& message, const Caller& caller) const {
  const std::string result = begin_result(*caller.revision, server_info_) + '}';
  return {200, render_result(message.id, result), false};
}

Outcome TaskService::update(const Envelope& message, const Caller& caller, TaskPointer task) {
  const Json responses = message.params.find("inputResponses");
  if (!responses.is(JsonKind::object))
    return failed(invalid("params.inputResponses must be an object"), message.id);
  if (task->is_elsewhere() && !is_terminal(task->record().status))
    return failed({rpc::kInternalError,
                   200,
                   "Another process that shares tasks.spool runs the task; only that one takes "
                   "answers",
                   {}},
                  message.id);
  // Those that nobody has asked for are passed over.
  for (const auto response : responses.members())
    task->answer(response.name, std::string(response.value.raw()));
  return acknowledged(message, caller);
}

Awaitable<Outcome> TaskService::cancel(Exchange& exchange, const Envelope& message,
                                       const Caller& caller, TaskPointer task) {
  const bool is_modern = caller.revision->is_modern;
  if (task->is_elsewhere() && !is_terminal(task->record().status))
    co_return failed({rpc::kInternalError,
                      200,
                      "Another process that shares tasks.spool runs the task; only that one can "
                      "cancel it",
                      {}},
                     message.id);
  if (task->cancel("The task was cancelled by request.")) {
    const auto save = [&] { task->save(); };
    co_await store_.workers().run(save);
  } else if (!is_modern) {
    // A task that is about to be over is waited for: its end has been decided.
    Task::Waiter waiter(*task, exchange.executor());
    while (!is_terminal(task->record().status)) {
      co_await waiter.wait();
    }
    std::string text = "The task is over already: ";
    text += name_of(task->record().status);
    co_return failed(invalid(std::move(text)), message.id);
  }
  if (is_modern) co_return acknowledged(message, caller);
  const std::string text = task_result(task->record(), {}, terms(*caller.revision));
  co_return Outcome{200, render_result(message.id, text), false};
}

Outcome TaskService::list(const Envelope& message, const Caller& caller,
                          std::string_view owner) const {
  const auto all = store_.list(owner);
  std::size_t from = 0;
  if (const Json cursor = message.params.find("cursor")) {
    // The last task of the page before; where it is gone, nobody can say what came behind it.
    const auto last = cursor.as_string();
    const auto found = std::ranges::find_if(all, [&](const auto& r) { return r.id == last; });
    if (!last || found == all.end())
      return failed(invalid("cursor is none that tasks/list gave, or its task has expired"),
                    message.id);
    from = static_cast<std::size_t>(found - all.begin()) + 1;
  }
  const std::size_t to = std::min<std::size_t>(all.size(), from + config_.server.list_page);
  std::string tasks = "[";
  for (std::size_t i = from; i < to; ++i) {
    std::string task = "{";
    append_task(task, all[i], terms(*caller.revision));
    tasks += (i > from ? "," : "") + task + '}';
  }
  std::string result = "{";
  append_member(result, "tasks", tasks + ']');
  if (to < all.size()) append_text(result, "nextCursor", all[to - 1].id);
  return {200, render_result(message.id, result + '}'), false};
}

}  // namespace sluice::mcp
