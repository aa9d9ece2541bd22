#include "mcp/handler_call.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "mcp/call_stop.hpp"
#include "mcp/errors.hpp"
#include "mcp/handler_run.hpp"
#include "mcp/send_outcome.hpp"

namespace sluice::mcp {

HandlerCall::HandlerCall(Exchange& exchange, const Envelope& message, const Caller& caller,
                         const HandlerEntry& entry, CallServices& services, const AskedIn& asked_in,
                         Place place, std::string envelope)
    : exchange_(exchange),
      message_(message),
      caller_(caller),
      services_(services),
      asked_in_(asked_in),
      envelope_(std::move(envelope)),
      deadline_(std::chrono::steady_clock::now() + entry.timeout),
      place_(place),
      entry_(entry) {}

CallContext::Options HandlerCall::context_options(Json arguments) const {
  CallContext::Options options;
  options.name = entry_.name;
  options.max_result = entry_.max_result;
  options.arguments = arguments;
  options.meta = message_.meta;
  options.log_level = caller_.log_level;
  options.revision = caller_.revision;
  options.deadline = deadline_;
  options.asked_in = &asked_in_;
  return options;
}

Awaitable<Outcome> HandlerCall::run_handler(ResponseWriter& out, CallContext& context,
                                            Permits permits) {
  HandlerRun handler(entry_, context, out, exchange_.cancellation());
  CallStop stop(exchange_, *caller_.revision, deadline_,
                [&](boost::system::error_code why) { handler.stop(why); });
  stop.when_left([&] { context.on_peer_gone(); });
  CallContext::Run run{
      &stop, [&] { handler.stop(Errc::input_required); }, {&permits.process, &permits.entry}};
  context.runs_as(run);
  if (caller_.session && !caller_.session->add_call(message_.id, stop.stopper()))
    stop.on_stop(Errc::cancelled);
  co_await handler.run();
  stop.end();
  if (caller_.session) caller_.session->remove_call(message_.id, stop.stopper().get());
  permits.release();
  auto instead = instead_of_result(handler, context, out);
  if (instead) {
    auto answered = co_await send_outcome(exchange_, std::move(*instead));
    co_return answered;
  }
  co_await handler.explain(exchange_.writer().error());
  co_await end(out, handler.why() ? handler.why() : exchange_.writer().error());
  co_return Outcome{200, {}, true};
}

std::optional<Outcome> HandlerCall::instead_of_result(const HandlerRun& handler,
                                                      const CallContext& context,
                                                      const ResponseWriter& out) const {
  if (handler.why() == Errc::input_required) return context.instead();
  const bool is_missing = !handler.why() && !handler.returned() &&
                          handler.returned().error() == Errc::missing_capability;
  if (!is_missing || !caller_.revision->is_modern || out.bytes() > 0 || out.is_error())
    return std::nullopt;
  return failed(missing_capability(context.missing(), *caller_.revision), message_.id);
}

Awaitable<bool> HandlerCall::end_cancelled(boost::system::error_code why) {
  if (why != Errc::cancelled || place_ == Place::in_batch) co_return false;
  co_await mcp::end_cancelled(exchange_);
  co_return true;
}

Awaitable<void> HandlerCall::end(ResponseWriter& out, boost::system::error_code why) {
  FrameWriter& frames = exchange_.writer();
  const bool answered = co_await end_cancelled(why);
  if (answered) co_return;
  if (why == Errc::cancelled) {
    const auto told = co_await out.fail("Cancelled.");
    static_cast<void>(told);
  }
  if (why != Errc::peer_gone) {
    const auto closed = co_await out.close();
    if (closed) {
      if (place_ == Place::in_batch) co_return;
      const auto finished = co_await frames.finish();
      static_cast<void>(finished);  // the connection sees the writer's error
      co_return;
    }
    if (!frames.error())
      spdlog::warn(
          "{} {}: the result broke off after {} bytes and cannot be ended; connection closed",
          entry_.kind, entry_.name, out.bytes());
  }
  frames.abort();
}

Awaitable<bool> HandlerCall::send_encoded(std::shared_ptr<const Recording> recording) {
  FrameWriter& frames = exchange_.writer();
  const std::uint64_t size = envelope_.size() + recording->size();
  const auto coding = frames.options().coding;
  if (place_ == Place::in_batch || coding == ContentCoding::identity ||
      size < frames.options().min_encoded)
    co_return false;
  const EncodedForms::Key key{coding, frames.form_for(size), caller_.revision->has_result_type};
  auto found = recording->encoded().find(key);
  if (found.is_new) {
    // The id comes last, so that all before it is the same for everybody.
    std::string front(key.form == BodyForm::event_stream ? FrameWriter::kEventStart : "");
    front += shared_envelope();
    std::vector<BodyPiece> pieces(recording->pieces().begin(), recording->pieces().end());
    pieces.back().bytes.remove_suffix(1);  // the brace behind the id
    co_await services_.workers->run(
        [&] { found.form = encode_form(front, pieces, key.form, key.coding); });
    recording->keep_encoded(key, found.form);
  }
  if (!found.form) co_return false;
  std::string end = R"(,"id":)";
  end += message_.id;
  end += '}';
  if (key.form == BodyForm::event_stream) end += FrameWriter::kEventEnd;
  std::string tail(max_tail(end.size()), '\0');
  tail.resize(write_tail(found.form->end, end, tail));
  const std::array<BodyPiece, 2> pieces{BodyPiece{found.form->bytes}, BodyPiece{tail}};
  const auto finished = co_await frames.finish_encoded(pieces, key.form, coding);
  static_cast<void>(finished);  // the connection sees the writer's error
  co_return true;
}

Awaitable<void> HandlerCall::send(std::shared_ptr<const Recording> recording) {
  const bool sent = co_await send_encoded(recording);
  if (sent) co_return;
  FrameWriter& frames = exchange_.writer();
  const BodyPiece envelope{envelope_};
  const auto begun = co_await frames.put_pieces({&envelope, 1});
  if (!begun) {
    frames.abort();
    co_return;
  }
  if (place_ == Place::in_batch) {
    const auto put = co_await frames.put_pieces(recording->pieces());
    if (!put) frames.abort();
    co_return;
  }
  const auto finished = co_await frames.finish_with(recording->pieces());
  static_cast<void>(finished);  // the connection sees the writer's error
}

}  // namespace sluice::mcp
