#include "mcp/message_call.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "mcp/call_stop.hpp"
#include "mcp/framing.hpp"
#include "mcp/send_outcome.hpp"

namespace sluice::mcp {
namespace {

CallContext::Options context_options(const Envelope& message, const Caller& caller,
                                     const MessageCall::Options& options) {
  CallContext::Options out;
  out.name = options.name;
  out.max_result = options.max_bytes;
  out.arguments = options.arguments;
  out.meta = message.meta;
  out.revision = caller.revision;
  out.log_level = caller.log_level;
  out.deadline = std::chrono::steady_clock::now() + options.timeout;
  out.asked_in = options.asked_in;
  return out;
}

}  // namespace

MessageCall::MessageCall(Exchange& exchange, const Envelope& message, const Caller& caller,
                         CallServices& services, Place place, const Options& options)
    : exchange_(exchange),
      message_(message),
      caller_(caller),
      services_(services),
      log_(options.log),
      place_(place),
      permit_(options.permit),
      context_(exchange, services, context_options(message, caller, options)) {}

Awaitable<Outcome> MessageCall::run(Awaitable<Result<>> work, const Answer& answer) {
  FrameWriter& frames = exchange_.writer();
  if (place_ == Place::alone) {
    auto options = frame_options(exchange_, Framing::automatic, services_.config->server);
    options.log = log_;
    if (!frames.start(options)) co_return failed(failure_of(Errc::frames_exhausted), message_.id);
  }

  GuardedRun guarded(context_, exchange_.cancellation());
  CallStop stop(exchange_, *caller_.revision, context_.deadline(),
                [&](boost::system::error_code why) { guarded.stop(why); });
  stop.when_left([&] { context_.on_peer_gone(); });
  CallContext::Run run{&stop, [&] { guarded.stop(Errc::input_required); }, {permit_}};
  context_.runs_as(run);
  if (caller_.session && !caller_.session->add_call(message_.id, stop.stopper()))
    stop.on_stop(Errc::cancelled);
  co_await guarded.run(std::move(work));
  stop.end();
  if (caller_.session) caller_.session->remove_call(message_.id, stop.stopper().get());

  if (guarded.why() == Errc::peer_gone && place_ == Place::alone) {
    frames.abort();
    co_return Outcome{200, {}, true};
  }
  if (guarded.why() == Errc::cancelled && place_ == Place::alone) {
    co_await end_cancelled(exchange_);
    co_return Outcome{200, {}, true};
  }
  auto outcome = instead(guarded);
  if (!outcome) outcome = answer(guarded);
  if (place_ == Place::in_batch) co_return std::move(*outcome);
  auto sent = co_await send_outcome(exchange_, std::move(*outcome));
  co_return sent;
}

std::optional<Outcome> MessageCall::instead(const GuardedRun& run) const {
  if (run.why() == Errc::input_required) return context_.instead();
  const bool is_missing =
      !run.why() && !run.returned() && run.returned().error() == Errc::missing_capability;
  if (!is_missing) return std::nullopt;
  return failed(missing_capability(context_.missing(), *caller_.revision), message_.id);
}

Failure failure_of(const GuardedRun& run, std::string_view what, std::string_view timeout_name) {
  Failure failure;
  const std::string name(what);
  if (run.why() == Errc::deadline) {
    failure.message = std::string(timeout_name) + " passed.";
  } else if (run.why()) {
    failure = failure_of(run.why());
  } else if (run.has_thrown()) {
    spdlog::error("{}: {}", name, run.thrown_text());
    failure.message = "The " + name + " failed unexpectedly.";
  } else {
    failure.message = "The " + name + " failed: " + run.returned().error().message() + '.';
  }
  return failure;
}

}  // namespace sluice::mcp
