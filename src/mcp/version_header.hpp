#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/errors.hpp"

namespace sluice::mcp {

/// The MCP-Protocol-Version field. One value repeated, on one line or on several, names one
/// version: a widely used client sends it twice.
struct VersionHeader {
  enum class Kind : std::uint8_t { absent, one, malformed };
  Kind kind = Kind::absent;
  std::string_view value;  ///< one: as sent.

  /// A date later than the last legacy revision.
  [[nodiscard]] bool is_after_legacy() const noexcept;
};

[[nodiscard]] VersionHeader read_version_header(std::optional<std::string_view> joined) noexcept;

/// -32022 with `supported` and `requested` (2026-07-28, Versioning, Protocol Version Negotiation).
[[nodiscard]] Failure unsupported_version(std::string_view requested);

/// The names of all revisions served, as a JSON array, newest first.
[[nodiscard]] std::string supported_versions();

}  // namespace sluice::mcp
