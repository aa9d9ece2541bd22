#include <gtest/gtest.h>

#include "select_run.hpp"

namespace sluice::json::test {
namespace {

// The examples of RFC 9535, with what is left of the document.

const std::string kStore =
    R"({"store":{"book":[{"category":"reference","author":"Nigel Rees","title":"Sayings of the Century","price":8.95},)"
    R"({"category":"fiction","author":"Evelyn Waugh","title":"Sword of Honour","price":12.99},)"
    R"({"category":"fiction","author":"Herman Melville","title":"Moby Dick","isbn":"0-553-21311-3","price":8.99},)"
    R"({"category":"fiction","author":"J. R. R. Tolkien","title":"The Lord of the Rings","isbn":"0-395-19395-8","price":22.99}],)"
    R"("bicycle":{"color":"red","price":399}}})";

TEST(PathRfc, FindsTheBooks) {
  EXPECT_EQ(selected({"$.store.book[*].author"}, {}, kStore),
            R"([{"author":"Nigel Rees"},{"author":"Evelyn Waugh"},{"author":"Herman Melville"},)"
            R"({"author":"J. R. R. Tolkien"}])");
  EXPECT_EQ(selected({"$..author"}, {}, kStore),
            R"({"store":{"book":[{"author":"Nigel Rees"},{"author":"Evelyn Waugh"},)"
            R"({"author":"Herman Melville"},{"author":"J. R. R. Tolkien"}]}})");
  EXPECT_EQ(selected({"$.store.*"}, {}, kStore), kStore.substr(9, kStore.size() - 10));
  EXPECT_EQ(selected({"$.store..price"}, {}, kStore),
            R"({"book":[{"price":8.95},{"price":12.99},{"price":8.99},{"price":22.99}],)"
            R"("bicycle":{"price":399}})");
  EXPECT_EQ(selected({"$..book[2]"}, {}, kStore),
            R"({"store":{"book":[{"category":"fiction","author":"Herman Melville",)"
            R"("title":"Moby Dick","isbn":"0-553-21311-3","price":8.99}]}})");
  EXPECT_EQ(selected({"$..book[2].author"}, {}, kStore),
            R"({"store":{"book":[{"author":"Herman Melville"}]}})");
  EXPECT_EQ(selected({"$..book[2].publisher"}, {}, kStore), "");
  EXPECT_EQ(
      selected({"$..book[0,1]['title']"}, {}, kStore),
      R"({"store":{"book":[{"title":"Sayings of the Century"},{"title":"Sword of Honour"}]}})");
  EXPECT_EQ(
      selected({"$..book[:2].title"}, {}, kStore),
      R"({"store":{"book":[{"title":"Sayings of the Century"},{"title":"Sword of Honour"}]}})");
  EXPECT_EQ(selected({"$..*"}, {}, kStore), kStore);
}

TEST(PathRfc, TakesNames) {
  const std::string text = R"({"o":{"j j":{"k.k":3}},"'":{"@":2}})";
  EXPECT_EQ(selected({"$.o['j j']"}, {}, text), R"({"k.k":3})");
  EXPECT_EQ(selected({"$.o['j j']['k.k']"}, {}, text), "3");
  EXPECT_EQ(selected({R"($.o["j j"]["k.k"])"}, {}, text), "3");
  EXPECT_EQ(selected({R"($["'"]["@"])"}, {}, text), "2");
}

TEST(PathRfc, TakesWildcards) {
  const std::string text = R"({"o":{"j":1,"k":2},"a":[5,3]})";
  EXPECT_EQ(selected({"$[*]"}, {}, text), text);
  EXPECT_EQ(selected({"$.o[*]"}, {}, text), R"({"j":1,"k":2})");
  EXPECT_EQ(selected({"$.o[*, *]"}, {}, text), R"({"j":1,"k":2})");
  EXPECT_EQ(selected({"$.a[*]"}, {}, text), "[5,3]");
}

TEST(PathRfc, TakesIndicesAndSlices) {
  const std::string text = R"(["a","b","c","d","e","f","g"])";
  EXPECT_EQ(selected({"$[1]"}, {}, text), R"("b")");
  EXPECT_EQ(selected({"$[1:3]"}, {}, text), R"(["b","c"])");
  EXPECT_EQ(selected({"$[5:]"}, {}, text), R"(["f","g"])");
  EXPECT_EQ(selected({"$[1:5:2]"}, {}, text), R"(["b","d"])");
}

TEST(PathRfc, TakesAValueOfAUnionOnce) {
  const std::string text = R"(["a","b","c","d","e","f","g"])";
  EXPECT_EQ(selected({"$[0, 3]"}, {}, text), R"(["a","d"])");
  EXPECT_EQ(selected({"$[0:2, 5]"}, {}, text), R"(["a","b","f"])");
  EXPECT_EQ(selected({"$[0, 0]"}, {}, text), R"(["a"])");
  EXPECT_EQ(selected({"$[3, 0]"}, {}, text), R"(["a","d"])");
}

TEST(PathRfc, TakesDescendants) {
  const std::string text = R"({"o":{"j":1,"k":2},"a":[5,3,[{"j":4},{"k":6}]]})";
  EXPECT_EQ(selected({"$..j"}, {}, text), R"({"o":{"j":1},"a":[[{"j":4}]]})");
  EXPECT_EQ(selected({"$..[0]"}, {}, text), R"({"a":[5,[{"j":4}]]})");
  EXPECT_EQ(selected({"$..[*]"}, {}, text), text);
  EXPECT_EQ(selected({"$..o"}, {}, text), R"({"o":{"j":1,"k":2}})");
  EXPECT_EQ(selected({"$.o..[*, *]"}, {}, text), R"({"j":1,"k":2})");
  EXPECT_EQ(selected({"$.a..[0, 1]"}, {}, text), R"([5,3,[{"j":4},{"k":6}]])");
}

TEST(PathRfc, SelectsNullLikeAnyOtherValue) {
  const std::string text = R"({"a":null,"b":[null],"c":[{}],"null":1})";
  EXPECT_EQ(selected({"$.a"}, {}, text), "null");
  EXPECT_EQ(selected({"$.a[0]"}, {}, text), "");
  EXPECT_EQ(selected({"$.a.d"}, {}, text), "");
  EXPECT_EQ(selected({"$.b[0]"}, {}, text), "null");
  EXPECT_EQ(selected({"$.b[*]"}, {}, text), "[null]");
  EXPECT_EQ(selected({"$.null"}, {}, text), "1");
}

}  // namespace
}  // namespace sluice::json::test
