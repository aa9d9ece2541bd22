#pragma once

#include <string>

#include "escape_model.hpp"
#include "support.hpp"

namespace sluice::json::test {

/// Everything the escaper treats in its own way, at every distance from each other that blocks and
/// strides may cut.
inline std::string mixed_text() {
  std::string text = "plain \"quoted\" back\\slash\tand\r\n\x01\x1f\x7f";
  text += encode_utf8(0x2028) + encode_utf8(0x2029) + encode_utf8(0x85) + encode_utf8(0x84);
  text +=
      "\xc2\xe2\x80\xe2\x82\xac\xf0\x9f\x98\x80\xf0\x9f\x98\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf\xff"
      "\xfe";
  text += std::string(70, 'x') + "\"" + std::string(17, 'y') + encode_utf8(0x4e2d) +
          encode_utf8(0x6587);
  text += std::string(64, 'z') + std::string(8, '"') + encode_utf8(0x1f600) + "\xe2\x80";
  return text;
}

/// Much that a kernel takes on its own: quotes, line breaks, characters of every length.
inline std::string calm_text() {
  std::string text;
  for (std::uint32_t i = 0; text.size() < 700; ++i) {
    text += "[\"2026" + std::to_string(i * 7) + "\",\"" + encode_utf8(0x53f0 + i) +
            encode_utf8(0x7a4d) + encode_utf8(0xe9 + i) + "\",\"" + encode_utf8(0x1f600 + i) +
            "\"]\n";
  }
  return text + std::string(150, 'q') + '"';
}

/// Text with about one special byte in `rarity`, of every kind.
inline std::string random_text(Dice& dice, std::size_t length, std::size_t rarity) {
  std::string text;
  while (text.size() < length) {
    if (dice.below(rarity) != 0) {
      text.push_back(static_cast<char>('a' + dice.below(26)));
      continue;
    }
    switch (dice.below(6)) {
      case 0:
        text.push_back(dice.byte());
        break;
      case 1:
        text.push_back(static_cast<char>(dice.below(0x20)));
        break;
      case 2:
        text.push_back('\\');
        break;
      case 3:
        text += encode_utf8(static_cast<std::uint32_t>(0x2020 + dice.below(16)));
        break;
      case 4:
        text += encode_utf8(static_cast<std::uint32_t>(0x80 + dice.below(0xd000)));
        break;
      default:
        text.push_back('"');
    }
  }
  return text;
}

/// Nothing odd: quotes, short forms and whole characters, one in `rarity` of them not a letter.
inline std::string random_calm_text(Dice& dice, std::size_t length, std::size_t rarity) {
  constexpr std::uint32_t kOthers[] = {'"', '\\', '\n', '\t', 0xe9, 0x4e2d, 0x2027, 0x1f600};
  std::string text;
  while (text.size() < length) {
    const bool is_letter = dice.below(rarity) != 0;
    text += encode_utf8(is_letter ? static_cast<std::uint32_t>('a' + dice.below(26))
                                  : kOthers[dice.below(std::size(kOthers))]);
  }
  return text;
}

/// Bytes on all sides of what the escaper tells apart.
inline constexpr unsigned char kInteresting[] = {'a',  '"',  '\\', '\n', '\b', 0x01, 0x1f, 0x7f,
                                                 0x80, 0x85, 0xa8, 0xa9, 0xbf, 0xc0, 0xc2, 0xe0,
                                                 0xe2, 0xe4, 0xed, 0xf0, 0xf4, 0xff};

}  // namespace sluice::json::test
