#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sluice/call.hpp>

#include "mcp/revision.hpp"
#include "mcp/session_inbox.hpp"
#include "mcp/stopper.hpp"

namespace sluice::mcp {

/// A legacy session: what initialize agreed on, and what runs in it.
///
/// Threads:   any; its own lock.
class Session {
 public:
  using Clock = std::chrono::steady_clock;

  Session(std::string id, const Revision& revision) : id_(std::move(id)), revision_(revision) {}

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const Revision& revision() const noexcept { return revision_; }
  [[nodiscard]] LogLevel log_level() const noexcept { return log_level_.load(); }
  void set_log_level(LogLevel level) noexcept { log_level_.store(level); }
  /// The names of the capabilities that the client declared in initialize; a few, and short ones,
  /// since they are kept for as long as the session. Before the session is shared.
  void add_capability(std::string_view name);
  [[nodiscard]] bool has_capability(std::string_view name) const noexcept;

  /// A call that notifications/cancelled may name by its request id (the bytes that came). False
  /// where the session has ended.
  [[nodiscard]] bool add_call(std::string_view request_id, std::weak_ptr<Stopper> call);
  void remove_call(std::string_view request_id, const Stopper* call);
  /// Stops the calls of that id; false where there is none.
  bool cancel(std::string_view request_id);

  struct Stream {
    std::weak_ptr<Stopper> stopper;
    std::uint32_t number = 0;  ///< 0: it has none.
    bool listens = true;       ///< False: it is the rest of an answer.
  };
  /// A GET stream; false where the session has `max` already, or has ended. One of the same number
  /// is stopped: its client has lost it and come back.
  [[nodiscard]] bool add_stream(Stream stream, std::size_t max);
  void remove_stream(const Stopper* stream);
  /// False once another has taken its place.
  [[nodiscard]] bool has_stream(const Stopper* stream);
  /// Wakes the stream that was opened last of those that listen; nobody where there is none.
  void wake_stream();

  /// What its client is to be told on those; null where nobody has asked for it yet.
  [[nodiscard]] SessionInbox* inbox() const noexcept { return has_inbox_.load(); }
  /// The same; made when it is first asked for. The hub outlives the
  /// session. Of a session that has begun earlier nobody knows what its client has missed.
  enum class Begun : std::uint8_t { now, earlier };
  [[nodiscard]] SessionInbox& inbox(const SessionInbox::Place& place, Begun begun = Begun::earlier);

  /// True while a call or a stream of it is open; such a session does not expire.
  [[nodiscard]] bool is_busy();
  /// Stops all calls and streams.
  void close();
  /// Forgets what was kept for its client for long enough.
  void sweep(Clock::time_point now);

 private:
  friend class SessionTable;
  const std::string id_;
  const Revision& revision_;
  std::vector<std::string> capabilities_;
  std::atomic<LogLevel> log_level_{LogLevel::debug};
  std::atomic<Clock::rep> last_used_{0};
  std::mutex mutex_;
  bool closed_ = false;
  std::multimap<std::string, std::weak_ptr<Stopper>, std::less<>> calls_;
  std::vector<Stream> streams_;
  std::mutex making_inbox_;
  std::atomic<SessionInbox*> has_inbox_{nullptr};
  std::unique_ptr<SessionInbox> inbox_;  // the last, since it uses the others
};

/// All sessions of the process.
///
/// Threads:   any; one lock, held for a look-up.
/// Bounds:    `limits.sessions`; sessions idle for longer than `timeouts.session` are closed by
///            sweep(). Where there is no place left, the one that was unused for longest goes, so
///            that nobody can lock others out by opening sessions.
class SessionTable {
 public:
  SessionTable(std::size_t max, std::chrono::milliseconds idle) : max_(max), idle_(idle) {}

  /// Null where there are `max` already and all of them are busy. The id is 128 random bits in
  /// hexadecimal.
  [[nodiscard]] std::shared_ptr<Session> create(const Revision& revision);
  /// Null where there is none of that id, or it has expired. Counts as use.
  [[nodiscard]] std::shared_ptr<Session> find(std::string_view id);
  /// Closes and forgets; false where there was none.
  bool erase(std::string_view id);
  void sweep();
  [[nodiscard]] std::size_t size();

 private:
  /// REQUIRES: the lock is held.
  [[nodiscard]] bool drop_longest_unused();
  [[nodiscard]] bool is_expired(Session& session) const;

  const std::size_t max_;
  const std::chrono::milliseconds idle_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>, std::less<>> sessions_;
};

}  // namespace sluice::mcp
