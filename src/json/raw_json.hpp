#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <sluice/error.hpp>

namespace sluice::json {

/// Copies JSON text through, chunk by chunk, and refuses what is not one JSON value (RFC 8259) in valid UTF-8.
/// Line breaks between tokens are written as spaces, so that the text fits on one `data:` line; every other byte
/// passes as it is, U+2028 and its like inside strings too.
///
/// Memory: one bit per level of nesting. Allocates nothing on the way: the levels are reserved when it is made.
class RawJson {
 public:
  explicit RawJson(std::uint32_t max_depth);

  /// Copies in[0, n) to out[0, n) with n = min of both sizes, and returns n.
  /// Errors: Errc::not_json, Errc::too_deep; what was written is then of no use.
  [[nodiscard]] Result<std::size_t> step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over. Errors: Errc::not_json where the value is not complete.
  [[nodiscard]] Result<void> finish() noexcept;
  /// As new.
  void reset() noexcept;

 private:
  // The implementer's.
};

}  // namespace sluice::json
