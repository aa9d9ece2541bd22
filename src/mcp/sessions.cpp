#include "mcp/sessions.hpp"

#include <algorithm>

#include <sluice/error.hpp>

namespace sluice::mcp {
namespace {

constexpr std::string_view kPurpose = "session";

bool is_same(const std::weak_ptr<Stopper>& weak, const Stopper* stopper) {
  const auto strong = weak.lock();
  return !strong || strong.get() == stopper;
}

}  // namespace

bool Session::add_call(std::string_view request_id, std::weak_ptr<Stopper> call) {
  const std::scoped_lock lock(mutex_);
  if (closed_) return false;
  calls_.emplace(std::string(request_id), std::move(call));
  return true;
}

void Session::remove_call(std::string_view request_id, const Stopper* call) {
  const std::scoped_lock lock(mutex_);
  auto [it, end] = calls_.equal_range(request_id);
  while (it != end) it = is_same(it->second, call) ? calls_.erase(it) : std::next(it);
}

bool Session::cancel(std::string_view request_id) {
  const std::scoped_lock lock(mutex_);
  const auto [begin, end] = calls_.equal_range(request_id);
  for (auto it = begin; it != end; ++it)
    if (const auto call = it->second.lock()) call->stop(Errc::cancelled);
  return begin != end;
}

void Session::add_question(std::string id, std::weak_ptr<Mailbox> asker) {
  const std::scoped_lock lock(mutex_);
  questions_.emplace(std::move(id), std::move(asker));
}

void Session::remove_question(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  if (const auto it = questions_.find(id); it != questions_.end()) questions_.erase(it);
}

bool Session::answer(std::string_view id, std::string response) {
  std::shared_ptr<Mailbox> asker;
  {
    const std::scoped_lock lock(mutex_);
    const auto it = questions_.find(id);
    if (it == questions_.end()) return false;
    asker = it->second.lock();
    questions_.erase(it);
  }
  if (asker) asker->deliver(std::string(id), std::move(response));
  return asker != nullptr;
}

bool Session::add_stream(Stream stream, std::size_t max) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(streams_, [&](const Stream& other) {
    const auto strong = other.stopper.lock();
    const bool is_lost = stream.number != 0 && other.number == stream.number;
    if (strong && is_lost) strong->stop(Errc::peer_gone);
    return !strong || is_lost;
  });
  if (closed_ || streams_.size() >= max) return false;
  streams_.push_back(std::move(stream));
  return true;
}

void Session::remove_stream(const Stopper* stream) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(streams_, [&](const Stream& s) { return is_same(s.stopper, stream); });
}

bool Session::has_stream(const Stopper* stream) {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(streams_,
                             [&](const Stream& s) { return s.stopper.lock().get() == stream; });
}

void Session::wake_stream() {
  const std::scoped_lock lock(mutex_);
  for (auto it = streams_.rbegin(); it != streams_.rend(); ++it) {
    const auto stream = it->listens ? it->stopper.lock() : nullptr;
    if (!stream) continue;
    stream->wake();
    return;
  }
}

SessionInbox& Session::inbox(const SessionInbox::Place& place, Begun begun) {
  // Not under the other lock: that is held, below one of the hub's, when a stream is woken.
  const std::scoped_lock lock(making_inbox_);
  if (!inbox_) {
    inbox_ = std::make_unique<SessionInbox>(*this, place);
    if (begun == Begun::earlier) inbox_->changes().repeat_all();
    has_inbox_ = inbox_.get();
  }
  return *inbox_;
}

void Session::sweep(Clock::time_point now) {
  if (auto* const made = inbox()) made->kept().sweep(now);
}

bool Session::is_busy() {
  const std::scoped_lock lock(mutex_);
  std::erase_if(streams_, [](const Stream& s) { return s.stopper.expired(); });
  return !calls_.empty() || !streams_.empty();
}

void Session::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  for (const auto& [id, weak] : calls_)
    if (const auto call = weak.lock()) call->stop(Errc::cancelled);
  for (const auto& stream : streams_)
    if (const auto stopper = stream.stopper.lock()) stopper->stop(Errc::cancelled);
}

bool SessionTable::is_idle(Session& session) const {
  const auto used = Session::Clock::time_point(Session::Clock::duration(session.last_used_.load()));
  return Session::Clock::now() - used > options_.idle && !session.is_busy();
}

std::shared_ptr<Session> SessionTable::create(const Revision& revision,
                                              ClientCapabilities capabilities) {
  const auto expires = Sealer::now() + std::chrono::ceil<std::chrono::seconds>(options_.life);
  std::string text(revision.name);
  text += ' ';
  text += capabilities.text();
  auto session = std::make_shared<Session>(sealer_.seal(kPurpose, text, expires), revision,
                                           std::move(capabilities), expires);
  session->last_used_ = Session::Clock::now().time_since_epoch().count();
  const std::scoped_lock lock(mutex_);
  if (!make_room()) return nullptr;
  sessions_.emplace(session->id(), session);
  return session;
}

bool SessionTable::make_room() {
  if (sessions_.size() < options_.max) return true;
  auto oldest = sessions_.end();
  for (auto it = sessions_.begin(); it != sessions_.end(); ++it)
    if ((oldest == sessions_.end() || it->second->last_used_ < oldest->second->last_used_) &&
        !it->second->is_busy())
      oldest = it;
  if (oldest == sessions_.end()) return false;
  oldest->second->close();
  sessions_.erase(oldest);
  return true;
}

Result<std::shared_ptr<Session>> SessionTable::read(std::string_view id) const {
  const auto opened = sealer_.open(kPurpose, id, Sealer::now());
  if (!opened) return opened.error();
  const std::string_view text = opened->text;
  const auto blank = text.find(' ');
  const Revision* revision = find_revision(text.substr(0, blank));
  // What another release has sealed may say what this one does not know.
  if (blank == std::string_view::npos || revision == nullptr || revision->is_modern)
    return Errc::forged;
  return std::make_shared<Session>(std::string(id), *revision,
                                   ClientCapabilities::from_text(text.substr(blank + 1)),
                                   opened->expires);
}

Result<std::shared_ptr<Session>> SessionTable::find(std::string_view id) {
  const auto now = Session::Clock::now().time_since_epoch().count();
  {
    const std::scoped_lock lock(mutex_);
    const auto it = sessions_.find(id);
    if (it != sessions_.end() && it->second->expires_ > Sealer::now() && !is_idle(*it->second)) {
      it->second->last_used_ = now;
      return it->second;
    }
  }
  auto made = read(id);
  if (!made) return made.error();
  const std::scoped_lock lock(mutex_);
  if (deleted_.has(id)) return Errc::forged;
  if (const auto it = sessions_.find(id); it != sessions_.end()) {
    // Another loop was faster, or it has been idle for too long.
    if (!is_idle(*it->second)) {
      it->second->last_used_ = now;
      return it->second;
    }
    it->second->close();
    sessions_.erase(it);
  }
  if (!make_room()) return Errc::busy;
  (*made)->last_used_ = now;
  sessions_.emplace((*made)->id(), *made);
  return made;
}

bool SessionTable::erase(std::string_view id) {
  const auto named = read(id);
  if (!named) return false;
  std::shared_ptr<Session> session;
  {
    const std::scoped_lock lock(mutex_);
    if (!deleted_.add(id, (*named)->expires_)) return false;
    const auto it = sessions_.find(id);
    if (it == sessions_.end()) return true;
    session = std::move(it->second);
    sessions_.erase(it);
  }
  session->close();
  return true;
}

void SessionTable::sweep() {
  const auto now = Session::Clock::now();
  std::vector<std::shared_ptr<Session>> dropped;
  {
    const std::scoped_lock lock(mutex_);
    deleted_.sweep(Sealer::now());
    for (auto it = sessions_.begin(); it != sessions_.end();) {
      if (is_idle(*it->second)) {
        dropped.push_back(std::move(it->second));
        it = sessions_.erase(it);
      } else {
        it->second->sweep(now);
        ++it;
      }
    }
  }
  for (const auto& session : dropped) session->close();
}

std::size_t SessionTable::size() {
  const std::scoped_lock lock(mutex_);
  return sessions_.size();
}

}  // namespace sluice::mcp
