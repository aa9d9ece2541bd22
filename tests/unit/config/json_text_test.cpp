#include "config/json_text.hpp"

#include "support.hpp"

namespace sluice::config {
namespace {

std::string meta(const std::string& yaml) {
  return good("version: 1\ntools:\n  a:\n    text: x\n    meta: {v: " + yaml + "}\n")
      .tools.at(0)
      .meta;
}

TEST(ConfigJson, FollowsTheCoreSchema) {
  const std::pair<const char*, const char*> cases[] = {
      {"null", "null"},
      {"~", "null"},
      {"", "null"},
      {"true", "true"},
      {"FALSE", "false"},
      {"yes", "\"yes\""},
      {"off", "\"off\""},
      {"\"true\"", "\"true\""},
      {"'1'", "\"1\""},
      {"text", "\"text\""},
      {"0", "0"},
      {"-1", "-1"},
      {"1.10", "1.10"},
      {"1e400", "1e400"},
      {"12345678901234567890", "12345678901234567890"},
      {"-0.5E-3", "-0.5E-3"},
      {"1_000", "\"1_000\""},
      {"1.2.3", "\"1.2.3\""},
      {"2026-01-01", "\"2026-01-01\""},
      {"-", "\"-\""},
      {"1e", "\"1e\""},
      {"0xZZ", "\"0xZZ\""},
      {"[1, a, [], {}]", "[1,\"a\",[],{}]"},
      {"{b: 1, a: {c: 2}}", "{\"b\":1,\"a\":{\"c\":2}}"},
      {"\"a\\n\\\"ä\"", "\"a\\n\\\"ä\""},
      {"!!str 5", "\"5\""}};
  for (const auto& [yaml, expected] : cases)
    EXPECT_EQ(meta(yaml), std::string("{\"v\":") + expected + "}") << yaml;
}

TEST(ConfigJson, AsksHowNumbersAreMeantThatJsonCannotWrite) {
  for (const auto* yaml : {"0x10", "0o17", "007", "+1", ".5", "5.", ".inf", "-.inf", ".nan"})
    EXPECT_NE(complaint(std::string("version: 1\ntools:\n  a:\n    text: x\n    meta: {v: ") +
                        yaml + "}\n")
                  .find("expected a number as JSON writes it"),
              std::string::npos)
        << yaml;
}

TEST(ConfigJson, KeepsTheOrderOfKeysAndWhatIsMerged) {
  EXPECT_EQ(meta("{z: 1, <<: {y: 2, z: 3}, a: 4}"), R"({"v":{"z":1,"y":2,"a":4}})");
}

TEST(ConfigJson, MustBeAnObjectWhereOneIsAskedFor) {
  EXPECT_EQ(complaint("version: 1\ntools: {a: {text: x, meta: [1], output_schema: true}}\n"),
            "2:28: tools.a.meta: expected a mapping, found a list | 2:48: tools.a.output_schema: "
            "expected a mapping, found \"true\"");
}

/// A JSON template as text: slots in angle brackets.
std::string shown(const JsonTemplate& value) {
  std::string out;
  switch (value.kind) {
    case JsonTemplate::Kind::literal:
      return value.literal;
    case JsonTemplate::Kind::string:
      for (const auto& part : value.string.parts)
        out += part.is_slot ? "<" + part.text + ">" : part.text;
      return out;
    case JsonTemplate::Kind::array:
      for (const auto& element : value.elements) out += (out.empty() ? "" : ",") + shown(element);
      return "[" + out + "]";
    case JsonTemplate::Kind::object:
      break;
  }
  for (const auto& member : value.members)
    out += (out.empty() ? "" : ",") + member.name + ":" + shown(member.value);
  return "{" + out + "}";
}

TEST(ConfigJson, BodiesAreJsonWithSlotsInTheirStrings) {
  const auto config = good(R"(version: 1
sources: {s: {type: http, base_url: "http://h"}}
tools:
  a:
    parameters: {q: {}}
    source: s
    request: POST /
    body: {query: "{q}", text: "a {q}", n: 1.10, t: true, nothing: ~, list: ["{q}", x, "{{}}"], "{q}": ""}
)");
  const auto& body = std::get<HttpTool>(config.tools.at(0).source).body;
  ASSERT_TRUE(body);
  EXPECT_EQ(shown(*body),
            "{query:<q>,text:a <q>,n:1.10,t:true,nothing:null,list:[<q>,\"x\",\"{}\"],{q}:\"\"}");
  EXPECT_TRUE(body->members[0].value.string.is_one_slot());
  EXPECT_FALSE(body->members[1].value.string.is_one_slot());
}

}  // namespace
}  // namespace sluice::config
