#include "mcp/errors.hpp"

#include <gtest/gtest.h>

#include <boost/asio/error.hpp>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

TEST(Errors, HaveOneAnswerEach) {
  struct Case {
    Errc what;
    int code;
    unsigned status;
  };
  for (const Case c :
       {Case{Errc::parse_error, -32700, 400}, Case{Errc::too_deep, -32600, 400},
        Case{Errc::invalid_request, -32600, 400}, Case{Errc::invalid_params, -32602, 200},
        Case{Errc::method_not_found, -32601, 200}, Case{Errc::body_too_large, -32600, 413},
        Case{Errc::frames_exhausted, -31503, 503}, Case{Errc::busy, -31503, 503},
        Case{Errc::shutting_down, -31503, 503}, Case{Errc::misuse, -32603, 200},
        Case{Errc::source_failed, -32603, 200}}) {
    const Failure f = failure_of(c.what);
    EXPECT_EQ(f.code, c.code) << make_error_code(c.what).message();
    EXPECT_EQ(f.status, c.status) << make_error_code(c.what).message();
    EXPECT_EQ(f.message, make_error_code(c.what).message());
  }
  EXPECT_EQ(failure_of(boost::asio::error::broken_pipe).code, rpc::kInternalError);
}

TEST(Errors, AreRenderedAsJsonRpc) {
  EXPECT_EQ(render({-32600, 400, "a \"b\"\n", {}}, {}),
            R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"a \"b\"\n"}})");
  EXPECT_EQ(render({-32022, 400, "v", R"({"a":1})"}, R"("x")"),
            R"({"jsonrpc":"2.0","id":"x","error":{"code":-32022,"message":"v","data":{"a":1}}})");
  json::Document document;
  EXPECT_TRUE(
      document.parse_copy(render({-1, 200, "no utf-8: \xff\xe6\xbc", {}}, "9007199254740993")));
}

TEST(Errors, HaveAResultForACounterpart) {
  EXPECT_EQ(render_result("0", "{}"), R"({"jsonrpc":"2.0","id":0,"result":{}})");
}

}  // namespace
}  // namespace sluice::mcp
