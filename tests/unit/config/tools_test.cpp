#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigTools, ReadTheKeysThatAllShare) {
  const auto config = good(R"(version: 1
tools:
  b: {text: x, structured: {}, title: T, description: D, framing: sse, compression: auto, timeout: 5s, concurrency: 3, max_result: 1MiB, meta: {k: v},
      output_schema: {type: object}, annotations: {title: A, read_only: yes, destructive: no, idempotent: on, open_world: off}}
  a: {text: y}
)");
  const auto& tool = config.tools.at(0);
  EXPECT_EQ(tool.name, "b");
  EXPECT_EQ(tool.title, "T");
  EXPECT_EQ(tool.description, "D");
  EXPECT_EQ(tool.framing, Tool::Framing::sse);
  EXPECT_EQ(tool.compression, Tool::Compression::automatic);
  EXPECT_EQ(tool.timeout, 5s);
  EXPECT_EQ(tool.concurrency, 3u);
  EXPECT_EQ(tool.max_result, 1_MiB);
  EXPECT_EQ(tool.meta, R"({"k":"v"})");
  EXPECT_EQ(tool.output_schema, R"({"type":"object"})");
  EXPECT_EQ(tool.annotation_title, "A");
  EXPECT_EQ(tool.read_only, true);
  EXPECT_EQ(tool.destructive, false);
  EXPECT_EQ(tool.idempotent, true);
  EXPECT_EQ(tool.open_world, false);
  EXPECT_EQ(tool.place.line, 3);
  EXPECT_EQ(config.tools.at(1).name, "a");
  EXPECT_FALSE(config.tools.at(1).read_only);
}

TEST(ConfigTools, AreApartFromTheDefaults) {
  const auto config = good(
      "version: 1\ndefaults: {timeout: 5s, framing: json, compression: auto, max_result: 1KiB, "
      "concurrency: 2}\n"
      "tools: {a: {text: x, timeout: 7s}, b: {text: x, compression: off}}\n");
  EXPECT_EQ(config.tools[0].timeout, 7s);
  EXPECT_FALSE(config.tools[0].max_result);
  EXPECT_FALSE(config.tools[0].compression);
  EXPECT_EQ(config.tools[1].compression, Tool::Compression::off);
  EXPECT_EQ(config.defaults.timeout, 5s);
  EXPECT_EQ(config.defaults.framing, Tool::Framing::json);
  EXPECT_EQ(config.defaults.compression, Tool::Compression::automatic);
  EXPECT_EQ(config.defaults.max_result, 1_KiB);
  EXPECT_EQ(config.defaults.concurrency, 2u);
}

TEST(ConfigTools, HaveExactlyOneSource) {
  EXPECT_EQ(complaint("version: 1\ntools: {a: {text: x, command: [ls]}}\n"),
            "2:12: tools.a: expected exactly one of source, file, command, text or content, found "
            "command, text");
  EXPECT_EQ(complaint("version: 1\ntools: {a: {text: x, content: []}}\n"),
            "2:12: tools.a: expected exactly one of source, file, command, text or content, found "
            "text, content");
  EXPECT_EQ(complaint("version: 1\ntools: {a: }\n"),
            "2:12: tools.a: expected a mapping, found nothing");
}

TEST(ConfigTools, RefuseKeysOfOtherKinds) {
  EXPECT_EQ(
      complaint("version: 1\ntools: {a: {text: x, request: GET /, stdin: y}}\n"),
      "2:22: tools.a: request does not go with text | 2:38: tools.a: stdin does not go with text");
}

TEST(ConfigTools, HaveAnOutputSchemaWithStructuredContentOnly) {
  const std::string off =
      "tools.a.output_schema: goes with structured content only; set structured: both, or on";
  for (const std::string structured :
       {"", "structured: off, ", "structured: 'off', ", "structured: no, "})
    EXPECT_EQ(complaint("version: 1\ntools: {a: {" + structured +
                        "output_schema: {type: object}, command: [ls]}}\n"),
              "2:" + std::to_string(13 + structured.size()) + ": " + off);
  EXPECT_EQ(
      complaint(
          "version: 1\ntools: {a: {output_schema: {type: object}, file: {root: /, path: x}}}\n"),
      "2:13: " + off);
  EXPECT_EQ(complaint("version: 1\nsources: {s: {type: http, base_url: 'http://a'}}\n"
                      "tools: {a: {output_schema: {type: object}, source: s, request: GET /}}\n"),
            "3:13: " + off);
  EXPECT_EQ(
      complaint("version: 1\ntools: {a: {output_schema: {type: object}, text: x}}\n"),
      "2:13: tools.a.output_schema: goes with structured content only; give it under structured:");
  for (const std::string structured : {"on", "both", "yes"})
    EXPECT_EQ(
        complaint(
            "version: 1\ntools: {a: {output_schema: {type: object}, command: [ls], structured: " +
            structured + "}}\n"),
        "");
  EXPECT_EQ(complaint("version: 1\ntools: {a: {output_schema: {}, text: x, structured: {a: 1}}}\n"),
            "");
}

TEST(ConfigTools, RefuseNamesThatClientsCannotUse) {
  EXPECT_NE(complaint("version: 1\ntools: {'a b': {text: x}}\n")
                .find("2:9: \"a b\": a tool's name holds no blanks"),
            std::string::npos);
  EXPECT_EQ(complaint("version: 1\ntools: {größe: {text: x}}\n"), "");
}

TEST(ConfigTools, ReadsIcons) {
  const auto config = good(R"(version: 1
tools:
  a:
    text: x
    icons:
      - { src: "https://example.com/a.png", mime_type: image/png, sizes: [48x48, any], theme: dark }
      - { src: "data:image/png;base64,AA==", sizes: 16x16 }
)");
  const auto& icons = config.tools.at(0).icons;
  ASSERT_EQ(icons.size(), 2U);
  EXPECT_EQ(icons[0].src, "https://example.com/a.png");
  EXPECT_EQ(icons[0].mime_type, "image/png");
  EXPECT_EQ(icons[0].sizes, (Lines{"48x48", "any"}));
  EXPECT_EQ(icons[0].theme, Icon::Theme::dark);
  EXPECT_EQ(icons[1].sizes, Lines{"16x16"});
  EXPECT_EQ(icons[1].theme, Icon::Theme::any);
}

TEST(ConfigTools, ComplainsOfIconsThatNoClientShows) {
  const auto told = [](const std::string& icons) {
    return complaint("version: 1\ntools: {a: {text: x, icons: " + icons + "}}");
  };
  for (const auto* src : {"javascript:x", "file:///a.png", "a.png", "ftp://example.com/a", "''"})
    EXPECT_NE(told("[{src: " + std::string(src) + "}]").find("expected an http, https or data URI"),
              std::string::npos)
        << src;
  EXPECT_NE(told("[{}]").find("src is missing"), std::string::npos);
  EXPECT_NE(told("[{src: 'data:,', sizes: [big]}]").find("48x48"), std::string::npos);
  EXPECT_NE(told("[{src: 'data:,', theme: pink}]").find("light or dark"), std::string::npos);
  EXPECT_NE(told("[{src: 'data:,', x: 1}]").find("unknown key"), std::string::npos);
}

TEST(ConfigTools, MayAskBeforeTheyRun) {
  const auto config = good(R"(version: 1
tools:
  a: {text: x, parameters: {name: {type: string, required: true}, n: {default: 1}}, confirm: "Delete {name}, {n} {{times}}?", confirm_fallback: allow}
  b: {text: x, confirm: 'Go on?'}
  c: {text: x}
)");
  const auto& confirm = config.tools.at(0).confirm;
  ASSERT_TRUE(confirm);
  EXPECT_TRUE(confirm->allows_unasked);
  ASSERT_EQ(confirm->question.parts.size(), 5U);
  EXPECT_EQ(confirm->question.parts[1].text, "name");
  EXPECT_EQ(confirm->question.parts[4].text, " {times}?");
  ASSERT_TRUE(config.tools.at(1).confirm);
  EXPECT_FALSE(config.tools.at(1).confirm->allows_unasked);
  EXPECT_FALSE(config.tools.at(2).confirm);
}

TEST(ConfigTools, ComplainOfQuestionsThatCannotBeAsked) {
  const auto told = [](const std::string& keys) {
    return complaint("version: 1\ntools: {a: {command: [ls], parameters: {p: {}}, " + keys + "}}");
  };
  EXPECT_NE(told("confirm: 'Delete {q}?'").find("no parameter \"q\""), std::string::npos);
  EXPECT_NE(told("confirm: 'Delete {p}?'").find("needs {p}; make the parameter required"),
            std::string::npos);
  EXPECT_NE(told("confirm: ''").find("expected a question"), std::string::npos);
  EXPECT_NE(told("confirm: [x]").find("expected text"), std::string::npos);
  EXPECT_NE(told("confirm: x, confirm_fallback: maybe").find("expected refuse or allow"),
            std::string::npos);
  EXPECT_NE(told("confirm_fallback: allow").find("goes with confirm only"), std::string::npos);
  EXPECT_NE(told("confirm: x, cache: {ttl: 1s}").find("does not go with cache"), std::string::npos);
}

}  // namespace
}  // namespace sluice::config
