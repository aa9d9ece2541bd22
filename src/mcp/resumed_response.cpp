#include "mcp/resumed_response.hpp"

#include <utility>

#include "mcp/change_text.hpp"
#include "mcp/errors.hpp"

namespace sluice::mcp {
namespace {

std::string fields_of_last(EventId id) {
  id.number = EventId::kLast;
  return "id: " + id.text() + '\n';
}

}  // namespace

bool ResumedResponse::is_due(SessionInbox& inbox, const EventId& last) {
  using Rest = KeptResponses::Rest;
  if (last.number == EventId::kLast) return false;
  const Rest rest = last.epoch == inbox.epoch()
                        ? inbox.kept().rest_of(last.stream, {last.number, 0})
                        : Rest::unknown;
  // Of what is not known its client is told so, where we know whom that answers.
  return rest == Rest::unknown ? !last.request.empty() : rest == Rest::something;
}

ResumedResponse::ResumedResponse(const boost::asio::any_io_executor& executor,
                                 std::shared_ptr<Session> session, SessionInbox& inbox,
                                 EventId last)
    : session_(std::move(session)),
      inbox_(inbox),
      last_(std::move(last)),
      fields_(fields_of_last(last_)),
      position_{last_.number, 0},
      stopper_(std::make_shared<Stopper>(executor, static_cast<Stopper::Target&>(*this))) {}

std::unique_ptr<ResumedResponse> ResumedResponse::open(const boost::asio::any_io_executor& executor,
                                                       std::shared_ptr<Session> session,
                                                       SessionInbox& inbox, EventId last,
                                                       std::size_t max) {
  std::unique_ptr<ResumedResponse> stream(
      new ResumedResponse(executor, std::move(session), inbox, std::move(last)));
  const bool is_known = stream->last_.epoch == inbox.epoch();
  const std::uint32_t number = is_known ? stream->last_.stream : 0;
  if (!stream->session_->add_stream({stream->stopper_, number, false}, max)) return nullptr;
  if (is_known) inbox.kept().follow(number, stream->stopper_);
  return stream;
}

ResumedResponse::~ResumedResponse() {
  stopper_->detach();
  session_->remove_stream(stopper_.get());
}

void ResumedResponse::on_stop(boost::system::error_code why) {
  static_cast<void>(why);
  is_over_ = true;
  wake();
}

void ResumedResponse::append_failure(std::string& out, std::string_view request,
                                     std::string_view text) const {
  if (request.empty()) return;
  append_event(out, render({rpc::kInternalError, 200, std::string(text), {}}, request), fields_);
}

EventSource::State ResumedResponse::next(std::string& out) {
  using Kept = KeptResponses::State;
  if (is_over_) return State::over;
  KeptResponses::Piece piece;
  if (last_.epoch == inbox_.epoch())
    piece = inbox_.kept().read(last_.stream, position_, kPiece, fields_, out);
  // Dropped on the way: what has left of the event is without its end, so the client drops it too.
  if (!piece.is_kept && position_.result > 0) return State::over;
  if (!piece.is_kept) {
    append_failure(out, last_.request, "The result is no longer kept: send the request again.");
    return State::over;
  }
  if (!piece.is_all) return State::open;
  if (piece.state == Kept::too_large)
    append_failure(out, piece.request,
                   "The result is larger than what limits.replay or limits.replays keeps for a "
                   "client that lost its connection.");
  if (piece.state == Kept::broken) append_failure(out, piece.request, "The result broke off.");
  return State::over;
}

}  // namespace sluice::mcp
