#include "mcp/caller_key.hpp"

#include <openssl/evp.h>

#include <array>

namespace sluice::mcp {

std::optional<std::string> caller_key(Exchange& exchange, const Caller& caller) {
  std::string who;
  if (caller.session)
    who = "session " + caller.session->id();
  else if (const auto credentials = exchange.header("authorization"))
    who = "authorization " + std::string(*credentials);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(who.data(), who.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    return std::nullopt;
  std::string key;
  for (unsigned i = 0; i < size; ++i) {
    key += "0123456789abcdef"[digest[i] >> 4];
    key += "0123456789abcdef"[digest[i] & 15];
  }
  return key;
}

}  // namespace sluice::mcp
