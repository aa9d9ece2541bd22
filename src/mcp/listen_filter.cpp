#include "mcp/listen_filter.hpp"

#include <string>

namespace sluice::mcp {
namespace {

Failure invalid(std::string text) { return {rpc::kInvalidParams, 200, std::move(text), {}}; }

std::string path_of(std::string_view member) {
  return "params.notifications." + std::string(member);
}

/// `what` they are, for who has too many.
std::optional<Failure> read_names(Json notifications, std::string_view member,
                                  std::string_view what, std::size_t most,
                                  std::vector<std::string_view>& out) {
  const Json names = notifications.find(member);
  if (!names) return std::nullopt;
  if (!names.is(JsonKind::array)) return invalid(path_of(member) + " must be an array of strings");
  if (names.size() > most)
    return invalid(path_of(member) + " holds more than limits.subscriptions (" +
                   std::to_string(most) + ") " + std::string(what));
  for (const Json name : names) {
    const auto text = name.as_string();
    if (!text) return invalid(path_of(member) + " must be an array of strings");
    out.push_back(*text);
  }
  return std::nullopt;
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
  if (auto wrong =
          read_names(notifications, kResourceSubscriptions, "resources", max_uris, out.uris))
    return wrong;
  return read_names(notifications, kTaskIds, "tasks", max_uris, out.tasks);
}

}  // namespace sluice::mcp
