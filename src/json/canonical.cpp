#include "json/canonical.hpp"

#include <algorithm>
#include <vector>

#include "json/document.hpp"

namespace sluice::json {
namespace {

void append(std::string& out, Json value) {
  switch (value.kind()) {
    case JsonKind::string:
      append_string(out, *value.as_string());
      return;
    case JsonKind::array: {
      const char* comma = "[";
      for (const Json element : value) {
        out += comma;
        append(out, element);
        comma = ",";
      }
      out += value.size() == 0 ? "[]" : "]";
      return;
    }
    case JsonKind::object: {
      std::vector<Json::Member> members;
      members.reserve(value.size());
      for (const auto& member : value.members()) members.push_back(member);
      // Repeated names stay, in their order: a tool may look at all of them.
      std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
        return a.name != b.name ? a.name < b.name : a.value.node() < b.value.node();
      });
      const char* comma = "{";
      for (const auto& member : members) {
        out += comma;
        append_string(out, member.name);
        out += ':';
        append(out, member.value);
        comma = ",";
      }
      out += members.empty() ? "{}" : "}";
      return;
    }
    default:
      out += value.raw();
  }
}

}  // namespace

std::string canonical(Json value) {
  std::string out;
  append(out, value);
  return out;
}

}  // namespace sluice::json
