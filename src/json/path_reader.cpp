#include "json/path_reader.hpp"

#include "json/unescape.hpp"
#include "json/utf8.hpp"

namespace sluice::json {
namespace {

/// 2^53 - 1, the largest number that JSONPath knows (section 2.1).
constexpr std::uint64_t kLargest = 9007199254740991;

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_name_first(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::string_view kNegativeIndex =
    "a negative index counts from the end of an array, which is not known while it streams by";
constexpr std::string_view kNegativeBound =
    "a negative bound counts from the end of an array, which is not known while it streams by";
constexpr std::string_view kNegativeStep =
    "a slice with a negative step runs backwards, and an array streams by once, forwards";
constexpr std::string_view kFilter =
    "filters cannot be used: what they look at may come after what they decide on, and an array "
    "streams by once";

}  // namespace

bool PathReader::fail(std::size_t at, std::string_view why) {
  problem_ = {at, std::string(why)};
  return false;
}

bool PathReader::take(char c) noexcept {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void PathReader::skip_blanks() noexcept {
  while (!at_end() && is_blank(text_[at_])) ++at_;
}

std::size_t PathReader::character() const noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text_.data()) + at_;
  const Utf8 found = utf8_at(bytes, text_.size() - at_);
  return found.is == Utf8::Is::whole ? found.length : 0;
}

bool PathReader::read(std::vector<Path::Segment>& out) {
  if (!take('$')) return fail(0, "a path begins with $");
  while (true) {
    const std::size_t before = at_;
    skip_blanks();
    if (at_end()) {
      return before == at_ || fail(before, "blanks may stand between segments, not behind them");
    }
    if (!segment(out.emplace_back())) return false;
  }
}

bool PathReader::segment(Path::Segment& out) {
  if (peek() == '[') return bracketed(out);
  if (!take('.')) return fail(at_, "a segment begins with a dot or [");
  out.is_descendant = take('.');
  if (out.is_descendant && peek() == '[') return bracketed(out);
  return shorthand(out);
}

bool PathReader::shorthand(Path::Segment& out) {
  Selector& selector = out.selectors.emplace_back();
  if (take('*')) return true;
  if (at_end() || !is_name_first(peek())) {
    return fail(at_, is_digit(peek()) ? "a name behind a dot begins with no digit; write ['...']"
                                      : "a name or * stands behind a dot");
  }
  selector.kind = Selector::Kind::name;
  const std::size_t start = at_;
  while (!at_end() && (is_name_first(peek()) || is_digit(peek()))) {
    const std::size_t length = character();
    if (length == 0) return fail(at_, "not UTF-8");
    at_ += length;
  }
  selector.name = text_.substr(start, at_ - start);
  return true;
}

bool PathReader::bracketed(Path::Segment& out) {
  ++at_;
  do {
    skip_blanks();
    if (!selector(out.selectors.emplace_back())) return false;
    skip_blanks();
  } while (take(','));
  return take(']') || fail(at_, "a comma or ] stands behind a selector");
}

bool PathReader::selector(Selector& out) {
  switch (peek()) {
    case '*':
      ++at_;
      return true;
    case '\'':
    case '"':
      out.kind = Selector::Kind::name;
      return quoted(out.name);
    case '?':
      return fail(at_, kFilter);
    default:
      out.kind = Selector::Kind::elements;
      return elements(out);
  }
}

bool PathReader::elements(Selector& out) {
  const std::size_t start = at_;
  std::optional<std::uint64_t> number;
  if (peek() != ':') {
    if (peek() != '-' && !is_digit(peek()))
      return fail(at_, "a name in quotes, an index, a slice or * stands in brackets");
    if (!integer(number, kNegativeIndex)) {
      // A slice may say so in its own words.
      const auto behind = text_.find_first_not_of("-0123456789 \t\r\n", start);
      if (problem_.text == kNegativeIndex && behind != std::string_view::npos &&
          text_[behind] == ':')
        problem_.text = kNegativeBound;
      return false;
    }
    skip_blanks();
    out.from = *number;
    if (peek() != ':') {
      out.is_index = true;
      out.to = *number + 1;
      return true;
    }
  }
  ++at_;
  skip_blanks();
  number.reset();
  if (!integer(number, kNegativeBound)) return false;
  if (number) out.to = *number;
  skip_blanks();
  if (!take(':')) return true;
  skip_blanks();
  number.reset();
  if (!integer(number, kNegativeStep)) return false;
  if (number) out.step = *number;
  return true;
}

/// Leaves `out` as it is where no number stands here.
bool PathReader::integer(std::optional<std::uint64_t>& out, std::string_view if_negative) {
  const std::size_t start = at_;
  const bool is_negative = take('-');
  if (!is_digit(peek())) return !is_negative || fail(start, "digits stand behind a minus");
  const std::size_t first = at_;
  std::uint64_t value = 0;
  for (; is_digit(peek()); ++at_) {
    value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
    if (value > kLargest) return fail(start, "a number is at most 9007199254740991");
  }
  if (text_[first] == '0' && (is_negative || at_ - first > 1))
    return fail(start, is_negative ? "0 has no sign" : "a number begins with no 0");
  if (is_negative) return fail(start, if_negative);
  out = value;
  return true;
}

bool PathReader::quoted(std::string& out) {
  const std::size_t start = at_;
  const char quote = text_[at_++];
  while (!at_end()) {
    const char c = peek();
    if (c == quote) {
      ++at_;
      return true;
    }
    if (c == '\\') {
      if (!escape(quote, out)) return false;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x20)
      return fail(at_, "control characters are written as escapes");
    const std::size_t length = character();
    if (length == 0) return fail(at_, "not UTF-8");
    out += text_.substr(at_, length);
    at_ += length;
  }
  return fail(start, "the closing quote is missing");
}

bool PathReader::escape(char quote, std::string& out) {
  const std::size_t start = at_++;
  const char c = peek();
  if (c == 'u') {
    ++at_;
    std::uint32_t code = 0;
    if (!hexadecimal(code)) return fail(start, "\\u stands before four hexadecimal digits");
    if (is_high_surrogate(code)) {
      std::uint32_t low = 0;
      if (!take('\\') || !take('u') || !hexadecimal(low) || !is_low_surrogate(low))
        return fail(start, "a high surrogate stands before a low one");
      code = join_surrogates(code, low);
    } else if (is_low_surrogate(code)) {
      return fail(start, "a low surrogate stands behind a high one");
    }
    char bytes[4];
    out.append(bytes, static_cast<std::size_t>(put_utf8(bytes, code) - bytes));
    return true;
  }
  const char plain = unescape_short(c);
  // A string in single quotes escapes single quotes, not double ones.
  if (c == '\'' ? quote != '\'' : plain == '\0' || (c == '"' && quote != '"'))
    return fail(start, "no such escape");
  out += c == '\'' ? c : plain;
  ++at_;
  return true;
}

bool PathReader::hexadecimal(std::uint32_t& out) {
  if (text_.size() - at_ < 4 || !read_hex4(text_.data() + at_, out)) return false;
  at_ += 4;
  return true;
}

}  // namespace sluice::json
