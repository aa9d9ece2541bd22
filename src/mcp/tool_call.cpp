#include "mcp/tool_call.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "base/digest.hpp"
#include "json/canonical.hpp"
#include "mcp/errors.hpp"

namespace sluice::mcp {

namespace asio = boost::asio;

ToolCall::ToolCall(Exchange& exchange, const Envelope& message, const Caller& caller,
                   const ToolEntry& entry, Json arguments, CallServices& services,
                   const AskedIn& asked_in, Place place)
    : HandlerCall(exchange, message, caller, entry, services, asked_in, place,
                  result_envelope(message.id, *caller.revision, asked_in.server_info)),
      entry_(entry),
      arguments_(arguments) {}

std::string ToolCall::shared_envelope() const {
  return result_envelope({}, *caller_.revision, asked_in_.server_info);
}

JsonResultWriter::Options ToolCall::options(std::string_view envelope) const {
  const auto& limits = services_.config->limits;
  return result_options(entry_, caller_.revision->structured, limits, envelope);
}

CallContext::Options ToolCall::context_options(bool speaks) const {
  auto options = HandlerCall::context_options(arguments_);
  if (speaks) return options;
  options.meta = {};
  options.log_level.reset();
  options.asked_in = nullptr;
  return options;
}

Awaitable<void> ToolCall::refuse(std::string_view text) {
  JsonResultWriter out(exchange_.writer(), options(envelope_));
  const auto told = co_await out.fail(text);
  static_cast<void>(told);
  co_await end(out, {});
}

Awaitable<Outcome> ToolCall::run(Permits permits) {
  JsonResultWriter out(exchange_.writer(), options(envelope_));
  CallContext context(exchange_, services_, context_options(true));
  auto outcome = co_await run_handler(out, context, permits);
  co_return outcome;
}

std::optional<std::string> ToolCall::cache_key() const {
  std::string key(1, static_cast<char>('0' + static_cast<int>(caller_.revision->structured)));
  if (entry_.tool.cache->per_caller) {
    // Who calls is told by the credentials; what is kept is not those.
    const auto credentials = exchange_.header("authorization");
    if (credentials && !append_sha256(key, *credentials)) return std::nullopt;
    key += '|';
  }
  // Keys are kept as long as results are, so a long text is not one.
  constexpr std::size_t kLongest = 64;
  const std::string arguments = json::canonical(arguments_);
  if (arguments.size() <= kLongest) return key + '=' + arguments;
  if (!append_sha256(key, arguments)) return std::nullopt;
  return key;
}

Awaitable<void> ToolCall::produce(Recording& recording, Permits permits,
                                  asio::cancellation_signal& cancellation, HandlerRun*& running) {
  JsonResultWriter out(recording, options({}));
  CallContext context(exchange_, services_, context_options(false));
  HandlerRun handler(entry_, context, out, cancellation);
  running = &handler;
  recording.when_abandoned([&] { handler.stop(Errc::peer_gone); });
  co_await handler.run();
  running = nullptr;
  permits.release();
  co_await handler.explain({});
  const auto closed = co_await out.close();
  if (!closed)
    recording.finish(Recording::End::broken);
  else
    recording.finish(out.is_error() || handler.why() ? Recording::End::failed
                                                     : Recording::End::good);
}

Awaitable<Recording::End> ToolCall::copy(Recording::Reader& reader, const CallStop& stop) {
  FrameWriter& frames = exchange_.writer();
  // At the end of the server the handler is told, and ends the result for all.
  const auto is_wanted = [&] { return !stop.why() || stop.why() == Errc::shutting_down; };
  // The envelope waits for what is behind it, so that heartbeats can go ahead of both.
  std::array<BodyPiece, 2> pieces{BodyPiece{envelope_}, BodyPiece{}};
  std::span<const BodyPiece> next(pieces);
  while (is_wanted()) {
    pieces[1] = reader.next();
    if (!pieces[1].bytes.empty()) {
      const auto put = co_await frames.put_pieces(next);
      if (!put) break;
      next = std::span<const BodyPiece>(pieces).subspan(1);
    } else if (const auto end = reader.end(); end != Recording::End::open) {
      co_return end;
    } else {
      co_await reader.wait();
    }
  }
  co_return Recording::End::open;
}

Awaitable<void> ToolCall::share(ResultCache::Found found, std::unique_ptr<Recording::Reader> reader,
                                const std::string& key, Permits permits) {
  Recording& recording = *found.recording;
  HandlerRun* running = nullptr;
  const auto deadline = found.is_new ? deadline_ : CallStop::TimePoint::max();
  CallStop stop(exchange_, *caller_.revision, deadline, [&](boost::system::error_code why) {
    if ((why == Errc::shutting_down || why == Errc::deadline) && running != nullptr)
      running->stop(why);
    if (reader) reader->wake();
  });
  if (caller_.session && !caller_.session->add_call(message_.id, stop.stopper()))
    stop.on_stop(Errc::cancelled);
  bool producing = found.is_new;
  Signal produced(exchange_.executor());
  const auto on_end = [&](std::exception_ptr thrown) {
    if (thrown) spdlog::error("tool {}: its result could not be written", entry_.tool.name);
    if (!recording.is_over()) recording.finish(Recording::End::broken);
    entry_.cache->ended(key, found.recording, ResultCache::Clock::now());
    producing = false;
    produced.notify();
  };
  asio::cancellation_signal cancellation;
  if (producing)
    asio::co_spawn(exchange_.executor(), produce(recording, permits, cancellation, running),
                   asio::bind_cancellation_slot(cancellation.slot(), on_end));
  else
    permits.entry.release();
  auto end = Recording::End::open;
  std::exception_ptr failed;
  try {
    const auto copied = co_await copy(*reader, stop);
    end = copied;
  } catch (...) {
    failed = std::current_exception();
  }
  reader.reset();
  // The handler uses what this call has, so the call stays until it is done.
  while (producing) {
    co_await produced.wait();
  }
  if (failed) std::rethrow_exception(failed);
  permits.process.release();
  stop.end();
  if (caller_.session) caller_.session->remove_call(message_.id, stop.stopper().get());

  const bool answered = co_await end_cancelled(stop.why());
  if (answered) co_return;
  FrameWriter& frames = exchange_.writer();
  if (end == Recording::End::good || end == Recording::End::failed) {
    const auto finished = co_await frames.finish();
    static_cast<void>(finished);  // the connection sees the writer's error
    co_return;
  }
  if (end == Recording::End::broken && !frames.is_committed() && !frames.error()) {
    // Nothing has left for this client, so it can be told.
    const auto options = frames.options();
    frames.abort();
    if (frames.start(options)) {
      co_await refuse("The tool's result broke off inside a JSON value.");
    } else {
      const Failure failure = failure_of(Errc::frames_exhausted);
      co_await exchange_.reply(failure.status, render(failure, message_.id));
    }
    co_return;
  }
  if (end == Recording::End::left_behind)
    spdlog::info(
        "tool {}: a client took less than a block of a shared result in timeouts.stall; connection "
        "closed",
        entry_.tool.name);
  if (end == Recording::End::broken)
    spdlog::warn("tool {}: the result broke off inside a JSON value; connection closed",
                 entry_.tool.name);
  frames.abort();
}

}  // namespace sluice::mcp
