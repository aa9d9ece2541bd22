#include "mcp/deleted_sessions.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/check.hpp"
#include "base/digest.hpp"

namespace sluice::mcp {

std::size_t DeletedSessions::Hash::operator()(const Digest& digest) const noexcept {
  std::size_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof hash);
  return hash;
}

DeletedSessions::Digest DeletedSessions::digest_of(std::string_view id) {
  std::string whole;
  SLUICE_CHECK(append_sha256(whole, id));
  Digest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

bool DeletedSessions::add(std::string_view id, Sealer::Time expires) {
  const Digest digest = digest_of(id);
  if (max_ == 0 || !expiry_.emplace(digest, expires).second) return max_ == 0;
  by_expiry_.emplace(expires, digest);
  if (expiry_.size() > max_) {
    expiry_.erase(by_expiry_.begin()->second);
    by_expiry_.erase(by_expiry_.begin());
  }
  return true;
}

bool DeletedSessions::has(std::string_view id) const {
  return !expiry_.empty() && expiry_.contains(digest_of(id));
}

void DeletedSessions::sweep(Sealer::Time now) {
  while (!by_expiry_.empty() && by_expiry_.begin()->first <= now) {
    expiry_.erase(by_expiry_.begin()->second);
    by_expiry_.erase(by_expiry_.begin());
  }
}

}  // namespace sluice::mcp
