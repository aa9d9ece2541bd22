#include "base/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace sluice {
namespace {

/// Sets SLUICE_SIMD, and puts back what was there.
class Wish {
 public:
  explicit Wish(const char* value) {
    const char* old = std::getenv(kName);
    if (old != nullptr) old_ = old;
    set(value);
  }
  ~Wish() { set(old_ ? old_->c_str() : nullptr); }
  Wish(const Wish&) = delete;
  Wish& operator=(const Wish&) = delete;

 private:
  static constexpr const char* kName = "SLUICE_SIMD";
  static void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(kName);
    } else {
      ::setenv(kName, value, 1);
    }
  }
  std::optional<std::string> old_;
};

constexpr Simd kAll[] = {Simd::portable, Simd::sse2, Simd::sse42,
                         Simd::neon,     Simd::avx2, Simd::avx512};

bool is_supported(Simd simd) {
  const auto all = supported_simd();
  return std::find(all.begin(), all.end(), simd) != all.end();
}

TEST(SimdNames, AreReadBackAsWhatTheyName) {
  for (const Simd simd : kAll) EXPECT_EQ(parse_simd(name_of(simd)), simd);
  for (const char* other : {"", "AVX2", "avx", "avx2 ", "abacus"})
    EXPECT_EQ(parse_simd(other), std::nullopt) << other;
}

TEST(SupportedSimd, StartsWithThePortableWayAndGetsBetter) {
  const auto all = supported_simd();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), Simd::portable);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

TEST(SupportedSimd, HasWhatEveryMachineOfItsKindHas) {
#if defined(__x86_64__)
  EXPECT_TRUE(is_supported(Simd::sse2));
  EXPECT_FALSE(is_supported(Simd::neon));
#elif defined(__aarch64__)
  EXPECT_TRUE(is_supported(Simd::neon));
  EXPECT_FALSE(is_supported(Simd::sse2));
#endif
}

TEST(SimdChoice, IsOneThatTheProcessorCanRun) { EXPECT_TRUE(is_supported(simd())); }

TEST(SimdChoice, IsValidWhereItNamesWhatTheProcessorCanRun) {
  for (const Simd simd : kAll) {
    const Wish wish(std::string(name_of(simd)).c_str());
    EXPECT_EQ(is_simd_choice_valid(), is_supported(simd)) << name_of(simd);
  }
}

TEST(SimdChoice, IsValidWhereThereIsNone) {
  for (const char* none : {static_cast<const char*>(nullptr), ""}) {
    const Wish wish(none);
    EXPECT_TRUE(is_simd_choice_valid());
  }
}

TEST(SimdChoice, IsNotValidWhereItNamesNothing) {
  const Wish wish("abacus");
  EXPECT_FALSE(is_simd_choice_valid());
}

TEST(SimdChoice, StaysForTheLifeOfTheProcess) {
  const Simd before = simd();
  const Wish wish(before == Simd::portable ? "sse2" : "portable");
  EXPECT_EQ(simd(), before);
}

}  // namespace
}  // namespace sluice
