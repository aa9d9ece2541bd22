#include "schema/number.hpp"

#include <gtest/gtest.h>

#include <string>

#include "check.hpp"

namespace sluice::schema {
namespace {

int order(std::string_view a, std::string_view b) { return compare(Decimal(a), Decimal(b)); }
bool divides(std::string_view divisor, std::string_view value) {
  return Divisor(Decimal(divisor)).divides(Decimal(value));
}

TEST(Decimal, IsEqualHoweverTheValueIsWritten) {
  for (const std::string_view one :
       {"1", "1.0", "1e0", "10e-1", "0.1E+1", "100.000e-2", "0.01e2"}) {
    EXPECT_EQ(order("1", one), 0) << one;
    EXPECT_EQ(Decimal("1").hash(), Decimal(one).hash()) << one;
  }
  EXPECT_EQ(order("0", "-0.00e9"), 0);
  EXPECT_EQ(order("-120", "-1.2e2"), 0);
}

TEST(Decimal, KeepsDigitsThatADoubleLoses) {
  EXPECT_GT(order("9007199254740993", "9007199254740992"), 0);
  EXPECT_LT(order("0.10000000000000000000000001", "0.10000000000000000000000002"), 0);
  EXPECT_GT(order("-0.10000000000000000000000001", "-0.10000000000000000000000002"), 0);
}

TEST(Decimal, AgreesWithDoublesOnSmallNumbers) {
  const std::string_view texts[] = {"-100", "-99.5", "-1",  "-0.5", "-0.05", "0",  "0.001", "0.01",
                                    "0.5",  "1",     "1.5", "9",    "10",    "99", "100",   "1e3"};
  for (const auto a : texts) {
    for (const auto b : texts) {
      const double x = std::stod(std::string(a));
      const double y = std::stod(std::string(b));
      EXPECT_EQ(order(a, b), x < y ? -1 : (x > y ? 1 : 0)) << a << " " << b;
    }
  }
}

TEST(Decimal, DoesNotExpandExponents) {
  EXPECT_GT(order("1e1000000000", "1e999999999"), 0);
  EXPECT_LT(order("1e-1000000000", "1e-999999999"), 0);
  EXPECT_TRUE(Decimal("1e1000000000").is_integer());
  EXPECT_FALSE(Decimal("1e-1000000000").is_integer());
  EXPECT_TRUE(divides("7", "7e1000000000"));
  EXPECT_FALSE(divides("7", "1e1000000000"));
  EXPECT_EQ(order("1e99999999999999999999999", "2e99999999999999999999999"), -1);
}

TEST(Decimal, CountsAreIntegersOfZeroOrMore) {
  EXPECT_EQ(Decimal("2.0").as_count(), 2u);
  EXPECT_EQ(Decimal("1e3").as_count(), 1000u);
  EXPECT_EQ(Decimal("18446744073709551615").as_count(), 18446744073709551615u);
  EXPECT_EQ(Decimal("18446744073709551616").as_count(), 18446744073709551615u);
  EXPECT_EQ(Decimal("1e100").as_count(), 18446744073709551615u);
  EXPECT_FALSE(Decimal("2.5").as_count());
  EXPECT_FALSE(Decimal("-1").as_count());
}

TEST(Divisor, IsExact) {
  EXPECT_TRUE(divides("0.01", "1.13"));
  EXPECT_TRUE(divides("0.01", "4.02"));
  EXPECT_FALSE(divides("0.01", "1.005"));
  EXPECT_TRUE(divides("0.0001", "0.0075"));
  EXPECT_FALSE(divides("0.0001", "0.00751"));
  EXPECT_TRUE(divides("3", "123456789012345678901234567890"));
  EXPECT_FALSE(divides("3", "123456789012345678901234567891"));
  EXPECT_TRUE(divides("1.5", "-4.5"));
  EXPECT_TRUE(divides("20", "100"));
  EXPECT_FALSE(divides("20", "110"));
}

TEST(Numbers, CompareByValueInConstEnumAndUniqueItems) {
  EXPECT_TRUE(is_valid(R"({"const":1.0})", "1e0"));
  EXPECT_FALSE(is_valid(R"({"const":9007199254740993})", "9007199254740992"));
  EXPECT_TRUE(is_valid(R"({"enum":[{"a":[1,2.50]}]})", R"({"a":[1.0,2.5]})"));
  EXPECT_FALSE(is_valid(R"({"uniqueItems":true})", "[1,1.0]"));
  EXPECT_TRUE(is_valid(R"({"uniqueItems":true})", "[9007199254740993,9007199254740992]"));
  EXPECT_FALSE(is_valid(R"({"maximum":9007199254740992})", "9007199254740993"));
  EXPECT_TRUE(is_valid(R"({"type":"integer"})", "12345678901234567890.0"));
}

TEST(Equality, DoesNotDependOnTheOrderOfMembers) {
  EXPECT_TRUE(is_valid(R"({"const":{"a":1,"b":{"c":2,"d":3}}})", R"({"b":{"d":3,"c":2},"a":1})"));
  EXPECT_FALSE(is_valid(R"({"const":{"a":1,"b":2}})", R"({"a":1,"c":2})"));
  EXPECT_FALSE(is_valid(R"({"const":{"a":1,"b":2}})", R"({"a":1,"a":1})"));
  EXPECT_FALSE(is_valid(R"({"const":{"b":1,"a":2}})", R"({"a":2,"a":2})"));
  EXPECT_FALSE(is_valid(R"({"uniqueItems":true})", R"([{"a":1,"b":2},{"b":2,"a":1}])"));
}

TEST(Equality, FindsARepeatedItemInLongArraysToo) {
  std::string array = "[";
  for (int i = 0; i < 1000; ++i) array += R"({"n":)" + std::to_string(i) + R"(,"m":"x"},)";
  const auto s = compiled(R"({"uniqueItems":true})");
  EXPECT_TRUE(check(*s, array + "0]").violations.empty());
  const auto verdict = check(*s, array + R"({"m":"x","n":7.0}])");
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].message, "must not repeat an item; items 7 and 1000 are equal");
}

}  // namespace
}  // namespace sluice::schema
