#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace sluice::json::escape {

/// What is written for one byte or character: always eight bytes at once, of which `length` count.
struct Form {
  char text[7];
  std::uint8_t length;
};
static_assert(sizeof(Form) == 8);

/// Longest form.
inline constexpr std::size_t kLongest = 6;

constexpr std::array<Form, 128> make_forms() {
  std::array<Form, 128> forms{};
  constexpr char kHex[] = "0123456789abcdef";
  for (unsigned c = 0; c < forms.size(); ++c) {
    forms[c] = {{static_cast<char>(c)}, 1};
    if (c < 0x20) forms[c] = {{'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]}, kLongest};
  }
  forms['\b'] = {{'\\', 'b'}, 2};
  forms['\f'] = {{'\\', 'f'}, 2};
  forms['\n'] = {{'\\', 'n'}, 2};
  forms['\r'] = {{'\\', 'r'}, 2};
  forms['\t'] = {{'\\', 't'}, 2};
  forms['"'] = {{'\\', '"'}, 2};
  forms['\\'] = {{'\\', '\\'}, 2};
  return forms;
}
/// Those of ASCII.
inline constexpr std::array<Form, 128> kForms = make_forms();

/// REQUIRES: eight bytes of room.
inline char* put(char* out, const Form& form) noexcept {
  std::memcpy(out, &form, sizeof form);
  return out + form.length;
}

}  // namespace sluice::json::escape
