#include "json/raw_json.hpp"

#include <algorithm>
#include <cstring>

#include "json/utf8.hpp"

namespace sluice::json {
namespace {

/// Copied, then checked while it is still in the first-level cache.
constexpr std::size_t kPiece = 8 * 1024;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
/// What stands in a string as it is, and is ASCII.
constexpr bool is_plain(char c) noexcept {
  return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\';
}
constexpr bool is_hex(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

RawJson::RawJson(std::uint32_t max_depth, Simd with)
    : check_blocks_(raw_json_blocks(with)),
      levels_(std::size_t{max_depth} / 64 + 1),
      max_depth_(max_depth) {}

void RawJson::reset() noexcept {
  depth_ = 0;
  state_ = State::value;
  failure_ = Errc::ok;
}

Result<std::size_t> RawJson::step(std::string_view in, std::span<char> out) noexcept {
  const std::size_t n = std::min(in.size(), out.size());
  for (std::size_t done = 0; done < n;) {
    const std::size_t piece = std::min(kPiece, n - done);
    char* to = out.data() + done;
    if (to != in.data() + done) std::memcpy(to, in.data() + done, piece);
    const Errc failure = check(to, to + piece);
    if (failure != Errc::ok) {
      state_ = State::failed;
      failure_ = failure;
      return failure;
    }
    done += piece;
  }
  return n;
}

Result<void> RawJson::finish() noexcept {
  switch (state_) {
    case State::failed:
      return failure_;
    case State::after:
    case State::zero:
    case State::digits:
    case State::fraction:
    case State::exponent_digits:
      if (depth_ == 0) return {};
      return Errc::not_json;
    default:
      return Errc::not_json;
  }
}

bool RawJson::in_object() const noexcept {
  const std::uint32_t level = depth_ - 1;
  return (levels_[level / 64] >> (level % 64) & 1) != 0;
}

Errc RawJson::open(bool object) noexcept {
  if (depth_ == max_depth_) return Errc::too_deep;
  const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
  std::uint64_t& word = levels_[depth_ / 64];
  word = object ? word | bit : word & ~bit;
  ++depth_;
  state_ = object ? State::first_name : State::first_element;
  return Errc::ok;
}

Errc RawJson::close(bool object) noexcept {
  if (depth_ == 0 || in_object() != object) return Errc::not_json;
  --depth_;
  state_ = State::after;
  return Errc::ok;
}

Errc RawJson::start_value(char c) noexcept {
  switch (c) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case '"':
      in_name_ = false;
      state_ = State::string;
      return Errc::ok;
    case '-':
      state_ = State::minus;
      return Errc::ok;
    case '0':
      state_ = State::zero;
      return Errc::ok;
    case 't':
      literal_ = "rue";
      break;
    case 'f':
      literal_ = "alse";
      break;
    case 'n':
      literal_ = "ull";
      break;
    default:
      if (!is_digit(c)) return Errc::not_json;
      state_ = State::digits;
      return Errc::ok;
  }
  state_ = State::literal;
  return Errc::ok;
}

/// One byte outside of strings, numbers and literals.
Errc RawJson::between(char& c) noexcept {
  switch (c) {
    case '\n':
    case '\r':
      c = ' ';
      return Errc::ok;
    case ' ':
    case '\t':
      return Errc::ok;
    default:
      break;
  }
  switch (state_) {
    case State::first_element:
      if (c == ']') return close(false);
      return start_value(c);
    case State::value:
      return start_value(c);
    case State::first_name:
      if (c == '}') return close(true);
      [[fallthrough]];
    case State::name:
      if (c != '"') return Errc::not_json;
      in_name_ = true;
      state_ = State::string;
      return Errc::ok;
    case State::colon:
      if (c != ':') return Errc::not_json;
      state_ = State::value;
      return Errc::ok;
    default:  // State::after
      if (c == ']' || c == '}') return close(c == '}');
      if (c != ',' || depth_ == 0) return Errc::not_json;
      state_ = in_object() ? State::name : State::value;
      return Errc::ok;
  }
}

/// Between two tokens, or in a string between two characters.
bool RawJson::is_between() const noexcept { return state_ <= State::string; }

RawJsonSpot RawJson::spot() const noexcept {
  RawJsonSpot spot;
  spot.in_string = state_ == State::string ? ~std::uint64_t{0} : 0;
  spot.in_name = state_ == State::string && in_name_ ? 1 : 0;
  spot.after_value = state_ == State::after || state_ == State::colon ? 1 : 0;
  spot.after_open = state_ == State::first_element || state_ == State::first_name ? 1 : 0;
  spot.name_expected = state_ == State::name || state_ == State::first_name ? 1 : 0;
  spot.colon_expected = state_ == State::colon ? 1 : 0;
  spot.objects = (levels_[0] & ((std::uint64_t{1} << depth_) - 1)) << 1;
  spot.depth = depth_;
  spot.max_depth = std::min(max_depth_, RawJsonSpot::kMaxDepth);
  return spot;
}

void RawJson::go_on_from(const RawJsonSpot& spot) noexcept {
  if (spot.in_string != 0) {
    state_ = State::string;
    in_name_ = spot.in_name != 0;
  } else if (spot.after_value != 0) {
    state_ = spot.colon_expected != 0 ? State::colon : State::after;
  } else if (spot.after_open != 0) {
    state_ = spot.name_expected != 0 ? State::first_name : State::first_element;
  } else {
    state_ = spot.name_expected != 0 ? State::name : State::value;
  }
  levels_[0] = spot.objects >> 1;
  depth_ = spot.depth;
}

Errc RawJson::check(char* at, char* end) noexcept {
  while (at != end) {
    if (check_blocks_ != nullptr && is_between() && depth_ <= RawJsonSpot::kMaxDepth) {
      RawJsonSpot at_block = spot();
      at = check_blocks_(at, end, at_block);
      go_on_from(at_block);
    }
    // What is cut by the end, what is rare, and what is wrong.
    do {
      char* stop = at + std::min<std::ptrdiff_t>(end - at, 64);
      const Errc failure = check_bytes(at, stop);
      if (failure != Errc::ok) return failure;
      at = stop;
    } while (at != end && !is_between());
  }
  return Errc::ok;
}

Errc RawJson::check_bytes(char* at, const char* end) noexcept {
  // A number ends at the first byte that cannot belong to it; that byte is then looked at again, in
  // State::after.
  while (at != end) {
    switch (state_) {
      case State::string: {
        while (at != end && is_plain(*at)) ++at;
        if (at == end) break;
        const auto c = static_cast<unsigned char>(*at++);
        if (c == '"') {
          state_ = in_name_ ? State::colon : State::after;
        } else if (c == '\\') {
          state_ = State::escape;
        } else {
          const Utf8Lead lead = utf8_lead(c);
          if (lead.bytes < 2) return Errc::not_json;
          left_ = static_cast<std::uint8_t>(lead.bytes - 1);
          low_ = lead.low;
          high_ = lead.high;
          state_ = State::character;
        }
        break;
      }
      case State::character: {
        const auto c = static_cast<unsigned char>(*at++);
        if (c < low_ || c > high_) return Errc::not_json;
        low_ = 0x80;
        high_ = 0xbf;
        if (--left_ == 0) state_ = State::string;
        break;
      }
      case State::escape:
        switch (*at++) {
          case '"':
          case '\\':
          case '/':
          case 'b':
          case 'f':
          case 'n':
          case 'r':
          case 't':
            state_ = State::string;
            break;
          case 'u':
            left_ = 4;
            state_ = State::hex;
            break;
          default:
            return Errc::not_json;
        }
        break;
      case State::hex:
        if (!is_hex(*at++)) return Errc::not_json;
        if (--left_ == 0) state_ = State::string;
        break;
      case State::literal:
        if (*at++ != *literal_++) return Errc::not_json;
        if (*literal_ == '\0') state_ = State::after;
        break;
      case State::minus:
        if (!is_digit(*at)) return Errc::not_json;
        state_ = *at++ == '0' ? State::zero : State::digits;
        break;
      case State::digits:
        while (at != end && is_digit(*at)) ++at;
        if (at == end) break;
        [[fallthrough]];
      case State::zero:
        if (*at == '.') {
          state_ = State::point;
          ++at;
        } else if (*at == 'e' || *at == 'E') {
          state_ = State::exponent;
          ++at;
        } else {
          state_ = State::after;
        }
        break;
      case State::point:
        if (!is_digit(*at++)) return Errc::not_json;
        state_ = State::fraction;
        break;
      case State::fraction:
        while (at != end && is_digit(*at)) ++at;
        if (at == end) break;
        if (*at == 'e' || *at == 'E') {
          state_ = State::exponent;
          ++at;
        } else {
          state_ = State::after;
        }
        break;
      case State::exponent:
        if (*at == '+' || *at == '-') {
          state_ = State::exponent_sign;
          ++at;
          break;
        }
        [[fallthrough]];
      case State::exponent_sign:
        if (!is_digit(*at++)) return Errc::not_json;
        state_ = State::exponent_digits;
        break;
      case State::exponent_digits:
        while (at != end && is_digit(*at)) ++at;
        if (at != end) state_ = State::after;
        break;
      case State::failed:
        return failure_;
      default: {
        const Errc failure = between(*at++);
        if (failure != Errc::ok) return failure;
        break;
      }
    }
  }
  return Errc::ok;
}

}  // namespace sluice::json
