// The JSON Schema for editors, which is written by hand, against the loader.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "config/json_text.hpp"
#include "config/keys.hpp"
#include "json/document.hpp"
#include "schema/schema.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

const std::string kFolder = SLUICE_SOURCE_DIR "/config/";

std::string slurp_text(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(ConfigEditorSchema, HasTheKeysThatTheLoaderKnows) {
  json::Document document;
  const auto root = document.parse_copy(slurp_text(kFolder + "sluice.schema.json"));
  ASSERT_TRUE(root);
  for (const auto* table : key_tables()) {
    const Json section = table->section == "top" ? *root : root->find("$defs").find(table->section);
    const Json properties = section.find("properties");
    ASSERT_TRUE(properties) << table->section;
    std::set<std::string_view> in_schema;
    for (const auto& member : properties.members()) in_schema.insert(member.name);
    const std::set<std::string_view> in_loader(table->keys.begin(), table->keys.end());
    EXPECT_EQ(in_schema, in_loader) << table->section;
    const Json others = section.find("additionalProperties");
    EXPECT_EQ(others && others.as_bool() == false, !table->is_open) << table->section;
  }
}

TEST(ConfigEditorSchema, ToolsHaveTheKeysOfAllTheirKinds) {
  std::set<std::string_view> all;
  for (const auto& part :
       {keys::tool_common, keys::tool_http, keys::tool_file, keys::tool_command, keys::tool_inline})
    all.insert(part.begin(), part.end());
  EXPECT_EQ(all, std::set<std::string_view>(keys::tool.keys.begin(), keys::tool.keys.end()));
}

TEST(ConfigEditorSchema, ResourcesHaveTheKeysOfAllTheirKinds) {
  std::set<std::string_view> all;
  for (const auto& part : {keys::resource_common, keys::resource_http, keys::resource_file,
                           keys::resource_tree, keys::resource_command, keys::resource_inline})
    all.insert(part.begin(), part.end());
  EXPECT_EQ(all,
            std::set<std::string_view>(keys::resource.keys.begin(), keys::resource.keys.end()));
}

class Checker {
 public:
  Checker() {
    schema::Schema::CompileError error;
    schema_ = schema::Schema::compile(slurp_text(kFolder + "sluice.schema.json"), error);
    EXPECT_TRUE(schema_) << error.pointer << ": " << error.message;
  }
  /// The first rule that the text breaks; empty where it breaks none.
  std::string check(const std::string& yaml) const {
    Complaints complaints("test.yaml");
    Context context{complaints, "/"};
    const auto root = yaml::parse(yaml, complaints);
    const auto text = root ? to_json(Field(context, *root, {})) : std::nullopt;
    if (!text || !schema_) return "cannot be read";
    json::Document document;
    const auto value = document.parse_copy(*text);
    if (!value) return "is no JSON";
    const auto verdict = schema_->validate(*value);
    if (verdict.violations.empty()) return {};
    const auto& first = verdict.violations[0];
    return first.instance_path + " " + first.rule + " " + first.message;
  }

 private:
  std::unique_ptr<const schema::Schema> schema_;
};

TEST(ConfigEditorSchema, AcceptsTheFilesThatWeShip) {
  const Checker checker;
  for (const auto* name :
       {"sluice.yaml", "examples/reference.yaml", "examples/market.yaml", "examples/prompts.yaml",
        "examples/resources.yaml", "examples/confirm.yaml", "examples/smaller.yaml"})
    EXPECT_EQ(checker.check(slurp_text(kFolder + name)), "") << name;
}

TEST(ConfigEditorSchema, RefusesWhatTheLoaderRefuses) {
  const Checker checker;
  EXPECT_EQ(checker.check("version: 1\n"), "");
  for (const auto* text :
       {"server: {}",
        "version: 2",
        "version: 1\nx: 1",
        "version: 1\nserver: {lisen: x}",
        "version: 1\nlog: {level: loud}",
        "version: 1\ntimeouts: {idle: 5}",
        "version: 1\nlimits: {result: 4mib}",
        "version: 1\nlimits: {batch: many}",
        "version: 1\nlog: {json: maybe}",
        "version: 1\nsources: {s: {type: http}}",
        "version: 1\ntools: {a: {}}",
        "version: 1\ntools: {a: {text: x, command: [ls]}}",
        "version: 1\ntools: {'a b': {text: x}}",
        "version: 1\ntools: {a: {text: x, parameters: {p: {in: cookie}}}}",
        "version: 1\ntools: {a: {content: [{type: video}]}}",
        "version: 1\nprompts: {a: {}}",
        "version: 1\nprompts: {a: {messages: []}}",
        "version: 1\nprompts: {a: {messages: [{text: x}]}}",
        "version: 1\nprompts: {a: {messages: [{role: system, text: x}]}}",
        "version: 1\nprompts: {a: {arguments: {b: {complete: {}}}, messages: [{role: user, text: "
        "x}]}}",
        "version: 1\ntools: {a: {text: x, icons: [{}]}}",
        "version: 1\ntools: {a: {text: x, page: {size: 3}}}",
        "version: 1\ntools: {a: {text: x, park: {size: 3}}}",
        "version: 1\nresources: {a: {uri: 'x:a'}}",
        "version: 1\nresources: {a: {uri: 'x:a', uri_template: 'x:{a}', text: a}}",
        "version: 1\nresources: {a: {uri: 'x:a', text: a, cache_scope: shared}}",
        "version: 1\nresources: {a: {directory: {root: /}}}"}) {
    EXPECT_NE(checker.check(text), "") << text;
    EXPECT_NE(complaints(text), Lines{}) << text;
  }
}

}  // namespace
}  // namespace sluice::config
