#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/call.hpp>

#include "base/sealer.hpp"
#include "mcp/client_capabilities.hpp"
#include "mcp/deleted_sessions.hpp"
#include "mcp/mailbox.hpp"
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

  Session(std::string id, const Revision& revision, ClientCapabilities capabilities,
          Sealer::Time expires)
      : id_(std::move(id)),
        revision_(revision),
        capabilities_(std::move(capabilities)),
        expires_(expires) {}

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const Revision& revision() const noexcept { return revision_; }
  /// What the client declared in initialize.
  [[nodiscard]] const ClientCapabilities& capabilities() const noexcept { return capabilities_; }
  [[nodiscard]] LogLevel log_level() const noexcept { return log_level_.load(); }
  void set_log_level(LogLevel level) noexcept { log_level_.store(level); }

  /// A call that notifications/cancelled may name by its request id (the bytes that came). False
  /// where the session has ended.
  [[nodiscard]] bool add_call(std::string_view request_id, std::weak_ptr<Stopper> call);
  void remove_call(std::string_view request_id, const Stopper* call);
  /// Stops the calls of that id; false where there is none.
  bool cancel(std::string_view request_id);

  /// A request of ours that the client's response to `id` answers, once.
  void add_question(std::string id, std::weak_ptr<Mailbox> asker);
  void remove_question(std::string_view id);
  /// Hands a response on; false where nobody waits for it: it is late, repeated, or of another
  /// session.
  bool answer(std::string_view id, std::string response);

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

  /// True while a call or a stream of it is open; such a session is not dropped.
  [[nodiscard]] bool is_busy();
  /// Stops all calls and streams.
  void close();
  /// Forgets what was kept for its client for long enough.
  void sweep(Clock::time_point now);

 private:
  friend class SessionTable;
  const std::string id_;
  const Revision& revision_;
  const ClientCapabilities capabilities_;
  const Sealer::Time expires_;
  std::atomic<LogLevel> log_level_{LogLevel::debug};
  std::atomic<Clock::rep> last_used_{0};
  std::mutex mutex_;
  bool closed_ = false;
  std::multimap<std::string, std::weak_ptr<Stopper>, std::less<>> calls_;
  std::vector<Stream> streams_;
  std::map<std::string, std::weak_ptr<Mailbox>, std::less<>> questions_;
  std::mutex making_inbox_;
  std::atomic<SessionInbox*> has_inbox_{nullptr};
  std::unique_ptr<SessionInbox> inbox_;  // the last, since it uses the others
};

/// All sessions that this process knows of.
///
/// An id is sealed and says what the session is: its revision, what the client can do, until when
/// it is good. So a session that is not here (after a restart, on another replica with the same
/// key, or because it was dropped) is made again when its id comes; what it loses is its log level
/// and what it had subscribed to.
/// Only what does not open, has expired or was deleted is unknown. That an id was deleted is
/// remembered here alone.
///
/// Threads:   any; one lock, held for a look-up.
/// Bounds:    `limits.sessions`; those idle for longer than `timeouts.session` are dropped. Where
///            there is no place left, the one that was unused for longest goes, so that nobody can
///            lock others out by opening sessions.
class SessionTable {
 public:
  struct Options {
    std::size_t max = 0;
    std::chrono::milliseconds idle{};
    std::chrono::milliseconds life{};  ///< From initialize to the end of its id.
    std::size_t deleted = 0;           ///< See DeletedSessions.
  };

  /// `sealer` outlives it.
  SessionTable(const Sealer& sealer, const Options& options)
      : sealer_(sealer), options_(options), deleted_(options.deleted) {}

  /// Null where there are `max` already and all of them are busy. The id is at most 256 characters
  /// of visible ASCII.
  [[nodiscard]] std::shared_ptr<Session> create(const Revision& revision,
                                                ClientCapabilities capabilities);
  /// Counts as use.
  /// Errors: Errc::forged where the id is unknown or deleted, Errc::expired, Errc::busy where the
  ///         session would have to be made again and there is no place for it.
  [[nodiscard]] Result<std::shared_ptr<Session>> find(std::string_view id);
  /// Closes the session, and its id is unknown from now on; false where it was before.
  bool erase(std::string_view id);
  void sweep();
  [[nodiscard]] std::size_t size();

 private:
  // REQUIRES of these: the lock is held.
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool is_idle(Session& session) const;

  /// What an id says, for as long as it is good.
  [[nodiscard]] Result<std::shared_ptr<Session>> read(std::string_view id) const;

  const Sealer& sealer_;
  const Options options_;
  std::mutex mutex_;
  std::map<std::string_view, std::shared_ptr<Session>> sessions_;  // keys are the sessions' own ids
  DeletedSessions deleted_;
};

}  // namespace sluice::mcp
