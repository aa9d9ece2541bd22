#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "mcp/revision.hpp"

/// Results that are made as one text, member by member (json_members.hpp).
namespace sluice::mcp {

/// `{` and what every result of the revision has: `resultType` and who we are.
[[nodiscard]] std::string begin_result(const Revision& revision, std::string_view server_info,
                                       std::string_view type = "complete");

/// Who may keep a result that is meant to be kept.
enum class CacheScope : std::uint8_t { everybody, caller };
/// `ttlMs` and `cacheScope`, where the revision has them.
void append_caching(std::string& out, const Revision& revision, std::chrono::milliseconds ttl,
                    CacheScope scope);

}  // namespace sluice::mcp
