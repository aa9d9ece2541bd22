#include "json/table.hpp"

#include <gtest/gtest.h>

#include "table_run.hpp"

namespace sluice::json::test {
namespace {

constexpr TableFormat kCsv = TableFormat::csv;
constexpr TableFormat kMarkdown = TableFormat::markdown;
constexpr TableFormat kLines = TableFormat::lines;

using Names = std::vector<std::string>;

const std::string kObjects =
    R"([{"id":1,"name":"a","price":1.10},{"id":12345678901234567890,"name":"b,c","price":-1E+2}])";
const std::string kArrays = R"([ [1, "x"], [2, "y"] ])";

TEST(Table, OfObjectsHasTheNamesOfTheFirstRow) {
  EXPECT_EQ(as(kCsv, kObjects), "id,name,price\n1,a,1.10\n12345678901234567890,\"b,c\",-1E+2\n");
  EXPECT_EQ(as(kMarkdown, kObjects),
            "|id|name|price|\n|---|---|---|\n|1|a|1.10|\n|12345678901234567890|b,c|-1E+2|\n");
  EXPECT_EQ(as(kLines, kObjects), R"({"id":1,"name":"a","price":1.10})"
                                  "\n"
                                  R"({"id":12345678901234567890,"name":"b,c","price":-1E+2})"
                                  "\n");
}

TEST(Table, OfArraysHasNoNames) {
  EXPECT_EQ(as(kCsv, kArrays), "1,x\n2,y\n");
  EXPECT_EQ(as(kMarkdown, kArrays), "|||\n|---|---|\n|1|x|\n|2|y|\n");
  EXPECT_EQ(as(kLines, kArrays), "[1, \"x\"]\n[2, \"y\"]\n");
  const Tabled named = table({.format = kCsv, .columns = {"n", "t"}}, kArrays);
  EXPECT_EQ(named.out.text, "n,t\n1,x\n2,y\n");
}

TEST(Table, OfColumnsAndRowsHasTheNamesThatComeFirst) {
  const std::string text = R"({"columns":["n","t"],"rows":[[1,"x"],[2,"y"]]})";
  EXPECT_EQ(as(kCsv, text), "n,t\n1,x\n2,y\n");
  EXPECT_EQ(as(kMarkdown, text), "|n|t|\n|---|---|\n|1|x|\n|2|y|\n");
  EXPECT_EQ(as(kLines, text), "[\"n\",\"t\"]\n[1,\"x\"]\n[2,\"y\"]\n");
  EXPECT_EQ(as(kCsv, R"({"columns":[{"name":"n","type":"int"},{"type":"x"},3],"rows":[[1,2,3]]})"),
            "n,\"{\"\"type\"\":\"\"x\"\"}\",3\n1,2,3\n");
  EXPECT_EQ(as(kCsv, R"({"columns":["b","a"],"rows":[{"a":1,"b":2},{"b":3}]})"), "b,a\n2,1\n3,\n");
}

TEST(Table, SaysSoWhereColumnsComeLate) {
  const Tabled late = table({}, R"({"rows":[[1,"x"]],"columns":["n","t"]})");
  EXPECT_EQ(late.out.text, "1,x\n");
  EXPECT_TRUE(late.is_late);
  EXPECT_EQ(late.columns, (Names{"n", "t"}));
  // Objects had their names.
  const Tabled objects = table({}, R"({"rows":[{"n":1}],"columns":["n","t"]})");
  EXPECT_FALSE(objects.is_late);
  EXPECT_EQ(objects.columns, (Names{"n"}));
  // Nothing was put out yet.
  EXPECT_EQ(as(kCsv, R"({"rows":[],"columns":["n","t"]})"), "n,t\n");
}

TEST(Table, CountsWhatIsBesideTheRows) {
  const Tabled out =
      table({}, R"({"total":[1,{"rows":2}],"columns":["n"],"rows":[[1]],"next":"\"c","n":1.5})");
  EXPECT_EQ(out.out.text, "n\n1\n");
  EXPECT_EQ(out.others, 3U);
  EXPECT_EQ(out.other_names, (Names{"total", "next", "n"}));
}

TEST(Table, FindsCellsByNameWhateverTheirOrder) {
  EXPECT_EQ(as(kCsv, R"([{"a":1,"b":2,"c":3},{"c":6,"a":4,"b":5},{"b":8},{},{"c":9,"b":null}])"),
            "a,b,c\n1,2,3\n4,5,6\n,8,\n,,\n,,9\n");
  EXPECT_EQ(as(kCsv, R"([{"\u0061":1,"b\"":2},{"b\u0022":4,"a":3}])"), "a,\"b\"\"\"\n1,2\n3,4\n");
}

TEST(Table, CountsCellsWithoutAColumn) {
  const Tabled out = table({}, R"([{"a":1},{"a":2,"b":3},{"c\n":4,"b":5},{"a":6,"a":7}])");
  EXPECT_EQ(out.out.text, "a\n1\n2\n\n6\n");
  EXPECT_EQ(out.lost, 4U);
  EXPECT_EQ(out.lost_names, (Names{"b", "c\n", "a"}));
}

TEST(Table, HasTheColumnsThatAreAskedFor) {
  const Tabled out =
      table({.columns = {"c", "a", "none"}}, R"([{"a":1,"b":2,"c":3},{"a":4,"d":5}])");
  EXPECT_EQ(out.out.text, "c,a,none\n3,1,\n,4,\n");
  EXPECT_EQ(out.lost, 0U);
  EXPECT_EQ(
      table({.columns = {"c", "a", "none"}}, R"({"columns":["a","b","c"],"rows":[[1,2,3],[4,5]]})")
          .out.text,
      "c,a,none\n3,1,\n,4,\n");
}

TEST(Table, PassesOnMoreCellsThanColumnsAndCountsSuchRows) {
  const Tabled out = table({}, R"({"columns":["a","b"],"rows":[[1,2],[3,4,5],[6],[]]})");
  EXPECT_EQ(out.out.text, "a,b\n1,2\n3,4,5\n6,\n,\n");
  EXPECT_EQ(out.ragged, 3U);
  EXPECT_EQ(as(kMarkdown, "[[1,2],[3,4,5],[6]]"), "|||\n|---|---|\n|1|2|\n|3|4|5|\n|6||\n");
  EXPECT_EQ(as(kCsv, "[[],[1]]"), "\n1\n");
}

TEST(Table, QuotesCellsOfCsv) {
  EXPECT_EQ(as(kCsv, R"([["a,b","c\"d","e\nf","g\r","h;i"," j ","","\t","é\u00e9"]])"),
            "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\r\",h;i, j ,\"\",\t,éé\n");
  EXPECT_EQ(as(kCsv, R"([["\u002c","\u0022","\ud83d\ude00","\ud83d","\\n","\/"]])"),
            "\",\",\"\"\"\",\xf0\x9f\x98\x80,\xef\xbf\xbd,\\n,/\n");
}

TEST(Table, EscapesCellsOfMarkdown) {
  EXPECT_EQ(as(kMarkdown, R"([{"a|b":"c|d","e":"f\r\ng\nh\ri","k":"","l":"\\|"}])"),
            "|a\\|b|e|k|l|\n|---|---|---|---|\n|c\\|d|f<br>g<br>h<br>i||\\\\||\n");
}

TEST(Table, PutsContainersAsTheirText) {
  EXPECT_EQ(as(kCsv, R"([[ {"a" : [ 1, "x y" ] } , [ ] , [ 1 ] ]])"),
            "\"{\"\"a\"\":[1,\"\"x y\"\"]}\",[],[1]\n");
  EXPECT_EQ(as(kMarkdown, R"([[{"a": "|"},[1, 2]]])"), "|||\n|---|---|\n|{\"a\":\"\\|\"}|[1,2]|\n");
}

TEST(Table, PutsLiteralsAsTheyAreAndNothingForNull) {
  EXPECT_EQ(as(kCsv, "[[true,false,null,0,-0.0]]"), "true,false,,0,-0.0\n");
}

TEST(Table, TakesAnyArrayAsLines) {
  EXPECT_EQ(as(kLines, "[1,\"a\\nb\", {\n  \"c\": [\r\n1 ]\n} ,null,[]\n]"),
            "1\n\"a\\nb\"\n{   \"c\": [  1 ] }\nnull\n[]\n");
  EXPECT_EQ(as(kLines, "[]"), "");
  const Tabled late = table({.format = kLines}, R"({"rows":[[1]],"columns":["n"],"x":1})");
  EXPECT_EQ(late.out.text, "[1]\n");
  EXPECT_TRUE(late.is_late);
  EXPECT_EQ(late.others, 1U);
}

TEST(Table, WithoutRowsHasTheNamesThatAreKnown) {
  EXPECT_EQ(as(kCsv, "[]"), "");
  EXPECT_EQ(as(kMarkdown, " [ ] "), "");
  EXPECT_EQ(as(kCsv, R"({"columns":["a","b"],"rows":[]})"), "a,b\n");
  EXPECT_EQ(table({.format = kMarkdown, .columns = {"a"}}, "[]").out.text, "|a|\n|---|\n");
}

TEST(Table, RefusesWhatIsNoTable) {
  const auto refused = [](std::string_view text, TableFormat format = kCsv) {
    const Tabled out = table({.format = format}, text);
    EXPECT_EQ(out.out.text, "") << text;
    EXPECT_EQ(out.out.verdict, Errc::source_failed) << text << out;
    return out.out.offset;
  };
  EXPECT_EQ(refused("5"), 0U);
  EXPECT_EQ(refused(" \"rows\""), 1U);
  EXPECT_EQ(refused("[1,2]"), 1U);
  EXPECT_EQ(refused("[null]"), 1U);
  EXPECT_EQ(refused("{}"), 1U);
  EXPECT_EQ(refused(R"({"columns":["a"],"data":[]})"), 26U);
  EXPECT_EQ(refused(R"({"rows":{}})"), 8U);
  EXPECT_EQ(refused(R"({"columns":"a"})"), 11U);
  EXPECT_EQ(refused("{}", kLines), 1U);
  EXPECT_EQ(refused("5", kLines), 0U);
}

TEST(Table, RefusesARowOfAnotherKind) {
  const Tabled out = table({}, R"([{"a":1},[2]])");
  EXPECT_EQ(out.out.verdict, Errc::source_failed);
  EXPECT_EQ(out.out.text, "a\n1\n");
  EXPECT_EQ(out.out.offset, 9U);
  EXPECT_EQ(table({}, "[[1],2]").out.verdict, Errc::source_failed);
}

TEST(Table, SaysWhereTheTextIsNotJson) {
  const auto offset_of = [](std::string_view text, TableFormat format = kCsv) {
    const Tabled out = table({.format = format}, text);
    EXPECT_EQ(out.out.verdict, Errc::not_json) << text << out;
    return out.out.offset;
  };
  EXPECT_EQ(offset_of("[[1,2}]"), 5U);
  EXPECT_EQ(offset_of("[[1,]]"), 4U);
  EXPECT_EQ(offset_of("[[1 2]]"), 4U);
  EXPECT_EQ(offset_of("[[1],]"), 5U);
  EXPECT_EQ(offset_of("[[1][2]]"), 4U);
  EXPECT_EQ(offset_of("[[1]]]"), 5U);
  EXPECT_EQ(offset_of("[[#]]"), 2U);
  EXPECT_EQ(offset_of(R"([{"a"}])"), 5U);
  EXPECT_EQ(offset_of(R"([{"a":}])"), 6U);
  EXPECT_EQ(offset_of(R"([{"a":1,}])"), 8U);
  EXPECT_EQ(offset_of(R"([{1:1}])"), 2U);
  EXPECT_EQ(offset_of(R"({"rows" [])"), 8U);
  EXPECT_EQ(offset_of(R"({"rows":[] "a":1})"), 11U);
  EXPECT_EQ(offset_of(R"({rows:[]})"), 1U);
  EXPECT_EQ(offset_of("[1 2]", kLines), 3U);
  EXPECT_EQ(offset_of("[1,,2]", kLines), 3U);
  for (const char* text : {"", "[", "[[", "[[1", "[[1]", "[[1],", R"([{"a)", R"({"rows":[])"}) {
    for (const TableFormat format : {kCsv, kMarkdown, kLines}) {
      EXPECT_EQ(offset_of(text, format), std::string_view(text).size());
    }
  }
}

TEST(Table, HoldsOneRowUpToItsLimit) {
  const std::string row = R"(["aaaaaaaaaaaaaaaaaaaaaaaaaaaa",1])";
  const std::string text = "[" + row + "," + row + "]";
  EXPECT_EQ(table({.max_row = row.size()}, text).out.verdict, Errc::ok);
  EXPECT_EQ(table({.max_row = row.size() - 1}, text).out.verdict, Errc::result_too_large);
  EXPECT_EQ(table({.format = kLines, .max_row = 5}, text).out.text, row + "\n" + row + "\n");
  EXPECT_EQ(table({.max_columns = 2}, text).out.verdict, Errc::ok);
  const Tabled cells = table({.max_columns = 1}, text);
  EXPECT_EQ(cells.out.verdict, Errc::result_too_large);
  EXPECT_EQ(cells.out.what, "a row has more cells than limits.table_columns allows");
}

TEST(Table, SaysThatARowIsTooLongAtTheSamePlaceHoweverItIsCut) {
  const Tabled row = table({.max_row = 4}, R"([[1,"abcdef"]])");
  EXPECT_EQ(row.out.verdict, Errc::result_too_large);
  EXPECT_EQ(row.out.offset, 5U);
  // What is wrong behind that place is not told.
  EXPECT_EQ(table({.max_row = 4}, "[[1,2,3,+]]").out.verdict, Errc::result_too_large);
  EXPECT_EQ(table({.max_row = 4}, "[[1,+]]").out.verdict, Errc::not_json);
  const std::string columns = R"({"columns":["a","b"],"rows":[[1,2]]})";
  EXPECT_EQ(table({.max_row = 9}, columns).out.verdict, Errc::ok);
  EXPECT_EQ(table({.max_row = 8}, columns).out.verdict, Errc::result_too_large);
  EXPECT_EQ(table({.max_row = 8}, R"({"a long name":1,"rows":[]})").out.offset, 9U);
}

TEST(Table, GivesTheSameForEveryCut) {
  const std::string text =
      "{ \"x\" : [ \"]\" ], \"columns\": [ \"a\" , {\"name\":\"b\\\"\"} ] , \"rows\" :\n [ [ 1.5 , "
      "\"c\\\"d, \\u00e9\" ] ,\r\n[ {\"e\": [ 1 , \"|\" ]} , null ],[] ] , \"y\":1 }\n";
  for (const TableFormat format : {kCsv, kMarkdown, kLines}) {
    const Table::Options options{.format = format};
    const Tabled whole = table_pieces(Simd::portable, options, {text}, 10000);
    EXPECT_EQ(whole.out.verdict, Errc::ok) << whole;
    EXPECT_EQ(whole.rows, 3U);
    for (const Simd simd : supported_simd()) {
      for (std::size_t first = 0; first <= text.size(); ++first) {
        ASSERT_EQ(table_pieces(simd, options, cut(text, {first}), 10000), whole) << first;
        ASSERT_EQ(table_pieces(simd, options, {text}, 1 + first), whole) << first;
        ASSERT_EQ(table_pieces(simd, options, cut_every(text, 1 + first), 3), whole) << first;
      }
    }
  }
}

}  // namespace
}  // namespace sluice::json::test
