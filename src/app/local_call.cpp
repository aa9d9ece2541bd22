#include "app/local_call.hpp"

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <iostream>
#include <span>

#include "json/base64.hpp"
#include "json/document.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/revision.hpp"

namespace sluice::app {
namespace {

namespace bhttp = boost::beast::http;

/// `text` as a field value: as it is, or in the base64 form of 2026-07-28 (Streamable HTTP, Value
/// Encoding).
std::string header_value(std::string_view text) {
  const bool plain =
      !text.empty() && text.front() != ' ' && text.back() != ' ' &&
      !text.starts_with("=?base64?") &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (plain) return std::string(text);
  std::string out = "=?base64?";
  out.resize(out.size() + text.size() * 4 / 3 + 16);
  json::Base64Encoder encoder;
  std::size_t n = 9;
  const auto step = encoder.step(text, std::span<char>(out).subspan(n));
  n += step.written;
  n += encoder.finish(std::span<char>(out).subspan(n));
  out.resize(n);
  return out + "?=";
}

std::string request_body(const CallOptions& options) {
  std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":)";
  json::append_string(body, options.tool);
  body += R"(,"arguments":)" + options.arguments +
          R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":")";
  body += mcp::kModern.name;
  body += R"(","io.modelcontextprotocol/clientCapabilities":{}}}})";
  return body;
}

void mirror_parameters(const mcp::ToolEntry& entry, Json arguments,
                       bhttp::request<bhttp::string_body>& request) {
  for (const auto& parameter : entry.headers) {
    Json value = arguments;
    for (const auto& step : parameter.path) value = value.find(step);
    if (!value || value.is(JsonKind::null)) continue;
    request.set(parameter.header, header_value(value.as_string().value_or(value.raw())));
  }
}

int print(std::string_view message, bool whole) {
  json::Document document;
  const auto root = document.parse_copy(message, 1024);
  if (!root) {
    std::cerr << "the answer is no JSON: " << message.substr(0, 200) << '\n';
    return 2;
  }
  if (const Json error = root->find("error")) {
    std::cerr << error.find("message").as_string().value_or("error") << '\n';
    return 2;
  }
  const Json result = root->find("result");
  const Json is_error = result.find("isError");
  const bool failed = is_error && is_error.as_bool().value_or(false);
  auto& out = failed ? std::cerr : std::cout;
  if (whole) {
    std::cout << result.raw() << '\n';
    return failed ? 1 : 0;
  }
  for (const Json block : result.find("content")) {
    if (const Json text = block.find("text"); text.is(JsonKind::string))
      out << *text.as_string() << '\n';
    else
      out << block.raw() << '\n';
  }
  if (const Json structured = result.find("structuredContent");
      structured && result.find("content").size() == 0)
    out << structured.raw() << '\n';
  return failed ? 1 : 0;
}

}  // namespace

int call_over_loopback(const Daemon& daemon, const CallOptions& options) {
  json::Document arguments;
  const auto parsed = arguments.parse_copy(options.arguments);
  if (!parsed || !parsed->is(JsonKind::object)) {
    std::cerr << "the arguments must be a JSON object, such as '{\"id\":1}'\n";
    return 2;
  }
  const auto offer = daemon.offer();
  const auto* entry = offer->tools->find(options.tool);
  if (entry == nullptr) {
    std::cerr << "there is no tool \"" << options.tool << "\"; `sluice tools` lists them\n";
    return 2;
  }

  bhttp::request<bhttp::string_body> request(bhttp::verb::post, daemon.config().server.path, 11);
  request.set(bhttp::field::host, "127.0.0.1");
  request.set(bhttp::field::content_type, "application/json");
  request.set(bhttp::field::accept, "application/json");
  request.set("MCP-Protocol-Version", std::string(mcp::kModern.name));
  request.set("Mcp-Method", "tools/call");
  request.set("Mcp-Name", header_value(options.tool));
  mirror_parameters(*entry, *parsed, request);
  request.body() = request_body(options);
  request.prepare_payload();

  boost::asio::io_context io;
  boost::asio::ip::tcp::socket socket(io);
  boost::system::error_code ec;
  socket.connect(daemon.server().endpoints().front(), ec);
  if (!ec) bhttp::write(socket, request, ec);
  boost::beast::flat_buffer buffer;
  bhttp::response_parser<bhttp::string_body> response;
  response.body_limit(boost::none);
  if (!ec) bhttp::read(socket, buffer, response, ec);
  if (ec) {
    std::cerr << "no answer: " << ec.message() << '\n';
    return 2;
  }
  return print(response.get().body(), options.json);
}

}  // namespace sluice::app
