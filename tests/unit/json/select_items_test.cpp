#include <gtest/gtest.h>

#include "json/select.hpp"
#include "select_run.hpp"

namespace sluice::json::test {
namespace {

using Items = Selection::Items;
using Then = Items::Then;

Selection with_items(const char* path, std::uint64_t skip, std::uint64_t max, Then then) {
  Selection selection;
  selection.items = Items{paths({path})[0], skip, max, then};
  return selection;
}

const std::string kTable = R"({"a":[9],"rows":[{"id":1},[2, 3],"4,5",6 ],"total":4})";

TEST(SelectItems, AreCutAndTheDocumentIsClosed) {
  const Selected out = select(with_items("$.rows", 0, 2, Then::stop), kTable);
  EXPECT_EQ(out.verdict, Errc::ok);
  EXPECT_EQ(out.text, R"({"a":[9],"rows":[{"id":1},[2, 3]]})");
  EXPECT_TRUE(out.is_done);
  EXPECT_TRUE(out.is_limited);
  EXPECT_FALSE(out.is_total);
  EXPECT_EQ(out.items, 2U);
  EXPECT_EQ(out.read, kTable.find(",\"4,5") + 1);
}

TEST(SelectItems, AreCountedWhereTheRestIsRead) {
  const Selected out = select(with_items("$.rows", 0, 2, Then::read_on), kTable);
  EXPECT_EQ(out.text, R"({"a":[9],"rows":[{"id":1},[2, 3]],"total":4})");
  EXPECT_FALSE(out.is_done);
  EXPECT_TRUE(out.is_limited);
  EXPECT_TRUE(out.is_total);
  EXPECT_EQ(out.items, 4U);
}

TEST(SelectItems, AreAllThereWhereThereAreNoMore) {
  for (const Then then : {Then::stop, Then::read_on}) {
    const Selected out = select(with_items("$.rows", 0, 4, then), kTable);
    EXPECT_EQ(out.text, kTable);
    EXPECT_FALSE(out.is_limited);
    EXPECT_TRUE(out.is_total);
    EXPECT_EQ(out.items, 4U);
  }
}

TEST(SelectItems, ComeByPages) {
  const auto page = [](std::uint64_t skip, std::uint64_t max) {
    return select(with_items("$", skip, max, Then::stop), "[10, 20, 30, 40, 50]");
  };
  EXPECT_EQ(page(0, 2).text, "[10, 20]");
  EXPECT_EQ(page(2, 2).text, "[30, 40]");
  const Selected last = page(4, 2);
  EXPECT_EQ(last.text, "[50]");
  EXPECT_FALSE(last.is_limited);
  EXPECT_EQ(last.items, 5U);
  EXPECT_EQ(page(6, 2).text, "[]");
  EXPECT_EQ(page(0, 0).text, "[]");
  EXPECT_TRUE(page(0, 0).is_limited);
  EXPECT_EQ(page(3, Path::kNoEnd).text, "[40, 50]");
}

TEST(SelectItems, AreCountedAsTheyStandInTheDocument) {
  Selection selection = with_items("$.rows", 0, 3, Then::stop);
  selection.select = paths({"$.rows[*].id", "$.total"});
  EXPECT_EQ(select(selection, kTable).text, R"({"rows":[{"id":1}]})");
  selection.items->then = Then::read_on;
  EXPECT_EQ(select(selection, kTable).text, R"({"rows":[{"id":1}],"total":4})");
  selection.drop = paths({"$.rows[1]"});
  selection.select = paths({"$.rows"});
  EXPECT_EQ(select(selection, kTable).text, R"([{"id":1},"4,5"])");
}

TEST(SelectItems, AreCountedBehindTheLastOneThatIsSelected) {
  Selection selection = with_items("$.rows", 0, 3, Then::stop);
  selection.select = paths({"$.rows[:1].id", "$.total"});
  const Selected stopped = select(selection, kTable);
  EXPECT_EQ(stopped.text, R"({"rows":[{"id":1}]})");
  EXPECT_TRUE(stopped.is_limited);
  selection.items->then = Then::read_on;
  selection.select = paths({"$.rows[:1].id", "$.rows[:1].x"});
  selection.shape = Selection::Shape::document;
  const Selected counted = select(selection, kTable);
  EXPECT_EQ(counted.text, R"({"rows":[{"id":1}]})");
  EXPECT_TRUE(counted.is_limited);
  EXPECT_TRUE(counted.is_total);
  EXPECT_EQ(counted.items, 4U);
}

TEST(SelectItems, NeedAnArray) {
  for (const char* path : {"$.total", "$.none", "$.a[0]"}) {
    const auto plan = plan_of(with_items(path, 0, 1, Then::stop));
    Selector selector(plan);
    std::string out(kTable.size(), ' ');
    ASSERT_TRUE(selector.step(kTable, out).has_value());
    EXPECT_EQ(out, kTable);
    EXPECT_FALSE(selector.has_items()) << path;
  }
}

TEST(SelectItems, AreOfOneArray) {
  Selection selection;
  for (const char* path : {"$.*", "$..rows", "$[0:2]"}) {
    std::string problem;
    selection.items = Items{paths({path})[0], 0, 1, Then::stop};
    EXPECT_FALSE(SelectPlan::make(selection, problem).has_value());
    EXPECT_NE(problem.find(path), std::string::npos) << problem;
  }
}

}  // namespace
}  // namespace sluice::json::test
