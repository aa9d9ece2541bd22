#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/event_id.hpp"
#include "mcp/kept_responses.hpp"
#include "mcp/subscription.hpp"

namespace sluice::mcp {

class Session;
class Task;

/// What the client of a session is to be told beside the answers that it waits for: changes that are
/// pending while no GET stream is open, which message went out on which stream, and the answers that
/// it can come back for.
///
/// Ownership: the session's.
/// Threads:   any.
/// Bounds:    those of its subscription, `limits.subscriptions`, and of what it keeps,
///            `limits.replay`.
class SessionInbox final : private Subscription::Owner {
 public:
  struct Place {
    Subscriptions& hub;
    ReplayBudget& budget;
    std::size_t loop;
    ListSet lists;                          ///< Whose changes are told.
    std::uint64_t replay;                   ///< `limits.replay`
    std::chrono::milliseconds replay_life;  ///< `timeouts.replay`
  };
  SessionInbox(Session& session, const Place& place);

  [[nodiscard]] Subscription& changes() noexcept { return changes_; }
  [[nodiscard]] KeptResponses& kept() noexcept { return kept_; }
  /// What becomes of a task is told from now on, until it is over. Does nothing where `most` things
  /// are watched: clients may not count on being told (2025-11-25, Tasks, Status Notifications).
  void follow(const std::shared_ptr<Task>& task, std::size_t most);
  void unfollow(std::string_view topic);
  /// The task of a topic that follow() watches, null where it is gone; none for any other.
  [[nodiscard]] std::optional<std::shared_ptr<Task>> followed(std::string_view topic) const;
  /// A number for a stream that opens, and one for a message on any of them.
  [[nodiscard]] std::uint32_t next_stream() noexcept { return ++streams_; }
  [[nodiscard]] std::uint32_t next_message() noexcept { return ++messages_; }
  /// Tells these numbers from those of another process, or of an inbox that was dropped.
  [[nodiscard]] std::uint32_t epoch() const noexcept { return epoch_; }

 private:
  void on_changes() override;

  Session& session_;
  const std::uint32_t epoch_;
  std::atomic<std::uint32_t> streams_{0};
  std::atomic<std::uint32_t> messages_{0};
  KeptResponses kept_;
  mutable std::mutex tasks_mutex_;
  std::map<std::string, std::weak_ptr<Task>, std::less<>> tasks_;  // by topic
  Subscription changes_;
};

}  // namespace sluice::mcp
