#pragma once

namespace sluice {
/// The version of this release.
inline constexpr const char kVersion[] = "0.1.0";
}  // namespace sluice
