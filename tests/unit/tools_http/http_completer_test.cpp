#include <gtest/gtest.h>

#include "call_tool.hpp"
#include "tools/completers.hpp"

namespace sluice::tools {
namespace {

using namespace sluice::testing;
using Values = std::vector<std::string>;

/// The completer of the argument `item`.
class CompleterUnderTest {
 public:
  explicit CompleterUnderTest(std::string url) {
    source.name = "market";
    source.base_url = std::move(url);
    from.request.source = "market";
    from.request.method = "GET";
    from.request.path = parse_template("/names");
  }
  ~CompleterUnderTest() {
    completer.reset();
    upstream.reset();
    io.restart();
    io.poll();
  }

  Result<Completions> complete(std::string_view typed, std::string_view others = "{}") {
    std::string problem;
    if (!completer) {
      upstream = http::Upstream::make(source, 1, problem);
      completer = make_http_completer(from, "item", upstream, limits, problem);
    }
    EXPECT_EQ(problem, "");
    FakeCall call(io.get_executor(), others);
    Result<Completions> found = Errc::ok;
    run(io, ask(*completer, call, typed, found));
    return found;
  }
  /// Why it has nothing to offer; empty: it has.
  std::string problem(std::string_view typed, std::string_view others = "{}") {
    const auto found = complete(typed, others);
    EXPECT_TRUE(found);
    EXPECT_TRUE(!found || found->problem.empty() || found->values.empty());
    return found ? found->problem : "an error";
  }

  config::HttpSource source;
  config::Completion::Upstream from;
  config::Limits limits;

 private:
  static Awaitable<void> ask(Completer& completer, Call& call, std::string_view typed,
                             Result<Completions>& found) {
    auto done = co_await completer.complete(call, typed);
    found = std::move(done);
  }

  boost::asio::io_context io{1};
  std::shared_ptr<http::Upstream> upstream;
  std::shared_ptr<Completer> completer;
};

TEST(HttpCompleter, TakesTheUpstreamsChoiceWhereItWasTold) {
  CannedUpstream stub(canned("200 OK", R"(["zeta","alpha",5])"));
  CompleterUnderTest test(stub.url());
  test.from.request.query = {{"prefix", parse_template("{item}")},
                             {"topic", parse_template("{topic}")},
                             {"day", parse_template("{day}")}};
  const auto found = test.complete("a&b", R"({"topic":"t u","item":"old"})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->values, (Values{"zeta", "alpha", "5"}));
  EXPECT_EQ(stub.last().line(), "GET /names?prefix=a%26b&topic=t%20u HTTP/1.1");
}

TEST(HttpCompleter, NarrowsDownWhatItDidNotAskFor) {
  CannedUpstream stub(canned("200 OK", R"({"data":{"a/b":["Park","oslo","carpark"]}})"));
  CompleterUnderTest test(stub.url());
  test.from.pointer = "/data/a~1b";
  const auto found = test.complete("park");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->values, (Values{"Park", "carpark"}));
  EXPECT_EQ(found->total, 2U);
}

TEST(HttpCompleter, FailsWhereTheAnswerIsNoListOfStrings) {
  for (const auto* body : {"{}", R"({"names":5})", R"({"names":[{}]})", R"({"names":[null]})",
                           "nonsense", "", R"({"names":{"0":"a"}})"}) {
    CannedUpstream stub(canned("200 OK", body));
    CompleterUnderTest test(stub.url());
    test.from.pointer = "/names";
    EXPECT_EQ(test.problem(""), "the answer has no array of strings at \"/names\"") << body;
  }
}

TEST(HttpCompleter, FailsWhereTheUpstreamDoes) {
  CannedUpstream stub(canned("500 Oops", "[]"));
  CompleterUnderTest test(stub.url());
  EXPECT_EQ(test.problem(""), "upstream answered 500 Oops");
  CompleterUnderTest nobody("http://127.0.0.1:1");
  EXPECT_NE(nobody.problem("").find("cannot be reached"), std::string::npos);
}

TEST(HttpCompleter, ReadsNoMoreThanItsLimit) {
  const std::string body = R"([")" + std::string(1000, 'x') + R"("])";
  CannedUpstream stub(canned("200 OK", body));
  CompleterUnderTest test(stub.url());
  test.limits.completion = body.size();
  EXPECT_EQ(test.problem(""), "");
  CompleterUnderTest less(stub.url());
  less.limits.completion = body.size() - 1;
  EXPECT_NE(less.problem("").find("limits.completion"), std::string::npos);
}

TEST(HttpCompleter, FailsWhereAPartOfThePathIsNotKnownYet) {
  CannedUpstream stub(canned("200 OK", "[]"));
  CompleterUnderTest test(stub.url());
  test.from.request.path = parse_template("/of/{topic}");
  EXPECT_EQ(test.problem("x"), "The parameter \"topic\" has no value, but the path needs it.");
  EXPECT_TRUE(stub.requests().empty());
  EXPECT_EQ(test.problem("x", R"({"topic":"t"})"), "");
}

}  // namespace
}  // namespace sluice::tools
