#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "mcp/subscription.hpp"

namespace sluice::mcp {

class Session;

/// What the client of a session is to be told on its GET streams: what of it is pending while none
/// is open, and which message went out on which stream.
///
/// Ownership: the session's.
/// Threads:   any.
/// Bounds:    those of its subscription: `limits.subscriptions`.
class SessionInbox final : private Subscription::Owner {
 public:
  SessionInbox(Session& session, Subscriptions& hub, std::size_t loop, ListSet lists);

  [[nodiscard]] Subscription& changes() noexcept { return changes_; }
  /// A number for a stream that opens, and one for a message on any of them.
  [[nodiscard]] std::uint32_t next_stream() noexcept { return ++streams_; }
  [[nodiscard]] std::uint32_t next_message() noexcept { return ++messages_; }

 private:
  void on_changes() override;

  Session& session_;
  std::atomic<std::uint32_t> streams_{0};
  std::atomic<std::uint32_t> messages_{0};
  Subscription changes_;
};

}  // namespace sluice::mcp
