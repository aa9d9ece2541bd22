#include "mcp/call_context.hpp"

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <cmath>

#include "base/await.hpp"
#include "json/document.hpp"

namespace sluice {

Awaitable<void> Call::sleep(std::chrono::steady_clock::duration time) {
  boost::asio::steady_timer timer(executor(), time);
  const auto result = co_await timer.async_wait(kAwaitTuple);
  static_cast<void>(result);
}

void Registry::add(Tool tool, HandlerFunction handler) {
  class FunctionHandler final : public ToolHandler {
   public:
    explicit FunctionHandler(HandlerFunction function) : function_(std::move(function)) {}
    Awaitable<Result<>> run(Call& call, ResultWriter& out) override { return function_(call, out); }

   private:
    HandlerFunction function_;
  };
  add(std::move(tool), std::make_unique<FunctionHandler>(std::move(handler)));
}

}  // namespace sluice

namespace sluice::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels{"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};

void append_number(std::string& out, double value) {
  char digits[32];
  const auto [end, ec] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, static_cast<std::size_t>(end - digits));
}

}  // namespace

std::string_view name_of(LogLevel level) noexcept {
  return kLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> parse_log_level(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    if (kLevels[i] == name) return static_cast<LogLevel>(i);
  return std::nullopt;
}

CallContext::CallContext(Exchange& exchange, CallServices& services, const Options& options)
    : exchange_(exchange), services_(services), options_(options), executor_(exchange.executor()) {
  const Json token = options.meta.find("progressToken");
  if (token && (token.is(JsonKind::string) || token.is(JsonKind::number)))
    progress_token_ = token.raw();
}

Awaitable<Result<>> CallContext::progress(double done, std::optional<double> total,
                                          std::string_view message) {
  if (progress_token_.empty() || !std::isfinite(done) ||
      (last_progress_ && done <= *last_progress_))
    co_return Result<>{};
  const auto now = std::chrono::steady_clock::now();
  if (now < next_progress_) co_return Result<>{};
  std::string json =
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)";
  json += progress_token_;
  json += R"(,"progress":)";
  append_number(json, done);
  if (total && std::isfinite(*total)) {
    json += R"(,"total":)";
    append_number(json, *total);
  }
  if (!message.empty() && options_.revision->has_progress_message) {
    json += R"(,"message":)";
    json::append_string(json, message);
  }
  json += "}}";
  if (exchange_.writer().event(json) == FrameWriter::Event::sent) {
    last_progress_ = done;
    next_progress_ = now + services_.config->server.progress_interval;
  }
  co_return Result<>{};
}

Awaitable<Result<>> CallContext::log(LogLevel level, std::string_view text) {
  if (!options_.log_level || level < *options_.log_level) co_return Result<>{};
  std::string json = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")";
  json += name_of(level);
  json += R"(","logger":)";
  json::append_string(json, tool());
  json += R"(,"data":)";
  json::append_string(json, text);
  json += "}}";
  // A client that takes no events cannot be told; a slow one is waited for.
  while (exchange_.writer().event(json) == FrameWriter::Event::full)
    co_await exchange_.writer().wait_written();
  co_return Result<>{};
}

Awaitable<void> CallContext::run_on_workers(std::function<void()> work) {
  co_await services_.workers->run(std::move(work));
}

}  // namespace sluice::mcp
