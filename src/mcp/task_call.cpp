#include "mcp/task_call.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "mcp/caller_key.hpp"
#include "mcp/json_result_writer.hpp"
#include "mcp/send_outcome.hpp"

namespace sluice::mcp {
namespace {

/// The request ends here, whatever becomes of the run.
class Attached {
 public:
  explicit Attached(TaskRun& run) noexcept : run_(run) {}
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached() { run_.detach(); }

 private:
  TaskRun& run_;
};

const Outcome kStreamed{200, {}, true};

}  // namespace

TaskCall::TaskCall(Exchange& exchange, const Envelope& message, const Caller& caller,
                   CallServices& services, TaskStore& store, std::string_view server_info)
    : exchange_(exchange),
      message_(message),
      caller_(caller),
      services_(services),
      store_(store),
      server_info_(server_info) {}

Awaitable<TaskStore::Made> TaskCall::make_task(const ToolEntry& entry,
                                               std::optional<std::chrono::milliseconds> ttl) {
  const std::string owner = caller_key(exchange_, caller_);
  TaskStore::Plan plan;
  plan.tool = entry.tool.name;
  plan.owner = owner;
  plan.ttl = entry.timeout + store_.config().ttl;
  if (ttl) plan.ttl = std::min(plan.ttl, *ttl);
  auto made = co_await store_.make(plan);
  co_return made;
}

Awaitable<void> TaskCall::send(const TaskRecord& record) {
  const TaskTerms terms{*caller_.revision, server_info_, store_.config().poll_interval};
  const std::string text = render_result(message_.id, created_result(record, terms));
  FrameWriter& frames = exchange_.writer();
  const BodyPiece piece{text};
  const auto put = co_await frames.put_pieces({&piece, 1});
  if (!put) {
    frames.abort();
    co_return;
  }
  const auto finished = co_await frames.finish();
  static_cast<void>(finished);  // the connection sees the writer's error
}

Awaitable<Outcome> TaskCall::answer_with_task(TaskRun::Options options,
                                              std::optional<std::chrono::milliseconds> ttl) {
  auto made = co_await make_task(*options.context.entry, ttl);
  if (!made.task) {
    exchange_.writer().abort();
    Failure failure = failure_of(Errc::busy);
    failure.message = made.problem;
    co_return failed(failure, message_.id);
  }
  if (auto* const inbox = caller_.session ? caller_.session->inbox() : nullptr)
    inbox->follow(made.task, services_.config->limits.subscriptions);
  const auto run = std::make_shared<TaskRun>(exchange_, services_, store_, std::move(options));
  run->become(made.task);
  run->start();
  co_await send(made.task->record());
  co_return kStreamed;
}

Awaitable<Outcome> TaskCall::answer(TaskRun::Options options) {
  const auto due = std::chrono::steady_clock::now() + options.context.entry->task_after;
  const auto run = std::make_shared<TaskRun>(exchange_, services_, store_, std::move(options));
  const Attached attached(*run);
  FrameQueue& queue = run->queue();
  bool is_due = false;
  CallStop stop(exchange_, *caller_.revision, due, [&](boost::system::error_code why) {
    if (why == Errc::deadline)
      is_due = true;
    else if (why == Errc::shutting_down)
      run->stop(why);
    queue.wake();
  });
  const auto is_wanted = [&] { return !stop.why() || stop.why() == Errc::shutting_down; };
  run->start();
  while (!queue.is_over() && !queue.is_full() && is_wanted()) {
    if (!std::exchange(is_due, false)) {
      co_await queue.wait();
      continue;
    }
    auto made = co_await make_task(run->entry(), std::nullopt);
    if (!made.task) {
      spdlog::warn("tool {}: a long call stays an ordinary one: {}", run->entry().tool.name,
                   made.problem);
      continue;
    }
    if (queue.is_over() || run->asks_first() || !is_wanted()) {
      store_.drop(*made.task);
      break;
    }
    stop.end();
    run->become(made.task);
    co_await send(made.task->record());
    co_return kStreamed;
  }
  if (!is_wanted()) {
    run->abandon();
    exchange_.writer().abort();
  } else if (queue.is_over() && run->instead()) {
    stop.end();
    Outcome instead = *run->instead();
    auto answered = co_await send_outcome(exchange_, std::move(instead));
    co_return answered;
  } else if (queue.is_over()) {
    stop.end();
    co_await send_whole(*run);
  } else {
    auto answered = co_await copy(*run, stop);
    co_return answered;
  }
  co_return kStreamed;
}

/// Nothing has left, so the client can be told.
Awaitable<void> TaskCall::send_broken() {
  FrameWriter& frames = exchange_.writer();
  JsonResultWriter::Options options;
  const std::string envelope = result_envelope(message_.id, *caller_.revision, server_info_);
  options.envelope = envelope;
  JsonResultWriter out(frames, options);
  const auto told = co_await out.fail("The tool's result could not be completed.");
  const auto closed = co_await out.close();
  if (!told || !closed) {
    frames.abort();
    co_return;
  }
  const auto finished = co_await frames.finish();
  static_cast<void>(finished);  // the connection sees the writer's error
}

Awaitable<void> TaskCall::send_whole(TaskRun& run) {
  FrameWriter& frames = exchange_.writer();
  if (run.is_broken()) {
    co_await send_broken();
    co_return;
  }
  const std::string envelope = result_envelope(message_.id, *caller_.revision, server_info_);
  const BodyPiece front{envelope};
  const auto begun = co_await frames.put_pieces({&front, 1});
  if (!begun) {
    frames.abort();
    co_return;
  }
  const std::vector<BodyPiece> pieces = run.queue().pieces();
  const auto finished = co_await frames.finish_with(pieces);
  static_cast<void>(finished);  // likewise
}

Awaitable<Outcome> TaskCall::copy(TaskRun& run, const CallStop& stop) {
  FrameWriter& frames = exchange_.writer();
  FrameQueue& queue = run.queue();
  queue.set_window(FrameWriter::kWindow / 2);  // the writer has a window of its own
  const std::string envelope = result_envelope(message_.id, *caller_.revision, server_info_);
  std::vector<BodyPiece> pieces{BodyPiece{envelope}};
  bool breaks_line = false;
  while (!queue.is_drained()) {
    if (stop.why() && stop.why() != Errc::shutting_down) break;
    auto chunk = queue.take();
    if (!chunk) {
      co_await queue.wait();
      continue;
    }
    append_lines(pieces, chunk->bytes(), breaks_line);
    const auto put = co_await frames.put_pieces(pieces);
    pieces.clear();
    chunk.reset();
    queue.done();
    if (!put) break;
  }
  if (queue.is_drained() && run.instead()) {
    Outcome instead = *run.instead();
    auto answered = co_await send_outcome(exchange_, std::move(instead));
    co_return answered;
  }
  if (queue.is_drained() && run.is_broken() && !frames.is_committed() && frames.take_back()) {
    co_await send_broken();
    co_return kStreamed;
  }
  if (!queue.is_drained() || run.is_broken()) {
    if (queue.is_drained())
      spdlog::warn("tool {}: the result broke off inside a JSON value; connection closed",
                   run.entry().tool.name);
    run.abandon();
    frames.abort();
    co_return kStreamed;
  }
  const auto finished = co_await frames.finish();
  static_cast<void>(finished);  // the connection sees the writer's error
  co_return kStreamed;
}

}  // namespace sluice::mcp
