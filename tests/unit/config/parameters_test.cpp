#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

Tool tool(const std::string& keys) {
  return good("version: 1\ntools:\n  a: {text: x, " + keys + "}\n").tools.at(0);
}
std::string fault(const std::string& keys) {
  return complaint("version: 1\ntools:\n  a: {text: x, " + keys + "}\n");
}

TEST(ConfigParameters, BuildTheInputSchemaInTheirOrder) {
  EXPECT_EQ(
      tool("parameters: {z: {type: string, required: true}, a: {type: integer, minimum: 1, "
           "default: 1.0}}")
          .input_schema,
      R"({"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","minimum":1,"default":1.0}},)"
      R"("required":["z"],"additionalProperties":false})");
  EXPECT_EQ(tool("title: t").input_schema,
            R"({"type":"object","properties":{},"additionalProperties":false})");
}

TEST(ConfigParameters, AdvertiseDefaultsAndWhatIsOptional) {
  const auto made = tool(
      "parameters: {limit: {type: integer, default: 100}, lang: {type: string, enum: [de, en]}, "
      "flag: {type: boolean, default: false}}");
  EXPECT_EQ(
      made.input_schema,
      R"({"type":"object","properties":{"limit":{"type":"integer","default":100},"lang":{"type":"string","enum":["de","en"]},)"
      R"("flag":{"type":"boolean","default":false}},"additionalProperties":false})");
  EXPECT_TRUE(made.parameters[0].has_default);
  EXPECT_FALSE(made.parameters[1].has_default);
  EXPECT_TRUE(made.parameters[2].has_default);
  EXPECT_TRUE(made.parameters[1].is_string);
  EXPECT_FALSE(made.parameters[0].required);
}

TEST(ConfigParameters, PassOnKeywordsThatOthersKnow) {
  EXPECT_EQ(tool("parameters: {a: {type: string, x-mcp-header: Region, whatever: [1]}}")
                .parameters[0]
                .schema,
            R"({"type":"string","x-mcp-header":"Region","whatever":[1]})");
}

TEST(ConfigParameters, TellTheKeywordRequiredFromOurOwn) {
  const auto p = tool("parameters: {a: {type: object, required: [b]}}").parameters.at(0);
  EXPECT_FALSE(p.required);
  EXPECT_EQ(p.schema, R"({"type":"object","required":["b"]})");
}

TEST(ConfigParameters, MayBeEmpty) {
  EXPECT_EQ(tool("parameters: {a: }").input_schema,
            R"({"type":"object","properties":{"a":{}},"additionalProperties":false})");
}

TEST(ConfigParameters, RefuseWhatIsNoSchema) {
  EXPECT_NE(fault("parameters: {a: string}").find("expected a JSON Schema as a mapping"),
            std::string::npos);
  EXPECT_NE(fault("parameters: [a]").find("tools.a.parameters: expected a mapping"),
            std::string::npos);
  EXPECT_NE(fault("parameters: {a: {required: maybe}}").find("expected true or false"),
            std::string::npos);
  EXPECT_NE(fault("parameters: {\"{a}\": {}}").find("without braces"), std::string::npos);
}

TEST(ConfigParameters, PlacesAreForHttpTools) {
  EXPECT_NE(fault("parameters: {a: {in: query}}").find("goes with HTTP tools only"),
            std::string::npos);
}

TEST(ConfigParameters, AWholeSchemaTakesTheirPlace) {
  const auto config = good(R"(version: 1
tools:
  a:
    input_schema: {type: object, properties: {q: {type: string}, n: {default: 1}}, required: [q]}
    command: [p, "{q}", "{n}"]
)");
  const auto& made = config.tools.at(0);
  EXPECT_EQ(
      made.input_schema,
      R"({"type":"object","properties":{"q":{"type":"string"},"n":{"default":1}},"required":["q"]})");
  ASSERT_EQ(made.parameters.size(), 2u);
  EXPECT_TRUE(made.parameters[0].required);
  EXPECT_TRUE(made.parameters[0].is_string);
  EXPECT_TRUE(made.parameters[1].has_default);
  EXPECT_NE(fault("input_schema: {}, parameters: {}").find("cannot stand beside parameters"),
            std::string::npos);
}

}  // namespace
}  // namespace sluice::config
