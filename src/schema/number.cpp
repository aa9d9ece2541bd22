#include "schema/number.hpp"

#include <algorithm>
#include <limits>

namespace sluice::schema {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kMaxExponent = 100'000'000'000'000'000;

std::int64_t read_exponent(std::string_view text) noexcept {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  std::int64_t value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), kMaxExponent);
  return negative ? -value : value;
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) noexcept {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % modulus);
}

std::uint64_t power_of_ten(std::uint64_t exponent, std::uint64_t modulus) noexcept {
  std::uint64_t result = 1 % modulus;
  std::uint64_t base = 10 % modulus;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base, modulus);
    base = multiply(base, base, modulus);
  }
  return result;
}

}  // namespace

Decimal::Decimal(std::string_view text) noexcept {
  if (!text.empty() && text.front() == '-') {
    negative_ = true;
    text.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    exponent = read_exponent(text.substr(e + 1));
    text = text.substr(0, e);
  }
  const auto point = text.find('.');
  head_ = text.substr(0, point);
  if (point != std::string_view::npos) tail_ = text.substr(point + 1);

  head_.remove_prefix(std::min(head_.find_first_not_of('0'), head_.size()));
  scale_ = static_cast<std::int64_t>(head_.size());
  if (head_.empty()) {
    const auto zeros = std::min(tail_.find_first_not_of('0'), tail_.size());
    tail_.remove_prefix(zeros);
    scale_ = -static_cast<std::int64_t>(zeros);
  }
  tail_ = tail_.substr(0, tail_.find_last_not_of('0') + 1);
  if (tail_.empty()) head_ = head_.substr(0, head_.find_last_not_of('0') + 1);
  scale_ += exponent;
  if (size() == 0) {
    scale_ = 0;
    negative_ = false;
  }
}

std::optional<std::uint64_t> Decimal::as_count() const noexcept {
  if (negative_ || !is_integer()) return std::nullopt;
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  if (scale_ > 20) return kMax;
  std::uint64_t value = 0;
  for (std::int64_t i = 0; i < scale_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto next = at < size() ? static_cast<std::uint64_t>(digit(at) - '0') : 0;
    if (value > (kMax - next) / 10) return kMax;
    value = value * 10 + next;
  }
  return value;
}

std::uint64_t Decimal::hash() const noexcept {
  std::uint64_t h =
      0xcbf29ce484222325u ^ static_cast<std::uint64_t>(scale_) ^ (negative_ ? 0x5bd1e995u : 0u);
  for (const char c : head_) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  for (const char c : tail_) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

int compare(const Decimal& a, const Decimal& b) noexcept {
  if (a.negative_ != b.negative_) return a.negative_ ? -1 : 1;
  const int larger = a.negative_ ? -1 : 1;
  if (a.is_zero() || b.is_zero()) {
    if (a.is_zero() && b.is_zero()) return 0;
    return a.is_zero() ? -larger : larger;
  }
  if (a.scale_ != b.scale_) return a.scale_ > b.scale_ ? larger : -larger;
  const auto common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a.digit(i) != b.digit(i)) return a.digit(i) > b.digit(i) ? larger : -larger;
  }
  if (a.size() == b.size()) return 0;
  return a.size() > b.size() ? larger : -larger;
}

Divisor::Divisor(const Decimal& value) noexcept : mantissa_(0), exponent_(value.exponent()) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    mantissa_ = mantissa_ * 10 + static_cast<std::uint64_t>(value.digit(i) - '0');
  }
}

bool Divisor::divides(const Decimal& value) const noexcept {
  if (value.is_zero()) return true;
  // The last digit of `value` is not 0, so it has no factor of ten to give away.
  if (value.exponent() < exponent_) return false;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto next = static_cast<std::uint64_t>(value.digit(i) - '0');
    rest = static_cast<std::uint64_t>((static_cast<Wide>(rest) * 10 + next) % mantissa_);
  }
  const auto shift = static_cast<std::uint64_t>(value.exponent() - exponent_);
  return multiply(rest, power_of_ten(shift, mantissa_), mantissa_) == 0;
}

}  // namespace sluice::schema
