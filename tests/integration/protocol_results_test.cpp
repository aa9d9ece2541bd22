// What lists, discovery and results look like; arguments and schemas.
#include "support/with_server.hpp"

namespace sluice::testing {
namespace {

class Results : public WithServer<Results> {
 public:
  static std::string yaml() {
    return R"(
server: { listen: "127.0.0.1:0", list_page: 4 }
plugins: ["@PLUGIN@"]
tools:
  quiet: { description: Prints nothing., command: ["true"] }
  one: { description: Needs one., text: done, parameters: { must: { type: string, required: true } } }
  limited:
    description: Has defaults.
    command: [printf, "%s|", "{limit}", "{flag}", "{lang}"]
    parameters:
      limit: { type: integer, minimum: 0, default: 100 }
      flag: { type: boolean, default: false }
      lang: { type: string, enum: [de, en] }
  conforming:
    description: Keeps what its output schema says.
    text: '{"a":1}'
    structured: { a: 1 }
    output_schema: { type: object, properties: { a: { type: integer } }, required: [a] }
  misshapen:
    description: Does not.
    text: '{"a":"x"}'
    structured: { a: x }
    output_schema: { type: object, properties: { a: { type: integer } }, required: [a] }
)";
  }
};

TEST_F(Results, NothingUnsetAppears) {
  const LegacySession session(port(), "2025-11-25");
  const Reply quiet = send(modern_call("quiet"));
  EXPECT_TRUE(quiet.at("result.content").is(JsonKind::array)) << quiet.http.body;
  for (const Reply& reply :
       {session.initialized(), send(modern("server/discover")), send(modern("tools/list")),
        send(session.request("tools/list")), send(session.request("ping")), quiet}) {
    ASSERT_TRUE(reply.at("result").is(JsonKind::object)) << reply.http.body;
    EXPECT_EQ(reply.http.body.find("null"), std::string::npos) << reply.http.body;
  }
  for (const Reply& reply : {session.initialized(), send(modern("server/discover"))}) {
    ASSERT_TRUE(reply.at("result.capabilities").is(JsonKind::object));
    for (const auto member : reply.at("result.capabilities").members())
      EXPECT_TRUE(member.value.is(JsonKind::object));
  }
}

TEST_F(Results, StructuredContentFitsTheOutputSchemaOrIsLeftOut) {
  const LegacySession session(port(), "2025-11-25");
  for (const Request& request : {modern_call("conforming"), session.call("conforming")}) {
    const Reply reply = send(request);
    EXPECT_FALSE(reply.is_tool_error()) << reply.http.body;
    EXPECT_EQ(reply.text("result.structuredContent.a"), "1");
  }
  for (const Request& request : {modern_call("misshapen"), session.call("misshapen")}) {
    const Reply reply = send(request);
    EXPECT_TRUE(reply.is_tool_error()) << reply.http.body;
    EXPECT_FALSE(reply.has("result.structuredContent")) << reply.http.body;
    EXPECT_NE(reply.content().find(R"({"a":"x"})"), std::string::npos) << "the text stays";
    EXPECT_NE(reply.content().find("/a: must be integer"), std::string::npos) << reply.content();
  }
}

TEST_F(Results, OfNothingAreAnEmptyArrayInEveryRevision) {
  for (const char* version : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    const LegacySession session(port(), version);
    const Reply reply = send(session.call("quiet"));
    EXPECT_TRUE(reply.at("result.content").is(JsonKind::array)) << version;
    EXPECT_EQ(reply.http.body.find("null"), std::string::npos) << version;
    for (const char* bogus : {"\"bogus\"", "\"\"", "5", "{}"})
      EXPECT_EQ(send(session.request("tools/list", std::string("\"cursor\":") + bogus)).error(),
                -32602)
          << version << bogus;
  }
}

TEST_F(Results, PagesOfTheListDifferAndEnd) {
  const LegacySession session(port(), "2025-11-25");
  std::vector<std::string> all;
  for (const bool is_modern : {true, false}) {
    std::vector<std::string> names;
    std::string cursor;
    for (int page = 0; page < 20; ++page) {
      const std::string params = cursor.empty() ? "" : "\"cursor\":" + json_string(cursor);
      const Reply reply =
          send(is_modern ? modern("tools/list", params) : session.request("tools/list", params));
      ASSERT_TRUE(reply.at("result.tools").is(JsonKind::array)) << reply.http.body;
      for (const Json tool : reply.at("result.tools"))
        names.emplace_back(*tool.find("name").as_string());
      if (!reply.has("result.nextCursor")) break;
      cursor = reply.text("result.nextCursor");
      ASSERT_FALSE(cursor.empty());
    }
    EXPECT_GT(names.size(), 20U) << "more than the plug-in's first";
    if (all.empty()) all = names;
    EXPECT_EQ(names, all) << "the same in both eras";
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  }
  for (const char* bogus : {"\"bogus\"", "\"\"", "5", "null", "{}"}) {
    const Reply reply = send(modern("tools/list", std::string("\"cursor\":") + bogus));
    EXPECT_EQ(reply.error(), -32602) << bogus;
  }
}

TEST_F(Results, AbsentArgumentsAreAnEmptyObjectAndNothingElseIs) {
  const LegacySession session(port(), "2025-11-25");
  for (const char* tool : {"echo", "one"}) {
    Request stateless = modern("tools/call", "\"name\":\"" + std::string(tool) + "\"");
    stateless.set("Mcp-Name", tool);
    for (const Request& request :
         {session.request("tools/call", "\"name\":\"" + std::string(tool) + "\""),
          session.call(tool, "{}"), stateless}) {
      const Reply reply = send(request);
      EXPECT_EQ(reply.error(), 0) << reply.http.body;
      EXPECT_EQ(reply.is_tool_error(), std::string(tool) == "one");
      if (reply.is_tool_error()) {
        EXPECT_NE(reply.content().find("must"), std::string::npos) << reply.content();
      }
    }
    for (const char* arguments : {"null", R"("x")", "5", "[]", "true"})
      EXPECT_EQ(send(session.call(tool, arguments)).error(), -32602) << tool << arguments;
  }
}

TEST_F(Results, DefaultsAreAppliedAndUnsetInputsLeftOut) {
  EXPECT_EQ(send(modern_call("limited")).content(), "100|false|");
  EXPECT_EQ(send(modern_call("limited", R"({"limit":0,"flag":false})")).content(), "0|false|");
  EXPECT_EQ(send(modern_call("limited", R"({"limit":7,"flag":true,"lang":"de"})")).content(),
            "7|true|de|");
  for (const char* wrong : {R"({"limit":null})", R"({"lang":null})", R"({"lang":"fr"})",
                            R"({"limit":"7"})", R"({"limit":-1})"}) {
    const Reply reply = send(modern_call("limited", wrong));
    EXPECT_TRUE(reply.is_tool_error()) << wrong << reply.http.body;
  }
}

TEST_F(Results, ResultsOf20260728SayTheirTypeAndServer) {
  const Reply reply = send(modern_call("echo", R"({"text":"x"})"));
  EXPECT_EQ(reply.text("result.resultType"), "complete");
  EXPECT_EQ(reply.text("result._meta.io"), "");
  EXPECT_NE(reply.http.body.find("io.modelcontextprotocol/serverInfo"), std::string::npos);
}

TEST_F(Results, AToolThatThrowsFailsWithoutItsInside) {
  const Reply reply = send(modern_call("throws"));
  EXPECT_EQ(reply.status(), 200);
  EXPECT_TRUE(reply.is_tool_error());
  EXPECT_EQ(reply.http.body.find("the inside"), std::string::npos);
  EXPECT_TRUE(server().child().wait_err("the inside of the tool"));
  const Reply later = send(modern_call("throws", R"({"text":"was written"})"));
  EXPECT_TRUE(later.is_tool_error());
  EXPECT_EQ(later.text("result.content.0.text"), "was written");
}

TEST_F(Results, BlockingWorkDoesNotBlockOthers) {
  RawClient client = connect();
  ASSERT_TRUE(client.send(modern_call("blocking", R"({"ms":400})").text()));
  expect_alive();
  EXPECT_EQ(Reply(client.read()).content(), "worked");
}

TEST_F(Results, NumbersAndTextsPassAsTheyAre) {
  for (const char* value :
       {"12345678901234567890", "1.10", "1e400", "-0", "{\"b\": 1,\"a\":[1.0, 2]}", "\"\\u0041\"",
        "9007199254740993", "0.1000000000000000055511151231257827"})
    EXPECT_EQ(send(modern_call("echo", std::string("{\"value\":") + value + "}")).content(), value);
  const std::string odd = "a\r\nb\rc\nd\te\x7f\"\\ \xE2\x80\xA8\xE2\x80\xA9\xC2\x85";
  EXPECT_EQ(send(modern_call("echo", "{\"text\":" + json_string(odd) + "}")).content(), odd);
  EXPECT_EQ(send(modern_call("echo", R"({"text":"nul \u0000 end"})")).content(),
            std::string("nul \0 end", 9));
}

}  // namespace
}  // namespace sluice::testing
