#include "schema/ecma.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

namespace sluice::schema {
namespace {

// WhiteSpace and LineTerminator of ECMA-262, and all that is neither; as the inside of a class.
constexpr std::string_view kSpaces =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNoSpaces =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e})"
    R"(\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
constexpr std::string_view kAnyButLineEnd = R"([^\n\r\x{2028}\x{2029}])";

using Alias = std::pair<std::string_view, std::string_view>;
constexpr std::array<Alias, 38> kCategories{{
    {"Letter", "L"},
    {"Cased_Letter", "L&"},
    {"LC", "L&"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Control", "Cc"},
    {"Other", "C"},
}};

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Translator {
 public:
  Translator(std::string_view in, std::string& out, std::string& error)
      : in_(in), out_(out), error_(error) {}

  bool run() {
    while (at_ < in_.size()) {
      if (!(in_class_ ? step_in_class() : step())) return false;
    }
    return true;
  }

 private:
  bool refuse(std::string what) {
    error_ = std::move(what);
    return false;
  }
  [[nodiscard]] bool sees(std::string_view text) const noexcept {
    return in_.substr(at_).starts_with(text);
  }
  bool copy(std::size_t n) {
    out_ += in_.substr(at_, n);
    at_ += n;
    return true;
  }
  void put_code(std::uint32_t code) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\x{%x}", static_cast<unsigned>(code));
    out_ += text.data();
  }

  bool step() {
    switch (in_[at_]) {
      case '\\':
        return escape();
      case '[':
        in_class_ = true;
        after_set_ = false;
        return copy(sees("[^") ? 2 : 1);
      case '.':
        out_ += kAnyButLineEnd;
        ++at_;
        return true;
      case '(':
        return open_group();
      case '*':
      case '+':
      case '?':
        copy(1);
        return end_repeat();
      case '{':
        return repeat();
      default:
        return copy(1);
    }
  }

  bool open_group() {
    if (sees("(*")) return refuse("'(*' is nothing to repeat");
    if (!sees("(?")) return copy(1);
    for (const std::string_view kind : {"(?:", "(?=", "(?!", "(?<=", "(?<!"}) {
      if (sees(kind)) return copy(kind.size());
    }
    if (sees("(?<")) return copy(3);
    return refuse("'" + std::string(in_.substr(at_, 3)) +
                  "' is not of ECMA-262, which has (?:, (?=, (?!, (?<=, (?<! and (?<name>");
  }

  bool repeat() {
    auto end = at_ + 1;
    while (end < in_.size() && (is_digit(in_[end]) || in_[end] == ',')) ++end;
    const bool is_repeat = end < in_.size() && in_[end] == '}' && is_digit(in_[at_ + 1]);
    if (!is_repeat) {
      out_ += '\\';
      return copy(1);
    }
    copy(end + 1 - at_);
    return end_repeat();
  }

  bool end_repeat() {
    if (sees("?")) copy(1);
    if (sees("+")) return refuse("a repeat cannot be followed by '+'");
    return true;
  }

  bool step_in_class() {
    const char c = in_[at_];
    const bool after_set = std::exchange(after_set_, false);
    if (c == ']') {
      in_class_ = false;
      return copy(1);
    }
    if (c == '\\') return escape();
    if (c == '[') out_ += '\\';
    // "[\s-.]": the set becomes several ranges, so a hyphen beside it must say that it is only
    // itself.
    if (c == '-' && (after_set || next_is_set())) out_ += '\\';
    return copy(1);
  }

  [[nodiscard]] bool next_is_set() const noexcept {
    return at_ + 2 < in_.size() && in_[at_ + 1] == '\\' &&
           std::string_view("sSdDwWpP").find(in_[at_ + 2]) != std::string_view::npos;
  }

  bool escape() {
    if (at_ + 1 >= in_.size()) return refuse("ends in '\\'");
    const char c = in_[at_ + 1];
    switch (c) {
      case 'd':
      case 'D':
      case 'w':
      case 'W':
        after_set_ = in_class_;
        return copy(2);
      case 's':
      case 'S':
        return spaces(c == 's');
      case 'p':
      case 'P':
        return property();
      case 'b':
        if (!in_class_) return copy(2);
        put_code(8);
        at_ += 2;
        return true;
      case 'B':
        return in_class_ ? refuse("\\B cannot stand in a class") : copy(2);
      case 't':
      case 'n':
      case 'f':
      case 'r':
        return copy(2);
      case 'v':
        put_code(0xb);
        at_ += 2;
        return true;
      case 'c':
        return control();
      case 'x':
        return hex_escape();
      case 'u':
        return unicode_escape();
      case 'k':
        return in_class_ || !sees("\\k<") ? refuse("\\k needs <name>") : copy(3);
      default:
        break;
    }
    if (is_digit(c)) return number();
    if (is_letter(c)) return refuse(std::string("\\") + c + " is no escape of ECMA-262");
    // Itself. PCRE2 takes a backslash before ASCII punctuation only.
    const bool is_punctuation = static_cast<unsigned char>(c) < 0x80 && c != '_' && c > ' ';
    if (is_punctuation) return copy(2);
    ++at_;
    return copy(1);
  }

  bool spaces(bool is_space) {
    if (!in_class_) out_ += '[';
    out_ += is_space ? kSpaces : kNoSpaces;
    if (!in_class_) out_ += ']';
    after_set_ = in_class_;
    at_ += 2;
    return true;
  }

  bool property() {
    const auto end = in_.find('}', at_);
    if (at_ + 2 >= in_.size() || in_[at_ + 2] != '{' || end == std::string_view::npos) {
      return refuse("\\p needs {name}");
    }
    std::string_view name = in_.substr(at_ + 3, end - at_ - 3);
    for (const std::string_view prefix : {"General_Category=", "gc="}) {
      if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    }
    const auto* alias = std::find_if(kCategories.begin(), kCategories.end(),
                                     [&](const Alias& a) { return a.first == name; });
    if (alias != kCategories.end()) name = alias->second;
    out_.append(in_.substr(at_, 3)).append(name) += '}';
    after_set_ = in_class_;
    at_ = end + 1;
    return true;
  }

  bool number() {
    auto end = at_ + 1;
    while (end < in_.size() && is_digit(in_[end])) ++end;
    const auto digits = in_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    if (digits == "0") {
      put_code(0);
      return true;
    }
    if (in_class_ || digits.front() == '0')
      return refuse("\\" + std::string(digits) + " is no escape of ECMA-262");
    out_.append("\\g{").append(digits) += '}';
    return true;
  }

  bool control() {
    if (at_ + 2 >= in_.size() || !is_letter(in_[at_ + 2])) return refuse("\\c needs a letter");
    put_code(static_cast<std::uint32_t>(in_[at_ + 2]) % 32);
    at_ += 3;
    return true;
  }

  bool hex_escape() {
    const auto code = read_hex(at_ + 2, 2);
    if (!code) return refuse("\\x needs two hex digits");
    put_code(*code);
    at_ += 4;
    return true;
  }

  bool unicode_escape() {
    if (sees("\\u{")) {
      const auto end = std::min(in_.find('}', at_), in_.size());
      const auto code =
          end > at_ + 3 && end - at_ - 3 <= 8 ? read_hex(at_ + 3, end - at_ - 3) : std::nullopt;
      if (!code || *code > 0x10ffff) return refuse("\\u{} needs the number of a character in hex");
      at_ = end + 1;
      return put_character(*code);
    }
    auto code = read_hex(at_ + 2, 4);
    if (!code) return refuse("\\u needs four hex digits");
    at_ += 6;
    if (*code >= 0xd800 && *code < 0xdc00 && sees("\\u")) {
      const auto low = read_hex(at_ + 2, 4);
      if (low && *low >= 0xdc00 && *low < 0xe000) {
        at_ += 6;
        code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
      }
    }
    return put_character(*code);
  }

  bool put_character(std::uint32_t code) {
    if (code >= 0xd800 && code < 0xe000) return refuse("half of a surrogate pair matches no text");
    put_code(code);
    return true;
  }

  [[nodiscard]] std::optional<std::uint32_t> read_hex(std::size_t from,
                                                      std::size_t count) const noexcept {
    if (from + count > in_.size()) return std::nullopt;
    std::uint32_t code = 0;
    for (const char c : in_.substr(from, count)) {
      const char lower = is_letter(c) ? static_cast<char>(c | 0x20) : c;
      if (!is_digit(c) && (lower < 'a' || lower > 'f')) return std::nullopt;
      code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return code;
  }

  std::string_view in_;
  std::string& out_;
  std::string& error_;
  std::size_t at_ = 0;
  bool in_class_ = false;
  bool after_set_ = false;  ///< In a class, just behind \s and its like.
};

}  // namespace

bool translate_ecma(std::string_view pattern, std::string& out, std::string& error) {
  return Translator(pattern, out, error).run();
}

}  // namespace sluice::schema
