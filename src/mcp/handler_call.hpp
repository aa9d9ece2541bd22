#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "buffer/recording.hpp"
#include "mcp/asking.hpp"
#include "mcp/call_context.hpp"
#include "mcp/caller.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"
#include "mcp/handler_entry.hpp"
#include "mcp/outcome.hpp"
#include "mcp/permit.hpp"
#include "mcp/response_writer.hpp"

namespace sluice::mcp {

class HandlerRun;

/// One accepted request that is answered with the result of a handler, whether that of a tool or of
/// a resource: the handler runs and writes straight into the response, or the response is sent from
/// a recording.
///
/// Ownership: lives in the coroutine that answers the request; borrows all it is given.
/// Threads:   the call's loop.
class HandlerCall {
 public:
  using Place = mcp::Place;
  /// What the call holds while its handler runs. What is left is then to be sent, which takes as
  /// long as the client likes: nobody else waits for that.
  struct Permits {
    Permit& process;
    Permit& entry;
    void release() noexcept {
      process.release();
      entry.release();
    }
  };

  HandlerCall(const HandlerCall&) = delete;
  HandlerCall& operator=(const HandlerCall&) = delete;
  virtual ~HandlerCall() = default;

  /// Answers with a recording that is whole.
  [[nodiscard]] Awaitable<void> send(std::shared_ptr<const Recording> recording);

 protected:
  /// `envelope` is what the answer begins with.
  HandlerCall(Exchange& exchange, const Envelope& message, const Caller& caller,
              const HandlerEntry& entry, CallServices& services, const AskedIn& asked_in,
              Place place, std::string envelope);

  /// What the answer begins with where its id comes last.
  [[nodiscard]] virtual std::string shared_envelope() const = 0;
  [[nodiscard]] CallContext::Options context_options(Json arguments) const;
  /// Runs the handler to its end, and ends the message. Something else is the answer where the
  /// caller is to be asked first, or cannot be.
  [[nodiscard]] Awaitable<Outcome> run_handler(ResponseWriter& out, CallContext& context,
                                               Permits permits);
  /// Ends the message, in the way that `why` asks for.
  [[nodiscard]] Awaitable<void> end(ResponseWriter& out, boost::system::error_code why);
  /// True where a cancelled call has been answered.
  [[nodiscard]] Awaitable<bool> end_cancelled(boost::system::error_code why);

  Exchange& exchange_;
  const Envelope& message_;
  const Caller& caller_;
  CallServices& services_;
  const AskedIn& asked_in_;
  const std::string envelope_;
  const std::chrono::steady_clock::time_point deadline_;
  const Place place_;

 private:
  [[nodiscard]] std::optional<Outcome> instead_of_result(const HandlerRun& handler,
                                                         const CallContext& context,
                                                         const ResponseWriter& out) const;
  /// A recording in the coding that the client takes; false where that is not to be had.
  [[nodiscard]] Awaitable<bool> send_encoded(std::shared_ptr<const Recording> recording);

  const HandlerEntry& entry_;
};

}  // namespace sluice::mcp
