#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

std::string fault(const std::string& prompt) {
  return complaint("version: 1\nsources: {s: {type: http, base_url: \"http://h\"}}\nprompts: {p: " +
                   prompt + "}\n");
}
std::string message_fault(const std::string& message) {
  return fault("{arguments: {a: {}, b: {}}, messages: [" + message + "]}");
}

/// "text{slot}" again.
std::string shown(const Template& text) {
  std::string out;
  for (const auto& part : text.parts) out += part.is_slot ? "<" + part.text + ">" : part.text;
  return out;
}

TEST(ConfigPrompts, HaveMessagesOfEveryKind) {
  const Folder folder;
  folder.put("a.md", "Read {a}, not {{a}}.\n");
  folder.put("b.png", "\x89PNG");
  folder.put("c.json", "{\"k\":1}");
  const auto loaded = load_text(R"(version: 1
prompts:
  p:
    title: T
    description: D
    meta: {k: 1}
    icons: [{src: "data:,"}]
    arguments:
      a: {title: A, description: first, required: yes}
      b:
    messages:
      - {role: user, text: "{a} and {{b}}", annotations: {audience: user}}
      - {role: assistant, type: text, file: a.md, when: b}
      - {role: user, type: image, file: b.png}
      - {role: user, type: audio, data: UklGRg==, mime_type: audio/wav}
      - {role: user, type: resource_link, uri: "https://e/{a}", name: "n {b}", title: "t{a}", description: "d{a}", size: 3}
      - {role: user, type: resource, uri: "{a}", text: "r {a}"}
      - {role: user, type: resource, uri: "x:1", file: c.json}
      - {role: user, type: resource, uri: "x:2", file: b.png}
)",
                                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  ASSERT_EQ(loaded.config.prompts.size(), 1U);
  const Prompt& prompt = loaded.config.prompts[0];
  EXPECT_EQ(prompt.name, "p");
  EXPECT_EQ(prompt.title, "T");
  EXPECT_EQ(prompt.description, "D");
  EXPECT_EQ(prompt.meta, R"({"k":1})");
  EXPECT_EQ(prompt.icons.size(), 1U);
  ASSERT_EQ(prompt.arguments.size(), 2U);
  EXPECT_EQ(prompt.arguments[0].name, "a");
  EXPECT_EQ(prompt.arguments[0].title, "A");
  EXPECT_EQ(prompt.arguments[0].description, "first");
  EXPECT_TRUE(prompt.arguments[0].required);
  EXPECT_FALSE(prompt.arguments[1].required);

  const auto& messages = prompt.messages;
  ASSERT_EQ(messages.size(), 8U);
  EXPECT_EQ(shown(messages[0].text), "<a> and {b}");
  EXPECT_EQ(messages[0].block.annotations.audience, Lines{"user"});
  EXPECT_EQ(messages[1].role, PromptMessage::Role::assistant);
  EXPECT_EQ(shown(messages[1].text), "Read <a>, not {a}.\n");
  EXPECT_EQ(messages[1].when, "b");
  EXPECT_EQ(messages[2].block.data, "\x89PNG");
  EXPECT_EQ(messages[2].block.mime_type, "image/png");
  EXPECT_EQ(messages[3].block.data, "RIFF");
  EXPECT_EQ(shown(messages[4].uri), "https://e/<a>");
  EXPECT_EQ(shown(messages[4].name), "n <b>");
  EXPECT_EQ(shown(messages[4].title), "t<a>");
  EXPECT_EQ(shown(messages[4].description), "d<a>");
  EXPECT_EQ(messages[4].block.size, 3U);
  EXPECT_EQ(shown(messages[5].uri), "<a>");
  EXPECT_EQ(shown(messages[5].text), "r <a>");
  EXPECT_EQ(shown(messages[6].text), "{\"k\":1}") << "an embedded file is no template";
  EXPECT_TRUE(messages[7].block.is_binary);
}

TEST(ConfigPrompts, TakeWhatAVariablePutsInAsText) {
  const Variable variable("SLUICE_PROMPT", "{a} {{");
  const auto config = good(
      "version: 1\nprompts: {p: {arguments: {a: {}}, messages: [{role: user, text: "
      "\"{a} ${SLUICE_PROMPT}\"}]}}\n");
  EXPECT_EQ(shown(config.prompts.at(0).messages.at(0).text), "<a> {a} {{");
}

TEST(ConfigPrompts, ComplainOfMessagesThatMeanNothing) {
  const std::pair<const char*, const char*> cases[] = {
      {"{text: x}", "role is missing"},
      {"{role: system, text: x}", "expected user or assistant"},
      {"{role: user}", "exactly one of text, file"},
      {"{role: user, text: x, file: y}", "exactly one of text, file"},
      {"{role: user, text: \"{c}\"}", "there is no parameter \"c\""},
      {"{role: user, text: \"{\"}", "opens no {parameter}"},
      {"{role: user, text: x, when: c}", "the prompt has no argument \"c\""},
      {"{role: user, text: x, uri: \"x:1\"}", "uri does not go with type: text"},
      {"{role: user, type: video, text: x}", "expected text, image"},
      {"{role: user, type: resource_link, name: n}", "uri is missing"},
      {"{role: user, type: resource_link, uri: \"{a}{b}\", name: n}", "begins with its scheme"},
      {"{role: user, type: resource_link, uri: \"here/{a}\", name: n}", "expected a URI"},
      {"{role: user, type: image, data: AA==}", "mime_type is missing"},
      {"x", "expected a mapping"},
      {"{role: user, text: x, y: 1}", "unknown key \"y\""}};
  for (const auto& [message, wanted] : cases)
    EXPECT_NE(message_fault(message).find(wanted), std::string::npos)
        << message << ": " << message_fault(message);
  EXPECT_NE(fault("{}").find("messages is missing"), std::string::npos);
  EXPECT_NE(fault("{messages: []}").find("messages is missing"), std::string::npos);
  EXPECT_NE(fault("5").find("expected a mapping"), std::string::npos);
  EXPECT_NE(complaint("version: 1\nprompts: {'a b': {messages: [{role: user, text: x}]}}\n")
                .find("a prompt's name holds no blanks"),
            std::string::npos);
}

TEST(ConfigPrompts, TellTheLineOfAFileInWhichABraceIsLeftOpen) {
  const Folder folder;
  folder.put("a.md", "one\ntwo }\n");
  folder.put("b.md", "{a}\n\n  {\n");
  folder.put("c.md", "{nobody}");
  const auto loaded = load_text(R"(version: 1
prompts:
  p:
    arguments: {a: {}}
    messages:
      - {role: user, file: a.md}
      - {role: user, file: b.md}
      - {role: user, file: c.md}
)",
                                folder.path("c.yaml"));
  const auto found = complaints_of(loaded);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].find("6:28: prompts.p.messages[0].file: \"a.md\", line 2: a \"}\""), 0U)
      << found[0];
  EXPECT_NE(found[1].find("\"b.md\", line 3: a \"{\""), std::string::npos) << found[1];
  EXPECT_NE(found[2].find("there is no parameter \"nobody\""), std::string::npos) << found[2];
  EXPECT_TRUE(loaded.config.prompts.empty()) << "what holds a fault is not looked at further";
}

TEST(ConfigPrompts, CompleteArgumentsFromEverywhere) {
  const Folder folder;
  folder.put("notes/a.md", "");
  const auto loaded = load_text(R"(version: 1
sources: {s: {type: http, base_url: "http://h"}}
prompts:
  p:
    arguments:
      a: {enum: [x, 5]}
      b: {complete: {list: [u, v]}}
      c: {complete: {files: {root: notes, pattern: "**/*.md"}}}
      d: {complete: {http: {source: s, request: "GET /d/{d}", query: {of: "{a}"}, headers: {X-B: "{b}"}, pointer: /names}}}
    messages: [{role: user, text: x}]
)",
                                folder.path("c.yaml"));
  EXPECT_EQ(complaints_of(loaded), Lines{});
  const auto& arguments = loaded.config.prompts.at(0).arguments;
  EXPECT_EQ(arguments[0].allowed, (Lines{"x", "5"}));
  EXPECT_EQ(std::get<Lines>(arguments[1].completion->from), (Lines{"u", "v"}));
  const auto& files = std::get<Completion::Files>(arguments[2].completion->from);
  EXPECT_EQ(files.root, folder.path("notes"));
  EXPECT_EQ(files.pattern, "**/*.md");
  const auto& http = std::get<Completion::Upstream>(arguments[3].completion->from);
  EXPECT_EQ(http.request.source, "s");
  EXPECT_EQ(http.request.method, "GET");
  EXPECT_EQ(shown(http.request.path), "/d/<d>");
  EXPECT_EQ(shown(http.request.query.at(0).second), "<a>");
  EXPECT_EQ(shown(http.request.headers.at(0).second), "<b>");
  EXPECT_EQ(http.pointer, "/names");
}

TEST(ConfigPrompts, ComplainOfCompletionsThatCannotWork) {
  const std::pair<const char*, const char*> cases[] = {
      {"{enum: []}", "at least one value"},
      {"{enum: x}", "expected a list"},
      {"{enum: [x], complete: {list: [x]}}", "leave out complete"},
      {"{complete: {}}", "exactly one of list, files or http"},
      {"{complete: {list: [a], files: {root: /}}}", "exactly one of list, files or http"},
      {"{complete: [a]}", "with list, files or http"},
      {"{complete: {files: {}}}", "root is missing"},
      {"{complete: {files: {root: /nowhere-at-all}}}", "cannot read"},
      {"{complete: {files: {root: /, pattern: ''}}}", "a pattern such as"},
      {"{complete: {http: {request: GET /}}}", "source is missing"},
      {"{complete: {http: {source: s}}}", "request is missing"},
      {"{complete: {http: {source: t, request: GET /}}}", "no source is named \"t\""},
      {"{complete: {http: {source: s, request: GET /, query: {q: \"{z}\"}}}}",
       "there is no parameter \"z\""},
      {"{complete: {http: {source: s, request: \"GET /{b}\"}}}", "the path needs {b}"},
      {"{complete: {http: {source: s, request: GET /, pointer: names}}}", "a JSON Pointer"},
      {"{complete: {http: {source: s, request: GET /, pointer: /~2}}}", "a JSON Pointer"},
      {"{complete: {htp: {}}}", "unknown key \"htp\""}};
  for (const auto& [argument, wanted] : cases) {
    const std::string found = fault("{arguments: {a: " + std::string(argument) +
                                    ", b: {}}, messages: [{role: user, text: x}]}");
    EXPECT_NE(found.find(wanted), std::string::npos) << argument << ": " << found;
  }
}

}  // namespace
}  // namespace sluice::config
