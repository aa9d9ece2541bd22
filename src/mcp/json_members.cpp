#include "mcp/json_members.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "json/document.hpp"

namespace sluice::mcp {

void append_member(std::string& out, std::string_view name, std::string_view json) {
  if (out.empty() || out.back() != '{') out += ',';
  out += '"';
  out += name;
  out += "\":";
  out += json;
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  append_member(out, name, "");
  json::append_string(out, text);
}

void append_flag(std::string& out, std::string_view name, const std::optional<bool>& flag) {
  if (flag) append_member(out, name, *flag ? "true" : "false");
}

void append_icons(std::string& out, std::span<const Icon> icons) {
  if (icons.empty()) return;
  std::string list = "[";
  for (const Icon& icon : icons) {
    if (list.back() != '[') list += ',';
    list += '{';
    append_text(list, "src", icon.src);
    append_text(list, "mimeType", icon.mime_type);
    if (!icon.sizes.empty()) {
      std::string sizes = "[";
      for (const auto& size : icon.sizes) {
        if (sizes.back() != '[') sizes += ',';
        json::append_string(sizes, size);
      }
      append_member(list, "sizes", sizes + ']');
    }
    if (icon.theme != Icon::Theme::any)
      append_text(list, "theme", icon.theme == Icon::Theme::dark ? "dark" : "light");
    list += '}';
  }
  append_member(out, "icons", list + ']');
}

void append_annotations(std::string& out, const Annotations* annotations) {
  if (annotations == nullptr || annotations->empty()) return;
  const Annotations& a = *annotations;
  std::string object = "{";
  if (a.for_user || a.for_assistant) {
    std::string audience = a.for_user ? R"(["user")" : "[";
    if (a.for_user && a.for_assistant) audience += ',';
    if (a.for_assistant) audience += R"("assistant")";
    append_member(object, "audience", audience + ']');
  }
  if (a.priority && std::isfinite(*a.priority)) {
    char digits[32];
    const int n = std::snprintf(digits, sizeof digits, "%.6g", *a.priority);
    append_member(object, "priority", {digits, static_cast<std::size_t>(n)});
  }
  append_text(object, "lastModified", a.last_modified);
  append_member(out, "annotations", object + '}');
}

void make_one_line(std::string& json) {
  std::replace(json.begin(), json.end(), '\n', ' ');
  std::replace(json.begin(), json.end(), '\r', ' ');
}

}  // namespace sluice::mcp
