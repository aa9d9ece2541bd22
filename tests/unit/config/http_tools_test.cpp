#include "config/load.hpp"
#include "support.hpp"

namespace sluice::config {
namespace {

std::string with(const std::string& keys) {
  return "version: 1\nsources: {market: {type: http, base_url: 'http://h'}}\ntools:\n  a:\n    "
         "source: market\n" +
         keys;
}
std::string with_request(const std::string& request, const std::string& parameters = "{}") {
  return with("    request: '" + request + "'\n    parameters: " + parameters + "\n");
}

TEST(ConfigHttpTools, ReadEveryKey) {
  const auto config = good(with(R"(    request: POST  /v1/{id}?fixed=1
    parameters: {id: {in: path, required: true}, q: {in: query, as: query}, h: {in: header, as: X-H}, b: {in: body}, s: {}}
    query: {more: "{s}"}
    headers: {X-More: "a {s}"}
    body: {c: "{s}"}
    result: json
    structured: both
    mime_type: a/b
)"));
  const auto& tool = std::get<HttpTool>(config.tools.at(0).source);
  EXPECT_EQ(tool.source, "market");
  EXPECT_EQ(tool.method, "POST");
  ASSERT_EQ(tool.path.parts.size(), 3u);
  EXPECT_EQ(tool.path.parts[0].text, "/v1/");
  EXPECT_EQ(tool.path.parts[1].text, "id");
  EXPECT_EQ(tool.path.parts[2].text, "?fixed=1");
  EXPECT_EQ(tool.query.at(0).first, "more");
  EXPECT_EQ(tool.headers.at(0).first, "X-More");
  EXPECT_EQ(tool.body->members.at(0).name, "c");
  EXPECT_EQ(tool.result, ResultKind::json);
  EXPECT_EQ(tool.structured, Structured::both);
  EXPECT_EQ(tool.mime_type, "a/b");
  const auto& parameters = config.tools[0].parameters;
  EXPECT_EQ(parameters[0].in, ParameterIn::path);
  EXPECT_EQ(parameters[1].in, ParameterIn::query);
  EXPECT_EQ(parameters[1].as, "query");
  EXPECT_EQ(parameters[2].in, ParameterIn::header);
  EXPECT_EQ(parameters[3].in, ParameterIn::body);
  EXPECT_EQ(parameters[4].in, ParameterIn::none);
}

TEST(ConfigHttpTools, SendTextAsItIs) {
  const auto config =
      good(with("    request: POST /\n    parameters: {q: {}}\n    body_text: '<{q}>'\n    "
                "content_type: text/xml\n"));
  const auto& tool = std::get<HttpTool>(config.tools.at(0).source);
  EXPECT_EQ(tool.body_text->parts.size(), 3u);
  EXPECT_EQ(tool.content_type, "text/xml");
  EXPECT_FALSE(tool.body);
}

TEST(ConfigHttpTools, NeedASourceThatIsThere) {
  EXPECT_EQ(complaint("version: 1\nsources: {market: {type: http, base_url: 'http://h'}}\ntools: "
                      "{a: {source: markt, request: GET /}}\n"),
            "3:21: tools.a.source: no source is named \"markt\" (did you mean \"market\"?)");
}

TEST(ConfigHttpTools, NeedARequest) {
  EXPECT_NE(complaint(with("")).find("request is missing"), std::string::npos);
  for (const auto* request :
       {"GET", "/x", "GET x", "", "get /x", "GET /a b", "GET /x#y", "CONNECT /x"})
    EXPECT_NE(complaint(with_request(request)), "") << request;
}

TEST(ConfigHttpTools, EveryPathSlotHasAValue) {
  EXPECT_EQ(complaint(with_request("GET /{p}", "{p: {required: true}}")), "");
  EXPECT_EQ(complaint(with_request("GET /{p}", "{p: {default: x}}")), "");
  EXPECT_NE(complaint(with_request("GET /{p}", "{p: {}}"))
                .find("make the parameter required or give it a default"),
            std::string::npos);
  EXPECT_NE(complaint(with_request("GET /{q}", "{p: {}}")).find("no parameter \"q\""),
            std::string::npos);
}

TEST(ConfigHttpTools, AParameterGoesWhereItsInSays) {
  EXPECT_NE(complaint(with_request("GET /", "{p: {in: path, required: true}}"))
                .find("the path of request has no {p}"),
            std::string::npos);
  EXPECT_NE(complaint(with_request("GET /{p}", "{p: {in: query, required: true}}"))
                .find("sent elsewhere"),
            std::string::npos);
  EXPECT_NE(complaint(with_request("GET /?a={p}", "{p: {}}")).find("write it under query:"),
            std::string::npos);
  EXPECT_NE(complaint(with_request("GET /", "{p: {in: cookie}}"))
                .find("expected path, query, header or body"),
            std::string::npos);
  EXPECT_NE(complaint(with_request("GET /", "{p: {in: header, as: Host}}"))
                .find("set by the program itself"),
            std::string::npos);
  EXPECT_NE(complaint(with_request("GET /", "{p: {as: x}}")).find("goes with in:"),
            std::string::npos);
}

TEST(ConfigHttpTools, NothingIsSentTwice) {
  EXPECT_NE(
      complaint(with("    request: GET /\n    parameters: {p: {in: query}}\n    query: {p: x}\n"))
          .find("sent twice"),
      std::string::npos);
  EXPECT_NE(
      complaint(with("    request: POST /\n    parameters: {p: {in: body}}\n    body: {p: x}\n"))
          .find("sent twice"),
      std::string::npos);
  EXPECT_NE(complaint(with("    request: POST /\n    parameters: {p: {in: body}}\n    body: [x]\n"))
                .find("no JSON object"),
            std::string::npos);
  EXPECT_NE(complaint(with("    request: POST /\n    body: [x]\n    body_text: x\n"))
                .find("cannot stand beside body"),
            std::string::npos);
  EXPECT_NE(complaint(with("    request: POST /\n    content_type: x\n"))
                .find("goes with body_text only"),
            std::string::npos);
}

TEST(ConfigHttpTools, VariablesInTheRequestAreNoSlots) {
  const Variable set("SLUICE_T", "{x}");
  const auto config = good(with("    request: GET /${SLUICE_T}/${SLUICE_T}\n"));
  const auto& path = std::get<HttpTool>(config.tools.at(0).source).path;
  ASSERT_EQ(path.parts.size(), 1u);
  EXPECT_EQ(path.parts[0].text, "/{x}/{x}");
}

}  // namespace
}  // namespace sluice::config
