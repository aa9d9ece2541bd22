#include "mcp/sessions.hpp"

#include <openssl/rand.h>

#include <algorithm>

#include <sluice/error.hpp>

#include "base/check.hpp"

namespace sluice::mcp {
namespace {

std::string make_id() {
  unsigned char bytes[16];
  SLUICE_CHECK(RAND_bytes(bytes, sizeof bytes) == 1);
  std::string id;
  for (const unsigned char b : bytes) {
    id += "0123456789abcdef"[b >> 4];
    id += "0123456789abcdef"[b & 15];
  }
  return id;
}

bool is_same(const std::weak_ptr<Stopper>& weak, const Stopper* stopper) {
  const auto strong = weak.lock();
  return !strong || strong.get() == stopper;
}

}  // namespace

void Session::add_capability(std::string_view name) {
  constexpr std::size_t kMost = 32;
  constexpr std::size_t kLongest = 64;
  if (capabilities_.size() < kMost && name.size() <= kLongest) capabilities_.emplace_back(name);
}

bool Session::has_capability(std::string_view name) const noexcept {
  return std::find(capabilities_.begin(), capabilities_.end(), name) != capabilities_.end();
}

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

bool SessionTable::is_expired(Session& session) const {
  const auto used = Session::Clock::time_point(Session::Clock::duration(session.last_used_.load()));
  return Session::Clock::now() - used > idle_ && !session.is_busy();
}

std::shared_ptr<Session> SessionTable::create(const Revision& revision) {
  auto session = std::make_shared<Session>(make_id(), revision);
  session->last_used_ = Session::Clock::now().time_since_epoch().count();
  const std::scoped_lock lock(mutex_);
  if (sessions_.size() >= max_ && !drop_longest_unused()) return nullptr;
  sessions_.emplace(session->id(), session);
  return session;
}

bool SessionTable::drop_longest_unused() {
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

std::shared_ptr<Session> SessionTable::find(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  const auto it = sessions_.find(id);
  if (it == sessions_.end() || is_expired(*it->second)) return nullptr;
  it->second->last_used_ = Session::Clock::now().time_since_epoch().count();
  return it->second;
}

bool SessionTable::erase(std::string_view id) {
  std::shared_ptr<Session> session;
  {
    const std::scoped_lock lock(mutex_);
    const auto it = sessions_.find(id);
    if (it == sessions_.end()) return false;
    session = std::move(it->second);
    sessions_.erase(it);
  }
  session->close();
  return true;
}

void SessionTable::sweep() {
  const auto now = Session::Clock::now();
  std::vector<std::shared_ptr<Session>> expired;
  {
    const std::scoped_lock lock(mutex_);
    for (auto it = sessions_.begin(); it != sessions_.end();) {
      if (is_expired(*it->second)) {
        expired.push_back(std::move(it->second));
        it = sessions_.erase(it);
      } else {
        it->second->sweep(now);
        ++it;
      }
    }
  }
  for (const auto& session : expired) session->close();
}

std::size_t SessionTable::size() {
  const std::scoped_lock lock(mutex_);
  return sessions_.size();
}

}  // namespace sluice::mcp
