#pragma once

namespace sluice::json {

/// Where the JSON number (RFC 8259 section 6) that starts at `at` ends: behind its last byte; `at`
/// where there is none. What follows is the caller's to judge.
[[nodiscard]] constexpr const char* end_of_number(const char* at, const char* end) noexcept {
  const auto digits = [end](const char* from) {
    while (from != end && *from >= '0' && *from <= '9') ++from;
    return from;
  };
  const char* whole = at != end && *at == '-' ? at + 1 : at;
  const char* here = digits(whole);
  if (here == whole || (*whole == '0' && here - whole > 1)) return at;
  if (here != end && *here == '.') {
    const char* fraction = here + 1;
    here = digits(fraction);
    if (here == fraction) return at;
  }
  if (here != end && (*here == 'e' || *here == 'E')) {
    const char* exponent = here + 1;
    if (exponent != end && (*exponent == '+' || *exponent == '-')) ++exponent;
    here = digits(exponent);
    if (here == exponent) return at;
  }
  return here;
}

}  // namespace sluice::json
