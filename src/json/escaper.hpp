#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/simd.hpp"
#include "json/escaper_kernel.hpp"

namespace sluice::json {

/// Turns bytes into the inside of a JSON string (RFC 8259 section 7), chunk by chunk.
///
/// `"`, `\` and controls are escaped (short forms where there are such, else \u00XX); other UTF-8
/// stays as it is, but U+2028, U+2029 and U+0085, which are written as \u escapes to spare clients
/// that split lines at them. What is not UTF-8 (RFC 3629: also overlong forms, surrogates, above
/// U+10FFFF) becomes U+FFFD, one for each maximal subpart (Unicode 15, section 3.9, U+FFFD
/// Substitution of Maximal Subparts). A character cut by the end of a chunk is carried over.
/// Allocates nothing and never writes past the span.
class Escaper {
 public:
  struct Step {
    std::size_t read;  ///< Input bytes used up; those carried over count as used.
    std::size_t written;
  };
  /// Whatever is left to write, this much room lets a step make progress.
  static constexpr std::size_t kMinRoom = 32;

  /// REQUIRES: that the processor has it.
  explicit Escaper(Simd simd = sluice::simd()) noexcept;

  /// Reads and writes as much as fits. Stops only at the end of `in` or when `out` has fewer than
  /// kMinRoom bytes left.
  [[nodiscard]] Step step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over: writes U+FFFD for a character that was cut. REQUIRES: out.size() >=
  /// kMinRoom. Returns the bytes written; the escaper is as new.
  [[nodiscard]] std::size_t finish(std::span<char> out) noexcept;
  /// Bytes of an unfinished character that are carried.
  [[nodiscard]] std::size_t carried() const noexcept { return carried_; }

 private:
  /// Goes on with a character that the last chunk left unfinished. REQUIRES: kMinRoom.
  void take_carried(escape::Cursor& c) noexcept;
  /// One character, or what is none. REQUIRES: input left, and kMinRoom.
  void take_character(escape::Cursor& c) noexcept;
  /// The next few hundred bytes where odd ones stand close together: a kernel that looks at less
  /// ahead then has less to look at again.
  void take_dense(escape::Cursor& c) noexcept;

  escape::Kernel kernel_;
  unsigned char carry_[4] = {};
  std::uint8_t carried_ = 0;
};

}  // namespace sluice::json
