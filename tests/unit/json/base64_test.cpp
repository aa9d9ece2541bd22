#include "json/base64.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base64_model.hpp"
#include "support.hpp"

namespace sluice::json::test {
namespace {

std::string encode(Simd simd, const std::vector<std::string_view>& pieces,
                   const std::function<std::size_t()>& room) {
  Base64Encoder encoder(simd);
  std::string text;
  for (const std::string_view piece : pieces) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    do {
      GuardedRoom out(room());
      const Base64Encoder::Step step = encoder.step(left, {out.data(), out.size()});
      EXPECT_TRUE(out.is_intact());
      if (step.read < left.size()) {
        EXPECT_LT(out.size() - step.written, 4U);
      }
      text.append(out.data(), step.written);
      left.remove_prefix(step.read);
      if (testing::Test::HasFailure()) return text;
    } while (!left.empty());
  }
  GuardedRoom out(Base64Encoder::kMinRoom);
  text.append(out.data(), encoder.finish({out.data(), out.size()}));
  EXPECT_TRUE(out.is_intact());
  return text;
}

/// Fails where not all that this processor can run write the same.
std::string encode(const std::vector<std::string_view>& pieces,
                   const std::function<std::size_t()>& room) {
  std::string text = encode(Simd::portable, pieces, room);
  for (const Simd simd : supported_simd()) {
    EXPECT_EQ(encode(simd, pieces, room), text) << name_of(simd);
  }
  return text;
}

std::string random_bytes(Dice& dice, std::size_t length) {
  std::string bytes(length, ' ');
  for (char& c : bytes) c = dice.byte();
  return bytes;
}

TEST(Base64Encoder, WritesTheVectorsOfTheStandard) {
  const auto room = [] { return Base64Encoder::kMinRoom; };
  EXPECT_EQ(encode({""}, room), "");
  EXPECT_EQ(encode({"f"}, room), "Zg==");
  EXPECT_EQ(encode({"fo"}, room), "Zm8=");
  EXPECT_EQ(encode({"foo"}, room), "Zm9v");
  EXPECT_EQ(encode({"foob"}, room), "Zm9vYg==");
  EXPECT_EQ(encode({"fooba"}, room), "Zm9vYmE=");
  EXPECT_EQ(encode({"foobar"}, room), "Zm9vYmFy");
}

TEST(Base64Encoder, GivesTheSameForEveryCutAndRoom) {
  Dice dice(1);
  const std::string bytes = random_bytes(dice, 200);
  const std::string expected = base64_model(bytes);
  for (std::size_t place = 0; place <= bytes.size(); ++place) {
    ASSERT_EQ(encode(cut(bytes, {place}), [] { return std::size_t{1024}; }), expected);
  }
  for (std::size_t room = Base64Encoder::kMinRoom; room < Base64Encoder::kMinRoom + 80; ++room) {
    ASSERT_EQ(encode({bytes}, [room] { return room; }), expected) << room;
    ASSERT_EQ(encode(cut_every(bytes, 1), [room] { return room; }), expected) << room;
    ASSERT_EQ(encode(cut_every(bytes, 7), [room] { return room; }), expected) << room;
  }
}

TEST(Base64Encoder, AgreesWithTheModelOnRandomBytesInRandomPieces) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    const std::string bytes = random_bytes(dice, dice.below(900));
    const auto room = [&dice] { return Base64Encoder::kMinRoom + dice.below(300); };
    ASSERT_EQ(encode(dice.cuts(bytes, 1 + dice.below(200)), room), base64_model(bytes)) << seed;
  }
}

TEST(Base64Encoder, KnowsEveryGroupAtEveryPlaceOfAVector) {
  // All values of six bits and all of their neighbours, moved over the lanes.
  std::string bytes;
  for (unsigned high = 0; high < 256; ++high) {
    for (unsigned low = 0; low < 256; low += 5) {
      bytes.push_back(static_cast<char>(high));
      bytes.push_back(static_cast<char>(low + high % 5));
    }
  }
  const auto room = [] { return std::size_t{1} << 17; };
  for (std::size_t start = 0; start < 48; ++start) {
    const auto from = std::string_view(bytes).substr(start);
    ASSERT_EQ(encode({from}, room), base64_model(from)) << start;
  }
}

TEST(Base64Encoder, ReadsAndWritesNothingBeyondEveryLength) {
  const std::string bytes(300, '\xa5');
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    const auto from = std::string_view(bytes).substr(0, length);
    const std::size_t room = length / 3 * 4;
    ASSERT_EQ(encode({from}, [room] { return room + Base64Encoder::kMinRoom; }),
              base64_model(from));
  }
}

TEST(Base64Encoder, IsAsNewAfterTheEnd) {
  Base64Encoder encoder;
  char out[Base64Encoder::kMinRoom];
  EXPECT_EQ(encoder.step("f", out).written, 0U);
  EXPECT_EQ(encoder.finish(out), 4U);
  EXPECT_EQ(encoder.finish(out), 0U);
  EXPECT_EQ(encoder.step("foo", out).written, 4U);
  EXPECT_EQ(std::string_view(out, 4), "Zm9v");
}

TEST(Base64Decode, UndoesTheModel) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    const std::string bytes = random_bytes(dice, dice.below(100));
    ASSERT_EQ(base64_decode(base64_model(bytes)), bytes);
  }
  EXPECT_EQ(base64_decode(""), "");
}

TEST(Base64Decode, RefusesWhatIsNotStrict) {
  for (const char* text :
       {"Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zm9v=", "Zm9v====", "Zg==Zg==", "Zm=v",
        "Zm9v\n", "Zm9 ", "Zm9-", "Zm9_", "Zh==", "Zm9=", "Zm8=\n", "\xff\xff\xff\xff", "=g=="}) {
    EXPECT_EQ(base64_decode(text), std::nullopt) << text;
  }
}

TEST(Base64Decode, AcceptsExactlyWhatTheEncoderWrites) {
  // Every last group over a small alphabet: what is accepted is what encoding it again gives.
  const std::string alphabet = "AQghwZ/=+";
  for (const char a : alphabet) {
    for (const char b : alphabet) {
      for (const char c : alphabet) {
        for (const char d : alphabet) {
          const std::string text{a, b, c, d};
          const auto bytes = base64_decode(text);
          if (bytes) {
            ASSERT_EQ(base64_model(*bytes), text);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace sluice::json::test
