#include "mcp/session_inbox.hpp"

#include "mcp/sessions.hpp"

namespace sluice::mcp {

SessionInbox::SessionInbox(Session& session, Subscriptions& hub, std::size_t loop, ListSet lists)
    : session_(session), changes_(hub, loop, lists, *this) {}

void SessionInbox::on_changes() { session_.wake_stream(); }

}  // namespace sluice::mcp
