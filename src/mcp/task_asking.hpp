#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "mcp/asking.hpp"
#include "mcp/mailbox.hpp"
#include "mcp/sessions.hpp"
#include "mcp/task.hpp"

namespace sluice::mcp {

/// The way from a handler whose call is a task to its caller and back: questions are part of the
/// task, and the handler waits. In 2026-07-28 tasks/get shows them and tasks/update answers; in
/// 2025-11-25 tasks/result sends them as requests, whose responses come as those to any other.
///
/// Bounds:    `timeouts.ask`; `limits.questions` are open at once, whose answers may have
///            `limits.request_body` together.
class TaskAsking final : public Asking, private Mailbox::Owner {
 public:
  struct Place {
    const config::Config& config;
    std::shared_ptr<Task> task;
    std::shared_ptr<Session> session;  ///< Null: 2026-07-28.
    boost::asio::any_io_executor executor;
  };

  TaskAsking(Place place, AskingCall& call);
  ~TaskAsking() override;

  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Inquiry> inquiries) override;
  [[nodiscard]] const std::optional<Outcome>& instead() const noexcept override { return instead_; }

 private:
  struct Open;

  /// Of a question; no other of the task has it.
  [[nodiscard]] std::string key_of(const Inquiry& inquiry);
  [[nodiscard]] TaskQuestion question_of(const Inquiry& inquiry);
  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> show_and_wait(
      std::span<const Inquiry> inquiries);
  [[nodiscard]] Awaitable<Result<>> wait(const Open& open);
  [[nodiscard]] Result<Answer> take(const Inquiry& inquiry, std::string_view response) const;
  void on_response(std::string_view id, std::string response) override;

  const Place place_;
  AskingCall& call_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<Mailbox> mailbox_;
  Open* open_ = nullptr;
  std::map<std::string, unsigned, std::less<>> uses_;
  unsigned unnamed_ = 0;
  const std::optional<Outcome> instead_;
};

}  // namespace sluice::mcp
