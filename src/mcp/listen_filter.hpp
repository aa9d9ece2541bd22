#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <sluice/json.hpp>

#include "mcp/errors.hpp"
#include "mcp/list_set.hpp"

namespace sluice::mcp {

/// What subscriptions/listen asks for. Views last as long as the request.
struct ListenFilter {
  ListSet lists;
  std::vector<std::string_view> uris;
  std::vector<std::string_view> tasks;  ///< Ids.

  /// Reads `params.notifications`. Members that are not known mean nothing: the server agrees to
  /// what it knows of.
  /// Errors: -32602 where it is missing, has a member of another type than that has, or asks for
  ///         more resources or tasks than `max_uris`, `limits.subscriptions`.
  [[nodiscard]] static std::optional<Failure> read(Json notifications, std::size_t max_uris,
                                                   ListenFilter& out);
};

inline constexpr std::string_view kResourceSubscriptions = "resourceSubscriptions";
inline constexpr std::string_view kTaskIds = "taskIds";
/// The name of the member that asks for a list.
[[nodiscard]] std::string_view filter_name(List list) noexcept;

}  // namespace sluice::mcp
