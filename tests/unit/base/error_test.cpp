#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <set>

namespace sluice {
namespace {

TEST(Errc, SaysWhatItMeansEachInItsOwnWords) {
  std::set<std::string> texts;
  int n = 0;
  for (; make_error_code(static_cast<Errc>(n)).message() != "unknown error"; ++n)
    texts.insert(make_error_code(static_cast<Errc>(n)).message());
  EXPECT_GT(n, static_cast<int>(Errc::misuse));
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(n));
}

TEST(Errc, IsAnErrorCodeOfItsOwnCategory) {
  const boost::system::error_code ec = Errc::busy;
  EXPECT_STREQ(ec.category().name(), "sluice");
  EXPECT_TRUE(ec == Errc::busy);
  EXPECT_FALSE(make_error_code(Errc::ok));
  const Result<> result = Errc::deadline;
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error(), Errc::deadline);
}

}  // namespace
}  // namespace sluice
