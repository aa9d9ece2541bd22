#include "json/limit.hpp"

#include <algorithm>
#include <cstring>

#include "json/unescape.hpp"
#include "json/utf8.hpp"

namespace sluice::json {
namespace {

/// The bytes of the character, or escape, at the start of `text`; both halves of a surrogate pair
/// are one.
std::size_t character(std::string_view text) noexcept {
  if (text[0] != '\\') {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    return utf8_at(bytes, text.size()).length;
  }
  if (text.size() < 2 || text[1] != 'u') return 2;
  std::uint32_t code = 0;
  const bool is_high =
      text.size() >= 6 && read_hex4(text.data() + 2, code) && is_high_surrogate(code);
  return is_high && text.substr(6, 2) == "\\u" ? 12 : 6;
}

}  // namespace

JsonLimiter::JsonLimiter(Limits limits, Simd with)
    : limits_(limits),
      hold_from_(limits.max_bytes - std::min<std::uint64_t>(limits.max_bytes, limits.window)),
      structure_(with) {}

bool JsonLimiter::fail(Errc code, std::uint64_t offset, const char* what) noexcept {
  state_ = State::failed;
  failure_ = {code, offset, what};
  return false;
}

Result<Step> JsonLimiter::step(std::string_view in, std::span<char> out) noexcept {
  Step done;
  while (true) {
    if (is_held_ready_) write_held(out, done);
    if (is_held_ready_) return done;
    const std::size_t left = in.size() - done.read;
    if (state_ == State::cut) {
      base_ += left;
      return Step{in.size(), done.written};
    }
    // What was in front of a mistake is told first.
    if (state_ == State::failed && done.written == 0) return failure_.code;
    if (state_ == State::failed || left == 0) return done;
    std::size_t n = std::min(left, Structure::kPiece);
    if (state_ == State::value) {
      if (base_ == limits_.max_bytes) {
        cut_in_front_of(in[done.read]);
        continue;
      }
      const bool passes = base_ < hold_from_;
      n = static_cast<std::size_t>(
          std::min<std::uint64_t>(n, (passes ? hold_from_ : limits_.max_bytes) - base_));
      if (passes) n = std::min(n, out.size() - done.written);
      if (n == 0) return done;
    }
    const char* const text = in.data() + done.read;
    if (base_ == hold_from_) is_behind_escape_ = structure_.ends_in_escape();
    structure_.index(text, n);
    const bool is_behind = state_ == State::end;
    const std::size_t walked = walk(text, n);
    if (!is_behind) pass(text, walked, out, done);
    if (structure_.ends_in_string() && structure_.last_quote() < n)
      string_ = base_ + structure_.last_quote();
    const std::size_t taken =
        state_ == State::failed ? static_cast<std::size_t>(failure_.offset - base_) : n;
    base_ += taken;
    done.read += taken;
  }
}

Result<void> JsonLimiter::finish() noexcept {
  if (state_ == State::value && levels_.empty() && has_value_ && !structure_.ends_in_string()) {
    state_ = State::end;
    is_held_ready_ = !held_.empty();
  }
  if (state_ == State::end || state_ == State::cut) return {};
  if (state_ != State::failed) fail(Errc::not_json, base_, "the text ends before the value does");
  return failure_.code;
}

/// Where the value ends, or what is wrong stands, or `n`.
std::size_t JsonLimiter::walk(const char* text, std::size_t n) noexcept {
  std::size_t at = 0;
  if (state_ == State::value) {
    // In a string, or behind a value, there is one already.
    has_value_ = has_value_ || structure_.token(0) < n;
    const bool passes = base_ + n <= hold_from_;
    for (; (at = next_mark(at, passes)) < n; ++at) {
      if (!take_mark(text[at], base_ + at)) return at;
      if (levels_.empty()) break;
    }
    if (passes && structure_.last_mark() < n) last_mark_ = text[structure_.last_mark()];
    if (at == n) return n;
    state_ = State::end;
    is_held_ready_ = true;
    ++at;
  }
  const std::size_t value_end = at;
  at = structure_.token(at);
  if (at < n) fail(Errc::not_json, base_ + at, "nothing may follow the value");
  return value_end;
}

/// In what passes at once it is never cut, so that elements are only counted.
std::size_t JsonLimiter::next_mark(std::size_t at, bool passes) noexcept {
  if (!passes || levels_.empty()) return structure_.mark(at);
  const std::size_t next = structure_.bracket(at);
  Level& level = levels_.back();
  if (!level.is_object) level.commas += structure_.count_marks(at, next);
  return next;
}

bool JsonLimiter::take_mark(char mark, std::uint64_t offset) noexcept {
  last_mark_ = mark;
  switch (mark) {
    case '{':
    case '[': {
      if (levels_.size() == limits_.max_depth)
        return fail(Errc::too_deep, offset,
                    "containers are nested deeper than limits.nesting allows");
      Level& level = levels_.emplace_back();
      level.is_object = mark == '{';
      level.place = offset + 1 + levels_.size() <= limits_.max_bytes ? offset + 1 : kNone;
      return true;
    }
    case '}':
    case ']':
      if (levels_.empty() || levels_.back().is_object != (mark == '}'))
        return fail(Errc::not_json, offset,
                    "the bracket that closes is not of the kind that opened");
      levels_.pop_back();
      return true;
    case ',': {
      if (levels_.empty()) return fail(Errc::not_json, offset, "nothing may follow the value");
      Level& level = levels_.back();
      ++level.commas;
      if (offset + levels_.size() > limits_.max_bytes) return true;
      level.place = offset;
      level.elements = level.commas;
      return true;
    }
    default:
      return !levels_.empty() || fail(Errc::not_json, offset, "nothing may follow the value");
  }
}

void JsonLimiter::pass(const char* text, std::size_t n, std::span<char> out, Step& done) noexcept {
  if (base_ >= hold_from_) {
    // With what closes it.
    if (held_.empty()) held_.reserve(static_cast<std::size_t>(limits_.max_bytes - hold_from_) + 64);
    held_.append(text, n);
    return;
  }
  std::memcpy(out.data() + done.written, text, n);
  done.written += n;
  written_ += n;
}

/// As many bytes came as may pass, and there is another.
void JsonLimiter::cut_in_front_of(char next) noexcept {
  const bool is_blank = next == ' ' || next == '\n' || next == '\r' || next == '\t';
  if (levels_.empty() && has_value_ && is_blank && !structure_.ends_in_string()) {
    // A string, number or literal alone, which is whole.
    state_ = State::end;
    is_held_ready_ = true;
    return;
  }
  const auto array = std::find_if(levels_.begin(), levels_.end(),
                                  [](const Level& level) { return !level.is_object; });
  const auto first = array == levels_.end() ? levels_.begin() : array;
  const auto close_at = [&](std::vector<Level>::iterator level) {
    elements_ = level->is_object ? 0 : level->elements;
    close(level->place, static_cast<std::size_t>(level - levels_.begin()) + 1,
          level->is_object ? Cut::members : Cut::elements);
  };
  const auto leaves_half = std::find_if(first, levels_.end(), [&](const Level& level) {
    return is_reachable(level) && level.place >= limits_.max_bytes / 2;
  });
  if (leaves_half != levels_.end()) return close_at(leaves_half);
  if (is_in_value_string() && cut_in_string()) return;
  for (auto level = levels_.end(); level != levels_.begin();) {
    if (is_reachable(*--level)) return close_at(level);
  }
  fail(Errc::result_too_large, base_,
       "there is no place to cut it so that it is no larger than max_bytes");
}

bool JsonLimiter::is_in_value_string() const noexcept {
  if (!structure_.ends_in_string()) return false;
  if (levels_.empty() || last_mark_ == ':' || last_mark_ == '[') return true;
  return last_mark_ == ',' && !levels_.back().is_object;
}

bool JsonLimiter::cut_in_string() noexcept {
  const std::uint64_t behind = levels_.size() + 1;
  if (limits_.max_bytes < behind) return false;
  const std::uint64_t last = limits_.max_bytes - behind;
  // Where the start of the string has passed, the first bytes held may be the end of an escape; in
  // front of `first` is no place to be sure of.
  const bool is_whole = string_ >= hold_from_;
  std::uint64_t at = is_whole ? string_ + 1 : hold_from_ + (is_behind_escape_ ? 1 : 0);
  const std::uint64_t first = is_whole ? at : hold_from_ + 12;
  if (last < first) return false;
  while (true) {
    const auto place = static_cast<std::size_t>(at - hold_from_);
    const std::size_t n =
        place < held_.size() ? character(std::string_view(held_).substr(place)) : 12;
    if (at + n > last) break;
    at += n;
  }
  if (at < first) return false;
  close(at, levels_.size(), Cut::string);
  return true;
}

void JsonLimiter::close(std::uint64_t place, std::size_t levels, Cut cut) noexcept {
  cut_depth_ = levels;
  held_.resize(static_cast<std::size_t>(place - hold_from_));
  if (cut == Cut::string) held_ += '"';
  while (levels-- > 0) held_ += levels_[levels].is_object ? '}' : ']';
  cut_ = cut;
  state_ = State::cut;
  is_held_ready_ = true;
}

void JsonLimiter::write_held(std::span<char> out, Step& done) noexcept {
  const std::size_t n = std::min(held_.size() - held_written_, out.size() - done.written);
  if (n > 0) std::memcpy(out.data() + done.written, held_.data() + held_written_, n);
  done.written += n;
  written_ += n;
  held_written_ += n;
  if (held_written_ < held_.size()) return;
  held_.clear();
  held_written_ = 0;
  is_held_ready_ = false;
}

}  // namespace sluice::json
