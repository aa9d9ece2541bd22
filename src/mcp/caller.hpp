#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include <sluice/call.hpp>

#include "mcp/client_capabilities.hpp"
#include "mcp/revision.hpp"
#include "mcp/sessions.hpp"

namespace sluice::mcp {

struct Offer;

/// Who sends a request and under which rules, as the era's checks have found out.
struct Caller {
  const Revision* revision = nullptr;
  std::shared_ptr<Session> session;    ///< Legacy only.
  std::optional<LogLevel> log_level;   ///< What it wants to hear of notifications/message.
  Json declared;                       ///< Modern: the capabilities that this request declares.
  std::shared_ptr<const Offer> offer;  ///< What it is served from, whatever is loaded meanwhile.

  [[nodiscard]] ClientCapabilities capabilities() const {
    return session ? session->capabilities() : ClientCapabilities(declared);
  }
  [[nodiscard]] bool has_capability(std::string_view name) const {
    return session ? session->capabilities().has(name) : ClientCapabilities(declared).has(name);
  }
};

}  // namespace sluice::mcp
