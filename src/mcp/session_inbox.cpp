#include "mcp/session_inbox.hpp"

#include <openssl/rand.h>

#include <array>
#include <cstring>

#include "base/check.hpp"
#include "mcp/sessions.hpp"

namespace sluice::mcp {
namespace {

std::uint32_t random_number() {
  std::array<unsigned char, sizeof(std::uint32_t)> bytes;
  SLUICE_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

SessionInbox::SessionInbox(Session& session, const Place& place)
    : session_(session),
      epoch_(random_number()),
      kept_(place.budget, place.replay, place.replay_life),
      changes_(place.hub, place.loop, place.lists, *this) {}

void SessionInbox::on_changes() { session_.wake_stream(); }

}  // namespace sluice::mcp
