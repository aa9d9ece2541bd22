#include "mcp/capabilities.hpp"

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
  if (!features.extensions.empty() && revision.is_modern)
    append_member(out, "extensions", '{' + features.extensions + '}');
  return out + '}';
}

}  // namespace sluice::mcp
