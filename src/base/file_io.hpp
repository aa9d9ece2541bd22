#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice {

// Both block until all is done, and give 0 or errno.

/// Writes `bytes` at this place of a file.
[[nodiscard]] int write_all(int fd, std::string_view bytes, std::uint64_t at) noexcept;
/// Fills `to` from this place on; EIO where the file ends before.
[[nodiscard]] int read_all(int fd, std::span<char> to, std::uint64_t at) noexcept;

/// The same without waiting for the disk: EAGAIN where that would be needed.
[[nodiscard]] int read_cached(int fd, std::span<char> to, std::uint64_t at) noexcept;

}  // namespace sluice
