#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sluice/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd.hpp"
#include "base/units.hpp"
#include "json/limit.hpp"
#include "json/select.hpp"
#include "json/step.hpp"
#include "json/table.hpp"

namespace sluice::json {

/// What is done with a JSON text on its way, in this order; what is not set is left out.
struct Shape {
  std::shared_ptr<const SelectPlan> select;
  std::optional<std::uint64_t> max_bytes;  ///< Of JSON, so in front of a table.
  std::optional<Table::Options> table;

  Selector::Limits select_limits;
  std::size_t limit_window = 64_KiB;
  std::uint32_t limit_depth = 1000;

  [[nodiscard]] bool is_nothing() const noexcept { return !select && !max_bytes && !table; }
};

/// A Selector, a JsonLimiter and a Table one behind the other.
///
/// Memory: theirs, and a window of kWindow bytes between two of them.
/// Errors: theirs; problem() says which and where.
class Shaper {
 public:
  static constexpr std::size_t kWindow = 16_KiB;

  /// REQUIRES: !shape.is_nothing(); this processor can run `with`.
  explicit Shaper(Shape shape, Simd with = simd());

  /// Reads and writes as much as there is and fits: up to the end of `in` with nothing left to
  /// write, until `out` is full, or up to what is wrong, which the next step then says.
  [[nodiscard]] Result<Step> step(std::string_view in, std::span<char> out) noexcept;
  /// The input is over. What is left is put out by step() with nothing to read, until it leaves
  /// room.
  void finish() noexcept { is_input_over_ = true; }

  /// No more of the source is needed. What is still to be put out comes as after finish().
  [[nodiscard]] bool is_done() const noexcept { return is_done_; }
  /// All has been put out.
  [[nodiscard]] bool is_over() const noexcept { return stages_[count_ - 1].is_over; }
  /// False where it is known that nothing was selected: then nothing is put out.
  [[nodiscard]] bool has_match() const noexcept { return !selector_ || selector_->has_match(); }

  // Each tells what it left out; nullptr where it is not asked for.
  [[nodiscard]] const Selector* selector() const noexcept {
    return selector_ ? &*selector_ : nullptr;
  }
  [[nodiscard]] const JsonLimiter* limiter() const noexcept {
    return limiter_ ? &*limiter_ : nullptr;
  }
  [[nodiscard]] const Table* table() const noexcept { return table_ ? &*table_ : nullptr; }

  /// What went wrong, as a sentence's part: "a name must follow, at byte 17". REQUIRES: a failure.
  [[nodiscard]] std::string problem() const;

 private:
  enum class Kind : std::uint8_t { select, limit, table };
  struct Stage {
    Kind kind = Kind::select;
    bool is_finished = false;
    bool is_over = false;
    // What it put out and the next one has not read.
    std::unique_ptr<char[]> window;
    std::size_t from = 0;
    std::size_t to = 0;
  };

  void add(Kind kind);
  [[nodiscard]] Result<void> move(std::size_t at, std::string_view in, std::span<char> out,
                                  Step& done, bool& has_moved) noexcept;
  [[nodiscard]] Result<Step> step_one(Kind kind, std::string_view in, std::span<char> out) noexcept;
  [[nodiscard]] Result<void> finish_one(Kind kind) noexcept;
  [[nodiscard]] bool is_done_one(Kind kind) const noexcept;

  std::optional<Selector> selector_;
  std::optional<JsonLimiter> limiter_;
  std::optional<Table> table_;
  std::array<Stage, 3> stages_;
  std::size_t count_ = 0;
  bool is_input_over_ = false;
  bool is_done_ = false;
};

}  // namespace sluice::json
