#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/units.hpp"
#include "json/step.hpp"

namespace sluice::json {

/// Passes text on up to a number of lines, and of bytes. By lines it is cut behind a line break; by
/// bytes behind the last line break that leaves half of what may pass and lies in the window, else
/// between two characters of UTF-8.
///
/// Memory: the window. Cannot fail: what is not UTF-8 passes.
class TextLimiter {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Limits {
    std::uint64_t max_bytes = kNone;
    std::uint64_t max_lines = kNone;
    std::size_t window = 4_KiB;  ///< What in front of max_bytes is held back.
  };
  enum class Cut : std::uint8_t { nothing, lines, bytes };

  explicit TextLimiter(Limits limits) noexcept;

  /// Reads and writes as much as there is and fits: up to the end of `in` with nothing left to
  /// write, or until `out` is full; where it is full, call again.
  [[nodiscard]] Step step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over. What is left is put out by step() with nothing to read, until it leaves
  /// room.
  void finish() noexcept;

  /// It was cut, and all is put out: the source can be stopped. What is passed to step() from now
  /// on is counted and forgotten.
  [[nodiscard]] bool is_done() const noexcept { return cut_ != Cut::nothing && !is_held_ready_; }
  /// Which limit was reached.
  [[nodiscard]] Cut cut() const noexcept { return cut_; }
  /// What came; all of the text, once it did.
  [[nodiscard]] std::uint64_t read() const noexcept { return read_; }
  [[nodiscard]] std::uint64_t lines_read() const noexcept { return lines_read_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  /// Line breaks put out.
  [[nodiscard]] std::uint64_t lines_written() const noexcept { return lines_written_; }

 private:
  void cut_at_bytes() noexcept;
  void write(std::string_view text, std::span<char> out, Step& done) noexcept;

  Limits limits_;
  std::uint64_t hold_from_;
  std::uint64_t read_ = 0;
  std::uint64_t lines_read_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t lines_written_ = 0;
  std::string held_;
  std::size_t held_written_ = 0;
  bool is_held_ready_ = false;
  Cut cut_ = Cut::nothing;
};

}  // namespace sluice::json
