#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/asking.hpp"
#include "mcp/request_state.hpp"

namespace sluice::mcp {

/// The answers that a request of 2026-07-28 brings along: those of earlier rounds, in its
/// `requestState`, and those of this one, in its `inputResponses`.
class GivenAnswers {
 public:
  /// Reads them for the request `in`, whose params are `params`.
  /// Errors: -32602 for a state that was not made here for this caller and this request, that has
  ///         expired or was changed, and for responses that are none.
  [[nodiscard]] std::optional<Failure> read(Json params, const AskedIn& in);

  /// The answer to a question under a key, as JSON; null where there is none. An answer that came
  /// without a state was given to whatever is asked under its key.
  [[nodiscard]] const std::string* find(std::string_view key, std::string_view question) const;

 private:
  struct Given {
    std::string question;  ///< Empty: not known.
    std::string answer;
  };
  std::map<std::string, Given, std::less<>> answers_;
};

namespace modern {

/// Finds the answers that came along; where one is missing, unwinds the handler and answers the
/// request with what is asked.
class Asking final : public mcp::Asking {
 public:
  Asking(const AskedIn& in, AskingCall& call) : in_(in), call_(call) {}

  [[nodiscard]] Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Inquiry> inquiries) override;
  [[nodiscard]] const std::optional<Outcome>& instead() const noexcept override { return instead_; }

 private:
  /// Its name in this round and in every other.
  [[nodiscard]] std::string key_of(const Inquiry& inquiry);
  /// What follows takes the place of the result; false where some of that has left.
  [[nodiscard]] bool takes_result_back();
  [[noreturn]] void stop(Outcome instead);

  const AskedIn in_;
  AskingCall& call_;
  RequestState state_;  // of the next round
  std::map<std::string, unsigned, std::less<>> uses_;
  unsigned unnamed_ = 0;
  std::optional<Outcome> instead_;
};

}  // namespace modern
}  // namespace sluice::mcp
