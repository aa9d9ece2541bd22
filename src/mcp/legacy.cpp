#include "mcp/legacy.hpp"

#include <spdlog/spdlog.h>

#include "mcp/version_header.hpp"

namespace sluice::mcp::legacy {
namespace {

Failure no_room() { return {rpc::kOverloaded, 503, "limits.sessions is reached", {}}; }

}  // namespace

std::optional<Failure> check_version(Exchange& exchange) {
  const auto version = read_version_header(exchange.header("MCP-Protocol-Version"));
  if (version.kind == VersionHeader::Kind::malformed)
    return Failure{rpc::kInvalidRequest, 400, "MCP-Protocol-Version does not name one version", {}};
  if (version.kind == VersionHeader::Kind::one && find_revision(version.value) == nullptr)
    return unsupported_version(version.value);
  return std::nullopt;
}

std::optional<Failure> check(Exchange& exchange, SessionTable& sessions, Caller& caller) {
  if (auto refused = check_version(exchange)) return refused;
  const auto id = exchange.header("Mcp-Session-Id");
  if (!id)
    return Failure{rpc::kInvalidRequest,
                   400,
                   "the header Mcp-Session-Id is missing: initialize gives a session; a request "
                   "without one names "
                   "its protocol version in params._meta",
                   {}};
  const auto session = sessions.find(*id);
  if (!session && session.error() == Errc::busy) return no_room();
  if (!session) return Failure{rpc::kInvalidRequest, 404, "no such session: initialize again", {}};
  caller.session = *session;
  caller.revision = &caller.session->revision();
  caller.log_level = caller.session->log_level();
  return std::nullopt;
}

std::shared_ptr<Session> initialize(const Envelope& message, SessionTable& sessions,
                                    Failure& failure) {
  const Json version = message.params.find("protocolVersion");
  if (!version || !version.is(JsonKind::string)) {
    failure = {rpc::kInvalidParams, 200, "params.protocolVersion must be a string", {}};
    return nullptr;
  }
  // What we do not know, or what has no sessions, is answered with the newest that has (Lifecycle,
  // Version Negotiation).
  const Revision* revision = find_revision(*version.as_string());
  if (revision == nullptr || revision->is_modern) revision = &kNewestLegacy;
  auto session =
      sessions.create(*revision, ClientCapabilities(message.params.find("capabilities")));
  if (!session) failure = no_room();
  return session;
}

void answered(const Envelope& message, Session& session) {
  // Our ids are strings without escapes.
  const auto id = message.whole.find("id").as_string();
  if (id && !session.answer(*id, std::string(message.whole.raw())))
    spdlog::debug("a response that nobody waits for");
}

void cancelled(const Envelope& message, Session& session) {
  if (const Json id = message.params.find("requestId")) session.cancel(id.raw());
}

}  // namespace sluice::mcp::legacy
