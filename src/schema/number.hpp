#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::schema {

/// A JSON number by its value as written: sign * 0.d1d2d3... * 10^scale, where d1 and the last
/// digit are not 0. The digits stay in the text, so 1e1000000000 costs no more than 1.
///
/// Ownership: views the text it was read from.
/// Bounds:    exponents are held within +-10^17; what lies beyond counts as that.
class Decimal {
 public:
  Decimal() = default;
  /// REQUIRES: `text` is a number of a parsed JSON document.
  explicit Decimal(std::string_view text) noexcept;

  [[nodiscard]] bool is_zero() const noexcept { return size() == 0; }
  [[nodiscard]] bool is_negative() const noexcept { return negative_; }
  /// True for 1, 1.0 and 1e2: what counts is the value.
  [[nodiscard]] bool is_integer() const noexcept { return exponent() >= 0; }
  /// Significant digits.
  [[nodiscard]] std::size_t size() const noexcept { return head_.size() + tail_.size(); }
  [[nodiscard]] char digit(std::size_t i) const noexcept {
    return i < head_.size() ? head_[i] : tail_[i - head_.size()];
  }
  /// The power of ten that the digits, read as an integer, are multiplied by.
  [[nodiscard]] std::int64_t exponent() const noexcept {
    return scale_ - static_cast<std::int64_t>(size());
  }
  /// The value where it is an integer of 0 or more, at most the greatest uint64_t; else nullopt.
  [[nodiscard]] std::optional<std::uint64_t> as_count() const noexcept;
  /// The same for equal values.
  [[nodiscard]] std::uint64_t hash() const noexcept;

  /// Less than, equal to or greater than 0, as a is to b.
  friend int compare(const Decimal& a, const Decimal& b) noexcept;

 private:
  std::string_view head_;  ///< Digits before the point, then those behind it.
  std::string_view tail_;
  std::int64_t scale_ = 0;
  bool negative_ = false;
};

/// The value of `multipleOf`, ready for exact division.
class Divisor {
 public:
  static constexpr std::size_t kMaxDigits = 18;

  Divisor() = default;
  /// REQUIRES: greater than zero, at most kMaxDigits significant digits.
  explicit Divisor(const Decimal& value) noexcept;
  [[nodiscard]] bool divides(const Decimal& value) const noexcept;

 private:
  std::uint64_t mantissa_ = 1;
  std::int64_t exponent_ = 0;
};

}  // namespace sluice::schema
