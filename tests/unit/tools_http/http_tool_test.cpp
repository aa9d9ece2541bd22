#include <gtest/gtest.h>

#include "../http_client/encode.hpp"
#include "call_tool.hpp"

namespace sluice::tools {
namespace {

using namespace sluice::testing;
using Reply = CannedUpstream::Reply;
using Request = CannedUpstream::Request;
using Then = CannedUpstream::Then;

struct Outcome {
  FakeWriter out;
  Result<> result;
};

/// One call of GET / on an upstream that answers so.
void call_with(Outcome& o, const std::string& bytes, Then then = Then::keep,
               config::ResultKind kind = config::ResultKind::text) {
  CannedUpstream stub(bytes, then);
  ToolUnderTest tool(stub.url());
  tool.http().result = kind;
  o.result = tool.call(o.out);
}

TEST(HttpTool, GivesTheBodyAsItIs) {
  Outcome o;
  call_with(o, canned("200 OK", "{\"n\": 12345678901234567890, \"p\":1.10}",
                      "Content-Type: application/json\r\n"));
  EXPECT_TRUE(o.result);
  EXPECT_FALSE(o.out.is_error);
  EXPECT_EQ(o.out.all(), "{\"n\": 12345678901234567890, \"p\":1.10}");
  EXPECT_EQ(o.out.blocks.size(), 1u);
}

TEST(HttpTool, SendsNoDefaultThatNobodyDeclaredAndNoEmptyStringForWhatIsUnset) {
  CannedUpstream stub(canned("200 OK", "ok"));
  ToolUnderTest tool(stub.url("/api"), "/search", "POST");
  tool.tool.parameters = {
      parameter("limit", config::ParameterIn::query), parameter("lang", config::ParameterIn::query),
      parameter("flag", config::ParameterIn::body), parameter("note", config::ParameterIn::body)};
  FakeWriter out;
  // As the call has it once the schema's defaults are in.
  EXPECT_TRUE(tool.call(out, R"({"limit":100,"flag":false})"));
  EXPECT_EQ(stub.last().line(), "POST /api/search?limit=100 HTTP/1.1");
  EXPECT_EQ(stub.last().body, R"({"flag":false})");
  EXPECT_EQ(stub.last().field("Content-Length"), "14");
  EXPECT_TRUE(tool.call(out, R"({"limit":0,"flag":false,"lang":null})"));
  EXPECT_EQ(stub.last().line(), "POST /api/search?limit=0 HTTP/1.1");
}

TEST(HttpTool, NeverReachesAnotherEndpointWithAnArgument) {
  CannedUpstream stub(canned("200 OK", "ok"));
  ToolUnderTest tool(stub.url(), "/items/{id}/detail");
  tool.source.headers = {{"Authorization", "Bearer s3cret"}};
  for (const char* value :
       {"../../admin", "a/b", "a?x=1", "a#f", "%2e%2e%2f", "a b", "\xC3\xA9", "a\\r\\nX-Evil: 1"}) {
    FakeWriter out;
    EXPECT_TRUE(tool.call(out, R"({"id":")" + std::string(value) + "\"}"));
    const Request seen = stub.last();
    const std::string line = seen.line();
    EXPECT_EQ(std::count(line.begin(), line.end(), '/'), 4) << line;  // one is HTTP/1.1's
    EXPECT_EQ(line.find_first_of("?#"), std::string::npos) << line;
    EXPECT_EQ(seen.field("X-Evil"), "");
  }
  const std::size_t before = stub.requests().size();
  for (const char* value : {"..", ".", ""}) {
    FakeWriter out;
    EXPECT_TRUE(tool.call(out, R"({"id":")" + std::string(value) + "\"}"));
    EXPECT_TRUE(out.is_error);
    EXPECT_NE(out.failure().find("\"id\""), std::string::npos);
  }
  EXPECT_EQ(stub.requests().size(), before);
}

TEST(HttpTool, DecodesEveryCodingThatItAsksFor) {
  const std::string text = "some text, some text, some text";
  const std::pair<const char*, std::string> cases[] = {
      {"gzip", gzip_of(text)},
      {"GZIP", gzip_of(text)},
      {"x-gzip", gzip_of(text)},
      {"deflate", deflate_of(text, Wrap::zlib)},
      {"deflate", deflate_of(text, Wrap::raw)},
      {"br", brotli_of(text)},
      {"zstd", zstd_of(text)},
      {"gzip, gzip", gzip_of(gzip_of(text))},
      {"identity", text},
  };
  for (const auto& [name, bytes] : cases) {
    Outcome o;
    call_with(o, canned("200 OK", bytes, "Content-Encoding: " + std::string(name) + "\r\n"));
    EXPECT_TRUE(o.result);
    EXPECT_FALSE(o.out.is_error) << o.out.failure();
    EXPECT_EQ(o.out.all(), text) << name;
  }
}

TEST(HttpTool, NamesACodingThatItDidNotAskFor) {
  Outcome o;
  call_with(o, canned("200 OK", "abc", "Content-Encoding: compress\r\n"));
  EXPECT_TRUE(o.out.is_error);
  EXPECT_NE(o.out.failure().find("compress"), std::string::npos);
}

TEST(HttpTool, KeepsWhatCameOfATruncatedGzipAndSaysSo) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 31) + "\n";
  const std::string whole = gzip_of(text);
  Outcome o;
  call_with(o, canned("200 OK", whole.substr(0, whole.size() / 2), "Content-Encoding: gzip\r\n"));
  EXPECT_TRUE(o.out.is_error);
  EXPECT_NE(o.out.failure().find("the gzip data is cut short (after "), std::string::npos)
      << o.out.failure();
  EXPECT_GT(o.out.all().size(), 1000u);
  EXPECT_TRUE(text.starts_with(o.out.all()));
}

TEST(HttpTool, RefusesPlainTextThatIsCalledGzip) {
  Outcome o;
  call_with(o, canned("200 OK", "hello", "Content-Encoding: gzip\r\n"));
  EXPECT_TRUE(o.out.is_error);
}

TEST(HttpTool, StopsABombAtTheLimitAndClosesTheConnectionAtOnce) {
  // A gigabyte of zeros in a gzip of gzips.
  std::string bomb;
  const std::string member = gzip_of(std::string(50'000'000, '\0'));
  for (int i = 0; i < 20; ++i) bomb += member;
  CannedUpstream stub(canned("200 OK", bomb, "Content-Encoding: gzip\r\n"));
  ToolUnderTest tool(stub.url());
  FakeWriter out;
  out.keep = false;
  out.limit = 1 << 20;
  const Result<> result = tool.call(out);
  EXPECT_EQ(result.error(), Errc::result_too_large);
  EXPECT_EQ(out.bytes(), 1u << 20);
  EXPECT_LE(out.largest_write, 64u << 10);
  EXPECT_TRUE(stub.wait_ended(1));
}

TEST(HttpTool, ClosesTheConnectionAtTheLimitInsteadOfReadingOn) {
  CannedUpstream stub([](const Request&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", Then::keep,
                 1'000'000'000};
  });
  ToolUnderTest tool(stub.url());
  FakeWriter out;
  out.keep = false;
  out.limit = 100'000;
  EXPECT_EQ(tool.call(out).error(), Errc::result_too_large);
  EXPECT_TRUE(stub.wait_ended(1));
  EXPECT_LT(stub.sent(), 20'000'000u);
}

TEST(HttpTool, TellsEveryFailureOfTheUpstreamAsAnErrorWithItsStatus) {
  const std::pair<std::string, std::string> cases[] = {
      {canned("401 Unauthorized", R"({"error":"who"})", "Content-Type: application/json\r\n"),
       "upstream answered 401 Unauthorized:\n{\"error\":\"who\"}"},
      {canned("404 Not Found", R"({"error":"no"})", "Content-Type: application/json\r\n"),
       "upstream answered 404 Not Found:\n{\"error\":\"no\"}"},
      {canned("409 Conflict", ""), "upstream answered 409 Conflict"},
      {canned("422 Unprocessable Content", "bad"),
       "upstream answered 422 Unprocessable Content:\nbad"},
      {canned("429 Too Many Requests", "slow", "Retry-After: 120\r\n"),
       "upstream answered 429 Too Many Requests; Retry-After: 120:\nslow"},
      {canned("500 Internal Server Error", "<h1>Oops</h1>", "Content-Type: text/html\r\n"),
       "upstream answered 500 Internal Server Error:\n<h1>Oops</h1>"},
      {canned("503 Service Unavailable", ""), "upstream answered 503 Service Unavailable"},
      {canned("500 Oh", std::string("\x89PNG", 4), "Content-Type: image/png\r\n"),
       "upstream answered 500 Oh"},
      {canned("500 Oh", gzip_of("packed"), "Content-Encoding: gzip\r\n"),
       "upstream answered 500 Oh:\npacked"},
      {canned("500 Oh", "caf\xE9", "Content-Type: text/plain; charset=latin1\r\n"),
       "upstream answered 500 Oh:\ncaf\xC3\xA9"},
      {canned("500 Oh", "x", "Content-Encoding: sdch\r\n"), "upstream answered 500 Oh"},
      {"HTTP/1.1 304 Not Modified\r\n\r\n", "upstream answered 304 Not Modified"},
  };
  for (const auto& [bytes, text] : cases) {
    Outcome o;
    call_with(o, bytes);
    EXPECT_TRUE(o.result);
    EXPECT_TRUE(o.out.is_error);
    EXPECT_EQ(o.out.failure(), text);
    EXPECT_EQ(o.out.blocks.size(), 1u);
  }
}

TEST(HttpTool, CutsTheTextOfAFailureBetweenCharacters) {
  std::string body;
  for (int i = 0; i < 3000; ++i) body += "\xE2\x82\xAC";
  CannedUpstream stub(canned("500 Oh", body));
  ToolUnderTest tool(stub.url());
  tool.source.error_body = 100;
  FakeWriter out;
  EXPECT_TRUE(tool.call(out));
  EXPECT_EQ(out.failure(),
            "upstream answered 500 Oh:\n" + body.substr(0, 99) + "\n[cut after 100]");
}

TEST(HttpTool, TakesNoContentForSuccessWithoutABlock) {
  for (const std::string& bytes :
       {std::string("HTTP/1.1 204 No Content\r\n\r\n"), canned("205 Reset Content", ""),
        canned("200 OK", ""), canned("200 OK", "", "Content-Encoding: gzip\r\n"),
        canned("200 OK", "", "Content-Type: image/png\r\n")}) {
    Outcome o;
    call_with(o, bytes, Then::keep, config::ResultKind::automatic);
    EXPECT_TRUE(o.result);
    EXPECT_FALSE(o.out.is_error) << bytes << o.out.failure();
    EXPECT_TRUE(o.out.blocks.empty()) << bytes;
  }
}

TEST(HttpTool, SaysThatTheUpstreamCannotBeReachedWithoutCredentials) {
  std::string url;
  {
    CannedUpstream gone{std::string()};
    url = gone.url("/secret-prefix");
  }
  for (const std::string& at : {url, std::string("http://no-such-host.invalid")}) {
    ToolUnderTest tool(at, "/x?token=t0ken");
    tool.source.headers = {{"Authorization", "Bearer s3cret"}};
    FakeWriter out;
    EXPECT_TRUE(tool.call(out));
    EXPECT_TRUE(out.is_error);
    EXPECT_EQ(out.failure().find("upstream market cannot be reached: "), 0u) << out.failure();
    for (const char* secret : {"s3cret", "t0ken", "secret-prefix"}) {
      EXPECT_EQ(out.failure().find(secret), std::string::npos) << out.failure();
    }
  }
}

TEST(HttpTool, KeepsWhatCameWhenTheBodyIsCutShort) {
  for (const Then then : {Then::close, Then::reset}) {
    CannedUpstream stub("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(700, 'x'),
                        then);
    ToolUnderTest tool(stub.url());
    FakeWriter out;
    EXPECT_TRUE(tool.call(out));
    EXPECT_TRUE(out.is_error);
    // A reset may overtake what was sent before it.
    EXPECT_EQ(out.all(), std::string(out.all().size(), 'x'));
    if (then == Then::close) {
      EXPECT_EQ(out.all().size(), 700u);
      EXPECT_EQ(out.failure(),
                "upstream market closed the connection in the middle of the body; 700 of 1000 "
                "bytes came");
    }
  }
}

TEST(HttpTool, FollowsRedirectsInsideTheOriginAndKeepsMethodAndBodyWhereTheStatusSaysSo) {
  struct Case {
    const char* status;
    const char* method;
    const char* then_method;
    bool keeps_body;
  };
  const Case cases[] = {
      {"301 Moved Permanently", "POST", "GET", false},
      {"302 Found", "POST", "GET", false},
      {"303 See Other", "POST", "GET", false},
      {"307 Temporary Redirect", "POST", "POST", true},
      {"308 Permanent Redirect", "POST", "POST", true},
      {"301 Moved Permanently", "PUT", "PUT", true},
      {"303 See Other", "PUT", "GET", false},
  };
  for (const Case& c : cases) {
    CannedUpstream stub([&](const Request& r) {
      return r.line().find("/new") == std::string::npos
                 ? Reply{canned(c.status, "moved", "Location: new?x=1\r\n")}
                 : Reply{canned("200 OK", "arrived")};
    });
    ToolUnderTest tool(stub.url("/api"), "/old", c.method);
    tool.source.headers = {{"Authorization", "Bearer s3cret"}};
    tool.http().body_text = parse_template("payload");
    FakeWriter out;
    EXPECT_TRUE(tool.call(out));
    EXPECT_EQ(out.all(), "arrived") << c.status << out.failure();
    EXPECT_EQ(stub.last().line(), std::string(c.then_method) + " /api/new?x=1 HTTP/1.1")
        << c.status;
    EXPECT_EQ(stub.last().body, c.keeps_body ? "payload" : "");
    EXPECT_EQ(stub.last().field("Authorization"), "Bearer s3cret");
    EXPECT_EQ(stub.last().field("Content-Type").empty(), !c.keeps_body);
  }
}

TEST(HttpTool, FollowsNoRedirectOutOfTheOriginAndSaysWhereItPointed) {
  CannedUpstream other(canned("200 OK", "stolen"));
  const std::pair<std::string, std::string> cases[] = {
      {other.url("/x?key=k3y"), "another origin"},
      {"http://169.254.169.254/latest/meta-data/", "http://169.254.169.254/latest/meta-data/"},
      {"https://127.0.0.1/", "another origin"},
      {"http://user:pa55@evil.example/path?q=1", "http://evil.example/path"},
      {"file:///etc/passwd", "neither http nor https"},
      {"", "where to"},
  };
  for (const auto& [location, text] : cases) {
    for (const char* status : {"301 Moved Permanently", "302 Found", "303 See Other",
                               "307 Temporary Redirect", "308 Permanent Redirect"}) {
      CannedUpstream stub(
          canned(status, "", location.empty() ? "" : "Location: " + location + "\r\n"));
      ToolUnderTest tool(stub.url(), "/", "POST");
      tool.source.headers = {{"Authorization", "Bearer s3cret"}};
      FakeWriter out;
      EXPECT_TRUE(tool.call(out));
      EXPECT_TRUE(out.is_error);
      EXPECT_EQ(out.failure().find("upstream answered " + std::string(status)), 0u)
          << out.failure();
      EXPECT_NE(out.failure().find(text), std::string::npos) << out.failure();
      for (const char* secret : {"pa55", "k3y", "s3cret"})
        EXPECT_EQ(out.failure().find(secret), std::string::npos);
      EXPECT_EQ(stub.requests().size(), 1u);
    }
  }
  EXPECT_TRUE(other.requests().empty());
}

TEST(HttpTool, StopsARedirectThatLeadsToItself) {
  CannedUpstream stub(canned("302 Found", "", "Location: /\r\n"));
  ToolUnderTest tool(stub.url());
  FakeWriter out;
  EXPECT_TRUE(tool.call(out));
  EXPECT_NE(out.failure().find("loop"), std::string::npos);
  EXPECT_EQ(stub.requests().size(), 1u);
}

TEST(HttpTool, FollowsAsManyRedirectsAsAllowedAndNoMore) {
  CannedUpstream stub([](const Request& r) {
    const auto n = r.line().size();
    const std::string location = std::string("Location: /").append(n, 'x').append("\r\n");
    return Reply{canned("302 Found", "", location)};
  });
  ToolUnderTest tool(stub.url());
  tool.source.redirects = 2;
  FakeWriter out;
  EXPECT_TRUE(tool.call(out));
  EXPECT_NE(out.failure().find("one redirect more than the 2"), std::string::npos) << out.failure();
  EXPECT_EQ(stub.requests().size(), 3u);
}

TEST(HttpTool, MakesTheKindOfBlockThatTheContentTypeAsksFor) {
  const std::pair<const char*, BlockKind> cases[] = {
      {"text/html; charset=utf-8", BlockKind::text},
      {"application/problem+json", BlockKind::text},
      {"image/png", BlockKind::image},
      {"audio/mpeg", BlockKind::audio},
      {"application/pdf", BlockKind::resource_blob},
  };
  for (const auto& [type, kind] : cases) {
    Outcome o;
    call_with(o, canned("200 OK", "bytes", "Content-Type: " + std::string(type) + "\r\n"),
              Then::keep, config::ResultKind::automatic);
    ASSERT_EQ(o.out.blocks.size(), 1u) << type;
    EXPECT_EQ(o.out.blocks[0].kind, kind) << type;
    EXPECT_EQ(o.out.blocks[0].bytes, "bytes");
    if (kind == BlockKind::resource_blob) {
      EXPECT_EQ(o.out.blocks[0].uri, "sluice://get_data");
    }
  }
}

TEST(HttpTool, GivesStructuredContentByteForByte) {
  CannedUpstream stub(canned("200 OK", R"({"n": 9007199254740993, "p":1.10})",
                             "Content-Type: application/json\r\n"));
  ToolUnderTest tool(stub.url());
  tool.http().result = config::ResultKind::json;
  tool.http().structured = config::Structured::on;
  FakeWriter out;
  EXPECT_TRUE(tool.call(out));
  EXPECT_EQ(out.all(BlockKind::structured), R"({"n": 9007199254740993, "p":1.10})");
}

TEST(HttpTool, PutsTextOfAnotherCharsetIntoUtf8ButLeavesImagesAlone) {
  Outcome text;
  call_with(text, canned("200 OK", "caf\xE9", "Content-Type: text/plain; charset=iso-8859-1\r\n"));
  EXPECT_EQ(text.out.all(), "caf\xC3\xA9");
  Outcome image;
  call_with(image, canned("200 OK", "\xE9\xFF", "Content-Type: image/x; charset=iso-8859-1\r\n"),
            Then::keep, config::ResultKind::automatic);
  EXPECT_EQ(image.out.all(BlockKind::image), "\xE9\xFF");
}

TEST(HttpTool, ClosesTheUpstreamConnectionWhenTheCallIsCancelledInMidBody) {
  CannedUpstream stub([](const Request&) {
    return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", Then::keep,
                 1'000'000'000};
  });
  ToolUnderTest tool(stub.url());
  ASSERT_EQ(tool.make(), "");
  FakeCall call(tool.io.get_executor());
  FakeWriter out;
  out.keep = false;
  out.on_write = [](FakeWriter& w) {
    w.hold = w.bytes() > 500'000;
  };  // a client that stops reading
  Result<> result;
  bool done = false;
  boost::asio::co_spawn(tool.io, ToolUnderTest::run_handler(*tool.handler, call, out, result),
                        boost::asio::bind_cancellation_slot(
                            tool.cancel.slot(), [&](std::exception_ptr) { done = true; }));
  run_until(tool.io, [&] { return out.hold; });
  EXPECT_EQ(call.frames().in_use(), 1u);
  // The client's pace is the upstream's: what the kernel holds is all that was sent ahead.
  EXPECT_LT(stub.sent(), 20'000'000u);
  tool.cancel.emit(boost::asio::cancellation_type::terminal);
  run_until(tool.io, [&] { return done; });
  EXPECT_TRUE(stub.wait_ended(1));
  EXPECT_EQ(call.frames().in_use(), 0u);
}

}  // namespace
}  // namespace sluice::tools
