#pragma once

#include <string>

#include "mcp/caller.hpp"
#include "mcp/exchange.hpp"

namespace sluice::mcp {

/// Who calls, as text that tells nothing of it: what one caller has made is not for others. A
/// session is a caller of its own; else it is told by the credentials, and those without any are one
/// and the same.
[[nodiscard]] std::string caller_key(Exchange& exchange, const Caller& caller);

}  // namespace sluice::mcp
