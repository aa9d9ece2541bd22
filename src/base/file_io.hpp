#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// A temporary file that has no name, and so vanishes with its descriptor, for this user alone; -1
/// and errno where there is none.
[[nodiscard]] int open_unnamed(const std::string& directory) noexcept;

// Both block until all is done, and give 0 or errno.

/// Writes `bytes` at this place of a file.
[[nodiscard]] int write_all(int fd, std::string_view bytes, std::uint64_t at) noexcept;
/// Fills `to` from this place on; EIO where the file ends before.
[[nodiscard]] int read_all(int fd, std::span<char> to, std::uint64_t at) noexcept;

/// The same without waiting for the disk: EAGAIN where that would be needed.
[[nodiscard]] int read_cached(int fd, std::span<char> to, std::uint64_t at) noexcept;

}  // namespace sluice
