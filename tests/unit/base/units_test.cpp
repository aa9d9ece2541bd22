#include "base/units.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

TEST(Bytes, AreReadInEveryUnit) {
  struct Case {
    std::string_view text;
    std::uint64_t bytes;
  };
  for (const Case c :
       {Case{"0", 0}, Case{"512", 512}, Case{"512B", 512}, Case{"64KiB", 65536},
        Case{"4MiB", 4u << 20}, Case{"1GiB", 1u << 30}, Case{"10kB", 10000}, Case{"2MB", 2000000},
        Case{"1GB", 1000000000}, Case{"18446744073709551615", UINT64_MAX},
        Case{"17179869183GiB", 17179869183ull << 30}, Case{"007", 7}})
    EXPECT_EQ(parse_bytes(c.text), c.bytes) << c.text;
}

TEST(Bytes, AreNothingElse) {
  for (const std::string_view text :
       {"", " ", "-1", "+1", "1.5MiB", "1 KiB", " 1", "1 ", "KiB", "1kib", "1KB", "1K", "1TiB",
        "0x10", "1e3", "18446744073709551616", "17179869184GiB", "1KiB2", "١"})
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
}

TEST(Duration, IsReadInEveryUnit) {
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("30s"), 30s);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("2h"), 2h);
  EXPECT_EQ(parse_duration("1d"), 24h);
  EXPECT_EQ(parse_duration("0"), 0ms);
  EXPECT_EQ(parse_duration("0s"), 0ms);
}

TEST(Duration, IsNothingElse) {
  for (const std::string_view text : {"", "5", "-1s", "1.5s", "1 s", "1S", "1min", "1w",
                                      "99999999999999999999s", "9999999999999d", "s"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Duration, FitsIntoAClock) {
  // The longest that is taken does not overflow when it is added to now.
  std::chrono::milliseconds longest{};
  for (std::uint64_t days = 1; const auto time = parse_duration(std::to_string(days) + "d");
       days *= 2)
    longest = *time;
  EXPECT_GT(longest, 24h * 365);
  const auto in_nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(longest);
  EXPECT_EQ(std::chrono::duration_cast<std::chrono::milliseconds>(in_nanoseconds), longest);
}

TEST(Units, AreWrittenAsTheyAreRead) {
  EXPECT_EQ(format_bytes(0), "0");
  EXPECT_EQ(format_bytes(65536), "64KiB");
  EXPECT_EQ(format_bytes(1000), "1000");
  EXPECT_EQ(format_bytes(1ull << 40), "1024GiB");
  EXPECT_EQ(format_duration(0ms), "0s");
  EXPECT_EQ(format_duration(1500ms), "1500ms");
  EXPECT_EQ(format_duration(60s), "1m");
  EXPECT_EQ(format_duration(48h), "2d");
  for (std::uint64_t n = 1; n < (1ull << 62); n = n * 3 + 1)
    EXPECT_EQ(parse_bytes(format_bytes(n)), n);
  for (std::int64_t n = 0; n < 9'000'000'000'000; n = n * 3 + 1000)
    EXPECT_EQ(parse_duration(format_duration(std::chrono::milliseconds(n))),
              std::chrono::milliseconds(n));
}

}  // namespace
}  // namespace sluice
