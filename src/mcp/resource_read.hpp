#pragma once

#include <string>
#include <string_view>

#include "mcp/handler_call.hpp"
#include "mcp/resources.hpp"

namespace sluice::mcp {

/// One accepted resources/read on its way to the end of its answer.
///
/// Ownership: lives in the coroutine that answers the request; borrows all it is given.
/// Threads:   the call's loop.
class ResourceRead final : public HandlerCall {
 public:
  /// `arguments` are the variables of a template.
  ResourceRead(Exchange& exchange, const Envelope& message, const Caller& caller,
               const ResourceEntry& entry, std::string_view uri, Json arguments,
               CallServices& services, const AskedIn& asked_in, Place place);

  /// Runs the handler; what it writes goes out as it is made. Something else is the answer where
  /// the caller is to be asked first, or cannot be.
  [[nodiscard]] Awaitable<Outcome> run(Permits permits);

 private:
  [[nodiscard]] std::string shared_envelope() const override;

  const ResourceEntry& entry_;
  const std::string_view uri_;
  const Json arguments_;
};

}  // namespace sluice::mcp
