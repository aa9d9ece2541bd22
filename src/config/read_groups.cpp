#include <algorithm>

#include "config/names.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

constexpr std::size_t kLongestName = 64;

/// What a path segment holds without being escaped (RFC 3986 section 2.3).
bool is_segment(std::string_view name) {
  constexpr std::string_view kUnreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  return !name.empty() && name.size() <= kLongestName && name != "." && name != ".." &&
         name.find_first_not_of(kUnreserved) == std::string_view::npos;
}

}  // namespace

void read_groups(const Field& field, std::vector<Group>& out) {
  for (const auto& member : field.members()) {
    if (!is_segment(member.key))
      member.value.context().complaints.add(
          member.spot, member.value.name() +
                           ": a group's name is part of a path: 1 to 64 letters, digits and -._~");
    Group group;
    group.name = member.key;
    group.place = member.value.place();
    const Section section(member.value, keys::group);
    section.text("instructions", group.instructions);
    section.texts("tools", group.tools);
    section.texts("prompts", group.prompts);
    section.texts("resources", group.resources);
    if (group.tools.empty() && group.prompts.empty() && group.resources.empty())
      member.value.expected("a list of names or patterns under tools, prompts or resources");
    out.push_back(std::move(group));
  }
}

}  // namespace sluice::config
