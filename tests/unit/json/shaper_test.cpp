#include "json/shaper.hpp"

#include <gtest/gtest.h>

#include "random_json.hpp"
#include "select_run.hpp"
#include "table_run.hpp"

namespace sluice::json::test {
namespace {

struct Shaped {
  std::string text;
  std::string problem;
  bool is_done = false;
  bool has_match = false;
  [[nodiscard]] friend bool operator==(const Shaped&, const Shaped&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Shaped& s) {
    return out << s.text << " done " << s.is_done << " match " << s.has_match << ' ' << s.problem;
  }
};

Shaped shape_pieces(const Shape& shape, const std::vector<std::string_view>& pieces,
                    std::size_t room) {
  Shaper shaper(shape);
  Shaped out;
  const auto take = [&](std::string_view piece) {
    const ExactBytes bytes(piece);
    std::string_view left = bytes.view();
    while (true) {
      GuardedRoom into(room);
      const auto step = shaper.step(left, {into.data(), into.size()});
      EXPECT_TRUE(into.is_intact());
      if (!step) return false;
      out.text.append(into.data(), step->written);
      left.remove_prefix(step->read);
      if (left.empty() && step->written < room) return true;
    }
  };
  bool is_well = true;
  for (const std::string_view piece : pieces) is_well = is_well && take(piece);
  shaper.finish();
  is_well = is_well && take({});
  out.has_match = shaper.has_match();
  if (!is_well) {
    out.problem = shaper.problem();
    return out;
  }
  EXPECT_TRUE(shaper.is_over());
  out.is_done = shaper.is_done();
  return out;
}

Shaped shape_text(const Shape& shape, std::string_view text) {
  const Shaped whole = shape_pieces(shape, {text}, 100000);
  for (const std::size_t length : {std::size_t{1}, std::size_t{7}, text.size() + 1}) {
    for (const std::size_t room : {1U, 13U, 5000U})
      EXPECT_EQ(shape_pieces(shape, cut_every(text, length), room), whole) << length << ' ' << room;
  }
  return whole;
}

std::shared_ptr<const SelectPlan> select_plan(std::initializer_list<const char*> select_paths) {
  return plan_of({paths(select_paths), {}, {}, {}});
}

const std::string kTable =
    R"({"total":3,"rows":[{"id":1,"name":"a"},{"id":22,"name":"b"},{"id":333,"name":"c"}],"x":1})";

TEST(Shaper, DoesOneThingAfterTheOther) {
  Shape shape;
  shape.select = select_plan({"$.rows[*].id"});
  EXPECT_EQ(shape_text(shape, kTable).text, R"([{"id":1},{"id":22},{"id":333}])");
  shape.max_bytes = 25;
  EXPECT_EQ(shape_text(shape, kTable).text, R"([{"id":1},{"id":22}])");
  shape.table = Table::Options{};
  EXPECT_EQ(shape_text(shape, kTable).text, "id\n1\n22\n");
  EXPECT_TRUE(shape_text(shape, kTable).is_done);
  shape.select = nullptr;
  EXPECT_EQ(shape_text(shape, kTable.substr(18, kTable.size() - 25)).text, "id,name\n1,a\n");
}

TEST(Shaper, IsDoneAsSoonAsNoMoreIsNeeded) {
  Shape shape;
  shape.select = select_plan({"$.rows[:2]"});
  shape.table = Table::Options{};
  Shaper shaper(shape);
  std::string out(1000, ' ');
  const std::string endless = kTable.substr(0, kTable.find("{\"id\":333"));
  const auto step = shaper.step(endless, out);
  ASSERT_TRUE(step.has_value());
  EXPECT_TRUE(shaper.is_done());
  EXPECT_TRUE(shaper.is_over());
  EXPECT_EQ(out.substr(0, step->written), "id,name\n1,a\n22,b\n");
}

TEST(Shaper, PutsOutNothingWhereNothingIsSelected) {
  Shape shape;
  shape.select = select_plan({"$.none"});
  shape.max_bytes = 1000;
  shape.table = Table::Options{};
  const Shaped out = shape_text(shape, kTable);
  EXPECT_EQ(out.text, "");
  EXPECT_EQ(out.problem, "");
  EXPECT_FALSE(out.has_match);
}

TEST(Shaper, SaysWhatWentWrong) {
  Shape shape;
  shape.select = select_plan({"$.rows"});
  shape.table = Table::Options{};
  EXPECT_EQ(shape_text(shape, R"({"a" 1})").problem, "a colon must follow a name, at byte 5");
  EXPECT_EQ(
      shape_text(shape, R"({"rows":17})").problem,
      "not a table: neither an array of objects or arrays, nor an object with `rows`, at byte 0 "
      "of what was selected");
  shape.max_bytes = 1;
  EXPECT_EQ(shape_text(shape, kTable).problem,
            "there is no place to cut it so that it is no larger than max_bytes, at byte 1 of "
            "what was selected");
}

TEST(Shaper, GivesWhatItsPartsGive) {
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    Dice dice(seed);
    const std::string text = random_document(dice);
    Selection selection = random_selection(dice);
    Shape shape;
    shape.select = plan_of(selection);
    shape.max_bytes = 5 + dice.below(text.size() + 1);
    shape.table = Table::Options{.format = TableFormat::lines};
    const Shaped whole = shape_pieces(shape, {text}, 100000);
    ASSERT_EQ(shape_pieces(shape, dice.cuts(text, 20), 1 + dice.below(30)), whole) << text;

    const Selected selected = select_pieces(simd(), shape.select, {text}, 100000);
    if (!selected.has_match) {
      ASSERT_EQ(whole.text, "");
      continue;
    }
    JsonLimiter limiter({*shape.max_bytes});
    const Stepped limited = run_steps(limiter, {selected.text}, 100000);
    if (limited.verdict != Errc::ok) {
      ASSERT_NE(whole.problem, "");
      continue;
    }
    ASSERT_EQ(whole.text, table_pieces(simd(), *shape.table, {limited.text}, 100000).out.text);
  }
}

}  // namespace
}  // namespace sluice::json::test
