#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "mcp/event_id.hpp"
#include "mcp/event_source.hpp"
#include "mcp/session_inbox.hpp"
#include "mcp/sessions.hpp"
#include "mcp/stopper.hpp"

namespace sluice::mcp {

/// The rest of an answer whose client lost the connection and came back, by GET with the id of the
/// last event that it has: what followed that one, then what comes, and the result. Where the result
/// cannot be had, the answer is an error that says so.
///
/// Ownership: its connection's; shares the session.
/// Threads:   the stream's loop.
class ResumedResponse final : public EventSource, private Stopper::Target {
 public:
  /// False where its client has all that there will ever be. `last` is of a response.
  [[nodiscard]] static bool is_due(SessionInbox& inbox, const EventId& last);
  /// Null where the session has `max` streams already, or has ended. REQUIRES: is_due().
  [[nodiscard]] static std::unique_ptr<ResumedResponse> open(
      const boost::asio::any_io_executor& executor, std::shared_ptr<Session> session,
      SessionInbox& inbox, EventId last, std::size_t max);
  ~ResumedResponse() override;

  [[nodiscard]] State next(std::string& out) override;
  /// The call may still end well, and its client be told.
  void on_drain() override {}

 private:
  ResumedResponse(const boost::asio::any_io_executor& executor, std::shared_ptr<Session> session,
                  SessionInbox& inbox, EventId last);
  void on_stop(boost::system::error_code why) override;
  void on_wake() override { wake(); }
  void append_failure(std::string& out, std::string_view request, std::string_view text) const;

  const std::shared_ptr<Session> session_;
  SessionInbox& inbox_;
  const EventId last_;
  const std::string fields_;  // of the last event
  KeptResponses::Position position_;
  const std::shared_ptr<Stopper> stopper_;
  bool is_over_ = false;
};

}  // namespace sluice::mcp
