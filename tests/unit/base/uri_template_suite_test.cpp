// The public cases for RFC 6570, where they are at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/uri_matcher.hpp"
#include "base/uri_template.hpp"
#include "json/document.hpp"
#include "support/test_data.hpp"

namespace sluice {
namespace {

std::string text_of(Json value) { return std::string(value.as_string().value_or(value.raw())); }

std::vector<UriVariable> variables_of(Json group) {
  std::vector<UriVariable> out;
  for (const auto member : group.find("variables").members()) {
    UriVariable variable{std::string(member.name), std::string()};
    if (member.value.is(JsonKind::null)) continue;
    if (member.value.is(JsonKind::array)) {
      auto& list = variable.value.emplace<1>();
      for (const Json element : member.value) list.push_back(text_of(element));
    } else if (member.value.is(JsonKind::object)) {
      auto& pairs = variable.value.emplace<2>();
      for (const auto pair : member.value.members())
        pairs.emplace_back(pair.name, text_of(pair.value));
    } else {
      variable.value = text_of(member.value);
    }
    out.push_back(std::move(variable));
  }
  return out;
}

struct Case {
  std::string text;
  std::vector<std::string> results;  ///< Any of them; empty: it is refused.
};

struct Group {
  std::string name;
  std::vector<UriVariable> variables;
  std::vector<Case> cases;
};

std::vector<Group> groups() {
  std::vector<Group> out;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::test_data("uri-template"), missing)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    json::Document document;
    const auto root = document.parse_copy(text);
    EXPECT_TRUE(root) << entry.path();
    if (!root) continue;
    for (const auto group : root->members()) {
      Group& to = out.emplace_back();
      to.name = std::string(group.name);
      to.variables = variables_of(group.value);
      for (const Json pair : group.value.find("testcases")) {
        auto it = pair.begin();
        Case& one = to.cases.emplace_back();
        one.text = text_of(*it);
        ++it;
        if ((*it).is(JsonKind::array))
          for (const Json result : *it) one.results.push_back(text_of(result));
        else if ((*it).is(JsonKind::string))
          one.results.push_back(text_of(*it));
      }
    }
  }
  return out;
}

TEST(UriTemplateSuite, IsExpandedAsItSays) {
  const auto all = groups();
  if (all.empty()) GTEST_SKIP() << "The cases for URI templates are not there.";
  std::size_t checked = 0;
  for (const auto& group : all)
    for (const auto& one : group.cases) {
      ++checked;
      std::string problem;
      const auto parsed = UriTemplate::parse(one.text, problem);
      const auto result = parsed ? parsed->expand(group.variables) : std::nullopt;
      if (one.results.empty()) {
        EXPECT_FALSE(result) << group.name << ": " << one.text << " gave " << *result;
        continue;
      }
      ASSERT_TRUE(result) << group.name << ": " << one.text << ": " << problem;
      EXPECT_NE(std::ranges::find(one.results, *result), one.results.end())
          << group.name << ": " << one.text << " gave " << *result;
    }
  EXPECT_GT(checked, 200U);
}

/// What a matcher can be expected to find again of these variables.
bool is_plain(const UriTemplate& text, const std::vector<UriVariable>& variables) {
  return std::ranges::all_of(variables, [&](const UriVariable& variable) {
    const auto names = text.names();
    if (std::ranges::find(names, variable.name) == names.end()) return true;
    return !std::holds_alternative<std::vector<std::pair<std::string, std::string>>>(
        variable.value);
  });
}

TEST(UriTemplateSuite, IsTakenApartWhereTheMatcherTakesTheTemplate) {
  const auto all = groups();
  if (all.empty()) GTEST_SKIP() << "The cases for URI templates are not there.";
  std::size_t matched = 0;
  for (const auto& group : all)
    for (const auto& one : group.cases) {
      std::string problem;
      const auto parsed = UriTemplate::parse(one.text, problem);
      if (one.results.empty() || !parsed || !is_plain(*parsed, group.variables)) continue;
      std::vector<std::string_view> lists;
      for (const auto& variable : group.variables)
        if (std::holds_alternative<std::vector<std::string>>(variable.value))
          lists.push_back(variable.name);
      const auto matcher = UriMatcher::make(*parsed, lists, problem);
      if (!matcher) {
        EXPECT_FALSE(problem.empty());
        continue;
      }
      const auto found = matcher->match(one.results[0]);
      // A row of values with a gap, which is no more to be seen.
      if (!found) continue;
      // What was encoded in a value that keeps reserved characters is decoded like the rest.
      if (group.name.find("Reserved") != std::string::npos) continue;
      ++matched;
      std::vector<UriVariable> values;
      for (const auto& binding : *found) {
        UriVariable& value = values.emplace_back();
        value.name = binding.name;
        if (binding.is_list)
          value.value = binding.values;
        else
          value.value = binding.values.at(0);
      }
      EXPECT_EQ(parsed->expand(values), one.results[0]) << group.name << ": " << one.text;
    }
  EXPECT_GT(matched, 60U);
}

}  // namespace
}  // namespace sluice
