#include <gtest/gtest.h>

#include "check.hpp"
#include "schema/schema.hpp"

namespace sluice::schema {
namespace {

TEST(Compile, TakesBooleansAndUnknownKeywords) {
  EXPECT_TRUE(is_valid("true", "1"));
  EXPECT_EQ(complaints("false", "1"), " is not allowed here");
  EXPECT_TRUE(is_valid(R"({"x-unit":5,"mimimum":7,"format":"no-such-format"})", "1"));
  EXPECT_TRUE(is_valid(R"({"format":"email","contentEncoding":"base64"})", "\"no\""));
}

TEST(Compile, NamesThePlaceAndWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"{", ": is not a JSON text in UTF-8"},
      {"5", ": must be a schema (an object or a boolean), is integer"},
      {R"({"type":"strin"})",
       R"(/type: must be one of null, boolean, integer, number, string, array, object; is "strin")"},
      {R"({"type":5})", "/type: must be a string or an array of strings, is integer"},
      {R"({"type":[]})", "/type: must name at least one type"},
      {R"({"properties":{"a":{"minLength":-1}}})",
       "/properties/a/minLength: must be an integer of 0 or more, is -1"},
      {R"({"maxItems":1.5})", "/maxItems: must be an integer of 0 or more, is 1.5"},
      {R"({"maxItems":"2"})", "/maxItems: must be an integer of 0 or more, is string"},
      {R"({"minimum":"2"})", "/minimum: must be a number, is string"},
      {R"({"exclusiveMinimum":true})", "/exclusiveMinimum: must be a number, is boolean"},
      {R"({"multipleOf":0})", "/multipleOf: must be greater than 0, is 0"},
      {R"({"required":true})", "/required: must be an array of strings, is boolean"},
      {R"({"required":[1]})", "/required/0: must be a string, is integer"},
      {R"({"enum":"a"})", "/enum: must be an array, is string"},
      {R"({"uniqueItems":1})", "/uniqueItems: must be a boolean, is integer"},
      {R"({"properties":[]})", "/properties: must be an object, is array"},
      {R"({"properties":{"a":1}})",
       "/properties/a: must be a schema (an object or a boolean), is integer"},
      {R"({"allOf":[]})", "/allOf: must hold at least one schema"},
      {R"({"allOf":{}})", "/allOf: must be an array of schemas, is object"},
      {R"({"items":[{}]})",
       "/items: must be one schema, is array; a schema for each position stands in prefixItems"},
      {R"({"$ref":"#/$defs/a"})", R"(/$ref: refers to "#/$defs/a", which is not there)"},
      {R"({"$ref":"#a"})", R"(/$ref: refers to "#a", but there is no such anchor)"},
      {R"({"$ref":"#/a~2"})", R"(/$ref: refers to "#/a~2", where '~' must be followed by 0 or 1)"},
      {R"({"$ref":"other.json#/a"})",
       R"(/$ref: refers to "other.json#/a", which leads out of this document; only references to its own parts are followed)"},
      {R"({"$ref":5})", "/$ref: must be a string, is integer"},
      {R"({"$ref":"#/enum/0","enum":[7]})",
       "/enum/0: must be a schema (an object or a boolean), is integer"},
      {R"({"$schema":"http://json-schema.org/draft-04/schema#"})",
       "/$schema: is not supported; use https://json-schema.org/draft/2020-12/schema or "
       "http://json-schema.org/draft-07/schema"},
      {R"({"$id":"a#b"})", "/$id: must have no fragment; use $anchor"},
      {R"({"$anchor":"a b"})",
       "/$anchor: must be a name of letters, digits, '-', '.' and '_' that starts with a letter or "
       "'_'"},
      {R"({"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}})",
       "/$defs/b/$id: is the name of another schema too"},
      {R"({"minimum":1,"minimum":2})", "/minimum: is given twice"},
      {R"({"title":5})", "/title: must be a string, is integer"},
      {R"({"patternProperties":{"(":true}})",
       "/patternProperties/(: is no regular expression of ECMA-262: missing closing parenthesis "
       "(at byte 1)"},
      {R"({"pattern":"(?i)a"})",
       "/pattern: is no regular expression of ECMA-262: '(?i' is not of ECMA-262, which has (?:, "
       "(?=, (?!, (?<=, (?<! and (?<name>"},
  };
  for (const auto& [schema, error] : cases) EXPECT_EQ(compile_error(schema), error) << schema;
}

TEST(Compile, CountsTheMetaschemaAsAnotherDocument) {
  EXPECT_NE(
      compile_error(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})").find("leads out"),
      std::string::npos);
  EXPECT_NE(
      compile_error(R"({"$ref":"http://json-schema.org/draft-07/schema#"})").find("leads out"),
      std::string::npos);
}

TEST(Compile, KnowsDraft07WithAndWithoutHash) {
  for (const std::string hash : {"", "#"}) {
    const std::string schema = R"({"$schema":"http://json-schema.org/draft-07/schema)" + hash +
                               R"(","items":[{"type":"integer"}],"additionalItems":false})";
    EXPECT_TRUE(is_valid(schema, "[1]"));
    EXPECT_EQ(complaints(schema, "[1,2]"), "/1 is not allowed here; at most 1 item");
  }
}

TEST(Compile, ReferencesReachUnknownKeywords) {
  EXPECT_FALSE(is_valid(R"({"x-types":{"n":{"type":"null"}},"$ref":"#/x-types/n"})", "1"));
  EXPECT_EQ(compile_error(R"({"x-types":{"n":{"type":"nul"}},"$ref":"#/x-types/n"})").substr(0, 16),
            "/x-types/n/type:");
}

TEST(Compile, AnEmbeddedSchemaMayHaveItsOwnDialect) {
  constexpr std::string_view kSchema =
      R"({"$defs":{"old":{"$id":"old","$schema":"http://json-schema.org/draft-07/schema#",
    "dependencies":{"a":["b"]}}},"$ref":"old"})";
  EXPECT_EQ(complaints(kSchema, R"({"a":1})"), R"( "b" is required where "a" is given)");
}

}  // namespace
}  // namespace sluice::schema
