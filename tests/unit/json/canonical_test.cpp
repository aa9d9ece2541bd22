#include "json/canonical.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::json {
namespace {

std::string of(std::string_view text) {
  Document document;
  const auto root = document.parse_copy(text);
  return root ? canonical(*root) : "(no JSON)";
}

TEST(Canonical, IsOneTextForWhatMeansTheSame) {
  EXPECT_EQ(of(R"({ "b" : [ 1 , true,null ],"a":"A\/\n" })"), R"({"a":"A/\n","b":[1,true,null]})");
  EXPECT_EQ(of(R"({"b":{"d":1,"c":2},"a":{}})"), R"({"a":{},"b":{"c":2,"d":1}})");
  EXPECT_EQ(of("[[],{}]"), "[[],{}]");
  EXPECT_EQ(of(R"("")"), R"("")");
}

TEST(Canonical, TellsApartWhatAToolMayTellApart) {
  EXPECT_NE(of("1"), of("1.0"));
  EXPECT_NE(of("[1,2]"), of("[2,1]"));
  EXPECT_NE(of(R"({"a":1,"a":2})"), of(R"({"a":2,"a":1})"));
  EXPECT_NE(of(R"({"a":null})"), of("{}"));
  EXPECT_NE(of(R"("1")"), of("1"));
  EXPECT_NE(of(R"({"a":"x\",\"b\":\"y"})"), of(R"({"a":"x","b":"y"})"));
}

}  // namespace
}  // namespace sluice::json
