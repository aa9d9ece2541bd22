#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "buffer/frame_pool.hpp"
#include "http/upstream.hpp"
#include "http/upstream_exchange.hpp"
#include "support/canned_upstream.hpp"
#include "support/run_awaitable.hpp"

namespace sluice::testing {

/// What came of one exchange.
struct Fetched {
  unsigned status = 0;
  std::string body;
  std::string problem;  ///< Empty: all went well.
  std::string note;     ///< Of a redirect.
  http::UpstreamHead head;
};

/// An upstream with a loop and a frame pool of its own.
class Fetcher {
 public:
  explicit Fetcher(const config::HttpSource& source) {
    std::string problem;
    upstream = http::Upstream::make(source, 1, problem);
    if (!upstream) throw std::runtime_error(problem);
  }
  ~Fetcher() {
    upstream.reset();
    io.restart();
    io.poll();
  }

  static config::HttpSource source_at(std::string url) {
    config::HttpSource source;
    source.name = "market";
    source.base_url = std::move(url);
    return source;
  }

  Awaitable<void> fetch(const http::UpstreamRequest& request, Fetched& out,
                        http::UpstreamExchange::BodyAs as = http::UpstreamExchange::BodyAs::text) {
    http::UpstreamExchange exchange(*upstream, 0, io.get_executor(), frames);
    const Result<> sent = co_await exchange.send(request);
    if (!sent) {
      out.problem = exchange.problem();
      co_return;
    }
    out.head = exchange.head();
    out.status = out.head.status;
    out.note = exchange.redirect_note();
    const Result<> opened = exchange.open_body(as);
    if (!opened) {
      out.problem = exchange.problem();
      co_return;
    }
    while (true) {
      const Result<std::string_view> piece = co_await exchange.read();
      if (!piece) {
        out.problem = exchange.problem();
        co_return;
      }
      if (piece->empty()) break;
      out.body += *piece;
    }
  }

  Fetched get(std::string target = "/", std::string method = "GET", std::string body = "") {
    http::UpstreamRequest request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.has_body = !body.empty();
    request.body = std::move(body);
    request.content_type = "text/plain";
    Fetched out;
    run(io, fetch(request, out));
    return out;
  }

  [[nodiscard]] http::UpstreamPool& pool() { return upstream->pool(0, io.get_executor()); }

  boost::asio::io_context io{1};
  FrameBudget budget{64 * kFrameBytes};
  FramePool frames{budget};
  std::shared_ptr<http::Upstream> upstream;
};

}  // namespace sluice::testing
