// tools/call: from the message to the end of its answer.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>

#include "base/await.hpp"
#include "json/document.hpp"
#include "mcp/json_result_writer.hpp"
#include "mcp/modern.hpp"
#include "mcp/service.hpp"
#include "mcp/violations.hpp"

namespace sluice::mcp {
namespace {

namespace asio = boost::asio;

/// Takes one from a counter that has room, and gives it back.
class Permit {
 public:
  Permit(std::atomic<std::uint32_t>& counter, std::uint32_t max) noexcept : counter_(counter) {
    held_ = counter_.fetch_add(1) < max;
    if (!held_) counter_.fetch_sub(1);
  }
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;
  ~Permit() { release(); }
  [[nodiscard]] bool is_held() const noexcept { return held_; }
  void release() noexcept {
    if (held_) counter_.fetch_sub(1);
    held_ = false;
  }

 private:
  std::atomic<std::uint32_t>& counter_;
  bool held_;
};

/// What can end a running call from outside: its deadline, its client, its session, the end of the
/// server.
class RunningCall final : public Stopper::Target, public Exchange::Listener {
 public:
  RunningCall(Exchange& exchange, CallContext& context, const Revision& revision,
              std::chrono::steady_clock::time_point deadline)
      : exchange_(exchange),
        context_(context),
        revision_(revision),
        timer_(exchange.executor(), deadline),
        stopper_(std::make_shared<Stopper>(exchange.executor(), *this)) {
    timer_.async_wait([stopper = stopper_](boost::system::error_code ec) {
      if (!ec) stopper->stop_now(Errc::deadline);
    });
    exchange_.listen(this);
  }
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall() { end(); }

  void end() {
    if (over_) return;
    over_ = true;
    stopper_->detach();
    exchange_.listen(nullptr);
    timer_.cancel();
    // co_spawn hands an emission on by a post of its own, which still uses the signal.
    if (why_) asio::post(exchange_.executor(), [keep = signal_] {});
  }

  void on_stop(boost::system::error_code why) override {
    if (why_ || over_) return;
    why_ = why;
    context_.set_cancelled();
    signal_->emit(asio::cancellation_type::terminal);
  }
  void on_peer_gone() override {
    // 2026-07-28: closing the stream is the cancellation. Before, a lost connection is not to be
    // taken for one.
    if (revision_.is_modern)
      on_stop(Errc::peer_gone);
    else
      exchange_.writer().discard();
  }
  void on_shutdown() override { on_stop(Errc::shutting_down); }

  [[nodiscard]] bool is_over() const noexcept { return over_; }
  [[nodiscard]] asio::cancellation_slot slot() { return signal_->slot(); }
  [[nodiscard]] boost::system::error_code why() const noexcept { return why_; }
  [[nodiscard]] const std::shared_ptr<Stopper>& stopper() const noexcept { return stopper_; }

 private:
  Exchange& exchange_;
  CallContext& context_;
  const Revision& revision_;
  std::shared_ptr<asio::cancellation_signal> signal_ =
      std::make_shared<asio::cancellation_signal>();
  asio::steady_timer timer_;
  std::shared_ptr<Stopper> stopper_;
  boost::system::error_code why_;
  bool over_ = false;
};

const Json& empty_object() {
  static json::Document document;
  static const Json root = *document.parse_copy("{}");
  return root;
}

FrameWriter::Options frame_options(const Exchange& exchange, Framing framing,
                                   config::Tool::Framing preferred) {
  using Prefer = FrameWriter::Options::Prefer;
  Prefer prefer = Prefer::automatic;
  if (framing == Framing::json ||
      (framing == Framing::automatic && preferred == config::Tool::Framing::json))
    prefer = Prefer::json;
  if (framing == Framing::sse ||
      (framing == Framing::automatic && preferred == config::Tool::Framing::sse))
    prefer = Prefer::events;
  // JSON that is asked for stays JSON: messages that would need events are left out.
  const bool takes_events =
      exchange.takes_events() && !(prefer == Prefer::json && exchange.takes_json());
  return {exchange.takes_json(), takes_events, prefer, exchange.takes_chunks()};
}

/// Also what run() throws before its coroutine begins ends up in the result of this one.
Awaitable<Result<>> run_handler(ToolHandler& handler, Call& call, ResultWriter& out) {
  const auto done = co_await handler.run(call, out);
  co_return done;
}

std::string text_of(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

}  // namespace

Awaitable<Service::Outcome> Service::call_tool(Exchange& exchange, const Envelope& message,
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

  const auto catalogue = catalogue_;  // this call's own, whatever is loaded meanwhile
  const ToolEntry* entry = catalogue->find(tool_name);
  if (entry == nullptr) co_return invalid("Unknown tool: " + std::string(tool_name.substr(0, 128)));
  Json arguments = message.params.find("arguments");
  if (!arguments) arguments = empty_object();
  if (!arguments.is(JsonKind::object)) co_return invalid("params.arguments must be an object");
  if (caller.revision->is_modern)
    if (const auto refused = modern::check_parameters(*entry, arguments, exchange))
      co_return failed(*refused, message.id);
  if (const auto refused = missing_capabilities(*entry, caller))
    co_return failed(*refused, message.id);

  if (draining_) co_return failed(failure_of(Errc::shutting_down), message.id);
  Failure busy = failure_of(Errc::busy);
  Permit permit(calls_, config_.limits.calls_in_flight);
  if (!permit.is_held()) {
    busy.message = "limits.calls_in_flight (" + std::to_string(config_.limits.calls_in_flight) +
                   ") is reached";
    co_return failed(busy, message.id);
  }
  Permit tool_permit(entry->in_flight, entry->tool.concurrency.value_or(UINT32_MAX));
  if (!tool_permit.is_held()) {
    busy.message =
        "the tool's concurrency (" + std::to_string(*entry->tool.concurrency) + ") is reached";
    co_return failed(busy, message.id);
  }
  const Permit loop_permit(*exchange.loop().calls, UINT32_MAX);

  FrameWriter& frames = exchange.writer();
  if (place == Place::alone &&
      !frames.start(frame_options(exchange, entry->tool.framing, config_.server.framing)))
    co_return failed(failure_of(Errc::frames_exhausted), message.id);

  JsonResultWriter out(
      frames, {message.id, caller.revision, server_info_, entry->max_result, entry->limit_name,
               config_.limits.nesting, entry->output.get(), config_.limits.schema_steps});
  const auto verdict = entry->input->validate(arguments, config_.limits.schema_steps);
  boost::system::error_code why;
  if (verdict.out_of_steps || !verdict.violations.empty()) {
    const std::string text =
        verdict.violations.empty()
            ? "Checking the arguments took more than limits.schema_steps allows."
            : describe("The arguments do not fit the tool's input schema:", verdict.violations);
    const auto told = co_await out.fail(text);
    static_cast<void>(told);
  } else {
    json::Document with_defaults;
    if (!verdict.defaults.empty()) {
      const auto filled = with_defaults.parse_copy(schema::apply(arguments.raw(), verdict.defaults),
                                                   config_.limits.nesting + 64);
      if (filled) arguments = *filled;
    }
    const auto deadline = std::chrono::steady_clock::now() + entry->timeout;
    CallContext context(
        exchange, call_services_,
        {entry, arguments, message.meta, caller.revision, caller.log_level, deadline});
    RunningCall running(exchange, context, *caller.revision, deadline);
    if (caller.session && !caller.session->add_call(message.id, running.stopper()))
      running.on_stop(Errc::cancelled);

    std::exception_ptr thrown;
    Result<> returned;
    bool done = false;
    Signal ended(exchange.executor());
    const auto on_end = [&](std::exception_ptr e, Result<> r) {
      thrown = std::move(e);
      returned = r;
      done = true;
      running.end();  // what comes from now on is too late
      ended.notify();
    };
    if (!running.why())
      asio::co_spawn(exchange.executor(), run_handler(*entry->handler, context, out),
                     asio::bind_cancellation_slot(running.slot(), on_end));
    else
      running.end();
    while (!done && !running.is_over()) {
      co_await ended.wait();
    }
    if (caller.session) caller.session->remove_call(message.id, running.stopper().get());
    // What is left is to be sent, which takes as long as the client likes: nobody else waits for
    // that.
    tool_permit.release();
    permit.release();

    why = running.why();
    if (!why && frames.error()) why = frames.error();
    std::string text;
    if (why == Errc::deadline) {
      text = entry->timeout_name + " passed after " + std::to_string(out.bytes()) +
             " bytes of its result.";
    } else if (why == Errc::shutting_down) {
      text = "The server is shutting down; the result ends after " + std::to_string(out.bytes()) +
             " bytes.";
    } else if (!why && thrown) {
      spdlog::error("tool {}: {}", entry->tool.name, text_of(thrown));
      text = "The tool failed unexpectedly.";
    } else if (!why && !returned && returned.error() != Errc::result_too_large) {
      text = "The tool failed: " + returned.error().message() + ".";
    }
    if (!text.empty() && !(out.is_error() && !why)) {
      const auto told = co_await out.fail(text);
      static_cast<void>(told);
    }
  }

  if (why == Errc::cancelled && !frames.is_committed() && place == Place::alone) {
    // A cancelled request gets no response (2025-11-25, Cancellation): the stream ends empty.
    frames.abort();
    co_await exchange.reply_empty_stream();
    co_return Outcome{200, {}, true};
  }
  if (why == Errc::cancelled && place == Place::in_batch) {
    const auto told = co_await out.fail("Cancelled.");
    static_cast<void>(told);
  }
  if (why == Errc::cancelled && place == Place::alone && frames.ends_without_result()) {
    const auto finished = co_await frames.finish();
    static_cast<void>(finished);
    co_return Outcome{200, {}, true};
  }
  const bool is_over = why == Errc::peer_gone || (why == Errc::cancelled && place == Place::alone);
  if (!is_over) {
    const auto closed = co_await out.close();
    if (closed) {
      if (place == Place::alone) {
        const auto finished = co_await frames.finish();
        static_cast<void>(finished);  // the connection sees the writer's error
      }
      co_return Outcome{200, {}, true};
    }
    if (!frames.error())
      spdlog::warn(
          "tool {}: the result broke off inside a JSON value after {} bytes; connection closed",
          entry->tool.name, out.bytes());
  }
  frames.abort();
  co_return Outcome{200, {}, true};
}

std::optional<Failure> Service::missing_capabilities(const ToolEntry& entry, const Caller& caller) {
  if (entry.tool.client_capabilities.empty()) return std::nullopt;
  std::string missing;
  for (const auto& capability : entry.tool.client_capabilities) {
    if (caller.session ? caller.session->has_capability(capability)
                       : static_cast<bool>(caller.capabilities.find(capability)))
      continue;
    if (!missing.empty()) missing += ',';
    json::append_string(missing, capability);
    missing += ":{}";
  }
  if (missing.empty()) return std::nullopt;
  Failure failure{rpc::kMissingCapability, 400,
                  "The tool needs client capabilities that are not declared",
                  R"({"requiredCapabilities":{)" + missing + "}}"};
  if (!caller.revision->is_modern) {
    failure.code = rpc::kInvalidRequest;  // the code is of 2026-07-28
    failure.status = 200;
  }
  return failure;
}

}  // namespace sluice::mcp
