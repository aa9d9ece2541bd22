#include "config/complaints.hpp"

#include <array>

#include "support.hpp"

namespace sluice::config {
namespace {

TEST(ConfigComplaints, AreAllToldAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(complaints(R"(version: 1
authh: {}
server: {lisen: x, loops: many}
tools:
  a: {text: x, timeout_m: 5}
  b: {}
  a: {text: y}
timeouts: {call: 5}
limits: {result: ["${SLUICE_UNSET}"]}
)"),
            (Lines{
                "2:1: unknown key \"authh\"",
                "3:10: unknown key \"lisen\" in server (did you mean \"listen\"?)",
                "3:27: server.loops: expected a whole number from 0 to 1024 in decimal digits, "
                "found \"many\"",
                "5:16: unknown key \"timeout_m\" in tools.a (did you mean \"timeout\"?)",
                "6:6: tools.b: expected one of source, file, command, text or content",
                "7:3: the key \"a\" stands here again; first in line 5",
                "8:18: timeouts.call: expected a time such as 250ms, 30s or 5m, at least 1ms, "
                "found \"5\"",
                "9:18: limits.result: expected a size such as 512, 64KiB or 4MiB, at least 1, "
                "found a list",
                "9:19: the environment variable SLUICE_UNSET is not set",
            }));
}

TEST(ConfigComplaints, SuggestTheNearestKey) {
  constexpr std::array<std::string_view, 4> kKnown{"timeout", "connect_timeout", "headers", "in"};
  EXPECT_EQ(did_you_mean("timout", kKnown), " (did you mean \"timeout\"?)");
  EXPECT_EQ(did_you_mean("tiemout", kKnown), " (did you mean \"timeout\"?)");
  EXPECT_EQ(did_you_mean("Timeout", kKnown), " (did you mean \"timeout\"?)");
  EXPECT_EQ(did_you_mean("connect-timeout", kKnown), " (did you mean \"connect_timeout\"?)");
  EXPECT_EQ(did_you_mean("header", kKnown), " (did you mean \"headers\"?)");
  EXPECT_EQ(did_you_mean("color", kKnown), "");
  EXPECT_EQ(did_you_mean("", kKnown), "");
  EXPECT_EQ(did_you_mean(std::string(100'000, 'x'), kKnown), "");
}

TEST(ConfigComplaints, ShowLongTextShortAndNeverCutACharacter) {
  EXPECT_EQ(in_quotes("a\nb\x01"), "\"a\\nb?\"");
  std::string umlauts;
  for (int i = 0; i < 50; ++i) umlauts += i == 0 ? "aä" : "ä";
  const auto shown = in_quotes(umlauts);
  EXPECT_TRUE(shown.ends_with("ä...\"")) << shown;
}

TEST(ConfigComplaints, EverySectionRefusesKeysItDoesNotKnow) {
  const std::pair<const char*, const char*> cases[] = {
      {"x: 1", "unknown key \"x\""},
      {"server: {x: 1}", "in server"},
      {"limits: {x: 1}", "in limits"},
      {"timeouts: {x: 1}", "in timeouts"},
      {"log: {x: 1}", "in log"},
      {"defaults: {x: 1}", "in defaults"},
      {"plugins: [{path: /dev/null, x: 1}]", "in plugins[0]"},
      {"sources: {s: {type: http, base_url: 'http://h', x: 1}}", "in sources.s"},
      {"sources: {s: {type: http, base_url: 'http://h', tls: {x: 1}}}", "in sources.s.tls"},
      {"sources: {s: {type: http, base_url: 'http://h', headers: {A: {x: 1, file: /dev/null}}}}",
       "in sources.s.headers.A"},
      {"tools: {a: {text: t, x: 1}}", "in tools.a"},
      {"tools: {a: {text: t, annotations: {x: 1}}}", "in tools.a.annotations"},
      {"tools: {a: {file: {root: /, path: p, x: 1}}}", "in tools.a.file"},
      {"tools: {a: {content: [{type: text, text: t, x: 1}]}}", "in tools.a.content[0]"},
      {"tools: {a: {content: [{type: text, text: t, annotations: {x: 1}}]}}",
       "in tools.a.content[0].annotations"},
  };
  for (const auto& [text, expected] : cases) {
    const auto found = complaints(std::string("version: 1\n") + text + "\n");
    ASSERT_EQ(found.size(), 1u) << text << complaint(std::string("version: 1\n") + text + "\n");
    EXPECT_NE(found[0].find("unknown key \"x\""), std::string::npos) << found[0];
    EXPECT_NE(found[0].find(expected), std::string::npos) << found[0];
  }
}

TEST(ConfigComplaints, LeaveThePartsThatHoldNoFault) {
  const auto loaded = load_text(
      "version: 1\n"
      "sources:\n"
      "  good: {type: http, base_url: 'http://a'}\n"
      "  bad: {type: http, base_url: 'http://a', tls: &tls {verify: perhaps}}\n"
      "  alias: {type: http, base_url: 'http://a', tls: *tls}\n"
      "plugins: [/no/such/file.so]\n"
      "tools:\n"
      "  first: {text: x}\n"
      "  unknown: {text: x, y: 1}\n"
      "  'a name': {text: x}\n"
      "  again: {text: x}\n"
      "  again: {text: x}\n"
      "  last: {source: bad, request: GET /}\n",
      "test.yaml");
  EXPECT_EQ(loaded.complaints.size(), 6U);
  ASSERT_EQ(loaded.config.http_sources.size(), 1U);
  EXPECT_EQ(loaded.config.http_sources[0].name, "good");
  EXPECT_TRUE(loaded.config.plugins.empty());
  std::string tools;
  for (const auto& tool : loaded.config.tools) tools += tool.name + ' ';
  EXPECT_EQ(tools, "first again last ");
}

}  // namespace
}  // namespace sluice::config
