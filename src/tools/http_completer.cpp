#include <algorithm>
#include <utility>

#include "base/units.hpp"
#include "http/upstream.hpp"
#include "http/upstream_exchange.hpp"
#include "json/document.hpp"
#include "mcp/completion_match.hpp"
#include "mcp/inner_call.hpp"
#include "schema/pointer.hpp"
#include "tools/completers.hpp"
#include "tools/http_request.hpp"

namespace sluice::tools {
namespace {

/// What a JSON Pointer leads to, or nothing.
Json at(Json root, std::string_view pointer) {
  while (root && !pointer.empty()) {
    const auto token = schema::take_token(pointer);
    if (!token) return {};
    root = schema::child(root, *token);
  }
  return root;
}

bool names(const config::Template& text, std::string_view argument) {
  return std::ranges::any_of(
      text.parts, [&](const auto& part) { return part.is_slot && part.text == argument; });
}

bool asks_for(const config::HttpTool& request, std::string_view argument) {
  const auto in = [&](const auto& pairs) {
    return std::ranges::any_of(pairs,
                               [&](const auto& pair) { return names(pair.second, argument); });
  };
  return names(request.path, argument) || in(request.query) || in(request.headers);
}

/// Ownership: shares the upstream; borrows the configuration.
/// Threads:   immutable, any.
/// Bounds:    `limits.completion` bytes of a response; time: that of the completion, and the
///            source's own.
class HttpCompleter final : public Completer {
 public:
  HttpCompleter(const config::Completion::Upstream& from, const std::string& argument,
                std::shared_ptr<http::Upstream> upstream, std::uint64_t max_bytes)
      : from_(from),
        argument_(argument),
        upstream_(std::move(upstream)),
        max_bytes_(max_bytes),
        is_narrowed_(asks_for(from.request, argument)) {}

  Awaitable<Result<Completions>> complete(Call& base, std::string_view typed) override {
    mcp::InnerCall& call = mcp::inner(base);
    json::Document document;
    const auto arguments = document.parse_copy(arguments_with(call.arguments(), typed));
    if (!arguments) co_return arguments.error();
    std::string problem;
    const auto request = build_http_request({}, from_.request, *arguments, problem);
    if (!request) co_return tell(problem);

    http::UpstreamExchange exchange(*upstream_, call.loop(), call.executor(), call.frames());
    const Result<> answered = co_await exchange.send(*request);
    if (!answered) co_return tell(exchange.problem());
    if (exchange.head().status / 100 != 2)
      co_return tell("upstream answered " + exchange.status_line());
    const Result<> opened = exchange.open_body(http::UpstreamExchange::BodyAs::text);
    if (!opened) co_return tell(exchange.problem());
    std::string body;
    while (true) {
      const Result<std::string_view> piece = co_await exchange.read();
      if (!piece) co_return tell(exchange.problem());
      if (piece->empty()) break;
      if (body.size() + piece->size() > max_bytes_)
        co_return tell("the answer is larger than limits.completion (" + format_bytes(max_bytes_) +
                       ")");
      body += *piece;
    }
    auto values = read_values(body);
    if (!values) co_return tell("the answer has no array of strings at \"" + from_.pointer + '"');
    if (!is_narrowed_) co_return mcp::matching(*values, typed);
    Completions out;
    out.values = *std::move(values);
    co_return out;
  }

 private:
  std::string arguments_with(Json others, std::string_view typed) const {
    std::string out = "{";
    json::append_string(out, argument_);
    out += ':';
    json::append_string(out, typed);
    for (const auto other : others.members()) {
      if (other.name == argument_) continue;
      out += ',';
      json::append_string(out, other.name);
      out += ':';
      out += other.value.raw();
    }
    return out + '}';
  }

  /// Numbers count as the text that they are.
  std::optional<std::vector<std::string>> read_values(std::string_view body) const {
    json::Document document;
    const auto root = document.parse_copy(body);
    const Json array = root ? at(*root, from_.pointer) : Json();
    if (!array.is(JsonKind::array)) return std::nullopt;
    std::vector<std::string> out;
    out.reserve(array.size());
    for (const Json value : array) {
      if (const auto text = value.as_string())
        out.emplace_back(*text);
      else if (value.is(JsonKind::number))
        out.emplace_back(value.raw());
      else
        return std::nullopt;
    }
    return out;
  }

  static Completions tell(std::string problem) {
    Completions out;
    out.problem = std::move(problem);
    return out;
  }

  const config::Completion::Upstream& from_;
  const std::string argument_;
  const std::shared_ptr<http::Upstream> upstream_;
  const std::uint64_t max_bytes_;
  const bool is_narrowed_;
};

}  // namespace

std::shared_ptr<Completer> make_http_completer(const config::Completion::Upstream& from,
                                               const std::string& argument,
                                               std::shared_ptr<http::Upstream> upstream,
                                               const config::Limits& limits, std::string& problem) {
  problem = http_request_problem({}, from.request);
  if (!problem.empty()) return nullptr;
  return std::make_shared<HttpCompleter>(from, argument, std::move(upstream), limits.completion);
}

}  // namespace sluice::tools
