#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "json/document.hpp"
#include "raw_run.hpp"
#include "support/test_data.hpp"

namespace sluice::json::test {
namespace {

struct Case {
  std::string name;
  std::string text;
};

/// The public suite of JSON texts: y_ must be accepted, n_ refused, i_ is open.
std::vector<Case> cases() {
  const std::filesystem::path folder = testing::test_data("json-parsing") / "test_parsing";
  std::vector<Case> all;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    std::ifstream file(entry.path(), std::ios::binary);
    all.push_back(
        {entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(file), {})});
  }
  return all;
}

TEST(JsonSuite, IsJudgedRightByTheDocument) {
  const std::vector<Case> all = cases();
  if (all.empty()) GTEST_SKIP() << "The JSON parsing suite is not there.";
  Document document;
  for (const Case& c : all) {
    const bool accepted = document.parse_copy(c.text, 1024).has_value();
    if (c.name[0] != 'i') {
      EXPECT_EQ(accepted, c.name[0] == 'y') << c.name;
    }
  }
}

TEST(JsonSuite, IsJudgedRightByTheRawChecker) {
  const std::vector<Case> all = cases();
  if (all.empty()) GTEST_SKIP() << "The JSON parsing suite is not there.";
  Document document;
  for (const Case& c : all) {
    const Errc verdict = pass({c.text}).verdict;
    EXPECT_EQ(pass(cut_every(c.text, c.text.size() > 10000 ? 997 : 1)).verdict, verdict) << c.name;
    for (std::size_t first = 1; first < c.text.size() && c.text.size() < 1000; ++first) {
      ASSERT_EQ(pass(cut(c.text, {first})).verdict, verdict) << c.name;
    }
    // Among blanks, so that blocks see all of it.
    const std::string wide = std::string(7, ' ') + c.text + std::string(70, ' ');
    if (c.name[0] == 'y') {
      EXPECT_EQ(pass({wide}).verdict, verdict) << c.name;
    }
    const bool accepted = verdict == Errc::ok;
    if (c.name[0] != 'i') {
      EXPECT_EQ(accepted, c.name[0] == 'y') << c.name;
    }
    // What is open: only lone surrogates in escapes are judged differently.
    if (c.name.find("surrogate") == std::string::npos) {
      EXPECT_EQ(document.parse_copy(c.text, 1024).has_value(), accepted) << c.name;
    }
  }
}

}  // namespace
}  // namespace sluice::json::test
