#include "config/variables.hpp"

#include "support.hpp"

namespace sluice::config {
namespace {

std::string value(const std::string& written) {
  std::string out;
  const auto expanded = expand(written);
  for (const auto& fault : expanded.faults) out += "[" + fault + "]";
  for (const auto& s : expanded.segments) out += s.text;
  return out;
}

std::string text_of_tool(const std::string& text) {
  return std::get<InlineTool>(good(text).tools.at(0).source).blocks.at(0).text;
}

TEST(ConfigVariables, AreReplacedOnceByteForByte) {
  const Variable set("SLUICE_T", "a ${SLUICE_T} $1 {x} \"q\" # c");
  EXPECT_EQ(value("<${SLUICE_T}>"), "<a ${SLUICE_T} $1 {x} \"q\" # c>");
}

TEST(ConfigVariables, HaveDefaultsAndMessages) {
  const Variable set("SLUICE_T", "v");
  const Variable empty("SLUICE_E", "");
  ::unsetenv("SLUICE_U");
  const std::pair<const char*, const char*> cases[] = {
      {"${SLUICE_T}", "v"},
      {"${SLUICE_T:-d}", "v"},
      {"${SLUICE_T:?m}", "v"},
      {"${SLUICE_E}", ""},
      {"${SLUICE_E:-d}", "d"},
      {"${SLUICE_U:-d e:f}", "d e:f"},
      {"${SLUICE_U:-}", ""},
      {"a${SLUICE_T}b${SLUICE_T}c", "avbvc"},
      {"${SLUICE_U}", "[the environment variable SLUICE_U is not set]"},
      {"${SLUICE_E:?set it}", "[the environment variable SLUICE_E is not set: set it]"},
      {"${SLUICE_U:?}", "[the environment variable SLUICE_U is not set]"},
      {"${SLUICE_T", "[\"${\" without the \"}\" that ends it]"},
      {"${}", "[after \"${\" the name of an environment variable is expected]"},
      {"${1}", "[after \"${\" the name of an environment variable is expected]"},
      {"${A B}", "[after \"${\" the name of an environment variable is expected]"},
      {"${SLUICE_T:x}", "[in ${SLUICE_T:...} a \"-\" or \"?\" is expected after the colon]"},
      {"${SLUICE_U:-${SLUICE_T}}", "[the default of ${SLUICE_U:-...} cannot hold another \"${\"]}"},
  };
  for (const auto& [written, expected] : cases) EXPECT_EQ(value(written), expected) << written;
}

TEST(ConfigVariables, OtherDollarsStayAsTheyAre) {
  for (const auto* text : {"$1", "$NAME", "$$", "$", "a$", "$$NAME", "$(pwd)", "100 $ {x}"})
    EXPECT_EQ(value(text), text);
}

TEST(ConfigVariables, ADollarBeforeAPlaceholderDoesNotHideIt) {
  const Variable set("SLUICE_T", "v");
  EXPECT_EQ(value("$${SLUICE_T}"), "$v");
}

TEST(ConfigVariables, CommentsAreNeverLookedAt) {
  const Variable set("SLUICE_T", "s3cret");
  std::string comments;
  for (int i = 0; i < 30; ++i)
    comments += i % 2 == 0 ? "  # ${UNSET_A} - größer --- #\n" : "  # ---- ${UNSET_B\n";
  EXPECT_EQ(text_of_tool("# ${UNSET_C}\nversion: 1 # ${UNSET_D}\ntools:\n" + comments +
                         "  a: { text: \"${SLUICE_T}\" } # ${\n"),
            "s3cret");
}

TEST(ConfigVariables, AHashInsideAStringIsNoComment) {
  const Variable set("SLUICE_T", "v");
  EXPECT_EQ(text_of_tool("version: 1\ntools:\n  a: { text: \"a # ${SLUICE_T}\" }\n"), "a # v");
  EXPECT_EQ(text_of_tool("version: 1\ntools:\n  a: { text: 'a # ${SLUICE_T}' }\n"), "a # v");
  EXPECT_EQ(text_of_tool("version: 1\ntools:\n  a:\n    text: |\n      # ${SLUICE_T}\n      x\n"),
            "# v\nx\n");
  EXPECT_EQ(text_of_tool("version: 1\ntools:\n  a:\n    text: >-\n      # ${SLUICE_T}\n      $$\n"),
            "# v $$");
}

TEST(ConfigVariables, AnUnsetOneNamesItselfAndItsPlace) {
  EXPECT_EQ(
      complaint("version: 1\nserver:\n  name: \"x ${SLUICE_UNSET_1} ${SLUICE_UNSET_2:?say so}\"\n"),
      "3:9: the environment variable SLUICE_UNSET_1 is not set | "
      "3:9: the environment variable SLUICE_UNSET_2 is not set: say so");
}

TEST(ConfigVariables, KeysAreNotReplaced) {
  const Variable set("SLUICE_T", "about");
  EXPECT_EQ(good("version: 1\ntools:\n  \"${SLUICE_T}\": {text: x}\n").tools[0].name,
            "${SLUICE_T}");
}

TEST(ConfigVariables, GiveNumbersSizesAndBooleansToo) {
  const Variable number("SLUICE_N", "7");
  const Variable size("SLUICE_S", "2MiB");
  const Variable truth("SLUICE_B", "yes");
  const auto config = good(
      "version: 1\nlimits: {batch: \"${SLUICE_N}\", result: \"${SLUICE_S}\"}\nlog:\n  json: "
      "${SLUICE_B}\n");
  EXPECT_EQ(config.limits.batch, 7u);
  EXPECT_EQ(config.limits.result, 2_MiB);
  EXPECT_TRUE(config.log.json);
}

TEST(ConfigVariables, TheirValuesAreNeverPrinted) {
  const Variable set("SLUICE_T", "s3cret\r\n");
  const auto text = R"(version: "${SLUICE_T}"
server:
  listen: ${SLUICE_T}
  path: ${SLUICE_T}
  framing: ${SLUICE_T}
  spool: ${SLUICE_T}
limits: {batch: "${SLUICE_T}", result: "${SLUICE_T}"}
timeouts: {idle: "${SLUICE_T}"}
log: {level: "${SLUICE_T}", json: "${SLUICE_T}"}
plugins: ["${SLUICE_T}"]
sources:
  s: {type: "${SLUICE_T}", base_url: "${SLUICE_T}", headers: {A: "${SLUICE_T}", B: {file: "${SLUICE_T}"}}, tls: {ca_file: "${SLUICE_T}"}}
tools:
  a: {source: "${SLUICE_T}", request: "${SLUICE_T}", result: "${SLUICE_T}", structured: "${SLUICE_T}"}
  b: {source: s, request: "GET /${SLUICE_T}", headers: {X: "${SLUICE_T}"}, query: {q: "${SLUICE_T}{x}"}}
  c: {command: [x], stdin: "${SLUICE_T}", env: {A: {file: "${SLUICE_T}"}}, env_allow: ["${SLUICE_T}"]}
  d: {file: {root: "${SLUICE_T}", path: "${SLUICE_T}{"}}
  e: {content: [{type: image, data: "${SLUICE_T}", mime_type: x}, {type: "${SLUICE_T}"}, {type: resource, uri: "${SLUICE_T}", text: x}]}
  f: {text: x, parameters: {p: {in: "${SLUICE_T}", required: "${SLUICE_T}"}}, annotations: {read_only: "${SLUICE_T}"}}
)";
  const auto found = complaints(text);
  EXPECT_GE(found.size(), 30u);
  for (const auto& line : found) EXPECT_EQ(line.find("s3cret"), std::string::npos) << line;
}

}  // namespace
}  // namespace sluice::config
