#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <sluice/answer.hpp>
#include <sluice/result_writer.hpp>

#include "mcp/caller.hpp"
#include "mcp/exchange.hpp"
#include "mcp/inquiry.hpp"
#include "mcp/outcome.hpp"

namespace sluice::mcp {

struct CallServices;
class GivenAnswers;

/// The request in whose course somebody is asked.
///
/// Ownership: borrows all of it; it outlives the request's handler.
struct AskedIn {
  Exchange& exchange;
  const Caller& caller;
  const CallServices& services;
  std::string_view server_info;
  std::string_view id;  ///< Of the request, the bytes that came.
  // What it asks for, to be told apart from other requests.
  std::string_view method;
  std::string_view name;
  Json arguments;                       ///< As the client sent them.
  const GivenAnswers* given = nullptr;  ///< 2026-07-28: those that came with the request; or none.
};

/// What asking needs of the call whose handler asks.
class AskingCall {
 public:
  [[nodiscard]] virtual bool cancelled() const noexcept = 0;
  /// Somebody thinks, which may take long: until resume() the call's time stands still, and others
  /// may run in its place.
  virtual void pause() = 0;
  /// False where there is no place for the call any more.
  [[nodiscard]] virtual bool resume() = 0;
  /// Unwinds the handler. It will run again.
  virtual void stop_handler() = 0;

 protected:
  ~AskingCall() = default;
};

/// The way from a handler to its caller and back; each era has its own.
///
/// Ownership: the call's context owns it, from the first question on.
/// Threads:   the call's loop.
class Asking {
 public:
  Asking() = default;
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  virtual ~Asking() = default;

  /// See Call::ask(). REQUIRES: the client has the capabilities for it.
  [[nodiscard]] virtual Awaitable<Result<std::vector<Answer>>> ask(
      std::span<const Inquiry> inquiries) = 0;
  /// What the request is answered with in the place of a result.
  [[nodiscard]] virtual const std::optional<Outcome>& instead() const noexcept = 0;
  virtual void on_peer_gone() {}
};

[[nodiscard]] std::unique_ptr<Asking> make_asking(const AskedIn& in, AskingCall& call);

}  // namespace sluice::mcp
