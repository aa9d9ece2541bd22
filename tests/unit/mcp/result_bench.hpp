#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "json/document.hpp"
#include "mcp/json_result_writer.hpp"
#include "support/response_bench.hpp"

namespace sluice::mcp::test {

/// A result writer over frames over memory; operations run to their end, one at a time.
struct ResultBench : testing::ResponseBench {
  explicit ResultBench(const Revision& revision = kModern, std::uint64_t max_bytes = UINT64_MAX,
                       std::string_view id = "1")
      : envelope(result_envelope(id, revision, R"({"name":"s","version":"1"})")),
        out(writer, {envelope, revision.structured, max_bytes, "limits.result (9B)", 16}) {}

  /// JSON only, so that the body is the message.
  [[nodiscard]] bool start_json() {
    options.takes_events = false;
    return start();
  }
  Result<> now(Awaitable<Result<>> operation) {
    Result<> result = Errc::misuse;
    bool done = false;
    boost::asio::co_spawn(io, std::move(operation), [&](std::exception_ptr e, Result<> r) {
      if (e) std::rethrow_exception(e);
      result = r;
      done = true;
    });
    testing::run_until(io, [&] { return done; });
    return result;
  }
  /// Ends the message and parses it.
  Json finish() {
    const auto closed = now(out.close());
    EXPECT_TRUE(closed) << closed.error().message();
    if (!closed) return {};
    const auto finished = now(writer.finish());
    EXPECT_TRUE(finished);
    EXPECT_EQ(pool.in_use(), 0U);
    text = message();
    const auto parsed = document.parse_copy(text);
    EXPECT_TRUE(parsed) << text.substr(0, 2000);
    return parsed ? *parsed : Json();
  }
  /// The same; its `result`.
  Json finish_result() { return finish().find("result"); }
  /// Makes what there is leave, so that nothing can be taken back.
  void commit() {
    writer.heartbeat();
    io.restart();
    io.poll();
    ASSERT_TRUE(writer.is_committed());
  }
  void give_up() {
    writer.abort();
    io.restart();
    io.poll();
  }

  const std::string envelope;
  JsonResultWriter out;
  std::string text;
  json::Document document;
};

inline Json at(Json array, std::size_t index) {
  for (const Json element : array)
    if (index-- == 0) return element;
  return {};
}
inline std::string str(Json value) {
  return std::string(value.find("text").as_string().value_or("(no text)"));
}

}  // namespace sluice::mcp::test
