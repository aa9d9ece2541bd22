#include "tools/http_request.hpp"

#include <gtest/gtest.h>

#include "call_tool.hpp"
#include "json/document.hpp"

namespace sluice::tools {
namespace {

using namespace sluice::testing;
using config::ParameterIn;

struct Built {
  std::optional<http::UpstreamRequest> request;
  std::string refusal;
  [[nodiscard]] std::string target() const {
    return request ? request->target : "refused: " + refusal;
  }
  [[nodiscard]] std::string field(std::string_view name) const {
    for (const auto& [n, v] : request->fields) {
      if (n == name) return v;
    }
    return "(none)";
  }
};

struct Builder {
  explicit Builder(std::string_view path = "/", std::string method = "GET") {
    http.method = std::move(method);
    http.path = parse_template(path);
  }
  Builder& with(config::Parameter p) {
    tool.parameters.push_back(std::move(p));
    return *this;
  }
  [[nodiscard]] Built build(std::string_view arguments) const {
    json::Document document;
    const auto parsed = document.parse_copy(arguments);
    EXPECT_TRUE(parsed) << arguments;
    Built out;
    out.request = build_http_request(tool.parameters, http, *parsed, out.refusal);
    return out;
  }
  config::Tool tool;
  config::HttpTool http;
};

std::string path_of(std::string_view json_value) {
  return Builder("/items/{id}/detail").build("{\"id\":" + std::string(json_value) + "}").target();
}

TEST(HttpRequest, MakesOnePathSegmentOfAnArgumentWhateverItHolds) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("../../admin")", "..%2F..%2Fadmin"},
      {R"("a/b")", "a%2Fb"},
      {R"("a?x=1")", "a%3Fx%3D1"},
      {R"("a#f")", "a%23f"},
      {R"("%2e%2e%2f")", "%252e%252e%252f"},
      {R"("a b")", "a%20b"},
      {R"("é")", "%C3%A9"},
      {R"("a\r\nX-Evil: 1")", "a%0D%0AX-Evil%3A%201"},
      {R"("a\u0000b")", "a%00b"},
      {R"("...")", "..."},
      {R"("a;b,c&d=e+f")", "a%3Bb%2Cc%26d%3De%2Bf"},
      {R"("a\\b")", "a%5Cb"},
      {"9007199254740993", "9007199254740993"},
      {"-1.50", "-1.50"},
      {"true", "true"},
      {R"("~x-_.")", "~x-_."},
  };
  for (const auto& [value, segment] : cases) {
    EXPECT_EQ(path_of(value), "/items/" + std::string(segment) + "/detail") << value;
  }
}

TEST(HttpRequest, RefusesDotsAndNothingAsAPathSegmentAndNamesTheParameter) {
  for (const char* value : {R"("..")", R"(".")", R"("")", "null"}) {
    const std::string got = path_of(value);
    EXPECT_EQ(got.substr(0, 8), "refused:") << value;
    EXPECT_NE(got.find("\"id\""), std::string::npos) << got;
  }
  EXPECT_EQ(Builder("/{id}").build("{}").target().substr(0, 8), "refused:");
}

TEST(HttpRequest, RefusesASegmentThatSeveralPartsMakeIntoDots) {
  EXPECT_EQ(Builder("/x/.{a}/y").build(R"({"a":"."})").target().substr(0, 8), "refused:");
  EXPECT_EQ(Builder("/x/{a}{b}").build(R"({"a":".","b":"."})").target().substr(0, 8), "refused:");
  EXPECT_EQ(Builder("/x/{a}.?q=1").build(R"({"a":"."})").target().substr(0, 8), "refused:");
  EXPECT_EQ(Builder("/x/{a}.json").build(R"({"a":"."})").target(), "/x/..json");
  EXPECT_EQ(Builder("/{a}/{b}").build(R"({"a":"x","b":"y"})").target(), "/x/y");
}

TEST(HttpRequest, EncodesNamesAndValuesOfTheQuery) {
  Builder b("/s?fixed=1");
  b.http.query = {{"a b", parse_template("{x}")}, {"t", parse_template("<{x}>")}};
  b.with(parameter("x", ParameterIn::none)).with(parameter("q", ParameterIn::query, "$q"));
  EXPECT_EQ(b.build(R"({"x":"1&y=2","q":"a\r\nb#é"})").target(),
            "/s?fixed=1&a%20b=1%26y%3D2&t=%3C1%26y%3D2%3E&%24q=a%0D%0Ab%23%C3%A9");
  EXPECT_EQ(b.build("{}").target(), "/s?fixed=1");
}

TEST(HttpRequest, RepeatsANameForEachElementOfAnArray) {
  Builder b("/s");
  b.with(parameter("id", ParameterIn::query));
  EXPECT_EQ(b.build(R"({"id":[1,"b",1.10,null]})").target(), "/s?id=1&id=b&id=1.10");
  EXPECT_EQ(b.build(R"({"id":[]})").target(), "/s");
  EXPECT_EQ(b.build(R"({"id":""})").target(), "/s?id=");
}

TEST(HttpRequest, LeavesOutWhatHasNoValueAndKeepsZeroAndFalse) {
  for (const auto in : {ParameterIn::query, ParameterIn::header, ParameterIn::body}) {
    Builder b("/s", "POST");
    b.with(parameter("limit", in)).with(parameter("lang", in)).with(parameter("flag", in));
    const Built got = b.build(R"({"limit":0,"flag":false})");
    ASSERT_TRUE(got.request);
    switch (in) {
      case ParameterIn::query:
        EXPECT_EQ(got.target(), "/s?limit=0&flag=false");
        break;
      case ParameterIn::header:
        EXPECT_EQ(got.field("limit"), "0");
        EXPECT_EQ(got.field("flag"), "false");
        EXPECT_EQ(got.field("lang"), "(none)");
        break;
      default:
        EXPECT_EQ(got.request->body, R"({"limit":0,"flag":false})");
    }
  }
}

TEST(HttpRequest, RefusesControlsInAHeaderAndNamesTheParameter) {
  for (const char* value :
       {R"("a\r\nX-Evil: 1")", R"("a\nb")", R"("a\u0000")", R"("\u007f")", R"("\u0001")"}) {
    Builder by_parameter;
    by_parameter.with(parameter("trace", ParameterIn::header, "X-Trace"));
    Builder by_template;
    by_template.http.headers = {{"X-Trace", parse_template("id={trace}")}};
    for (const Builder* b : {&by_parameter, &by_template}) {
      const Built got = b->build("{\"trace\":" + std::string(value) + "}");
      EXPECT_FALSE(got.request) << value;
      EXPECT_NE(got.refusal.find("\"trace\""), std::string::npos);
      EXPECT_EQ(got.refusal.find("Evil"), std::string::npos);
    }
  }
  Builder b;
  b.with(parameter("trace", ParameterIn::header, "X-Trace"));
  EXPECT_EQ(b.build(R"({"trace":"../a b?é#\t"})").field("X-Trace"), "../a b?\xC3\xA9#\t");
}

TEST(HttpRequest, SendsNumbersDigitForDigit) {
  Builder b("/s", "POST");
  b.with(parameter("n", ParameterIn::body)).with(parameter("o", ParameterIn::body));
  const Built got = b.build(R"({"n":9007199254740993,"o":{"p":1.10, "q":-9223372036854775808}})");
  EXPECT_EQ(got.request->body,
            R"({"n":9007199254740993,"o":{"p":1.10, "q":-9223372036854775808}})");
  EXPECT_EQ(got.request->content_type, "application/json");
}

TEST(HttpRequest, PutsParametersBehindTheMembersOfABodyTemplate) {
  Builder b("/s", "POST");
  config::JsonTemplate body;
  body.kind = config::JsonTemplate::Kind::object;
  config::JsonTemplate value;
  value.kind = config::JsonTemplate::Kind::string;
  value.string = parse_template("{q}");
  body.members.push_back({"query", value});
  b.http.body = body;
  b.with(parameter("q", ParameterIn::none)).with(parameter("extra", ParameterIn::body, "ex\"tra"));
  EXPECT_EQ(b.build(R"({"q":12345678901234567890,"extra":[1]})").request->body,
            R"({"query":12345678901234567890,"ex\"tra":[1]})");
  EXPECT_EQ(b.build(R"({"extra":1})").request->body, R"({"ex\"tra":1})");
  EXPECT_EQ(b.build("{}").request->body, "{}");
}

TEST(HttpRequest, SendsABodyTextWithItsContentType) {
  Builder b("/s", "POST");
  b.http.body_text = parse_template("SELECT {n}");
  b.http.content_type = "application/sql";
  const Built got = b.build(R"({"n":1.0})");
  EXPECT_EQ(got.request->body, "SELECT 1.0");
  EXPECT_EQ(got.request->content_type, "application/sql");
}

TEST(HttpRequest, AsksForWhatTheResultIsToBe) {
  Builder b;
  b.http.result = config::ResultKind::json;
  EXPECT_EQ(b.build("{}").request->accept.substr(0, 16), "application/json");
  b.http.result = config::ResultKind::automatic;
  EXPECT_EQ(b.build("{}").request->accept, "*/*");
}

TEST(HttpRequest, TellsTheOperatorOfHeadersThatAreNotHisToSet) {
  for (const char* name : {"Content-Length", "transfer-encoding", "Accept-Encoding", "Connection",
                           "Host:", "a b", ""}) {
    Builder b;
    b.http.headers = {{name, parse_template("x")}};
    EXPECT_NE(http_request_problem(b.tool.parameters, b.http), "") << name;
    Builder p;
    p.with(parameter("x", ParameterIn::header, *name != '\0' ? name : "\n"));
    EXPECT_NE(http_request_problem(p.tool.parameters, p.http), "") << name;
  }
  Builder fine("/x/{a}");
  fine.http.headers = {{"X-A", parse_template("{a}")}};
  EXPECT_EQ(http_request_problem(fine.tool.parameters, fine.http), "");
  EXPECT_NE(http_request_problem(fine.tool.parameters, Builder("{a}/x").http), "");
  EXPECT_NE(http_request_problem(fine.tool.parameters, Builder("/", "GET /").http), "");
}

}  // namespace
}  // namespace sluice::tools
