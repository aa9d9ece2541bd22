#include "config/field.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigValues, BooleansInAllTheirUsualSpellings) {
  for (const auto* yes : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
    EXPECT_TRUE(good(std::string("version: 1\nlog: {json: ") + yes + "}\n").log.json) << yes;
  for (const auto* no : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
    EXPECT_FALSE(good(std::string("version: 1\nlog: {json: ") + no + "}\n").log.json) << no;
}

TEST(ConfigValues, WhatIsNoBooleanIsRefused) {
  for (const auto* other : {"1", "0", "\"true\"", "y", "n", "tRUE", "~", "[]", "{}", "enabled"})
    EXPECT_NE(complaint(std::string("version: 1\nlog: {json: ") + other + "}\n")
                  .find("2:13: log.json: expected true or false, found"),
              std::string::npos)
        << other;
}

TEST(ConfigValues, IntegersAreDecimal) {
  EXPECT_EQ(good("version: 1\nlimits: {batch: 70}\n").limits.batch, 70u);
  for (const auto* other : {"0o17", "0x10", "1_000", "017", "1.0", "1e2", "+5", "-5", "0", "\"7\"",
                            "1000000001", "99999999999999999999", "4KiB", "true", "[1]", "~"})
    EXPECT_NE(complaint(std::string("version: 1\nlimits: {batch: ") + other + "}\n")
                  .find("2:17: limits.batch: expected a whole number from 1 to 1000000000 in "
                        "decimal digits, found"),
              std::string::npos)
        << other;
}

TEST(ConfigValues, SizesAndTimesHaveUnits) {
  const auto config = good(
      "version: 1\nlimits: {result: 10kB, request_body: 512}\ntimeouts: {idle: 250ms, grace: 0}\n");
  EXPECT_EQ(config.limits.result, 10'000u);
  EXPECT_EQ(config.limits.request_body, 512u);
  EXPECT_EQ(config.timeouts.idle, 250ms);
  EXPECT_EQ(config.timeouts.grace, 0ms);
  for (const auto* other : {"4mib", "1.5MiB", "-1", "0", "x", "[4MiB]"})
    EXPECT_NE(complaint(std::string("version: 1\nlimits: {result: ") + other + "}\n")
                  .find("expected a size such as"),
              std::string::npos)
        << other;
  for (const auto* other : {"5", "5 s", "1.5s", "-1s", "0s", "x", "~"})
    EXPECT_NE(complaint(std::string("version: 1\ntimeouts: {idle: ") + other + "}\n")
                  .find("expected a time such as"),
              std::string::npos)
        << other;
}

TEST(ConfigValues, TextTakesAnyScalarDigitForDigit) {
  EXPECT_EQ(good("version: 1\nserver: {version: 1.10, name: yes}\n").server.version, "1.10");
  EXPECT_EQ(complaint("version: 1\nserver: {name: [a], title: }\n"),
            "2:16: server.name: expected text, found a list | 2:28: server.title: expected text, "
            "found nothing");
}

}  // namespace
}  // namespace sluice::config
