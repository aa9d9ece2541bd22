#include <algorithm>
#include <utility>

#include "base/units.hpp"
#include "http/upstream.hpp"
#include "http/upstream_exchange.hpp"
#include "http/upstream_url.hpp"
#include "mcp/inner_call.hpp"
#include "tools/factory.hpp"
#include "tools/http_request.hpp"
#include "tools/media_type.hpp"
#include "tools/source_result.hpp"
#include "tools/upstream_pages.hpp"

namespace sluice::tools {
namespace {

using BodyAs = http::UpstreamExchange::BodyAs;

/// Takes a character that is not whole off the end, so that a cut does not show as U+FFFD.
void drop_cut_character(std::string& text) {
  std::size_t begin = text.size();
  while (begin > 0 && text.size() - begin < 3 &&
         (static_cast<unsigned char>(text[begin - 1]) & 0xC0) == 0x80) {
    --begin;
  }
  if (begin == 0) return;
  const auto lead = static_cast<unsigned char>(text[begin - 1]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (text.size() - (begin - 1) < length) text.resize(begin - 1);
}

/// One endpoint of an upstream.
///
/// Ownership: shares the upstream with other tools; borrows the configuration, which outlives it.
/// Threads:   immutable, any.
/// Bounds:    one frame per call while the response is read; of a failed response `error_body`
///            bytes.
class HttpHandler final : public ToolHandler {
 public:
  HttpHandler(const Subject& subject, const config::HttpTool& source,
              std::shared_ptr<http::Upstream> upstream)
      : subject_(subject), config_(source), upstream_(std::move(upstream)) {
    shape_.kind = result_kind(config_.result, subject_.mime_type);
    shape_.structured = config_.structured;
    shape_.mime_type = config_.mime_type;
    // A name for an embedded resource that says nothing of where the upstream is.
    shape_.uri = "sluice://";
    http::append_encoded(shape_.uri, subject_.name);
  }

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    std::string refusal;
    auto request = build_http_request(subject_.parameters, config_, call.arguments(), refusal);
    if (!request) {
      const Result<> failed = co_await out.not_found(refusal);
      co_return failed;
    }
    std::optional<UpstreamPages> pages;
    if (config_.paging) {
      pages.emplace(call, *config_.paging, upstream_->url());
      if (!pages->turn(*request, refusal)) {
        const Result<> failed = co_await out.fail(refusal);
        co_return failed;
      }
    }
    http::UpstreamExchange exchange(*upstream_, call.loop(), call.executor(), call.frames());
    const Result<> answered = co_await exchange.send(*request);
    if (!answered) {
      const Result<> failed = co_await out.fail(exchange.problem());
      co_return failed;
    }
    if (exchange.head().status / 100 != 2) {
      const Result<> told = co_await tell_failure(exchange, out);
      co_return told;
    }
    if (pages) pages->read_head(exchange.head());
    const Result<> passed = co_await pass_body(call, exchange, out, pages ? &*pages : nullptr);
    co_return passed;
  }

 private:
  /// The body as the result. One without a byte leaves no block. `pages`: null where there are none.
  Awaitable<Result<>> pass_body(mcp::InnerCall& call, http::UpstreamExchange& exchange,
                                ResultWriter& out, UpstreamPages* pages) {
    SourceResult result(call, out, shape_, exchange.head().content_type);
    const Result<> opened = exchange.open_body(result.is_text() ? BodyAs::text : BodyAs::bytes);
    if (!opened) {
      const Result<> failed = co_await result.fail(exchange.problem());
      co_return failed;
    }
    const http::UpstreamHead& head = exchange.head();
    if (head.content_length && head.content_encoding.empty()) result.expect(*head.content_length);
    bool has_bytes = false;
    while (true) {
      const Result<std::string_view> piece = co_await exchange.read();
      if (!piece) {
        const Result<> failed = co_await result.fail(exchange.problem());
        co_return failed;
      }
      if (piece->empty()) break;
      has_bytes = true;
      if (pages != nullptr) pages->read_body(*piece);
      const Result<> written = co_await result.write(*piece);
      if (written) continue;
      if (pages == nullptr || written.error() != Errc::result_too_large) co_return written;
      // The whole result is too large: nothing more can be said behind it.
      if (out.bytes() >= call.max_result()) co_return written;
      co_await find_next(call, exchange, *pages);
      const Result<> told = co_await pages->tell_next(out);
      static_cast<void>(told);  // where not even that is taken, the result is over anyway
      co_return written;
    }
    const bool is_empty_by_status = exchange.head().status == 204 || exchange.head().status == 205;
    if (!has_bytes && is_empty_by_status) co_return Result<>();
    const Result<> finished = co_await result.finish();
    if (!finished || pages == nullptr) co_return finished;
    const Result<> told = co_await pages->tell_next(out);
    co_return told;
  }

  /// No more of the body is wanted but what names the next page, which may stand at its end.
  static Awaitable<void> find_next(mcp::InnerCall& call, http::UpstreamExchange& exchange,
                                   UpstreamPages& pages) {
    std::uint64_t left = call.max_result();
    while (!pages.is_done() && left > 0) {
      const Result<std::string_view> piece = co_await exchange.read();
      if (!piece || piece->empty()) break;
      pages.read_body(*piece);
      left -= std::min<std::uint64_t>(left, piece->size());
    }
  }

  /// A status that is no success: what it is, and as much of its text as the source allows.
  Awaitable<Result<>> tell_failure(http::UpstreamExchange& exchange, ResultWriter& out) {
    const http::UpstreamHead& head = exchange.head();
    std::string message = "upstream answered " + exchange.status_line();
    if ((head.status == 429 || head.status == 503) && !head.retry_after.empty()) {
      message += "; Retry-After: " + head.retry_after;
    }
    if (!exchange.redirect_note().empty()) message += "; " + exchange.redirect_note();

    const std::uint64_t limit = upstream_->source().error_body;
    const MediaClass media = media_class(head.content_type);
    const bool is_shown = limit > 0 && (media == MediaClass::text || media == MediaClass::json);
    if (is_shown && exchange.open_body(BodyAs::text)) {
      std::string body;
      while (body.size() <= limit) {
        const Result<std::string_view> piece = co_await exchange.read();
        if (!piece || piece->empty()) break;
        body += piece->substr(0, static_cast<std::size_t>(limit + 1 - body.size()));
      }
      append_body(message, std::move(body), limit);
    }
    const bool is_missing = head.status == 404 || head.status == 410;
    if (is_missing) {
      const Result<> told = co_await out.not_found(message);
      co_return told;
    }
    const Result<> failed = co_await out.fail(message);
    co_return failed;
  }

  static void append_body(std::string& message, std::string body, std::uint64_t limit) {
    const bool is_cut = body.size() > limit;
    if (is_cut) {
      body.resize(static_cast<std::size_t>(limit));
      drop_cut_character(body);
    }
    if (body.empty()) return;
    message += ":\n" + body;
    if (is_cut) message += "\n[cut after " + format_bytes(limit) + "]";
  }

  const Subject subject_;
  const config::HttpTool& config_;
  const std::shared_ptr<http::Upstream> upstream_;
  ResultShape shape_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_http(const Subject& subject, const config::HttpTool& source,
                                       std::shared_ptr<http::Upstream> upstream,
                                       std::string& problem) {
  problem = http_request_problem(subject.parameters, source);
  if (!problem.empty()) return nullptr;
  return std::make_unique<HttpHandler>(subject, source, std::move(upstream));
}

}  // namespace sluice::tools
