#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "http/upstream.hpp"
#include "support/canned_upstream.hpp"
#include "support/fake_call.hpp"
#include "support/run_awaitable.hpp"
#include "tools/factory.hpp"

namespace sluice::testing {

/// "/items/{id}" as a template.
[[nodiscard]] inline config::Template parse_template(std::string_view text) {
  config::Template out;
  while (!text.empty()) {
    const bool is_slot = text.front() == '{';
    const auto end = is_slot ? text.find('}') : std::min(text.find('{'), text.size());
    out.parts.push_back({std::string(text.substr(is_slot, end - is_slot)), is_slot});
    text.remove_prefix(end + is_slot);
  }
  return out;
}

[[nodiscard]] inline config::Parameter parameter(std::string name, config::ParameterIn in,
                                                 std::string as = "") {
  config::Parameter out;
  out.name = std::move(name);
  out.in = in;
  out.as = std::move(as);
  return out;
}

/// A tool of type http with its upstream, called on a loop of its own.
class ToolUnderTest {
 public:
  explicit ToolUnderTest(std::string url, std::string_view path = "/", std::string method = "GET") {
    source.name = "market";
    source.base_url = std::move(url);
    tool.name = "get_data";
    config::HttpTool http_tool;
    http_tool.source = "market";
    http_tool.method = std::move(method);
    http_tool.path = parse_template(path);
    tool.source = std::move(http_tool);
  }
  ~ToolUnderTest() {
    handler.reset();
    upstream.reset();
    io.restart();
    io.poll();
  }

  [[nodiscard]] config::HttpTool& http() { return std::get<config::HttpTool>(tool.source); }
  [[nodiscard]] std::string make() {
    std::string problem;
    upstream = http::Upstream::make(source, 1, problem);
    if (upstream) handler = tools::make_http_tool(tool, upstream, problem);
    return problem;
  }

  /// What the handler returned.
  Result<> call(FakeWriter& out, std::string_view arguments = "{}") {
    FakeCall fake(io.get_executor(), arguments);
    const Result<> result = call(fake, out);
    if (fake.frames().in_use() != 0) throw std::runtime_error("a frame is in use after the call");
    return result;
  }
  Result<> call(FakeCall& fake, FakeWriter& out) {
    if (!handler) {
      const std::string problem = make();
      if (!problem.empty()) throw std::runtime_error(problem);
    }
    Result<> result;
    run(io, run_handler(*handler, fake, out, result));
    return result;
  }

  static Awaitable<void> run_handler(ToolHandler& handler, Call& call, ResultWriter& out,
                                     Result<>& result) {
    const Result<> done = co_await handler.run(call, out);
    result = done;
  }

  config::HttpSource source;
  config::Tool tool;
  boost::asio::cancellation_signal cancel;  // used by what co_spawn posts, so older than the loop
  boost::asio::io_context io{1};
  std::shared_ptr<http::Upstream> upstream;
  std::unique_ptr<ToolHandler> handler;
};

}  // namespace sluice::testing
