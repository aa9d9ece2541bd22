#pragma once

#include <optional>
#include <string>

#include "mcp/caller.hpp"
#include "mcp/envelope.hpp"
#include "mcp/exchange.hpp"

/// The rules of 2025-11-25 and older: initialize opens a session, everything else runs in one.
namespace sluice::mcp::legacy {

/// The session that a request names, into `caller`.
/// Errors:    400 without the header, 404 where there is no such session, 400 where the version
///            header is not to be understood (2025-11-25, Transports, Session Management and
///            Protocol Version Header).
[[nodiscard]] std::optional<Failure> check(Exchange& exchange, SessionTable& sessions,
                                           Caller& caller);
/// The header alone: what it names is known, where it is there.
[[nodiscard]] std::optional<Failure> check_version(Exchange& exchange);

/// initialize: agrees on a revision and opens a session. On success gives the session, whose id the
/// answer must carry.
[[nodiscard]] std::shared_ptr<Session> initialize(const Envelope& message, SessionTable& sessions,
                                                  Failure& failure);

/// A response: wakes who waits for it, if anybody does.
void answered(const Envelope& message, Session& session);

/// notifications/cancelled: stops the calls that it names, if there are any.
void cancelled(const Envelope& message, Session& session);

}  // namespace sluice::mcp::legacy
