#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "json/document.hpp"
#include "path_model.hpp"
#include "select_run.hpp"
#include "support/test_data.hpp"

namespace sluice::json::test {
namespace {

std::string read_suite() {
  std::ifstream file(testing::test_data("jsonpath") / "cts.json", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Section 2.7.
std::string normalized_name(std::string_view name) {
  std::string out = "['";
  for (const char c : name) {
    constexpr std::string_view kShort = "\b\f\n\r\t'\\";
    constexpr std::string_view kLetters = "bfnrt'\\";
    if (const auto at = kShort.find(c); at != std::string_view::npos) {
      out += {'\\', kLetters[at]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kHex[] = "0123456789abcdef";
      out += {'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]};
    } else {
      out += c;
    }
  }
  return out + "']";
}

void name_all(Json value, const std::string& path, const Nodes& nodes,
              std::vector<std::string>& out) {
  if (nodes.count(value.node()) != 0) out.push_back(path);
  std::size_t index = 0;
  for (const Json element : value)
    name_all(element, path + '[' + std::to_string(index++) + ']', nodes, out);
  for (const Json::Member member : value.members())
    name_all(member.value, path + normalized_name(member.name), nodes, out);
}

std::vector<std::string> sorted(Json list) {
  std::vector<std::string> out;
  for (const Json text : list) out.emplace_back(*text.as_string());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// What the suite says of a query is a list of paths, or one of several; here they are a set.
bool is_expected(Json test, std::vector<std::string> found) {
  std::sort(found.begin(), found.end());
  if (const Json one = test.find("result_paths")) return sorted(one) == found;
  for (const Json one : test.find("results_paths"))
    if (sorted(one) == found) return true;
  return false;
}

bool has_word(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

TEST(PathSuite, IsFollowedOrRefusedWithAReason) {
  const std::string text = read_suite();
  if (text.empty()) GTEST_SKIP() << "The JSONPath compliance suite is not there.";
  Document suite;
  const auto root = suite.parse_copy(text, 64);
  ASSERT_TRUE(root.has_value());
  std::size_t followed = 0;
  std::size_t refused = 0;
  std::size_t invalid = 0;
  for (const Json test : root->find("tests")) {
    const std::string query(*test.find("selector").as_string());
    SCOPED_TRACE(std::string(*test.find("name").as_string()) + ": " + query);
    Path::Problem problem;
    const auto path = Path::parse(query, problem);
    if (test.find("invalid_selector")) {
      EXPECT_FALSE(path.has_value());
      EXPECT_FALSE(problem.text.empty());
      EXPECT_LE(problem.offset, query.size());
      ++invalid;
      continue;
    }
    if (!path) {
      EXPECT_TRUE(has_word(problem.text, "filters") || has_word(problem.text, "negative"))
          << problem.text;
      EXPECT_TRUE(has_word(query, "?") || has_word(query, "-"));
      ++refused;
      continue;
    }
    ++followed;
    const Json document = test.find("document");
    Nodes nodes;
    collect(document, *path, 0, nodes);
    std::vector<std::string> found;
    name_all(document, "$", nodes, found);
    EXPECT_TRUE(is_expected(test, found)) << ::testing::PrintToString(found);
    for (const auto shape : {Selection::Shape::value, Selection::Shape::document}) {
      const Selection selection{{*path}, {}, {}, shape};
      const Selected out = select(selection, document.raw());
      const SelectModel model(document, selection);
      EXPECT_EQ(out.verdict, Errc::ok);
      EXPECT_EQ(out.has_match, !nodes.empty());
      EXPECT_EQ(compact(out.text), compact(model.text()));
    }
  }
  // Of 703: what is selected by filters, from the end or backwards cannot be followed.
  EXPECT_EQ(followed, 140U);
  EXPECT_EQ(followed + refused + invalid, 703U);
  EXPECT_EQ(invalid, 247U);
}

}  // namespace
}  // namespace sluice::json::test
