#include "json/structure.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

namespace sluice::json::test {
namespace {

/// The kinds of bytes as a reader of one byte at a time sees them.
struct Kinds {
  std::string text;
  explicit Kinds(std::string_view json) {
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const char c = json[i];
      std::size_t backslashes = 0;
      while (backslashes < i && json[i - backslashes - 1] == '\\') ++backslashes;
      if (c == '"' && backslashes % 2 == 0) {
        text += '"';
        in_string = !in_string;
      } else if (in_string) {
        text += '.';
      } else if (std::string_view("{}[]").find(c) != std::string_view::npos) {
        text += c == '{' || c == '[' ? '(' : ')';
      } else if (c == ',' || c == ':') {
        text += ',';
      } else {
        text += c == ' ' || c == '\n' || c == '\r' || c == '\t' ? ' ' : '1';
      }
    }
  }
};

std::string kinds_by(Simd simd, std::string_view text, std::size_t piece) {
  const StructureKernel kernel = structure_kernel(simd);
  StructureCarry carry;
  std::string out;
  bool in_string = false;
  bool has_backslash = false;
  for (const std::string_view part : cut_every(text, piece)) {
    const ExactBytes bytes(part);
    std::vector<StructureBlock> blocks(part.size() / 64 + 1);
    has_backslash |= kernel(bytes.view().data(), part.size(), blocks.data(), carry);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const StructureBlock& block = blocks[i / 64];
      const auto is = [&](std::uint64_t mask) { return (mask >> (i % 64) & 1) != 0; };
      const bool opens = is(block.opens);
      const bool closes = is(block.closes);
      EXPECT_LE(opens + closes, is(block.marks));
      EXPECT_LE(is(block.quotes) + is(block.marks) + is(block.scalars), 1);
      if (is(block.quotes)) {
        out += '"';
        in_string = !in_string;
      } else if (is(block.marks)) {
        out += opens ? '(' : closes ? ')' : ',';
      } else {
        out += is(block.scalars) ? '1' : in_string ? '.' : ' ';
      }
    }
    for (std::size_t at = 0; at < part.size(); at += 64) {
      const StructureBlock& block = blocks[at / 64];
      EXPECT_EQ(block.open_count, std::popcount(block.opens));
      EXPECT_EQ(block.close_count, std::popcount(block.closes));
      if (part.size() - at < 64) {
        EXPECT_EQ((block.quotes | block.marks | block.scalars) >> (part.size() - at), 0U);
      }
    }
  }
  EXPECT_EQ(has_backslash, text.find('\\') != std::string_view::npos);
  return out;
}

TEST(Structure, SeesTokensAsByteByByte) {
  const std::string_view alphabet = "{}[]:,\"\"\"\\\\ \n\t\r1a\x01\xc3\x7f";
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    Dice dice(seed);
    std::string text;
    const std::size_t calm = dice.below(30);
    for (std::size_t left = dice.below(400); left > 0; --left)
      text += dice.below(calm + 1) == 0 ? alphabet[dice.below(alphabet.size())] : 'x';
    const std::string expected = Kinds(text).text;
    const std::size_t piece = 1 + dice.below(300);
    for (const Simd simd : supported_simd()) {
      ASSERT_EQ(kinds_by(simd, text, piece), expected)
          << name_of(simd) << ' ' << piece << ' ' << text;
      ASSERT_EQ(kinds_by(simd, text, 1 + text.size()), expected) << name_of(simd) << ' ' << text;
    }
  }
}

TEST(Structure, SeesBackslashesAtEveryPlace) {
  for (std::size_t run = 0; run < 70; ++run) {
    for (std::size_t front = 0; front < 66; ++front) {
      const std::string text =
          "\"" + std::string(front, 'x') + std::string(run, '\\') + "\",1" + std::string(70, ' ');
      const std::string expected = Kinds(text).text;
      for (const Simd simd : supported_simd()) {
        ASSERT_EQ(kinds_by(simd, text, text.size()), expected) << name_of(simd);
        ASSERT_EQ(kinds_by(simd, text, 1 + front), expected) << name_of(simd);
      }
    }
  }
}

TEST(Structure, FindsTheBracketThatCloses) {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    Dice dice(seed);
    std::string text;
    std::uint64_t depth = 1 + dice.below(3);
    for (std::uint64_t left = depth; left > 0;) {
      const std::size_t kind = dice.below(12);
      text += kind == 0 ? "[" : kind == 1 ? "}" : kind == 2 ? "\"]\"" : "1,";
      if (text.back() == '[' && text.size() < 3000)
        ++left;
      else if (text.back() == '[')
        text.back() = '1';
      if (text.back() == '}') --left;
    }
    const std::size_t end = text.size();
    text += "]]]" + std::string(dice.below(100), ' ');
    for (const Simd simd : supported_simd()) {
      Structure structure(simd);
      std::uint64_t left = depth;
      std::size_t found = 0;
      for (const std::string_view part : cut_every(text, 1 + dice.below(Structure::kPiece))) {
        structure.index(part.data(), part.size());
        const std::size_t at = structure.skip(0, left);
        found += at;
        if (left == 0) break;
        ASSERT_EQ(at, part.size());
      }
      ASSERT_EQ(found, end) << name_of(simd) << ' ' << text;
    }
  }
}

TEST(Structure, CountsMarksAndFindsTheLast) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    std::string text;
    const std::size_t calm = dice.below(100);
    for (std::size_t left = dice.below(400); left > 0; --left)
      text += dice.below(calm + 1) == 0 ? ",:[]{}\""[dice.below(7)] : 'x';
    const std::string kinds = Kinds(text).text;
    const std::size_t last = kinds.find_last_of("(),");
    const std::size_t from = dice.below(text.size() + 1);
    const std::size_t to = from + dice.below(text.size() - from + 1);
    std::size_t count = 0;
    for (std::size_t i = from; i < to; ++i)
      count += kinds[i] == '(' || kinds[i] == ')' || kinds[i] == ',' ? 1 : 0;
    for (const Simd simd : supported_simd()) {
      Structure structure(simd);
      structure.index(text.data(), text.size());
      ASSERT_EQ(structure.last_mark(), std::min(last, text.size())) << name_of(simd) << text;
      ASSERT_EQ(structure.count_marks(from, to), count) << name_of(simd) << text;
    }
  }
}

TEST(Structure, AnswersWithTheSizeWhereThereIsNothing) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 4096U}) {
    const std::string text(size, ' ');
    for (const Simd simd : supported_simd()) {
      Structure structure(simd);
      structure.index(text.data(), size);
      for (const std::size_t at : {std::size_t{0}, size / 2, size}) {
        EXPECT_EQ(structure.token(at), size);
        EXPECT_EQ(structure.bracket(at), size);
        EXPECT_EQ(structure.string_end(at), size);
        EXPECT_EQ(structure.scalar_end(at), at);
        EXPECT_EQ(structure.count_marks(at, size), 0U);
      }
    }
  }
}

}  // namespace
}  // namespace sluice::json::test
