#include <gtest/gtest.h>

#include "escape_model.hpp"
#include "escape_sets.hpp"
#include "escape_texts.hpp"

namespace sluice::json::test {
namespace {

/// What surrounds the bytes in question: letters, or characters of three bytes.
struct Around {
  std::string front;
  std::string behind;
};

std::vector<Around> make_around(std::size_t place) {
  Around letters{std::string(place, 'p'), std::string(100, 'q')};
  Around characters{std::string(place % 3, 'p'), ""};
  while (characters.front.size() < place) characters.front += encode_utf8(0x4e2d);
  for (int i = 0; i < 40; ++i) characters.behind += encode_utf8(0x6587);
  return {letters, characters};
}

/// Places from which three bytes touch or cross the border of a block, a stride or the second one.
constexpr std::size_t kPlaces[] = {13, 14, 15, 16, 29, 30, 31, 32, 61, 62, 63, 64, 126, 127};

class EachEscaperAtBorders : public EachEscaper {};

TEST_P(EachEscaperAtBorders, AgreesWithTheModelOnAllPairsOfInterestingBytesEverywhere) {
  for (std::size_t place = 0; place < 135; ++place) {
    for (const Around& around : make_around(place)) {
      for (const unsigned char first : kInteresting) {
        for (const unsigned char second : kInteresting) {
          const std::string pair = {static_cast<char>(first), static_cast<char>(second)};
          const std::string expected = around.front + escape_model(pair) + around.behind;
          if (escape_quickly(around.front + pair + around.behind) != expected)
            FAIL() << std::hex << place << ": " << +first << ' ' << +second;
        }
      }
    }
  }
}

TEST_P(EachEscaperAtBorders, AgreesWithTheModelOnAllTriplesOfInterestingBytes) {
  for (const unsigned char first : kInteresting) {
    for (const unsigned char second : kInteresting) {
      for (const unsigned char third : kInteresting) {
        const std::string triple = {static_cast<char>(first), static_cast<char>(second),
                                    static_cast<char>(third)};
        const std::string middle = escape_model(triple);
        for (const std::size_t place : kPlaces) {
          for (const Around& around : make_around(place)) {
            if (escape_quickly(around.front + triple + around.behind) !=
                around.front + middle + around.behind)
              FAIL() << std::hex << place << ": " << +first << ' ' << +second << ' ' << +third;
          }
        }
      }
    }
  }
}

TEST_P(EachEscaperAtBorders, FindsEveryFaultOfUtf8AtEveryPlaceOfAStride) {
  const std::string bad[] = {"\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
                             "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                             "\xf5\x80",     "\xe4\xb8",         "\xf0\x9f\x98",
                             "\xc3",         "\xe4\xb8\xad\x80", "\xf0\x9f\x98\x80\x80"};
  for (const std::string& fault : bad) {
    const std::string middle = escape_model(fault);
    for (std::size_t place = 0; place < 200; ++place) {
      for (const Around& around : make_around(place)) {
        ASSERT_EQ(escape_quickly(around.front + fault + around.behind),
                  around.front + middle + around.behind)
            << place;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, EachEscaperAtBorders, testing::ValuesIn(supported_simd()),
                         name_of_set);

}  // namespace
}  // namespace sluice::json::test
