#include "mcp/capabilities.hpp"

#include "json/document.hpp"
#include "mcp/json_members.hpp"

namespace sluice::mcp {
namespace {

void append_list(std::string& out, std::string_view name, const std::optional<ListFeature>& list) {
  if (!list) return;
  std::string flags = "{";
  if (list->list_changed) append_flag(flags, "listChanged", true);
  if (list->subscribe) append_flag(flags, "subscribe", true);
  append_member(out, name, flags + '}');
}

}  // namespace

std::string capabilities(const Features& features, const Revision& revision) {
  std::string out = "{";
  if (features.logging) append_member(out, "logging", "{}");
  if (features.completions) append_member(out, "completions", "{}");
  append_list(out, "tools", features.tools);
  append_list(out, "prompts", features.prompts);
  append_list(out, "resources", features.resources);
  if (features.tasks && revision.tasks == Revision::Tasks::asked_for)
    append_member(out, "tasks", R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})");
  std::string extensions = features.extensions;
  if (features.tasks) {
    if (!extensions.empty()) extensions += ',';
    (json::append_string(extensions, kTasksExtension), extensions) += ":{}";
  }
  if (!extensions.empty() && revision.is_modern)
    append_member(out, "extensions", '{' + extensions + '}');
  return out + '}';
}

}  // namespace sluice::mcp
