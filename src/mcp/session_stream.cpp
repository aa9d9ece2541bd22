#include "mcp/session_stream.hpp"

#include <utility>

#include "mcp/change_text.hpp"

namespace sluice::mcp {

SessionStream::SessionStream(const boost::asio::any_io_executor& executor,
                             std::shared_ptr<Session> session, SessionInbox& inbox,
                             std::chrono::milliseconds interval)
    : session_(std::move(session)),
      inbox_(inbox),
      interval_(interval),
      number_(inbox.next_stream()),
      stopper_(std::make_shared<Stopper>(executor, static_cast<Stopper::Target&>(*this))) {}

std::unique_ptr<SessionStream> SessionStream::open(const boost::asio::any_io_executor& executor,
                                                   std::shared_ptr<Session> session,
                                                   SessionInbox& inbox, std::size_t max,
                                                   std::chrono::milliseconds interval) {
  std::unique_ptr<SessionStream> stream(
      new SessionStream(executor, std::move(session), inbox, interval));
  if (!stream->session_->add_stream(stream->stopper_, max)) return nullptr;
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

EventSource::State SessionStream::next(std::string& out) {
  if (is_over_) return State::over;
  while (out.size() < kPiece) {
    const auto change = inbox_.changes().take({number_, inbox_.next_message()});
    if (!change) break;
    append_event(out, change_text(*change, {}));
  }
  return State::open;
}

}  // namespace sluice::mcp
