#pragma once

#include <cstddef>
#include <cstdint>
#include <sluice/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "base/units.hpp"
#include "json/step.hpp"
#include "json/structure.hpp"

namespace sluice::json {

/// Passes a JSON text on up to a number of bytes; where it is longer, it is cut and closed, so that
/// it stays JSON: what is put out is the front of the text and the brackets that close it, together
/// at most `max_bytes`.
///
/// It is cut between the elements of the outermost array that is open, as long as that leaves half
/// of what may pass; else between elements or members further in; else in the string that it is in,
/// between two characters; else wherever it leaves most. A member's name is never cut, nor a number.
///
/// Only the last `window` bytes in front of the limit are held back until it is known where to cut;
/// all else passes at once.
///
/// Memory:  a level (32 bytes) for each container that is open, and the window. Both grow to
///          their limits and stay; nothing else is allocated.
/// Errors:  Errc::not_json where brackets do not match or the text ends too early, Errc::too_deep,
///          Errc::result_too_large where there is no place to cut; failure() says where. The text is
///          not checked any further.
class JsonLimiter {
 public:
  struct Limits {
    std::uint64_t max_bytes = 0;
    std::uint32_t max_depth = 1000;
    std::size_t window = 64_KiB;
  };
  /// What it was cut between, or in.
  enum class Cut : std::uint8_t { nothing, elements, members, string };

  /// REQUIRES: this processor can run `with`.
  explicit JsonLimiter(Limits limits, Simd with = simd());

  /// As Selector::step().
  [[nodiscard]] Result<Step> step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over. What is left is put out by step() with nothing to read, until it leaves
  /// room. Errors: Errc::not_json.
  [[nodiscard]] Result<void> finish() noexcept;

  /// It was cut, and all is put out: the source can be stopped. What is passed to step() from now
  /// on is counted and forgotten.
  [[nodiscard]] bool is_done() const noexcept { return state_ == State::cut && !is_held_ready_; }
  [[nodiscard]] Cut cut() const noexcept { return cut_; }
  /// Where it was cut between elements: how many of that array were put out.
  [[nodiscard]] std::uint64_t elements() const noexcept { return elements_; }
  /// The elements of the array that is the nth open container, from 1, that are whole in what was put out. REQUIRES: it was
  /// cut within that array.
  [[nodiscard]] std::uint64_t whole_elements(std::size_t depth) const noexcept {
    return cut_ == Cut::elements && depth == cut_depth_ ? elements_ : levels_[depth - 1].commas;
  }
  /// How many containers were open where it was cut.
  [[nodiscard]] std::size_t cut_depth() const noexcept { return cut_depth_; }
  /// Bytes that came: how long the text is, once all of it did.
  [[nodiscard]] std::uint64_t read() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  [[nodiscard]] const StepFailure& failure() const noexcept { return failure_; }

 private:
  enum class State : std::uint8_t {
    value,  ///< In the value, or in front of it.
    end,    ///< Behind it.
    cut,
    failed,
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Level {
    bool is_object;
    std::uint64_t place;         ///< Where it can be cut: in front of a comma, or kNone.
    std::uint64_t elements = 0;  ///< In front of that place.
    std::uint64_t commas = 0;
  };

  std::size_t walk(const char* text, std::size_t n) noexcept;
  [[nodiscard]] std::size_t next_mark(std::size_t at, bool passes) noexcept;
  [[nodiscard]] bool take_mark(char mark, std::uint64_t offset) noexcept;
  void pass(const char* text, std::size_t n, std::span<char> out, Step& done) noexcept;
  void cut_in_front_of(char next) noexcept;
  [[nodiscard]] bool cut_in_string() noexcept;
  [[nodiscard]] bool is_in_value_string() const noexcept;
  void close(std::uint64_t place, std::size_t levels, Cut cut) noexcept;
  [[nodiscard]] bool is_reachable(const Level& level) const noexcept {
    return level.place != kNone && level.place >= hold_from_;
  }
  bool fail(Errc code, std::uint64_t offset, const char* what) noexcept;
  void write_held(std::span<char> out, Step& done) noexcept;

  Limits limits_;
  std::uint64_t hold_from_;  ///< What is in front of it passes at once.
  Structure structure_;
  State state_ = State::value;
  std::vector<Level> levels_;
  std::uint64_t base_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t string_ = 0;  ///< Where the string that is open begins.
  char last_mark_ = 0;
  bool has_value_ = false;
  bool is_behind_escape_ = false;  ///< What is held begins with a character that is escaped.
  std::string held_;
  bool is_held_ready_ = false;
  std::size_t held_written_ = 0;
  Cut cut_ = Cut::nothing;
  std::size_t cut_depth_ = 0;
  std::uint64_t elements_ = 0;
  StepFailure failure_;
};

}  // namespace sluice::json
