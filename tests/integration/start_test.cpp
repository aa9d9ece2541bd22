// The start: what is refused, what is said, and the command line.
#include <gtest/gtest.h>

#include <sstream>

#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {
namespace {

struct Outcome {
  std::optional<int> status;
  std::string out;
  std::string err;
};

Outcome run(std::vector<std::string> arguments, const Child::Environment& environment = {}) {
  arguments.insert(arguments.begin(), sluice_binary());
  Child child(std::move(arguments), environment);
  const auto status = child.wait();
  return {status, child.out(), child.err()};
}

constexpr const char* kTool = "tools:\n  hello: { description: Says hello., text: hello }\n";

TEST(Start, MistakesInTheFileAreRefusedWithTheirPlace) {
  struct Case {
    std::string yaml;
    int line;  // 0: any
    std::string word;
  };
  const std::string base = "version: 1\nserver: { listen: \"127.0.0.1:0\" }\n";
  const std::vector<Case> cases = {
      {base + "authh: {}\n", 3, "authh"},
      {base + "log: { levell: info }\n", 3, "levell"},
      {base + "timeouts:\n  call_m: 5s\n", 4, "call_m"},
      {base + "timeouts:\n  call: fast\n", 4, "call"},
      {base + "limits: { result: -1 }\n", 3, "result"},
      {base + "tools:\n  a: { description: A., text: x }\n  a: { description: B., text: y }\n", 5,
       "a"},
      {base + "limits: { batch: 1 }\nlimits: { batch: 2 }\n", 4, "limits"},
      {base + "tools:\n\ta: { text: x }\n", 4, ""},
      {base + "log: { json: 5 }\n", 3, "json"},
      {base + "tools:\n  a: { description: A. }\n", 4, "a"},
      {base + "tools:\n  a: { description: A., source: nowhere, request: GET /x }\n", 4, "nowhere"},
      {base + "tools:\n  a: { description: A., text: x, parameters: { p: { type: strin } } }\n", 4,
       "strin"},
      {base + "tools:\n  a: { description: A., text: \"{p}\", command: [ls] }\n", 4, ""},
      {base + "tools:\n  a: { description: A., command: [ls, \"{nothing}\"] }\n", 4, "nothing"},
      {base + "tools:\n  a: { description: A., file: { root: /no/such/folder, path: x } }\n", 4,
       "/no/such/folder"},
      {base + "tools:\n  a: { description: A., command: [no-such-program-anywhere] }\n", 4,
       "no-such-program-anywhere"},
      {base + "plugins: [/no/such/plugin.so]\n", 3, "/no/such/plugin.so"},
      {"version: 1\nserver: { listen: \"127.0.0.1:0o17\" }\n", 2, "0o17"},
      {"version: 1\nserver: { listen: \"127.0.0.1:99999\" }\n", 2, "99999"},
      {"version: 7\nserver: { listen: \"127.0.0.1:0\" }\n", 1, "version"},
      {"server: { listen: \"127.0.0.1:0\" }\n", 0, "version"},
      {"", 0, ""},
      {"[1, 2]\n", 0, ""},
      {base + "log: { level: \"${SLUICE_NOT_SET}\" }\n", 3, "SLUICE_NOT_SET"},
      {base + "log: { level: \"${SLUICE_NOT_SET:?set it, please}\" }\n", 3, "set it, please"},
      {base + "log: {level: info\n", 0, ""},
  };
  const TempFolder folder;
  for (const auto& c : cases) {
    const std::string file = folder.write("broken.yaml", c.yaml).string();
    for (const char* command : {"check", "serve"}) {
      const Outcome result = run({command, "-c", file});
      EXPECT_TRUE(result.status && *result.status == 1) << command << " " << c.yaml << result.err;
      const std::string place =
          c.line == 0 ? "broken.yaml" : "broken.yaml:" + std::to_string(c.line) + ":";
      EXPECT_NE(result.err.find(place), std::string::npos) << c.yaml << result.err;
      EXPECT_NE(result.err.find(c.word), std::string::npos) << c.yaml << result.err;
    }
  }
}

TEST(Start, AnInstructionSetThatTheProcessorHasNotIsRefused) {
  const TempFolder folder;
  const std::string file =
      folder.write("sluice.yaml", std::string("version: 1\n") + kTool).string();
  for (const char* command : {"check", "serve", "tools"}) {
    const Outcome result = run({command, "-c", file}, {{"SLUICE_SIMD", "abacus"}});
    EXPECT_TRUE(result.status && *result.status == 1) << command << result.err;
    for (const char* word : {"SLUICE_SIMD", "\"abacus\"", "portable"})
      EXPECT_NE(result.err.find(word), std::string::npos) << command << result.err;
  }
}

TEST(Start, AnyInstructionSetThatTheProcessorHasCanBeNamed) {
  const TempFolder folder;
  const std::string file =
      folder.write("sluice.yaml", std::string("version: 1\n") + kTool).string();
  const std::string refusal = run({"check", "-c", file}, {{"SLUICE_SIMD", "abacus"}}).err;
  std::istringstream names(refusal.substr(refusal.rfind(':') + 1));
  std::size_t count = 0;
  for (std::string name; names >> name; ++count) {
    if (name.ends_with(',')) name.pop_back();
    const Outcome result = run({"call", "-c", file, "hello"}, {{"SLUICE_SIMD", name}});
    EXPECT_TRUE(result.status && *result.status == 0) << name << result.err;
    EXPECT_EQ(result.out, "hello\n") << name;
  }
  EXPECT_GT(count, 0U) << refusal;
}

TEST(Start, AllMistakesAreToldAtOnce) {
  const TempFolder folder;
  const std::string file =
      folder
          .write(
              "broken.yaml",
              "version: 1\nfirst: 1\nlimits: { second: 2 }\ntools: { a: { third: 3, text: x } }\n")
          .string();
  const Outcome result = run({"check", "-c", file});
  EXPECT_EQ(result.status, 1);
  for (const char* word : {"first", "second", "third"})
    EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
}

TEST(Start, MistakesOfAllKindsAreToldInOneRoundInTheOrderOfTheFile) {
  const TempFolder folder;
  const std::string file = folder
                               .write("broken.yaml", R"(version: 1
sources:
  up: { type: http, base_url: "http://127.0.0.1:1", tls: { verify: perhaps } }
tools:
  schema: { description: S., text: x, parameters: { p: { type: strin } } }
  unknown: { description: U., text: x, third: 3 }
  program: { description: P., command: [no-such-program-anywhere] }
  lost: { description: L., source: nowhere, request: GET /x }
  upstream: { description: U., source: up, request: GET /x }
  twice: { description: T., text: x }
  twice: { description: T., text: x }
  slot: { description: S., command: [no-other-program-anywhere, "{nothing}"] }
  fine: { description: F., text: x }
)")
                               .string();
  for (const char* command : {"check", "serve"}) {
    const Outcome result = run({command, "-c", file});
    EXPECT_EQ(result.status, 1);
    const std::vector<std::pair<int, const char*>> wanted = {
        {3, "perhaps"}, {5, "strin"},  {6, "third"},   {7, "no-such-program-anywhere"},
        {8, "nowhere"}, {11, "twice"}, {12, "nothing"}};
    std::istringstream lines(result.err);
    std::string line;
    for (const auto& [number, word] : wanted) {
      ASSERT_TRUE(std::getline(lines, line)) << result.err;
      EXPECT_NE(line.find("broken.yaml:" + std::to_string(number) + ":"), std::string::npos)
          << result.err;
      EXPECT_NE(line.find(word), std::string::npos) << result.err;
    }
    EXPECT_FALSE(std::getline(lines, line)) << "one mistake, one line: " << line;
  }
}

TEST(Start, YamlNestedThousandsDeepIsRefused) {
  const TempFolder folder;
  const std::string head =
      "version: 1\ntools:\n  a: { description: A., text: x, input_schema: { type: object, not: ";
  for (const std::size_t depth : {std::size_t{5'000}, std::size_t{100'000}}) {
    const std::string file =
        folder
            .write("deep.yaml", head + std::string(depth, '[') + std::string(depth, ']') + " } }\n")
            .string();
    const Outcome result = run({"check", "-c", file});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.err.find("deep.yaml:3:"), std::string::npos) << result.err;
  }
}

TEST(Start, AFileThatIsNotThereIsSaid) {
  for (const char* command : {"serve", "check", "tools"}) {
    const Outcome result = run({command, "-c", "/no/such/file.yaml"});
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_NE(result.err.find("/no/such/file.yaml"), std::string::npos) << result.err;
  }
}

TEST(Start, AnAddressInUseIsSaid) {
  ServerProcess first(kTool);
  const TempFolder folder;
  const std::string file = folder
                               .write("s.yaml", "version: 1\nserver: { listen: \"127.0.0.1:" +
                                                    std::to_string(first.port()) + "\" }\n")
                               .string();
  const Outcome result = run({"serve", "-c", file});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find(std::to_string(first.port())), std::string::npos) << result.err;
}

TEST(Start, AnchorsMergeKeysAndPlainNoAreYaml) {
  ServerProcess server(R"(
log: { json: no }
tools:
  first: &base { description: One., text: one }
  second: { <<: *base, text: two }
)");
  ASSERT_NE(server.port(), 0) << server.log();
  EXPECT_EQ(exchange(server.port(), modern_call("second")).content(), "two");
}

TEST(Start, VariablesAreReplacedInValuesAndNowhereElse) {
  std::string comments;
  for (int i = 0; i < 30; ++i)
    comments += "  # --- ${SLUICE_UNSET_" + std::to_string(i) + "} -- größer — als – alles\n";
  ServerProcess server("# ${SLUICE_UNSET}\ntools: # ${SLUICE_UNSET}\n" + comments +
                           R"(  live: { description: D., text: "${SLUICE_LIVE}" } # ${SLUICE_UNSET}
  hash: { description: D., text: "a # ${SLUICE_LIVE}" }
  default: { description: D., text: "${SLUICE_UNSET:-def}" }
  dollars: { description: D., text: "$$ $1 $NAME ${SLUICE_TRICKY}" }
  block:
    description: D.
    text: |
      # ${SLUICE_LIVE}
)",
                       {.environment = {{"SLUICE_LIVE", "pass: \"word\" # {x}"},
                                        {"SLUICE_TRICKY", "${SLUICE_LIVE}"}}});
  ASSERT_NE(server.port(), 0) << server.log();
  const std::string live = "pass: \"word\" # {x}";
  EXPECT_EQ(exchange(server.port(), modern_call("live")).content(), live);
  EXPECT_EQ(exchange(server.port(), modern_call("hash")).content(), "a # " + live);
  EXPECT_EQ(exchange(server.port(), modern_call("default")).content(), "def");
  EXPECT_EQ(exchange(server.port(), modern_call("dollars")).content(),
            "$$ $1 $NAME ${SLUICE_LIVE}");
  EXPECT_EQ(exchange(server.port(), modern_call("block")).content(), "# " + live + "\n");
}

TEST(CommandLine, ChecksAndListsAndCalls) {
  const TempFolder folder;
  const std::string file = write_configuration(
      folder, std::string("plugins: [\"@PLUGIN@\"]\n") + kTool +
                  "  fails: { description: Fails., command: [sh, -c, \"echo no >&2; exit 1\"] }\n"
                  "  größe: { description: A name., text: groß }\n");
  const Outcome check = run({"check", "-c", file});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(check.out.find("good"), std::string::npos);
  const Outcome tools = run({"tools", "-c", file});
  EXPECT_EQ(tools.status, 0);
  EXPECT_NE(tools.out.find("hello\tSays hello.\n"), std::string::npos) << tools.out;
  const Outcome hello = run({"call", "-c", file, "hello"});
  EXPECT_EQ(hello.status, 0) << hello.err;
  EXPECT_EQ(hello.out, "hello\n");
  EXPECT_EQ(run({"call", "-c", file, "größe"}).out, "groß\n");
  EXPECT_EQ(run({"call", "-c", file, "echo", R"({"text":"é"})"}).out, "é\n");
  const Outcome json = run({"call", "-c", file, "--json", "echo", R"({"text":"é"})"});
  EXPECT_NE(json.out.find(R"("text":"é")"), std::string::npos) << json.out;
  const Outcome fails = run({"call", "-c", file, "fails"});
  EXPECT_EQ(fails.status, 1);
  EXPECT_NE(fails.err.find("no"), std::string::npos);
  const Outcome none = run({"call", "-c", file, "none"});
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("none"), std::string::npos);
  for (const char* arguments : {"{", "[]", "x"})
    EXPECT_EQ(run({"call", "-c", file, "echo", arguments}).status, 2);
  const Outcome big = run({"call", "-c", file, "big", R"({"bytes":3000000})"});
  EXPECT_EQ(big.out.size(), 3'000'001u);
}

TEST(CommandLine, ExplainsItself) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("sluice ")) << version.out;
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* word : {"serve", "check", "tools", "call"})
    EXPECT_NE(help.out.find(word), std::string::npos);
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{}, {"unknown"}, {"serve", "--unknown"}, {"call"}}) {
    const Outcome result = run(wrong);
    EXPECT_TRUE(result.status && *result.status != 0 && *result.status < 128);
    EXPECT_FALSE(result.err.empty());
  }
}

}  // namespace
}  // namespace sluice::testing
