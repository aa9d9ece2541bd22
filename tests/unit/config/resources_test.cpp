#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

Resource only(const std::string& body) {
  return good("version: 1\nresources:\n  r:\n" + body).resources.at(0);
}
/// The complaint about a resource whose keys are given in braces.
std::string about(const std::string& body) {
  return complaint("version: 1\nresources: {r: {" + body + "}}\n");
}
bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ConfigResources, ReadEveryKey) {
  const auto r = only(R"(    uri: x://a
    title: T
    description: D
    mime_type: text/markdown
    annotations: {audience: user, priority: 0.5, last_modified: "2026"}
    size: 3
    icons: [{src: "https://x"}]
    meta: {a: 1}
    ttl: 5s
    cache_scope: public
    framing: json
    compression: auto
    timeout: 2s
    concurrency: 4
    max_result: 1MiB
    text: "abc {not a slot}"
)");
  EXPECT_EQ(r.name, "r");
  EXPECT_EQ(r.uri, "x://a");
  EXPECT_EQ(r.mime_type, "text/markdown");
  EXPECT_EQ(r.annotations.audience, Lines{"user"});
  EXPECT_EQ(r.annotations.priority, 0.5);
  EXPECT_EQ(r.size, 3u);
  EXPECT_EQ(r.icons.size(), 1u);
  EXPECT_EQ(r.meta, R"({"a":1})");
  EXPECT_EQ(r.ttl, 5s);
  EXPECT_TRUE(r.is_public);
  EXPECT_EQ(r.framing, Tool::Framing::json);
  EXPECT_EQ(r.compression, Tool::Compression::automatic);
  EXPECT_EQ(r.timeout, 2s);
  EXPECT_EQ(r.concurrency, 4u);
  EXPECT_EQ(r.max_result, 1_MiB);
  const auto& block = std::get<InlineTool>(r.source).blocks.at(0);
  EXPECT_EQ(block.kind, InlineBlock::Kind::resource);
  EXPECT_EQ(block.text, "abc {not a slot}");
  EXPECT_EQ(block.uri, "x://a");
}

TEST(ConfigResources, HaveSafeDefaults) {
  const auto r = only("    uri: x://a\n    text: a\n");
  EXPECT_EQ(r.ttl, 0s);
  EXPECT_FALSE(r.is_public);
  EXPECT_TRUE(r.watch);
}

TEST(ConfigResources, HoldBytesThatStandInTheFileOrBesideIt) {
  EXPECT_EQ(std::get<InlineTool>(only("    uri: x://a\n    data: |\n      AA\n      H/\n").source)
                .blocks.at(0)
                .data,
            std::string("\0\1\xff", 3));
  const Folder folder;
  folder.put("text.md", "caf\xC3\xA9");
  folder.put("odd", "\xff");
  const auto loaded = load_text(
      "version: 1\nresources:\n  a: {uri: 'x://a', file: text.md}\n  b: {uri: 'x://b', file: "
      "odd}\n",
      folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& a = std::get<InlineTool>(loaded.config.resources.at(0).source).blocks.at(0);
  EXPECT_FALSE(a.is_binary);
  EXPECT_EQ(a.text, "caf\xC3\xA9");
  EXPECT_EQ(a.file, folder.path("text.md"));
  EXPECT_TRUE(std::get<InlineTool>(loaded.config.resources.at(1).source).blocks.at(0).is_binary);
  EXPECT_TRUE(holds(about("uri: 'x://a', file: nothing.md"), "No such file"));
  EXPECT_TRUE(holds(about("uri: 'x://a', data: '?'"), "expected base64"));
}

TEST(ConfigResources, FindTheirVariablesInTheTemplate) {
  const auto r = only(R"(    uri_template: "x://{a}{?n,list*}"
    parameters: {n: {type: integer, default: 3}}
    text: "{a} and {n}; {{}}"
)");
  EXPECT_EQ(r.uri_template, "x://{a}{?n,list*}");
  ASSERT_EQ(r.parameters.size(), 3u);
  EXPECT_EQ(r.parameters_schema,
            R"({"type":"object","properties":{"n":{"type":"integer","default":3},)"
            R"("a":{"type":"string"},"list":{"type":"array","items":{"type":"string"}}},)"
            R"("required":["a"],"additionalProperties":false})");
  EXPECT_EQ(std::get<TextTemplate>(r.source).text.parts.size(), 4u);
}

TEST(ConfigResources, OfferValuesForTheirVariables) {
  const auto r = only(R"(    uri_template: "x://{a}/{b}"
    complete: {b: {list: [one, two]}}
    text: "{a}"
)");
  ASSERT_EQ(r.completions.size(), 1u);
  EXPECT_EQ(r.completions[0].first, "b");
  EXPECT_TRUE(holds(about("uri_template: 'x://{a}', complete: {b: {list: [c]}}, text: x"),
                    "the template holds no {b}"));
  EXPECT_TRUE(holds(about("uri_template: 'x://{a}', complete: {a: {}}, text: x"), "expected"));
  EXPECT_TRUE(holds(about("uri: 'x://a', complete: {}, text: x"), "does not go with uri"));
}

TEST(ConfigResources, RefuseTemplatesThatCannotBeTakenApart) {
  EXPECT_EQ(about("uri_template: 'x://{a}-{b}', text: x"),
            "2:31: resources.r.uri_template: nothing tells where {a} ends and {b} begins; put a "
            "character between them that values do not hold, such as /");
  EXPECT_TRUE(holds(about("uri_template: 'x://{a', text: x"), "at character 5"));
  EXPECT_TRUE(holds(about("uri_template: 'x://{a:3}', text: x"), "loses the rest"));
  EXPECT_TRUE(holds(about("uri_template: '{a}', text: x"), "begins with a scheme"));
  EXPECT_TRUE(holds(about("uri_template: 'x://a', text: x"), "holds no variable"));
  EXPECT_TRUE(holds(about("uri_template: 'x://{a}', parameters: {b: {}}, text: x"),
                    "the template holds no {b}"));
  EXPECT_TRUE(holds(about("uri_template: 'x:/{/a*}', parameters: {a: {type: string}}, text: x"),
                    "{a*} is a list"));
}

TEST(ConfigResources, TakeEverySourceOfTools) {
  const Folder folder;
  folder.put("share/a", "");
  const auto loaded = load_text(R"(version: 1
sources: {up: {type: http, base_url: "http://x"}}
resources:
  http:
    uri_template: "x://{id}{?n}"
    parameters: {n: {type: integer, in: query}}
    source: up
    request: GET /items/{id}
    headers: {A: b}
    result: blob
  file: {uri: "x://file", file: {root: share, path: a}, watch: false}
  tree: {directory: {root: share, uri: "x://t/", include: "*.md", exclude: [a, b/**], max_files: 7}}
  command: {uri: "x://c", command: [pwd], directory: share}
)",
                                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& all = loaded.config.resources;
  EXPECT_EQ(std::get<HttpTool>(all.at(0).source).result, ResultKind::blob);
  EXPECT_EQ(std::get<FileTool>(all.at(1).source).root, folder.path("share"));
  EXPECT_FALSE(all.at(1).watch);
  const auto& tree = std::get<FileTree>(all.at(2).source);
  EXPECT_EQ(tree.uri, "x://t/");
  EXPECT_EQ(tree.include, Lines{"*.md"});
  EXPECT_EQ(tree.exclude, (Lines{"a", "b/**"}));
  EXPECT_EQ(tree.max_files, 7u);
  const auto& command = std::get<CommandTool>(all.at(3).source);
  EXPECT_EQ(command.directory, folder.path("share"));
  EXPECT_EQ(command.result, ResultKind::automatic);
}

TEST(ConfigResources, HaveOneSourceAndOnePlace) {
  EXPECT_TRUE(holds(about("uri: 'x://a'"), "expected one of source, file, directory, command"));
  EXPECT_TRUE(holds(about("uri: 'x://a', text: a, data: AA=="), "expected exactly one of"));
  EXPECT_TRUE(holds(about("uri: 'x://a', directory: /"), "expected one of source"));
  EXPECT_TRUE(holds(about("text: a"), "expected uri or uri_template"));
  EXPECT_TRUE(
      holds(about("uri: 'x://a', uri_template: 'x://{a}', text: a"), "cannot stand beside"));
  EXPECT_TRUE(holds(about("uri: none, text: a"), "expected a URI"));
  EXPECT_TRUE(holds(about("uri: 'x://a', parameters: {a: {}}, text: a"), "does not go with uri"));
  EXPECT_TRUE(holds(about("uri_template: 'x://{a}', data: AA=="), "does not go with uri_template"));
  EXPECT_TRUE(holds(about("uri_template: 'x://{a}', size: 1, text: a"), "does not go with"));
  EXPECT_TRUE(holds(about("uri: 'x://a', text: a, watch: true"), "watch does not go with text"));
  EXPECT_TRUE(holds(about("uri: 'x://a', text: a, request: GET /"), "request does not go with"));
  EXPECT_TRUE(holds(about("uri: 'x://a', txt: a"), "unknown key \"txt\""));
  EXPECT_TRUE(
      holds(about("uri_template: 'x://{a}', parameters: {a: {in: query}}, text: a"), "in:"));
  EXPECT_TRUE(
      holds(about("uri_template: 'x://a{?b}', text: 'x {b}'"), "make the parameter required"));
}

TEST(ConfigResources, CheckDirectories) {
  EXPECT_TRUE(holds(about("directory: {uri: 'x://a/'}"), "root is missing"));
  EXPECT_TRUE(holds(about("directory: {root: /}"), "uri is missing"));
  EXPECT_TRUE(holds(about("directory: {root: /, uri: 'x://a'}"), "ends with /"));
  EXPECT_TRUE(holds(about("directory: {root: /, uri: 'x://a?b/'}"), "ends with /"));
  EXPECT_TRUE(holds(about("directory: {root: /no/such, uri: 'x://a/'}"), "No such file"));
  EXPECT_TRUE(holds(about("directory: {root: /, uri: 'x://a/', include: [/x]}"), "below the root"));
  EXPECT_TRUE(
      holds(about("uri: 'x://a', directory: {root: /, uri: 'x://a/'}"), "does not go with"));
  EXPECT_TRUE(holds(about("directory: {root: /, uri: 'x://a/', glob: x}"), "unknown key \"glob\""));
}

TEST(ConfigResources, ThatHoldNoFaultAreKept) {
  const auto loaded = load_text(
      "version: 1\nresources:\n  a: {uri: 'x://a', text: a}\n  b: {uri: 'x://b'}\n", "c.yaml");
  EXPECT_EQ(loaded.complaints.size(), 1u);
  ASSERT_EQ(loaded.config.resources.size(), 1u);
  EXPECT_EQ(loaded.config.resources[0].name, "a");
}

}  // namespace
}  // namespace sluice::config
