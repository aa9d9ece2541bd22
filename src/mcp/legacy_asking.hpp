#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "mcp/asking.hpp"
#include "mcp/mailbox.hpp"

namespace sluice::mcp::legacy {

/// Nobody finds it out, so nobody answers in the place of the client.
[[nodiscard]] std::string make_question_id();
/// A question as a request. `task`: the id of the task that it is about; empty: none.
[[nodiscard]] std::string request_of(const Inquiry& inquiry, std::string_view id,
                                     std::string_view task = {});
/// The answer that a response holds, or Errc::bad_answer; the log says how.
[[nodiscard]] Result<Answer> answer_in(const Inquiry& inquiry, std::string_view response,
                                       const config::Config& config);

/// Sends questions as requests ahead of the result, and waits for the responses, which come in
/// POSTs of their own, on any loop.
///
/// Bounds:    `timeouts.ask`; `limits.questions` are open at once, whose answers may have
///            `limits.request_body` together. A client that is told nothing more, because its
///            connection is gone and it cannot come back for the rest, is not waited for.
class Asking final : public mcp::Asking, private Mailbox::Owner {
 public:
  Asking(const AskedIn& in, AskingCall& call);
  ~Asking() override;

  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Inquiry> inquiries) override;
  [[nodiscard]] const std::optional<Outcome>& instead() const noexcept override { return instead_; }
  void on_peer_gone() override;

 private:
  struct Open;

  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> send_and_wait(
      std::span<const Inquiry> inquiries);
  [[nodiscard]] Awaitable<Result<>> send(std::string_view message);
  [[nodiscard]] Awaitable<Result<>> wait(const Open& open);
  /// Tells the client that its answer is not waited for any more, where it can be told.
  void withdraw(std::string_view id);
  void on_response(std::string_view id, std::string response) override;

  const AskedIn in_;
  AskingCall& call_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<Mailbox> mailbox_;
  Open* open_ = nullptr;
  bool is_peer_gone_ = false;
  const std::optional<Outcome> instead_;
};

}  // namespace sluice::mcp::legacy
