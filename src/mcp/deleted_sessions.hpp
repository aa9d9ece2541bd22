#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/sealer.hpp"

namespace sluice::mcp {

/// Session ids that clients have deleted, for as long as their seals would still open.
///
/// Threads:   none of its own; the table's lock guards it.
/// Bounds:    `limits.deleted_sessions`. Where there is no place left, the one that would expire
///            first is forgotten, and its id is good again for what is left of its time.
class DeletedSessions {
 public:
  explicit DeletedSessions(std::size_t max) : max_(max) {}

  /// False where it is there already.
  bool add(std::string_view id, Sealer::Time expires);
  [[nodiscard]] bool has(std::string_view id) const;
  /// Forgets those that have expired.
  void sweep(Sealer::Time now);
  [[nodiscard]] std::size_t size() const noexcept { return expiry_.size(); }

 private:
  /// Enough of a digest that nobody finds two ids with the same.
  using Digest = std::array<char, 16>;
  struct Hash {
    std::size_t operator()(const Digest& digest) const noexcept;
  };
  [[nodiscard]] static Digest digest_of(std::string_view id);

  const std::size_t max_;
  std::unordered_map<Digest, Sealer::Time, Hash> expiry_;
  std::set<std::pair<Sealer::Time, Digest>> by_expiry_;
};

}  // namespace sluice::mcp
