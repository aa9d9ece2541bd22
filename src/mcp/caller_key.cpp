#include "mcp/caller_key.hpp"

#include <new>

#include "base/digest.hpp"
#include "base/hex.hpp"

namespace sluice::mcp {

std::string caller_key(Exchange& exchange, const Caller& caller) {
  std::string who;
  if (caller.session)
    who = "session " + caller.session->id();
  else if (const auto credentials = exchange.header("authorization"))
    who = "authorization " + std::string(*credentials);
  std::string digest;
  if (!append_sha256(digest, who)) throw std::bad_alloc();
  return to_hex(digest);
}

}  // namespace sluice::mcp
