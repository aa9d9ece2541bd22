#pragma once

#include <cstddef>
#include <cstdint>
#include <sluice/error.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "json/raw_json_blocks.hpp"

namespace sluice::json {

/// Copies JSON text through, chunk by chunk, and refuses what is not one JSON value (RFC 8259) in
/// valid UTF-8. Line breaks between tokens are written as spaces, so that the text fits on one
/// `data:` line; every other byte passes as it is, U+2028 and its like inside strings too.
///
/// Where the processor has vectors it goes by blocks of 64 bytes (raw_json_blocks.inc). What the end
/// of a chunk cuts, what lies deeper than RawJsonSpot::kMaxDepth and what is wrong goes by bytes, so
/// that the verdict is the same.
///
/// Memory:    one bit per level of nesting. Allocates nothing on the way: the levels are reserved
///            when it is made.
class RawJson {
 public:
  /// REQUIRES: this processor can run `with`.
  explicit RawJson(std::uint32_t max_depth, Simd with = simd());

  /// Copies in[0, n) to out[0, n) with n = min of both sizes, and returns n. `in` and `out` may be
  /// the same bytes.
  /// Errors: Errc::not_json, Errc::too_deep; what was written is then of no use.
  [[nodiscard]] Result<std::size_t> step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over.
  /// Errors: Errc::not_json where the value is not complete.
  [[nodiscard]] Result<void> finish() noexcept;
  /// As new.
  void reset() noexcept;

 private:
  enum class State : std::uint8_t {
    value,          ///< A value must follow.
    first_element,  ///< A value or `]`.
    first_name,     ///< A name or `}`.
    name,
    colon,
    after,  ///< A value is over: `,` or the closing bracket, or at the top nothing.
    string,
    character,  ///< In a string, in a character of several bytes.
    escape,
    hex,
    literal,
    minus,
    zero,
    digits,
    point,
    fraction,
    exponent,
    exponent_sign,
    exponent_digits,
    failed,
  };

  [[nodiscard]] Errc check(char* at, char* end) noexcept;
  [[nodiscard]] Errc check_bytes(char* at, const char* end) noexcept;
  [[nodiscard]] bool is_between() const noexcept;
  [[nodiscard]] RawJsonSpot spot() const noexcept;
  void go_on_from(const RawJsonSpot& spot) noexcept;
  [[nodiscard]] Errc between(char& c) noexcept;
  [[nodiscard]] Errc start_value(char c) noexcept;
  [[nodiscard]] Errc open(bool object) noexcept;
  [[nodiscard]] Errc close(bool object) noexcept;
  [[nodiscard]] bool in_object() const noexcept;

  RawJsonBlocks check_blocks_;
  std::vector<std::uint64_t> levels_;  ///< A bit per level, set for an object.
  std::uint32_t max_depth_;
  std::uint32_t depth_ = 0;
  State state_ = State::value;
  Errc failure_ = Errc::ok;
  bool in_name_ = false;   ///< The string being read is a member's name.
  std::uint8_t left_ = 0;  ///< Bytes of a character, or hex digits, to come.
  std::uint8_t low_ = 0;   ///< The range of the next byte of a character.
  std::uint8_t high_ = 0;
  const char* literal_ = nullptr;  ///< What must follow of `true`, `false` or `null`.
};

}  // namespace sluice::json
