#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "mcp/event_source.hpp"
#include "mcp/session_inbox.hpp"
#include "mcp/sessions.hpp"
#include "mcp/stopper.hpp"

namespace sluice::mcp {

/// A GET stream of a legacy session. Each message goes out on one of the session's streams: the one
/// that was opened last, and when that ends, the one before it.
///
/// Ownership: its connection's; shares the session.
/// Threads:   the stream's loop.
class SessionStream final : public EventSource, private Stopper::Target {
 public:
  /// Null where the session has `max` streams already, or has ended.
  [[nodiscard]] static std::unique_ptr<SessionStream> open(
      const boost::asio::any_io_executor& executor, std::shared_ptr<Session> session,
      SessionInbox& inbox, std::size_t max, std::chrono::milliseconds interval);
  ~SessionStream() override;

  [[nodiscard]] State next(std::string& out) override;
  void on_drain() override { is_over_ = true; }
  [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return interval_; }

 private:
  SessionStream(const boost::asio::any_io_executor& executor, std::shared_ptr<Session> session,
                SessionInbox& inbox, std::chrono::milliseconds interval);
  void on_stop(boost::system::error_code why) override;
  void on_wake() override { wake(); }

  const std::shared_ptr<Session> session_;
  SessionInbox& inbox_;
  const std::chrono::milliseconds interval_;
  const std::uint32_t number_;
  const std::shared_ptr<Stopper> stopper_;
  bool is_over_ = false;
};

}  // namespace sluice::mcp
