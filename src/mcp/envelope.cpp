#include "mcp/envelope.hpp"

#include <algorithm>
#include <vector>

namespace sluice::mcp {
namespace {

// Quadratic for the handful of members that a message has, by sorting beyond that.
std::optional<std::string_view> repeated_name(Json object) {
  constexpr std::size_t kFew = 16;
  if (object.size() <= kFew) {
    std::string_view seen[kFew];
    std::size_t n = 0;
    for (const auto member : object.members()) {
      if (std::find(seen, seen + n, member.name) != seen + n) return member.name;
      seen[n++] = member.name;
    }
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  names.reserve(object.size());
  for (const auto member : object.members()) names.push_back(member.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return std::nullopt;
  return *twice;
}

/// How a complaint names a member; the beginning, where somebody made the name long.
std::string quoted(std::string_view name) { return "\"" + std::string(name.substr(0, 128)) + "\""; }

Envelope broken(Envelope e, int code, std::string message) {
  e.kind = Envelope::Kind::broken;
  e.failure = {code, 400, std::move(message), {}};
  return e;
}

bool is_integer(std::string_view number) noexcept {
  return number.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

Envelope read_envelope(Json message) {
  Envelope e;
  if (!message.is(JsonKind::object))
    return broken(std::move(e), rpc::kInvalidRequest, "a message must be a JSON object");

  const Json id = message.find("id");
  bool id_is_good = true;
  if (id) {
    id_is_good = id.is(JsonKind::string) || (id.is(JsonKind::number) && is_integer(id.raw()));
    if (id_is_good) e.id = id.raw();
  }
  if (const auto name = repeated_name(message)) {
    if (*name == "id") e.id = {};
    return broken(std::move(e), rpc::kInvalidRequest,
                  "the member " + quoted(*name) + " is repeated");
  }
  if (!id_is_good)
    return broken(std::move(e), rpc::kInvalidRequest, "id must be a string or an integer");
  const Json version = message.find("jsonrpc");
  if (!version || version.as_string() != "2.0")
    return broken(std::move(e), rpc::kInvalidRequest, "jsonrpc must be \"2.0\"");

  const Json method = message.find("method");
  if (!method) {
    if (message.find("result") || message.find("error")) {
      if (!id) return broken(std::move(e), rpc::kInvalidRequest, "a response must have an id");
      e.kind = Envelope::Kind::response;
      e.whole = message;
      return e;
    }
    return broken(std::move(e), rpc::kInvalidRequest, "method is missing");
  }
  if (!method.is(JsonKind::string))
    return broken(std::move(e), rpc::kInvalidRequest, "method must be a string");
  e.method = *method.as_string();

  if (const Json params = message.find("params")) {
    if (!params.is(JsonKind::object))
      return broken(std::move(e), rpc::kInvalidParams, "params must be an object");
    e.params = params;
    if (const auto name = repeated_name(params))
      return broken(std::move(e), rpc::kInvalidRequest,
                    "the member " + quoted(*name) + " of params is repeated");
    if (const Json meta = params.find("_meta")) {
      if (!meta.is(JsonKind::object))
        return broken(std::move(e), rpc::kInvalidParams, "params._meta must be an object");
      e.meta = meta;
      if (const auto name = repeated_name(meta))
        return broken(std::move(e), rpc::kInvalidRequest,
                      "the member " + quoted(*name) + " of params._meta is repeated");
    }
  }
  e.kind = id ? Envelope::Kind::request : Envelope::Kind::notification;
  return e;
}

}  // namespace sluice::mcp
