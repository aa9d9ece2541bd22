#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "mcp/event_id.hpp"
#include "mcp/event_source.hpp"
#include "mcp/session_inbox.hpp"
#include "mcp/sessions.hpp"
#include "mcp/stopper.hpp"

namespace sluice::mcp {

/// A GET stream of a legacy session. Each message goes out on one of the session's streams: the one
/// that was opened last, and when that ends, the one before it. A client that comes back with the id
/// of the last event that it has is told again what the stream told after that.
///
/// Ownership: its connection's; shares the session.
/// Threads:   the stream's loop.
class SessionStream final : public EventSource, private Stopper::Target {
 public:
  struct Options {
    std::size_t max = 0;                 ///< `limits.streams_per_session`
    std::chrono::milliseconds interval;  ///< `server.change_interval`
    Revision::Resumption resumption = Revision::Resumption::none;
    std::chrono::milliseconds retry;          ///< `server.retry`
    std::chrono::milliseconds poll_interval;  ///< `tasks.poll_interval`
  };

  /// Null where the session has `max` streams already, or has ended. `last`: what came as
  /// Last-Event-ID.
  [[nodiscard]] static std::unique_ptr<SessionStream> open(
      const boost::asio::any_io_executor& executor, std::shared_ptr<Session> session,
      SessionInbox& inbox, const Options& options, const std::optional<EventId>& last);
  ~SessionStream() override;

  [[nodiscard]] State next(std::string& out) override;
  void on_drain() override { is_over_ = true; }
  [[nodiscard]] std::chrono::milliseconds interval() const noexcept override {
    return options_.interval;
  }

 private:
  SessionStream(const boost::asio::any_io_executor& executor, std::shared_ptr<Session> session,
                SessionInbox& inbox, const Options& options, std::uint32_t number);
  void on_stop(boost::system::error_code why) override;
  void on_wake() override { wake(); }
  /// The message that tells of it; empty where there is nothing to tell.
  [[nodiscard]] std::string text_of(const Change& change);
  /// The line that gives an event its id; empty where it has none.
  [[nodiscard]] std::string id_line(std::uint32_t message) const;

  const std::shared_ptr<Session> session_;
  SessionInbox& inbox_;
  const Options options_;
  const std::uint32_t number_;
  const std::shared_ptr<Stopper> stopper_;
  bool is_primed_ = false;
  bool is_over_ = false;
};

}  // namespace sluice::mcp
