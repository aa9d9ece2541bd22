#include "mcp/session_stream.hpp"

#include <utility>

#include "mcp/change_text.hpp"
#include "mcp/task.hpp"
#include "mcp/task_text.hpp"

namespace sluice::mcp {

SessionStream::SessionStream(const boost::asio::any_io_executor& executor,
                             std::shared_ptr<Session> session, SessionInbox& inbox,
                             const Options& options, std::uint32_t number)
    : session_(std::move(session)),
      inbox_(inbox),
      options_(options),
      number_(number),
      stopper_(std::make_shared<Stopper>(executor, static_cast<Stopper::Target&>(*this))),
      is_primed_(options.resumption != Revision::Resumption::primed) {}

std::unique_ptr<SessionStream> SessionStream::open(const boost::asio::any_io_executor& executor,
                                                   std::shared_ptr<Session> session,
                                                   SessionInbox& inbox, const Options& options,
                                                   const std::optional<EventId>& last) {
  const bool is_known = last && last->epoch == inbox.epoch();
  std::unique_ptr<SessionStream> stream(new SessionStream(
      executor, std::move(session), inbox, options, is_known ? last->stream : inbox.next_stream()));
  if (!stream->session_->add_stream({stream->stopper_, stream->number_}, options.max))
    return nullptr;
  // Of a stream of another time nobody knows what its client has missed.
  if (is_known)
    inbox.changes().repeat_after({last->stream, last->number});
  else if (last)
    inbox.changes().repeat_all();
  return stream;
}

SessionStream::~SessionStream() {
  stopper_->detach();
  session_->remove_stream(stopper_.get());
  // Somebody else has to tell what is left.
  if (inbox_.changes().has_pending()) session_->wake_stream();
}

void SessionStream::on_stop(boost::system::error_code why) {
  static_cast<void>(why);
  is_over_ = true;
  wake();
}

std::string SessionStream::id_line(std::uint32_t message) const {
  if (options_.resumption == Revision::Resumption::none) return {};
  const EventId id{inbox_.epoch(), EventId::Kind::listening, number_, message, {}};
  return "id: " + id.text() + '\n';
}

std::string SessionStream::text_of(const Change& change) {
  const auto task = change.list ? std::nullopt : inbox_.followed(change.uri);
  if (!task) return change_text(change, {});
  if (*task == nullptr) {
    inbox_.unfollow(change.uri);
    return {};
  }
  const TaskRecord record = (*task)->record();
  if (is_terminal(record.status)) inbox_.unfollow(change.uri);
  return status_notification(record, {session_->revision(), {}, options_.poll_interval});
}

EventSource::State SessionStream::next(std::string& out) {
  if (is_over_ || !session_->has_stream(stopper_.get())) return State::over;
  if (!std::exchange(is_primed_, true)) {
    out += id_line(inbox_.next_message());
    append_priming(out, options_.retry);
  }
  while (out.size() < kPiece) {
    const auto message = inbox_.next_message();
    const auto change = inbox_.changes().take({number_, message});
    if (!change) break;
    const std::string text = text_of(*change);
    if (!text.empty()) append_event(out, text, id_line(message));
  }
  return State::open;
}

}  // namespace sluice::mcp
