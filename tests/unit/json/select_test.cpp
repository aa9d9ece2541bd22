#include "json/select.hpp"

#include <gtest/gtest.h>

#include "select_run.hpp"

namespace sluice::json::test {
namespace {

const std::string kTable =
    R"({"total":3,"rows":[{"id":1,"name":"a","debug":{"x":[1]}},{"id":22,"name":"b"},{"id":333}],"next":null})";

TEST(Selector, PutsOutTheValueThatAPathNames) {
  EXPECT_EQ(selected({"$.total"}, {}, kTable), "3");
  EXPECT_EQ(selected({"$.rows[1]"}, {}, kTable), R"({"id":22,"name":"b"})");
  EXPECT_EQ(selected({"$.rows[0].debug.x"}, {}, kTable), "[1]");
  EXPECT_EQ(selected({"$.next"}, {}, kTable), "null");
  EXPECT_EQ(selected({"$"}, {}, kTable), kTable);
}

TEST(Selector, PrunesToWhatIsSelectedBelowTheValueThatAllOfItLiesIn) {
  EXPECT_EQ(selected({"$.rows[:2]"}, {}, kTable),
            R"([{"id":1,"name":"a","debug":{"x":[1]}},{"id":22,"name":"b"}])");
  EXPECT_EQ(selected({"$.rows[*].id"}, {}, kTable), R"([{"id":1},{"id":22},{"id":333}])");
  EXPECT_EQ(selected({"$.rows[*]['id','name']"}, {}, kTable),
            R"([{"id":1,"name":"a"},{"id":22,"name":"b"},{"id":333}])");
  EXPECT_EQ(selected({"$.rows[*].name", "$.rows[*].id"}, {}, kTable),
            R"([{"id":1,"name":"a"},{"id":22,"name":"b"},{"id":333}])");
  EXPECT_EQ(selected({"$.total", "$.rows[1].id"}, {}, kTable), R"({"total":3,"rows":[{"id":22}]})");
}

TEST(Selector, LeavesOutContainersInWhichNothingIsWanted) {
  EXPECT_EQ(selected({"$.rows[*].name"}, {}, kTable), R"([{"name":"a"},{"name":"b"}])");
  EXPECT_EQ(selected({"$..x"}, {}, kTable), R"({"rows":[{"debug":{"x":[1]}}]})");
  EXPECT_EQ(selected({"$.*.*.*.x"}, {}, kTable), R"({"rows":[{"debug":{"x":[1]}}]})");
  EXPECT_EQ(selected({"$.a.b"}, {}, R"({"a":5,"b":{"a":{"b":1}}})"), "");
}

TEST(Selector, ShowsTheDocumentAroundWhereThatIsAskedFor) {
  const Selection selection{paths({"$.rows[1].id"}), {}, {}, Selection::Shape::document};
  EXPECT_EQ(select(selection, kTable).text, R"({"rows":[{"id":22}]})");
}

TEST(Selector, SaysThatNothingMatched) {
  const Selected out = select({paths({"$.rows[*].price"}), {}, {}, {}}, kTable);
  EXPECT_EQ(out.verdict, Errc::ok);
  EXPECT_EQ(out.text, "");
  EXPECT_FALSE(out.has_match);
}

TEST(Selector, DropsMembersAndElementsWithTheirCommas) {
  EXPECT_EQ(selected({}, {"$.a"}, R"({"a":1,"b":2,"c":3})"), R"({"b":2,"c":3})");
  EXPECT_EQ(selected({}, {"$.b"}, R"({"a":1,"b":2,"c":3})"), R"({"a":1,"c":3})");
  EXPECT_EQ(selected({}, {"$.c"}, R"({"a":1,"b":2,"c":3})"), R"({"a":1,"b":2})");
  EXPECT_EQ(selected({}, {"$['a','b']"}, R"({"a":1,"b":2,"c":3})"), R"({"c":3})");
  EXPECT_EQ(selected({}, {"$.*"}, R"({"a":1,"b":2,"c":3})"), "{}");
  EXPECT_EQ(selected({}, {"$[1]", "$[3:]"}, "[0,1,2,3,4]"), "[0,2]");
  EXPECT_EQ(selected({}, {"$[::2]"}, "[0,1,2,3,4]"), "[1,3]");
  EXPECT_EQ(
      selected({}, {"$..debug"}, kTable),
      R"({"total":3,"rows":[{"id":1,"name":"a"},{"id":22,"name":"b"},{"id":333}],"next":null})");
}

TEST(Selector, KeepsWhatDroppingLeavesEmpty) {
  EXPECT_EQ(selected({}, {"$..x"}, R"({"a":{"x":1},"b":[{"x":2}],"c":[]})"),
            R"({"a":{},"b":[{}],"c":[]})");
}

TEST(Selector, DropsFromWhatIsSelected) {
  EXPECT_EQ(selected({"$.rows"}, {"$..debug", "$.rows[1]"}, kTable),
            R"([{"id":1,"name":"a"},{"id":333}])");
  EXPECT_EQ(selected({"$.rows[*].debug"}, {"$..x"}, kTable), R"([{"debug":{}}])");
  EXPECT_EQ(selected({"$.rows[*].debug"}, {"$..debug"}, kTable), "");
  EXPECT_EQ(selected({"$.rows"}, {"$.rows"}, kTable), "");
}

TEST(Selector, KeepsBlanksWhereBothNeighboursStay) {
  const std::string printed =
      "\n{\n  \"a\" : 1 ,\n  \"b\": [ 10 , 20,30 ],\n  \"c\": {\n    \"d\": 1.10\n  }\n}\n";
  EXPECT_EQ(selected({}, {"$.x"}, printed), printed.substr(1, printed.size() - 2));
  EXPECT_EQ(selected({}, {"$.b"}, printed),
            "{\n  \"a\" : 1 ,\n  \"c\": {\n    \"d\": 1.10\n  }\n}");
  EXPECT_EQ(selected({}, {"$.a"}, printed),
            "{\n  \"b\": [ 10 , 20,30 ],\n  \"c\": {\n    \"d\": 1.10\n  }\n}");
  EXPECT_EQ(selected({}, {"$.c"}, printed), "{\n  \"a\" : 1 ,\n  \"b\": [ 10 , 20,30 ]}");
  EXPECT_EQ(selected({}, {"$.b[0]", "$.c.d"}, printed),
            "{\n  \"a\" : 1 ,\n  \"b\": [ 20,30 ],\n  \"c\": {\n    }\n}");
  EXPECT_EQ(selected({"$.b"}, {}, printed), "[ 10 , 20,30 ]");
  EXPECT_EQ(selected({"$.c.d"}, {}, printed), "1.10");
}

TEST(Selector, KeepsDigitsEscapesAndOrder) {
  const std::string text = R"({"z":12345678901234567890.10,"a":"\u00e9\/\"","e":1E+2,"z2":-0.0})";
  EXPECT_EQ(selected({"$.*"}, {}, text), text);
  EXPECT_EQ(selected({"$['z2','a']"}, {}, text), R"({"a":"\u00e9\/\"","z2":-0.0})");
}

TEST(Selector, FindsNamesThatAreWrittenWithEscapes) {
  const std::string text = R"({"n\u0061me":1,"\ud83d\ude00":2,"a\"b":3,"a\\":4,"\u0061\u0062":5})";
  EXPECT_EQ(selected({"$.name"}, {}, text), "1");
  EXPECT_EQ(selected({"$['\\ud83d\\ude00']"}, {}, text), "2");
  EXPECT_EQ(selected({"$['a\"b']"}, {}, text), "3");
  EXPECT_EQ(selected({"$['a\\\\']"}, {}, text), "4");
  EXPECT_EQ(selected({"$.ab"}, {}, text), "5");
  EXPECT_EQ(selected({}, {"$.name", "$['a\\\\']"}, text),
            R"({"\ud83d\ude00":2,"a\"b":3,"\u0061\u0062":5})");
  EXPECT_EQ(selected({"$['']"}, {}, R"({"a":1,"":2})"), "2");
}

TEST(Selector, LooksAtNamesNotAtStringsThatLookLikeThem) {
  EXPECT_EQ(selected({"$..a"}, {}, R"({"b":"\"a\":1","c":["a",":",{"a":"}"}],"d":"a"})"),
            R"({"c":[{"a":"}"}]})");
}

TEST(Selector, TakesTheFirstOfARepeatedNameAndDropsAll) {
  EXPECT_EQ(selected({"$.a"}, {}, R"({"a":1,"a":2})"), "1");
  EXPECT_EQ(selected({"$['a','b']"}, {}, R"({"a":1,"a":2,"b":3})"), R"({"a":1,"b":3})");
  EXPECT_EQ(selected({}, {"$.a"}, R"({"a":1,"b":2,"a":3})"), R"({"b":2})");
}

TEST(Selector, StopsWhenNothingMoreCanMatch) {
  const auto stops = [](std::initializer_list<const char*> select_paths, const std::string& front,
                        std::string_view expected) {
    const Selected out = select({paths(select_paths), {}, {}, {}}, front + "## never looked at");
    EXPECT_EQ(out.verdict, Errc::ok);
    EXPECT_TRUE(out.is_done);
    EXPECT_EQ(out.text, expected);
    EXPECT_EQ(out.read, front.size());
  };
  stops({"$.rows[:2]"}, R"({"rows":[{"a":1},[2],)", R"([{"a":1},[2]])");
  stops({"$.a"}, R"({"b":[1,{"a":2}],"a":{"c":[]})", R"({"c":[]})");
  stops({"$.a", "$.c"}, R"({"c":1,"b":2,"a":3,)", R"({"c":1,"a":3})");
  stops({"$[0,2].x"}, R"([{"x":1},2,{"x":3},)", R"([{"x":1},{"x":3}])");
  stops({"$[2:4]"}, "[0,1,2,3,", "[2,3]");
  stops({"$.a.b", "$.a.c[1]"}, R"({"a":{"b":1,"c":[2,3,)", R"({"b":1,"c":[3]})");
  EXPECT_FALSE(select({paths({"$..a"}), {}, {}, {}}, R"({"a":1})").is_done);
  EXPECT_FALSE(select({paths({"$.*"}), {}, {}, {}}, R"({"a":1})").is_done);
}

TEST(Selector, NeedsTheEndOfWhatItDoesNotStopIn) {
  for (const char* text : {"", " ", "{", R"({"a")", R"({"a":)", R"({"a":1)", R"({"b":1,)", "[1",
                           R"({"b":"x)", R"({"b":[1)"}) {
    const Selected out = select({paths({"$.c"}), {}, {}, {}}, text);
    EXPECT_EQ(out.verdict, Errc::not_json) << text;
    EXPECT_EQ(out.offset, std::string_view(text).size());
  }
}

TEST(Selector, SaysWhereTheTextIsNotJson) {
  const auto offset_of = [](std::initializer_list<const char*> drop, std::string_view text) {
    const Selected out = select({{}, paths(drop), {}, {}}, text);
    EXPECT_EQ(out.verdict, Errc::not_json) << text;
    return out.offset;
  };
  EXPECT_EQ(offset_of({"$..x"}, R"({"a" 1})"), 5U);
  EXPECT_EQ(offset_of({"$..x"}, R"({"a":1,})"), 7U);
  EXPECT_EQ(offset_of({"$..x"}, R"({"a":1 "b":2})"), 7U);
  EXPECT_EQ(offset_of({"$..x"}, R"({"a":1 2})"), 7U);
  EXPECT_EQ(offset_of({"$..x"}, R"({a:1})"), 1U);
  EXPECT_EQ(offset_of({"$..x"}, R"({"a":})"), 5U);
  EXPECT_EQ(offset_of({"$..x"}, R"({"a":1])"), 6U);
  EXPECT_EQ(offset_of({"$[0]"}, "[1,,2]"), 3U);
  EXPECT_EQ(offset_of({"$[0]"}, "[1}"), 2U);
  EXPECT_EQ(offset_of({"$[0]"}, "[1,2]]"), 5U);
  EXPECT_EQ(offset_of({"$[0]"}, "1 1"), 2U);
  EXPECT_EQ(offset_of({"$[0]"}, "#"), 0U);
  EXPECT_EQ(offset_of({"$[0]"}, "]"), 0U);
}

TEST(Selector, PutsOutWhatStandsInFrontOfAMistake) {
  const Selected out = select({{}, paths({"$..x"}), {}, {}}, R"({"a":[1,2],"x":1,"b":{"c" 1}})");
  EXPECT_EQ(out.verdict, Errc::not_json);
  EXPECT_EQ(out.text, R"({"a":[1,2],"b":{)");
  EXPECT_EQ(out.offset, 26U);
}

TEST(Selector, GoesAsDeepAsItMayAndDeeperInWhatIsWhole) {
  const std::string deep = std::string(50, '[') + std::string(50, ']');
  EXPECT_EQ(select({{}, paths({"$..x"}), {}, {}}, deep, {.max_depth = 50}).text, deep);
  const Selected out = select({{}, paths({"$..x"}), {}, {}}, deep, {.max_depth = 49});
  EXPECT_EQ(out.verdict, Errc::too_deep);
  EXPECT_EQ(out.offset, 49U);
  EXPECT_EQ(select({paths({"$[0]"}), {}, {}, {}}, deep, {.max_depth = 1}).text, deep.substr(1, 98));
}

TEST(Selector, HoldsNoMoreThanItsWindow) {
  const std::string name(300, 'n');
  const std::string text = R"({"a":{")" + name + R"(":{"b":1}}})";
  const Selection wild{paths({"$.*.*.b"}), {}, {}, {}};
  EXPECT_EQ(select(wild, text).text, text);
  const auto plan = plan_of(wild);
  for (const Simd simd : supported_simd()) {
    const Selected out = select_pieces(simd, plan, cut_every(text, 10), 1000, {.window = 100});
    EXPECT_EQ(out.verdict, Errc::result_too_large);
  }
}

TEST(Selector, HoldsNoNameThatIsLongerThanAllItLooksFor) {
  const std::string text = R"({"a":1,")" + std::string(5000, 'n') + R"(":[2,3],"x":{"b":4}})";
  const auto with_window = [&](const Selection& selection) {
    std::string result;
    for (const std::size_t length : {1U, 10U, 4000U}) {
      const Selected out =
          select_pieces(simd(), plan_of(selection), cut_every(text, length), 1000, {.window = 50});
      EXPECT_EQ(out.verdict, Errc::ok);
      result = out.text;
    }
    return result;
  };
  EXPECT_EQ(with_window({paths({"$.x"}), {}, {}, {}}), R"({"b":4})");
  EXPECT_EQ(with_window({{}, paths({"$.a"}), {}, {}}), "{" + text.substr(7));
  EXPECT_EQ(with_window({{}, paths({"$..b"}), {}, {}}), text.substr(0, text.size() - 7) + "}}");
}

TEST(Selector, GivesTheSameForEveryCut) {
  const std::string text =
      "{ \"rows\" : [ {\"id\":1, \"n\\u0061me\":\"a\\\"b\", \"debug\":{\"x\":[1,\"]\"]}} , {} ,\n"
      "[], \"s\", {\"name\":\"b\",\"debug\":[ ]} ], \"debug\" : 1 , \"t\":true }";
  for (const Selection& selection :
       {Selection{{}, paths({"$..debug"}), {}, {}}, Selection{paths({"$..name"}), {}, {}, {}},
        Selection{paths({"$.rows[*].name", "$.rows[*].id"}), paths({"$..x"}), {}, {}},
        Selection{paths({"$.rows[1:4]"}), {}, {}, {}}}) {
    const auto plan = plan_of(selection);
    const Selected whole = select_pieces(Simd::portable, plan, {text}, 1000);
    EXPECT_EQ(whole.verdict, Errc::ok);
    for (const Simd simd : supported_simd()) {
      for (std::size_t first = 0; first <= text.size(); ++first) {
        ASSERT_EQ(select_pieces(simd, plan, cut(text, {first}), 1000), whole) << first;
        ASSERT_EQ(select_pieces(simd, plan, {text}, 1 + first), whole) << first;
        ASSERT_EQ(select_pieces(simd, plan, cut_every(text, 1 + first), 3), whole) << first;
      }
    }
  }
}

}  // namespace
}  // namespace sluice::json::test
