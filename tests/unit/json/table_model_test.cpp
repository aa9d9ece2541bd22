#include "table_model.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"
#include "random_json.hpp"
#include "table_run.hpp"

namespace sluice::json::test {
namespace {

std::string random_table(Dice& dice) {
  constexpr const char* kNames[] = {"\"a\"", "\"b,c\"", "\"d\\n\"", "\"\\u00e9\"", "\"f\""};
  const bool has_blanks = dice.below(2) == 0;
  const bool is_objects = dice.below(2) == 0;
  const std::size_t width = 1 + dice.below(std::size(kNames));
  std::string text = "[" + random_blanks(dice, has_blanks);
  for (std::size_t rows = dice.below(8), i = 0; i < rows; ++i) {
    if (i > 0) text += "," + random_blanks(dice, has_blanks);
    text += is_objects ? '{' : '[';
    const std::size_t first = i == 0 ? 0 : dice.below(width);
    for (std::size_t k = 0; k < width; ++k) {
      if (k > 0) text += "," + random_blanks(dice, has_blanks);
      if (is_objects) text += std::string(kNames[(first + k) % width]) + ":";
      text += random_value(dice, static_cast<int>(dice.below(3)), has_blanks);
    }
    text += is_objects ? '}' : ']';
    text += random_blanks(dice, has_blanks);
  }
  return text + "]";
}

TEST(TableModel, SaysTheSameOnRandomTables) {
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    Dice dice(seed);
    const std::string text = random_table(dice);
    Document document;
    const auto root = document.parse_copy(text);
    ASSERT_TRUE(root.has_value()) << text;
    const Tabled whole = table_pieces(Simd::portable, {}, {text}, 100000);
    ASSERT_EQ(whole.out.verdict, Errc::ok) << whole;
    ASSERT_EQ(read_csv(whole.out.text), table_model(*root)) << text << '\n' << whole.out.text;
    for (const TableFormat format : {TableFormat::csv, TableFormat::markdown, TableFormat::lines}) {
      const Table::Options options{.format = format};
      const Tabled once = table_pieces(Simd::portable, options, {text}, 100000);
      for (const Simd simd : supported_simd()) {
        ASSERT_EQ(
            table_pieces(simd, options, dice.cuts(text, 1 + dice.below(40)), 1 + dice.below(300)),
            once)
            << name_of(simd) << ' ' << text;
      }
    }
  }
}

}  // namespace
}  // namespace sluice::json::test
