// What AArch64 runs in place of the kernels of x86, compared with the naive models. A program of its
// own, without GoogleTest, so that a cross compiler and an emulator are enough to run it.

#include <cstdio>
#include <cstdlib>

#include "base64_model.hpp"
#include "escape_model.hpp"
#include "escape_run.hpp"
#include "escape_texts.hpp"
#include "json/base64.hpp"
#include "json/raw_json.hpp"
#include "json/structure_blocks.hpp"

namespace sluice::json::test {
namespace {

[[noreturn]] void fail(Simd simd, const char* what, std::size_t piece, std::size_t room) {
  std::printf("%s, pieces of %zu, room of %zu: %s\n", std::string(name_of(simd)).c_str(), piece,
              room, what);
  std::exit(1);
}

void compare(Simd simd, const std::string& text, const std::string& expected, std::size_t piece,
             std::size_t room) {
  const Escaped escaped = escape_pieces(simd, cut_every(text, piece), [room] { return room; });
  if (escaped.broken != nullptr) fail(simd, escaped.broken, piece, room);
  if (escaped.text != expected) fail(simd, "not escaped as the model says", piece, room);
}

/// Every place of a cut, every length of pieces, every room.
void compare_splits(Simd simd) {
  for (const std::string& text : {mixed_text(), calm_text()}) {
    const std::string expected = escape_model(text);
    for (std::size_t n = 1; n < 200; ++n) compare(simd, text, expected, n, 4096);
    for (std::size_t n = 0; n < 300; ++n)
      compare(simd, text, expected, text.size(), Escaper::kMinRoom + n);
    for (std::size_t n = 1; n < text.size(); ++n)
      compare(simd, text.substr(n), escape_model(text.substr(n)), text.size(), 8192);
  }
}

void compare_pairs(Simd simd) {
  for (const unsigned char first : kInteresting) {
    for (const unsigned char second : kInteresting) {
      const std::string pair = {static_cast<char>(first), static_cast<char>(second)};
      const std::string middle = escape_model(pair);
      for (std::size_t place = 0; place < 70; ++place) {
        const std::string front(place, 'p');
        const std::string behind(90, 'q');
        compare(simd, front + pair + behind, front + middle + behind, 1000, 2000);
      }
    }
  }
}

void compare_random(Simd simd) {
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    Dice dice(seed);
    const std::string text = seed % 2 == 0
                                 ? random_text(dice, dice.below(1500), 1 + dice.below(40))
                                 : random_calm_text(dice, dice.below(1500), 1 + dice.below(40));
    compare(simd, text, escape_model(text), 1 + dice.below(600),
            Escaper::kMinRoom + dice.below(600));
  }
}

void compare_base64(Simd simd) {
  Dice dice(1);
  for (std::size_t length = 0; length < 400; ++length) {
    std::string bytes(length, ' ');
    for (char& c : bytes) c = dice.byte();
    const std::size_t piece = 1 + dice.below(200);
    Base64Encoder encoder(simd);
    std::string text;
    for (const std::string_view part : cut_every(bytes, piece)) {
      const ExactBytes exact(part);
      GuardedRoom out(2 * part.size() + 16);
      const auto step = encoder.step(exact.view(), {out.data(), out.size()});
      if (!out.is_intact() || step.read != part.size()) fail(simd, "base64", piece, out.size());
      text.append(out.data(), step.written);
    }
    char end[Base64Encoder::kMinRoom];
    text.append(end, encoder.finish(end));
    if (text != base64_model(bytes)) fail(simd, "not base64 as the model says", piece, 0);
  }
}

std::string random_json(Dice& dice, int depth) {
  constexpr const char* kScalars[] = {"0",     "-1.5e+7",        "true",  "null", "\"\"",
                                      "\"a\"", "\"\\n\\u00e9\"", "[ ]\n", "{}"};
  if (depth == 0 || dice.below(4) == 0) return kScalars[dice.below(std::size(kScalars))];
  const bool is_object = dice.below(2) == 0;
  std::string text(1, is_object ? '{' : '[');
  const std::size_t count = 1 + dice.below(5);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if (is_object) text += "\"" + encode_utf8(0x4e2d) + std::string(dice.below(30), 'n') + "\": ";
    text += random_json(dice, depth - 1);
  }
  return text + (is_object ? '}' : ']');
}

std::string pass(Simd simd, const std::string& text, std::size_t piece) {
  RawJson checker(64, simd);
  std::string passed;
  for (const std::string_view part : cut_every(text, piece)) {
    const ExactBytes exact(part);
    GuardedRoom out(part.size());
    const auto n = checker.step(exact.view(), {out.data(), out.size()});
    if (!out.is_intact()) fail(simd, "raw JSON wrote past its room", piece, out.size());
    if (!n.has_value()) return "refused";
    passed.append(out.data(), *n);
  }
  return checker.finish().has_value() ? passed : "refused";
}

void compare_raw_json(Simd simd) {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    Dice dice(seed);
    std::string text = random_json(dice, 4);
    if (seed % 2 == 0) text[dice.below(text.size())] = dice.byte();
    const std::size_t piece = 1 + dice.below(400);
    if (pass(simd, text, piece) != pass(Simd::portable, text, piece))
      fail(simd, "raw JSON is judged otherwise than by bytes", piece, 0);
  }
}

std::vector<StructureBlock> structure(Simd simd, const std::string& text, std::size_t piece) {
  std::vector<StructureBlock> all;
  StructureCarry carry;
  for (const std::string_view part : cut_every(text, piece)) {
    const ExactBytes exact(part);
    std::vector<StructureBlock> blocks((part.size() + 63) / 64);
    structure_kernel(simd)(exact.view().data(), part.size(), blocks.data(), carry);
    all.insert(all.end(), blocks.begin(), blocks.end());
  }
  return all;
}

void compare_structure(Simd simd) {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    Dice dice(seed);
    std::string text = random_json(dice, 4);
    if (seed % 2 == 0) text[dice.below(text.size())] = dice.byte();
    const std::size_t piece = 1 + dice.below(400);
    const auto found = structure(simd, text, piece);
    const auto expected = structure(Simd::portable, text, piece);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::memcmp(&found[i], &expected[i], sizeof found[i]) != 0)
        fail(simd, "the structure is seen otherwise than by bytes", piece, 0);
    }
  }
}

}  // namespace
}  // namespace sluice::json::test

int main() {
  using namespace sluice::json::test;
  for (const sluice::Simd simd : sluice::supported_simd()) {
    compare_splits(simd);
    compare_pairs(simd);
    compare_random(simd);
    compare_base64(simd);
    compare_raw_json(simd);
    compare_structure(simd);
    std::printf("%s: as the models say\n", std::string(name_of(simd)).c_str());
  }
}
