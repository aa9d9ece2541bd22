#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/error.hpp>

#include "base/sealer.hpp"

namespace sluice::mcp {

/// What a request of 2026-07-28 was asked so far, and what it answered: the `requestState` that its
/// client brings back with the next answers (Multi Round-Trip Requests).
///
/// It opens for the caller and the request that it was made for alone: both are in `binding`, which
/// is authenticated with it.
struct RequestState {
  struct Entry {
    std::string key;       ///< Of inputRequests.
    std::string question;  ///< A digest of it.
    std::string answer;    ///< JSON; empty: still open.
  };
  std::vector<Entry> entries;

  [[nodiscard]] std::string seal(const Sealer& sealer, std::string_view binding,
                                 Sealer::Time expires) const;
  /// Errors: those of Sealer::open().
  [[nodiscard]] static Result<RequestState> open(const Sealer& sealer, std::string_view binding,
                                                 std::string_view sealed, Sealer::Time now);
};

}  // namespace sluice::mcp
