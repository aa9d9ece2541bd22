#include "mcp/modern.hpp"

#include <algorithm>
#include <string>

#include "json/document.hpp"
#include "mcp/call_context.hpp"
#include "mcp/header_parameters.hpp"
#include "mcp/version_header.hpp"

namespace sluice::mcp::modern {
namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

Failure mismatch(std::string text) {
  return {rpc::kHeaderMismatch, 400, "Header mismatch: " + std::move(text), {}};
}

Failure invalid(std::string text) { return {rpc::kInvalidParams, 400, std::move(text), {}}; }

std::string quoted(std::string_view text) {
  std::string out;
  json::append_string(out, text.substr(0, 128));
  return out;
}

}  // namespace

bool is_modern(const Envelope& message, std::optional<std::string_view> version_header) {
  if (message.meta.find(kVersionKey)) return true;
  const auto version = read_version_header(version_header);
  return version.kind == VersionHeader::Kind::one && version.is_after_legacy();
}

std::optional<Failure> check(const Envelope& message, Exchange& exchange, Caller& caller) {
  const Json version = message.meta.find(kVersionKey);
  if (!version || !version.is(JsonKind::string))
    return invalid("params._meta must hold \"" + std::string(kVersionKey) + "\", a string");
  const Json capabilities = message.meta.find(kCapabilitiesKey);
  if (!capabilities || !capabilities.is(JsonKind::object))
    return invalid("params._meta must hold \"" + std::string(kCapabilitiesKey) + "\", an object");

  const auto requested = *version.as_string();
  const auto header = read_version_header(exchange.header("MCP-Protocol-Version"));
  switch (header.kind) {
    case VersionHeader::Kind::absent:
      return mismatch("the header MCP-Protocol-Version is missing");
    case VersionHeader::Kind::malformed:
      return mismatch("the header MCP-Protocol-Version does not name one version");
    case VersionHeader::Kind::one:
      if (header.value != requested)
        return mismatch("MCP-Protocol-Version says " + quoted(header.value) + ", the body says " +
                        quoted(requested));
  }
  caller.revision = find_revision(requested);
  if (caller.revision == nullptr || !caller.revision->is_modern)
    return unsupported_version(requested);

  const auto method = exchange.header("Mcp-Method");
  if (!method) return mismatch("the header Mcp-Method is missing");
  // Other than names and parameters, a method has no encoded form.
  if (*method != message.method)
    return mismatch("Mcp-Method says " + quoted(*method) + ", the body says " +
                    quoted(message.method));

  if (const Json level = message.meta.find(kLogLevelKey)) {
    caller.log_level = parse_log_level(level.as_string().value_or(""));
    if (!caller.log_level)
      return invalid("params._meta." + std::string(kLogLevelKey) + " is no log level");
  }
  caller.declared = capabilities;
  return std::nullopt;
}

std::optional<Failure> check_name(std::string_view name, Exchange& exchange) {
  const auto header = exchange.header("Mcp-Name");
  if (!header) return mismatch("the header Mcp-Name is missing");
  const auto decoded = decode_header_value(*header);
  if (!decoded) return mismatch("Mcp-Name is not a valid header value");
  if (*decoded != name)
    return mismatch("Mcp-Name says " + quoted(*decoded) + ", the body says " + quoted(name));
  return std::nullopt;
}

std::optional<Failure> check_parameters(const ToolEntry& tool, Json arguments, Exchange& exchange) {
  for (const auto& parameter : tool.headers) {
    Json value = arguments;
    for (const auto& step : parameter.path) value = value.find(step);
    const auto header = exchange.header(parameter.header);
    const bool has_value = value && !value.is(JsonKind::null);
    if (!header) {
      if (has_value) return mismatch("the header " + parameter.header + " is missing");
      continue;
    }
    const auto decoded = decode_header_value(*header);
    if (!decoded) return mismatch(parameter.header + " is not a valid header value");
    if (!has_value)
      return mismatch(parameter.header + " is sent, but the body has no such argument");
    if (!header_matches(*decoded, value))
      return mismatch(parameter.header + " says " + quoted(*decoded) + ", the body says " +
                      std::string(value.raw().substr(0, 128)));
  }
  return std::nullopt;
}

}  // namespace sluice::mcp::modern
