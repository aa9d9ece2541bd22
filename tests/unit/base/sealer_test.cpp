#include "base/sealer.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/base64url.hpp"

namespace sluice {
namespace {

using std::chrono::seconds;

const Sealer::Time kNow{seconds(1'800'000'000)};
const Sealer::Time kLater = kNow + seconds(60);

SealingKey key(char digit) { return *SealingKey::parse(std::string(64, digit)); }
Sealer sealer() { return Sealer({key('1')}); }

TEST(Sealer, OpensWhatItHasSealed) {
  const Sealer s = sealer();
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("\0\xff\n\"", 4), std::string(100'000, 'a')}) {
    const std::string sealed = s.seal("purpose", text, kLater);
    EXPECT_EQ(sealed.size(), Sealer::sealed_size(text.size()));
    const auto opened = s.open("purpose", sealed, kNow);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->text, text);
    EXPECT_EQ(opened->expires, kLater);
  }
}

TEST(Sealer, WritesVisibleAsciiThatTellsNothing) {
  const std::string sealed = sealer().seal("purpose", "the secret text", kLater);
  for (const char c : sealed)
    EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') << c;
  const auto raw = base64url_decode(sealed);
  ASSERT_TRUE(raw);
  EXPECT_EQ(raw->find("secret"), std::string::npos);
}

TEST(Sealer, NeverSealsTheSameWayTwice) {
  const Sealer s = sealer();
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(s.seal("purpose", "text", kLater));
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(Sealer, RefusesEveryBitThatWasTurned) {
  const Sealer s = sealer();
  const auto raw = base64url_decode(s.seal("purpose", "some text", kLater));
  ASSERT_TRUE(raw);
  for (std::size_t i = 0; i < raw->size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = *raw;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const auto opened = s.open("purpose", base64url_encode(changed), kNow);
      ASSERT_FALSE(opened) << "byte " << i << " bit " << bit;
      EXPECT_EQ(opened.error(), Errc::forged);
    }
}

TEST(Sealer, RefusesEveryOtherCharacterInEveryPlace) {
  const Sealer s = sealer();
  const std::string sealed = s.seal("purpose", "t", kLater);
  for (std::size_t i = 0; i < sealed.size(); ++i)
    for (int c = 0; c < 256; ++c) {
      if (static_cast<char>(c) == sealed[i]) continue;
      std::string changed = sealed;
      changed[i] = static_cast<char>(c);
      ASSERT_FALSE(s.open("purpose", changed, kNow)) << "place " << i << " character " << c;
    }
}

TEST(Sealer, RefusesWhatWasCutOrHasGrown) {
  const Sealer s = sealer();
  const std::string sealed = s.seal("purpose", "some text", kLater);
  for (std::size_t n = 0; n < sealed.size(); ++n) {
    EXPECT_FALSE(s.open("purpose", sealed.substr(0, n), kNow)) << n;
    EXPECT_FALSE(s.open("purpose", sealed.substr(sealed.size() - n), kNow)) << n;
  }
  for (std::size_t i = 0; i <= sealed.size(); ++i)
    for (const char* more : {"A", "AAAA", "=", "-TAMPERED"}) {
      std::string grown = sealed;
      grown.insert(i, more);
      EXPECT_FALSE(s.open("purpose", grown, kNow)) << i << more;
    }
}

TEST(Sealer, RefusesAnotherPurpose) {
  const Sealer s = sealer();
  const std::string sealed = s.seal("session", "text", kLater);
  EXPECT_TRUE(s.open("session", sealed, kNow));
  for (const char* purpose : {"", "state", "sessio", "session ", "Session"})
    EXPECT_FALSE(s.open(purpose, sealed, kNow)) << purpose;
}

TEST(Sealer, RefusesTwoThatWereSplicedTogether) {
  const Sealer s = sealer();
  const auto one = base64url_decode(s.seal("purpose", "the first", kLater));
  const auto two = base64url_decode(s.seal("purpose", "the other", kLater));
  ASSERT_TRUE(one && two);
  for (std::size_t cut = 6; cut < one->size(); ++cut)
    EXPECT_FALSE(s.open("purpose", base64url_encode(one->substr(0, cut) + two->substr(cut)), kNow))
        << cut;
}

TEST(Sealer, RefusesWhatAnotherKeySealed) {
  const Sealer other({key('2')});
  const auto opened = sealer().open("purpose", other.seal("purpose", "text", kLater), kNow);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(), Errc::forged);
}

TEST(Sealer, OpensWithEveryKeyAndSealsWithTheFirst) {
  const Sealer before({key('1')});
  const Sealer during({key('2'), key('1')});
  const Sealer after({key('2')});
  const std::string old = before.seal("purpose", "old", kLater);
  const std::string fresh = during.seal("purpose", "fresh", kLater);
  EXPECT_TRUE(during.open("purpose", old, kNow));
  EXPECT_TRUE(during.open("purpose", fresh, kNow));
  EXPECT_TRUE(after.open("purpose", fresh, kNow));
  EXPECT_FALSE(after.open("purpose", old, kNow));
  EXPECT_FALSE(before.open("purpose", fresh, kNow));
}

TEST(Sealer, RefusesWhatHasExpired) {
  const Sealer s = sealer();
  const std::string sealed = s.seal("purpose", "text", kLater);
  EXPECT_TRUE(s.open("purpose", sealed, kLater - seconds(1)));
  const auto late = s.open("purpose", sealed, kLater);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error(), Errc::expired);
  EXPECT_EQ(s.open("other", sealed, kLater).error(), Errc::forged) << "no more is told to others";
}

TEST(SealingKey, IsReadFromHexadecimalAndBothKindsOfBase64) {
  const std::string hex = "00fbefbe3f7f5f0102030405060708090a0b0c0d0e0f1011121314151617feff";
  const auto expected = SealingKey::parse(hex);
  ASSERT_TRUE(expected);
  for (const char* text : {"00FBEFBE3F7F5F0102030405060708090A0B0C0D0E0F1011121314151617FEFF",
                           "APvvvj9/XwECAwQFBgcICQoLDA0ODxAREhMUFRYX/v8=",
                           "APvvvj9/XwECAwQFBgcICQoLDA0ODxAREhMUFRYX/v8",
                           "APvvvj9_XwECAwQFBgcICQoLDA0ODxAREhMUFRYX_v8"}) {
    const auto read = SealingKey::parse(text);
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(*read == *expected) << text;
    EXPECT_EQ(read->id(), expected->id());
  }
}

TEST(SealingKey, IsNothingElse) {
  for (const std::string& text :
       {std::string(), std::string("secret"), std::string(63, 'a'), std::string(64, 'g'),
        std::string(66, 'a'), std::string(42, 'A'), std::string(44, 'A'), std::string(32, '\x01'),
        std::string("APvvvj9/XwECAwQFBgcICQoLDA0ODxAREhMUFRYX/v8==")})
    EXPECT_FALSE(SealingKey::parse(text)) << text;
}

TEST(SealingKey, IsAnotherEachTimeItIsMade) {
  const SealingKey one = SealingKey::random();
  const SealingKey two = SealingKey::random();
  EXPECT_FALSE(one == two);
  EXPECT_NE(one.id(), two.id());
}

}  // namespace
}  // namespace sluice
