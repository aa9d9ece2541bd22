#include <gtest/gtest.h>

#include "json/document.hpp"
#include "path_model.hpp"
#include "random_json.hpp"
#include "select_run.hpp"

namespace sluice::json::test {
namespace {

void compare(const Selection& selection, const std::string& text, Dice& dice) {
  std::string problem;
  const auto plan = SelectPlan::make(selection, problem);
  ASSERT_TRUE(plan.has_value()) << problem;
  Document document;
  const auto root = document.parse_copy(text);
  ASSERT_TRUE(root.has_value()) << text;
  const SelectModel model(*root, selection);
  const auto shared = std::make_shared<const SelectPlan>(*plan);
  const Selected whole = select_pieces(Simd::portable, shared, {text}, text.size() + 1);
  ASSERT_EQ(whole.verdict, Errc::ok) << text << " at " << whole.offset;
  if (!model.has_idle_items(*root)) {
    ASSERT_EQ(whole.has_match, model.has_match()) << text;
    // Behind the last value that is wanted the model sees blanks that were not read.
    const bool is_early = whole.is_done && !whole.is_limited;
    const auto seen = [&](const std::string& out) { return is_early ? compact(out) : out; };
    ASSERT_EQ(seen(whole.text), seen(model.text())) << text;
  }
  for (const Simd simd : supported_simd()) {
    ASSERT_EQ(select_pieces(simd, shared, {text}, text.size() + 1), whole) << name_of(simd);
    ASSERT_EQ(select_pieces(simd, shared, dice.cuts(text, 1 + dice.below(30)), 1 + dice.below(80)),
              whole)
        << name_of(simd);
  }
}

TEST(SelectModel, SaysTheSameOnRandomDocumentsAndPaths) {
  std::size_t matches = 0;
  for (std::uint32_t seed = 1; seed <= 6000; ++seed) {
    Dice dice(seed);
    const std::string text = random_document(dice);
    const Selection selection = random_selection(dice);
    std::string said;
    for (const Path& path : selection.select) said += " select " + path.text();
    for (const Path& path : selection.drop) said += " drop " + path.text();
    if (selection.items)
      said += " items " + selection.items->path.text() + " " +
              std::to_string(selection.items->skip) + " " + std::to_string(selection.items->max);
    SCOPED_TRACE(std::to_string(seed) + said);
    compare(selection, text, dice);
    if (testing::Test::HasFailure()) return;
    ++matches;
  }
  EXPECT_EQ(matches, 6000U);
}

}  // namespace
}  // namespace sluice::json::test
