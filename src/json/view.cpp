#include <charconv>
#include <limits>
#include <sluice/json.hpp>

namespace sluice {
namespace {

/// A JSON number taken apart: digits times ten to the power of `exponent`, without zeros at either
/// end. `digits` may hold the decimal point, which `exponent` has accounted for already.
struct Decimal {
  bool negative;
  std::string_view digits;
  std::int64_t exponent;
  std::int64_t count;  ///< Digits in `digits`.
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Exponents beyond this are all the same: no text in memory has digits enough to make up for them.
constexpr std::int64_t kHugeExponent = std::int64_t{1} << 40;

/// REQUIRES: a number of JSON's grammar.
Decimal take_apart(std::string_view raw) {
  Decimal d{false, {}, 0, 0};
  if (raw.front() == '-') {
    d.negative = true;
    raw.remove_prefix(1);
  }
  const std::size_t e = raw.find_first_of("eE");
  if (e != std::string_view::npos) {
    const bool below = raw[e + 1] == '-';
    for (std::size_t i = e + 1; i < raw.size(); ++i) {
      if (is_digit(raw[i]) && d.exponent < kHugeExponent)
        d.exponent = d.exponent * 10 + (raw[i] - '0');
    }
    if (below) d.exponent = -d.exponent;
    raw = raw.substr(0, e);
  }
  const std::size_t point = raw.find('.');
  if (point != std::string_view::npos)
    d.exponent -= static_cast<std::int64_t>(raw.size() - point - 1);
  // The zeros at the end are worth a power of ten each, those in front nothing.
  while (!raw.empty() && !(is_digit(raw.back()) && raw.back() != '0')) {
    if (raw.back() == '0') ++d.exponent;
    raw.remove_suffix(1);
  }
  while (!raw.empty() && (raw.front() == '0' || raw.front() == '.')) raw.remove_prefix(1);
  d.digits = raw;
  d.count =
      static_cast<std::int64_t>(raw.size()) - (raw.find('.') != std::string_view::npos ? 1 : 0);
  return d;
}

}  // namespace

std::optional<bool> Json::as_bool() const noexcept {
  if (!is(JsonKind::boolean)) return std::nullopt;
  return node_->truth;
}

std::optional<std::string_view> Json::as_string() const noexcept {
  if (!is(JsonKind::string)) return std::nullopt;
  return node_->string;
}

std::optional<std::int64_t> Json::as_int() const noexcept {
  if (!is(JsonKind::number)) return std::nullopt;
  const Decimal d = take_apart(node_->raw);
  if (d.count == 0) return 0;
  if (d.exponent < 0 || d.count + d.exponent > 19) return std::nullopt;
  std::uint64_t value = 0;  // Nineteen digits fit.
  for (const char c : d.digits) {
    if (c != '.') value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  for (std::int64_t i = 0; i < d.exponent; ++i) value *= 10;
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value > kMax + (d.negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(d.negative ? 0 - value : value);
}

std::optional<double> Json::as_double() const noexcept {
  if (!is(JsonKind::number)) return std::nullopt;
  const std::string_view raw = node_->raw;
  double value = 0;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error == std::errc::result_out_of_range) {
    const Decimal d = take_apart(raw);
    const bool small = d.count + d.exponent < 0;
    value = small ? 0.0 : std::numeric_limits<double>::infinity();
    if (d.negative) value = -value;
  }
  return value;
}

Json Json::find(std::string_view name) const noexcept {
  if (!is(JsonKind::object)) return Json();
  Json found;
  for (const Member member : members()) {
    if (member.name == name) found = member.value;
  }
  return found;
}

Json::Iterator Json::begin() const noexcept {
  if (!is(JsonKind::array)) return end();
  return {node_ + 1, node_->count};
}

Json::Iterator Json::end() const noexcept { return {nullptr, 0}; }

Json::Members Json::members() const noexcept {
  if (!is(JsonKind::object)) return {nullptr, 0};
  return {node_ + 1, node_->count};
}

}  // namespace sluice
