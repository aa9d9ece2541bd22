#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::json::test {

inline std::string encode_utf8(std::uint32_t point) {
  const auto tail = [point](int shift) {
    return static_cast<char>(0x80 | (point >> shift & 0x3f));
  };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | point >> 18), tail(12), tail(6), tail(0)};
}

/// What UTF-8 is, learnt by writing down every character there is.
class AllOfUnicode {
 public:
  static const AllOfUnicode& get() {
    static const AllOfUnicode all;
    return all;
  }

  [[nodiscard]] bool is_start(std::string_view bytes) const {
    return bytes.size() < 4 && starts_[bytes.size()][number(bytes)];
  }
  [[nodiscard]] bool is_character(std::string_view bytes) const {
    if (bytes.size() < 4) return whole_[bytes.size()][number(bytes)];
    if (bytes.size() > 4 || !is_start(bytes.substr(0, 3))) return false;
    return (bytes[3] & 0xc0) == 0x80;  // The three in front stand for one block of 64.
  }

 private:
  AllOfUnicode() {
    for (std::size_t n = 1; n < 4; ++n) {
      starts_[n].resize(std::size_t{1} << (8 * n));
      whole_[n].resize(std::size_t{1} << (8 * n));
    }
    for (std::uint32_t point = 0; point <= 0x10ffff; ++point) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const std::string bytes = encode_utf8(point);
      for (std::size_t n = 1; n < bytes.size(); ++n) {
        starts_[n][number(std::string_view(bytes).substr(0, n))] = true;
      }
      if (bytes.size() < 4) whole_[bytes.size()][number(bytes)] = true;
    }
  }

  static std::size_t number(std::string_view bytes) {
    std::size_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }

  std::vector<bool> starts_[4];
  std::vector<bool> whole_[4];
};

/// The characters of `text`, each maximal subpart that is none as U+FFFD.
inline std::vector<std::string> characters_of(std::string_view text) {
  const AllOfUnicode& unicode = AllOfUnicode::get();
  std::vector<std::string> characters;
  while (!text.empty()) {
    std::size_t length = 1;
    std::string character = "\xef\xbf\xbd";
    for (std::size_t n = 1; n <= std::min<std::size_t>(4, text.size()); ++n) {
      const std::string_view bytes = text.substr(0, n);
      if (unicode.is_start(bytes)) length = n;
      if (unicode.is_character(bytes)) {
        length = n;
        character = bytes;
        break;
      }
    }
    characters.push_back(character);
    text.remove_prefix(length);
  }
  return characters;
}

inline std::string replace_model(std::string_view text) {
  std::string out;
  for (const std::string& character : characters_of(text)) out += character;
  return out;
}

inline std::string escape_model(std::string_view text) {
  std::string out;
  for (const std::string& c : characters_of(text)) {
    const auto lead = static_cast<unsigned char>(c[0]);
    if (c == "\"" || c == "\\") {
      out += "\\" + c;
    } else if (c == "\b") {
      out += "\\b";
    } else if (c == "\f") {
      out += "\\f";
    } else if (c == "\n") {
      out += "\\n";
    } else if (c == "\r") {
      out += "\\r";
    } else if (c == "\t") {
      out += "\\t";
    } else if (lead < 0x20) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "\\u%04x", lead);
      out += hex;
    } else if (c == encode_utf8(0x2028)) {
      out += "\\u2028";
    } else if (c == encode_utf8(0x2029)) {
      out += "\\u2029";
    } else if (c == encode_utf8(0x85)) {
      out += "\\u0085";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace sluice::json::test
