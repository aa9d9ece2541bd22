#include "load_answer.hpp"

#include <algorithm>
#include <cstring>

namespace load {
namespace {

constexpr std::size_t kKeptStart = 300;
constexpr std::size_t kMaxToken = 1024;
constexpr std::size_t kMaxDepth = 512;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_plain(char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; }

}  // namespace

bool AnswerReader::fail(const char* why) {
  why_ = why;
  return false;
}

void AnswerReader::reset() {
  answer_ = {};
  depth_ = 0;
  state_ = State::between;
  token_.clear();
  high_surrogate_ = 0;
  begun_ = false;
  text_done_ = false;
}

bool AnswerReader::take(std::string_view in) {
  for (std::size_t i = 0; i < in.size();) {
    switch (state_) {
      case State::between:
        if (!take_between(in[i++])) return false;
        break;
      case State::literal: {
        const char c = in[i];
        if (std::strchr(",]} \t\r\n", c) != nullptr && c != '\0') {
          end_literal();
        } else {
          if (token_.size() < kMaxToken) token_ += c;
          ++i;
        }
        break;
      }
      case State::string: {
        const auto from = i;
        while (i < in.size() && is_plain(in[i])) ++i;
        if (i > from) put(in.substr(from, i - from));
        if (i == in.size()) break;
        const char c = in[i++];
        if (c == '\\') {
          state_ = State::escape;
        } else if (c == '"') {
          end_string();
        } else {
          return fail("a control character within a string");
        }
        break;
      }
      case State::escape:
        if (!take_escape(in[i++])) return false;
        break;
      case State::hex:
        if (!take_hex(in[i++])) return false;
        break;
    }
  }
  return true;
}

bool AnswerReader::finish() {
  if (state_ == State::literal) end_literal();
  if (!begun_ || depth_ != 0 || state_ != State::between)
    return fail("the message ends before its JSON does");
  if (answer_.is_response && expected_ && !answer_.is_error && !answer_.differs_at &&
      answer_.text_bytes != expected_->size())
    answer_.differs_at = answer_.text_bytes;
  return true;
}

bool AnswerReader::take_between(char c) {
  Level* top = depth_ == 0 ? nullptr : &levels_[depth_ - 1];
  switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return true;
    case ':':
      if (top == nullptr || !top->is_object) return fail("a colon out of place");
      top->key_next = false;
      return true;
    case ',':
      if (top == nullptr) return fail("a comma out of place");
      top->key_next = top->is_object;
      return true;
    case '{':
    case '[':
      return open(c == '{');
    case '}':
    case ']':
      return close(c == '}');
    case '"':
      return begin_string();
    default:
      if (depth_ == 0) return fail("a message that is no object");
      token_.assign(1, c);
      state_ = State::literal;
      return true;
  }
}

bool AnswerReader::open(bool is_object) {
  if (depth_ == 0 && begun_) return fail("more than one message");
  if (depth_ == kMaxDepth) return fail("nested too deeply");
  begun_ = true;
  if (depth_ == levels_.size()) levels_.emplace_back();
  auto& level = levels_[depth_++];
  level.is_object = is_object;
  level.key_next = is_object;
  level.key.clear();
  return true;
}

bool AnswerReader::close(bool is_object) {
  if (depth_ == 0 || levels_[depth_ - 1].is_object != is_object)
    return fail("a bracket out of place");
  --depth_;
  return true;
}

bool AnswerReader::key_is(std::size_t level, std::string_view key) const {
  return levels_[level].is_object && levels_[level].key == key;
}

AnswerReader::Kind AnswerReader::kind_of_string() const {
  if (levels_[depth_ - 1].key_next) return Kind::key;
  if (depth_ == 1 && key_is(0, "id")) return Kind::id;
  if (depth_ == 2 && key_is(0, "error") && key_is(1, "message")) return Kind::error_message;
  if (depth_ == 2 && key_is(0, "result") && key_is(1, "protocolVersion"))
    return Kind::protocol_version;
  if (depth_ == 4 && !text_done_ && key_is(0, "result") && key_is(1, "content") &&
      !levels_[2].is_object && key_is(3, "text"))
    return Kind::text;
  return Kind::other;
}

bool AnswerReader::begin_string() {
  if (depth_ == 0) return fail("a message that is no object");
  kind_ = kind_of_string();
  token_.clear();
  if (kind_ == Kind::text) answer_.has_text = true;
  if (kind_ == Kind::id) token_ = '"';
  state_ = State::string;
  return true;
}

void AnswerReader::end_string() {
  if (high_surrogate_ != 0) put_code_point(0xFFFD);
  high_surrogate_ = 0;
  state_ = State::between;
  switch (kind_) {
    case Kind::key:
      levels_[depth_ - 1].key = token_;
      if (depth_ == 1 && (token_ == "result" || token_ == "error")) answer_.is_response = true;
      if (depth_ == 1 && token_ == "error") answer_.is_error = true;
      break;
    case Kind::id:
      answer_.id = token_ + '"';
      break;
    case Kind::error_message:
      answer_.error_message = token_;
      break;
    case Kind::protocol_version:
      answer_.protocol_version = token_;
      break;
    case Kind::text:
      text_done_ = true;
      break;
    case Kind::other:
      break;
  }
}

void AnswerReader::end_literal() {
  state_ = State::between;
  if (depth_ == 1 && key_is(0, "id")) answer_.id = token_;
  if (depth_ == 2 && key_is(0, "result") && key_is(1, "isError") && token_ == "true")
    answer_.is_error = true;
}

bool AnswerReader::take_escape(char c) {
  state_ = State::string;
  const char* const from = "\"\\/bfnrt";
  const char* const to = "\"\\/\b\f\n\r\t";
  if (c == 'u') {
    code_ = 0;
    hex_digits_ = 0;
    state_ = State::hex;
    return true;
  }
  const char* const found = c == '\0' ? nullptr : std::strchr(from, c);
  if (found == nullptr) return fail("an unknown escape");
  put({to + (found - from), 1});
  return true;
}

bool AnswerReader::take_hex(char c) {
  const int value = hex_value(c);
  if (value < 0) return fail("a \\u without four digits");
  code_ = code_ * 16 + static_cast<std::uint32_t>(value);
  if (++hex_digits_ < 4) return true;
  state_ = State::string;
  const bool is_low = code_ >= 0xDC00 && code_ < 0xE000;
  if (high_surrogate_ != 0 && is_low) {
    const auto high = high_surrogate_;
    high_surrogate_ = 0;
    put_code_point(0x10000 + ((high - 0xD800) << 10) + (code_ - 0xDC00));
  } else if (code_ >= 0xD800 && code_ < 0xDC00) {
    if (high_surrogate_ != 0) put_code_point(0xFFFD);
    high_surrogate_ = code_;
  } else {
    put_code_point(is_low ? 0xFFFD : code_);
  }
  return true;
}

void AnswerReader::put_code_point(std::uint32_t c) {
  char bytes[4];
  std::size_t n = 0;
  const auto tail = [&](int shift) { bytes[n++] = static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  high_surrogate_ = 0;
  if (c < 0x80) {
    bytes[n++] = static_cast<char>(c);
  } else if (c < 0x800) {
    bytes[n++] = static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    bytes[n++] = static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    bytes[n++] = static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
  put({bytes, n});
}

void AnswerReader::put(std::string_view decoded) {
  if (high_surrogate_ != 0) put_code_point(0xFFFD);
  if (kind_ == Kind::other) return;
  if (kind_ != Kind::text) {
    if (token_.size() < kMaxToken) token_.append(decoded);
    return;
  }
  if (answer_.text_start.size() < kKeptStart)
    answer_.text_start.append(decoded.substr(0, kKeptStart - answer_.text_start.size()));
  if (expected_ && !answer_.differs_at) {
    const auto at = std::min<std::uint64_t>(answer_.text_bytes, expected_->size());
    const auto there = expected_->substr(at, decoded.size());
    if (there.size() != decoded.size() ||
        std::memcmp(there.data(), decoded.data(), decoded.size()) != 0) {
      const auto same = std::mismatch(there.begin(), there.end(), decoded.begin()).first;
      answer_.differs_at = at + static_cast<std::uint64_t>(same - there.begin());
    }
  }
  answer_.text_bytes += decoded.size();
}

void EventReader::reset() {
  message_.reset();
  answer_.reset();
  state_ = State::line_start;
  field_.clear();
  has_data_ = false;
  after_cr_ = false;
}

bool EventReader::end_line() {
  const bool empty = state_ == State::line_start;
  const bool bare_data = state_ == State::field && field_ == "data";
  state_ = State::line_start;
  field_.clear();
  if (bare_data) return has_data_ ? message_.take("\n") : (has_data_ = true);
  if (!empty || !has_data_) return true;
  has_data_ = false;
  // An event without text only gives its id (servers that can resume begin with one).
  if (!message_.is_empty()) {
    if (!message_.finish()) return false;
    if (message_.answer().is_response) answer_ = message_.answer();
  }
  message_.reset();
  return true;
}

bool EventReader::take(std::string_view in) {
  for (std::size_t i = 0; i < in.size();) {
    const char c = in[i];
    if (after_cr_ && c == '\n') {
      after_cr_ = false;
      ++i;
      continue;
    }
    after_cr_ = false;
    if (c == '\r' || c == '\n') {
      after_cr_ = c == '\r';
      ++i;
      if (!end_line()) return false;
      continue;
    }
    switch (state_) {
      case State::line_start:
        state_ = State::field;
        [[fallthrough]];
      case State::field:
        ++i;
        if (c != ':') {
          if (field_.size() < 16) field_ += c;
        } else if (field_ == "data") {
          if (has_data_ && !message_.take("\n")) return false;
          has_data_ = true;
          state_ = State::space;
        } else {
          state_ = State::skipped;
        }
        break;
      case State::space:
        if (c == ' ') ++i;
        state_ = State::data;
        break;
      case State::data:
      case State::skipped: {
        auto run = in.substr(i);
        run = run.substr(0, run.find('\n'));
        run = run.substr(0, run.find('\r'));
        i += run.size();
        if (state_ == State::data && !message_.take(run)) return false;
        break;
      }
    }
  }
  return true;
}

}  // namespace load
