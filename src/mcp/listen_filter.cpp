#include "mcp/listen_filter.hpp"

#include <string>

namespace sluice::mcp {
namespace {

Failure invalid(std::string text) { return {rpc::kInvalidParams, 200, std::move(text), {}}; }

std::string path_of(std::string_view member) {
  return "params.notifications." + std::string(member);
}

}  // namespace

std::string_view filter_name(List list) noexcept {
  switch (list) {
    case List::tools:
      return "toolsListChanged";
    case List::prompts:
      return "promptsListChanged";
    case List::resources:
      break;
  }
  return "resourcesListChanged";
}

std::optional<Failure> ListenFilter::read(Json notifications, std::size_t max_uris,
                                          ListenFilter& out) {
  if (!notifications || !notifications.is(JsonKind::object))
    return invalid("params.notifications must be an object");
  for (const List list : kLists) {
    const Json flag = notifications.find(filter_name(list));
    if (!flag) continue;
    const auto wanted = flag.as_bool();
    if (!wanted) return invalid(path_of(filter_name(list)) + " must be a boolean");
    if (*wanted) out.lists.add(list);
  }
  const Json uris = notifications.find(kResourceSubscriptions);
  if (!uris) return std::nullopt;
  if (!uris.is(JsonKind::array))
    return invalid(path_of(kResourceSubscriptions) + " must be an array of strings");
  if (uris.size() > max_uris)
    return invalid(path_of(kResourceSubscriptions) + " holds more than limits.subscriptions (" +
                   std::to_string(max_uris) + ") resources");
  for (const Json uri : uris) {
    const auto text = uri.as_string();
    if (!text) return invalid(path_of(kResourceSubscriptions) + " must be an array of strings");
    out.uris.push_back(*text);
  }
  return std::nullopt;
}

}  // namespace sluice::mcp
