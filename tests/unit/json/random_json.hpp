#pragma once

#include <optional>
#include <string>

#include "json/path.hpp"
#include "json/select_plan.hpp"
#include "support.hpp"

namespace sluice::json::test {

// Documents and paths over few names, so that they meet.

inline std::string random_blanks(Dice& dice, bool has_any) {
  if (!has_any || dice.below(3) != 0) return {};
  constexpr const char* kBlanks[] = {" ", "\n  ", "\t", "\r\n", "    "};
  return kBlanks[dice.below(std::size(kBlanks))];
}

inline std::string random_value(Dice& dice, int depth, bool has_blanks) {
  constexpr const char* kScalars[] = {"0",
                                      "-1.5e+7",
                                      "true",
                                      "null",
                                      "\"\"",
                                      "\"a\"",
                                      "\"\\n\\u00e9\"",
                                      "12345678901234567890",
                                      "false",
                                      "\"}\"",
                                      "\"[\"",
                                      "\"a\\\"\"",
                                      "\"\\\\\"",
                                      "\",:\"",
                                      "\"long text that goes on for a while\""};
  constexpr const char* kNames[] = {"a", "b", "c", "d", "\\u0061b", "e f", "", "\\\"", "name"};
  const auto blanks = [&] { return random_blanks(dice, has_blanks); };
  if (depth == 0 || dice.below(4) == 0) return kScalars[dice.below(std::size(kScalars))];
  const bool is_object = dice.below(2) == 0;
  std::string text(1, is_object ? '{' : '[');
  text += blanks();
  const std::size_t first_name = dice.below(4);
  const std::size_t count = dice.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += "," + blanks();
    // Each name once.
    if (is_object)
      text += '"' + std::string(kNames[first_name + i]) + '"' + blanks() + ':' + blanks();
    text += random_value(dice, depth - 1, has_blanks) + blanks();
  }
  return text + (is_object ? '}' : ']');
}

inline std::string random_document(Dice& dice) {
  const bool has_blanks = dice.below(2) == 0;
  std::string text = random_value(dice, 1 + static_cast<int>(dice.below(5)), has_blanks);
  return random_blanks(dice, has_blanks) + text + random_blanks(dice, has_blanks);
}

inline std::string random_selector(Dice& dice) {
  constexpr const char* kNames[] = {"'a'", "'b'", "'c'", "\"d\"", "'ab'", "'e f'", "''", "'\"'"};
  switch (dice.below(6)) {
    case 0:
      return "*";
    case 1:
      return std::to_string(dice.below(4));
    case 2: {
      std::string slice;
      if (dice.below(2) == 0) slice += std::to_string(dice.below(4));
      slice += ':';
      if (dice.below(2) == 0) slice += std::to_string(dice.below(6));
      if (dice.below(2) == 0) slice += ':' + std::to_string(dice.below(4));
      return slice;
    }
    default:
      return kNames[dice.below(std::size(kNames))];
  }
}

inline std::string random_path(Dice& dice, bool is_definite) {
  std::string text = "$";
  for (std::size_t left = dice.below(4); left > 0; --left) {
    if (is_definite) {
      text += dice.below(2) == 0 ? ".a" : '[' + std::to_string(dice.below(3)) + ']';
      continue;
    }
    if (dice.below(4) == 0) text += "..";
    text += '[' + random_selector(dice);
    while (dice.below(3) == 0) text += ',' + random_selector(dice);
    text += ']';
  }
  return text;
}

inline Selection random_selection(Dice& dice) {
  Selection selection;
  const auto path = [&](bool is_definite) {
    Path::Problem problem;
    return *Path::parse(random_path(dice, is_definite), problem);
  };
  for (std::size_t left = dice.below(4); left > 0; --left) selection.select.push_back(path(false));
  for (std::size_t left = dice.below(3); left > 0; --left) {
    selection.drop.push_back(path(false));
    if (selection.drop.back().segments().empty()) selection.drop.pop_back();
  }
  if (dice.below(3) == 0) {
    selection.items = Selection::Items{
        path(true), dice.below(3), dice.below(4),
        dice.below(2) == 0 ? Selection::Items::Then::stop : Selection::Items::Then::read_on};
  }
  if (dice.below(2) == 0) selection.shape = Selection::Shape::document;
  return selection;
}

}  // namespace sluice::json::test
