#include "mcp/change_text.hpp"

#include "mcp/json_members.hpp"

namespace sluice::mcp {
namespace {

std::string_view method_of(const Change& change) noexcept {
  if (!change.list) return "notifications/resources/updated";
  switch (*change.list) {
    case List::tools:
      return "notifications/tools/list_changed";
    case List::prompts:
      return "notifications/prompts/list_changed";
    case List::resources:
      break;
  }
  return "notifications/resources/list_changed";
}

}  // namespace

std::string change_text(const Change& change, std::string_view meta) {
  std::string params = "{";
  if (!meta.empty()) append_member(params, "_meta", meta);
  if (!change.list) append_text(params, "uri", change.uri);
  params += '}';
  std::string out = R"({"jsonrpc":"2.0")";
  append_text(out, "method", method_of(change));
  if (params.size() > 2) append_member(out, "params", params);
  return out + '}';
}

void append_event(std::string& out, std::string_view json, std::string_view fields) {
  out += fields;
  out += "data: ";
  out += json;
  out += "\n\n";
}

void append_priming(std::string& out, std::chrono::milliseconds retry) {
  out += "retry: ";
  out += std::to_string(retry.count());
  out += "\ndata:\n\n";
}

}  // namespace sluice::mcp
