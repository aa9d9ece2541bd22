#include "support/mcp_client.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "support/event_stream.hpp"
#include "support/message_check.hpp"

namespace sluice::testing {
namespace {

constexpr std::string_view kModern = "2026-07-28";

std::string envelope(std::string_view method, std::string_view params, std::string_view id) {
  std::string out = R"({"jsonrpc":"2.0",)";
  if (!id.empty()) out += R"("id":)" + std::string(id) + ",";
  return out + R"("method":")" + std::string(method) + R"(","params":{)" + std::string(params) +
         "}}";
}

std::string modern_meta(std::string_view more) {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})" +
         std::string(more) + "}";
}

}  // namespace

Request& Request::set(std::string_view name, std::string_view value) {
  return drop(name).add(name, value);
}

Request& Request::add(std::string_view name, std::string_view value) {
  fields.emplace_back(name, value);
  return *this;
}

Request& Request::drop(std::string_view name) {
  std::erase_if(fields, [&](const auto& f) { return f.first == name; });
  return *this;
}

std::string Request::text() const {
  std::string out = method + " " + target + " " + version + "\r\n";
  if (!host.empty()) out += "Host: " + host + "\r\n";
  for (const auto& [name, value] : fields) out += name + ": " + value + "\r\n";
  if (with_length && (!body.empty() || method == "POST"))
    out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return out + "\r\n" + body;
}

std::string Request::chunked(std::size_t size) const {
  Request head = *this;
  head.with_length = false;
  head.body.clear();
  head.set("Transfer-Encoding", "chunked");
  std::string out = head.text();
  for (std::size_t at = 0; at < body.size(); at += size) {
    const std::string_view piece = std::string_view(body).substr(at, size);
    char line[32];
    std::snprintf(line, sizeof line, "%zx\r\n", piece.size());
    out += line;
    out += piece;
    out += "\r\n";
  }
  return out + "0\r\n\r\n";
}

Request post(std::string body) {
  Request request;
  request.set("Content-Type", "application/json")
      .set("Accept", "application/json, text/event-stream");
  request.body = std::move(body);
  return request;
}

Request modern(std::string_view method, std::string_view params, std::string_view id) {
  std::string members(params);
  if (!members.empty()) members += ',';
  Request request = post(envelope(method, members + modern_meta(""), id));
  request.revision = kModern;
  request.set("MCP-Protocol-Version", kModern).set("Mcp-Method", method);
  return request;
}

Request modern_call(std::string_view tool, std::string_view arguments, std::string_view id,
                    std::string_view meta) {
  const std::string params = R"("name":)" + json_string(tool) + R"(,"arguments":)" +
                             std::string(arguments) + "," + modern_meta(meta);
  Request request = post(envelope("tools/call", params, id));
  request.revision = kModern;
  request.set("MCP-Protocol-Version", kModern)
      .set("Mcp-Method", "tools/call")
      .set("Mcp-Name", tool);
  return request;
}

Reply::Reply(Response response)
    : http(std::move(response)), document_(std::make_shared<json::Document>()) {
  if (http.is_event_stream()) {
    // One without data gives its client an id and says nothing.
    for (auto& event : read_event_stream(http.body).events)
      if (!event.data.empty()) messages_.push_back(std::move(event.data));
  } else if (!http.body.empty()) {
    messages_.push_back(http.body);
  }
  if (!messages_.empty()) static_cast<void>(document_->parse_copy(messages_.back(), 100'000));
}

Json Reply::at(std::string_view path) const {
  if (messages_.empty()) return {};
  Json value = document_->root();
  while (!path.empty() && value) {
    const auto dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (!value.is(JsonKind::array)) {
      value = value.find(step);
      continue;
    }
    std::size_t index = 0;
    std::from_chars(step.data(), step.data() + step.size(), index);
    Json found;
    for (const Json element : value)
      if (index-- == 0) found = element;
    value = found;
  }
  return value;
}

std::string Reply::text(std::string_view path) const {
  const Json value = at(path);
  if (!value) return {};
  return std::string(value.as_string().value_or(value.raw()));
}

int Reply::error() const {
  const Json code = at("error.code");
  return code ? static_cast<int>(code.as_int().value_or(1)) : 0;
}

std::string Reply::id() const {
  const Json value = at("id");
  return value ? std::string(value.raw()) : std::string();
}

std::string Reply::content() const {
  std::string out;
  const Json blocks = at("result.content");
  if (!blocks) return out;
  for (const Json block : blocks)
    if (const Json text = block.find("text")) out += text.as_string().value_or("");
  return out;
}

namespace {

/// Holds what came against the schema of its revision.
void check(const Request& request, const Reply& reply) {
  const bool is_text = reply.http.field("Content-Type").value_or("").starts_with("text/plain");
  if (request.revision.empty() || !reply.http.is_complete || is_text) return;
  json::Document document;
  const auto asked = document.parse_copy(request.body, 1000);
  const Json called = asked ? asked->find("method") : Json();
  const std::string_view method = called ? called.as_string().value_or("") : "";
  const std::string revision =
      method == "initialize" ? reply.text("result.protocolVersion") : request.revision;
  for (const auto& message : reply.messages()) check_message(revision, method, message);
}

}  // namespace

Reply exchange(RawClient& client, const Request& request) {
  static_cast<void>(client.send(request.text()));
  Reply reply(client.read(request.method == "HEAD"));
  check(request, reply);
  return reply;
}

Reply exchange(std::uint16_t port, const Request& request) {
  RawClient client(port);
  return exchange(client, request);
}

LegacySession::LegacySession(std::uint16_t port, std::string version, std::string_view capabilities)
    : port_(port), version_(std::move(version)) {
  Request opening = testing::post(envelope("initialize",
                                           R"("protocolVersion":")" + version_ +
                                               R"(","capabilities":)" + std::string(capabilities) +
                                               R"(,"clientInfo":{"name":"test","version":"1"})",
                                           "0"));
  opening.revision = version_;
  initialized_.emplace(exchange(port, opening));
  id_ = initialized_->http.field("Mcp-Session-Id").value_or("");
  static_cast<void>(exchange(port_, notification("notifications/initialized")));
}

Request LegacySession::post(std::string body) const {
  Request request = testing::post(std::move(body));
  request.revision = version_;
  request.set("Mcp-Session-Id", id_);
  // Revisions before 2025-06-18 had no such header.
  if (version_ >= "2025-06-18") request.set("MCP-Protocol-Version", version_);
  return request;
}

Request LegacySession::request(std::string_view method, std::string_view params,
                               std::string_view id) const {
  return post(envelope(method, params, id));
}

Request LegacySession::call(std::string_view tool, std::string_view arguments,
                            std::string_view id) const {
  return request("tools/call",
                 R"("name":)" + json_string(tool) + R"(,"arguments":)" + std::string(arguments),
                 id);
}

Request LegacySession::notification(std::string_view method, std::string_view params) const {
  return post(envelope(method, params, ""));
}

Request LegacySession::bare(std::string method) const {
  Request request = post("");
  request.method = std::move(method);
  request.drop("Content-Type");
  request.set("Accept", "text/event-stream");
  return request;
}

std::string json_string(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

}  // namespace sluice::testing
