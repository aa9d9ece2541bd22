#include "config/load.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "config/files.hpp"
#include "config/sections.hpp"
#include "config/yaml.hpp"

namespace sluice::config {
namespace {

void read_top(const Field& field, Config& out) {
  if (!field.is_mapping()) return field.expected("a mapping that begins with \"version: 1\"");
  const Section top(field, keys::top);
  if (const auto version = top.find("version")) {
    if (!version->is_scalar() || version->node().value != "1" || !version->node().is_plain)
      version->expected("1, the version of the file's format that this program reads");
  } else {
    field.context().complaints.add({1, 1}, "\"version: 1\" is missing");
  }
  if (const auto f = top.find("server")) read_server(*f, out.server);
  if (const auto f = top.find("limits")) read_limits(*f, out.limits);
  if (const auto f = top.find("timeouts")) read_timeouts(*f, out.timeouts);
  if (const auto f = top.find("tasks")) read_tasks(*f, out.tasks);
  if (const auto f = top.find("parking")) read_parking(*f, out.parking);
  if (const auto f = top.find("log")) read_log(*f, out.log);
  if (const auto f = top.find("sources")) read_sources(*f, out.http_sources);
  for (auto& source : out.http_sources) {
    source.send_buffer = out.limits.send_buffer;
    source.receive_buffer = out.limits.receive_buffer;
  }
  if (const auto f = top.find("plugins")) read_plugins(*f, out.plugins);
  if (const auto f = top.find("defaults")) {
    const Section defaults(*f, keys::defaults);
    read_tool_bounds(defaults, out.defaults);
    read_task_bounds(defaults, out.defaults);
    require_spool(defaults, out.defaults.task, out.tasks);
    out.defaults.shaping = read_default_limits(defaults);
    out.defaults.parking = read_default_parking(defaults);
  }
  if (const auto f = top.find("tools")) read_tools(*f, out);
  if (const auto f = top.find("prompts")) read_prompts(*f, out);
  if (const auto f = top.find("resources")) read_resources(*f, out);
  if (const auto f = top.find("groups")) read_groups(*f, out.groups);
}

using Places = std::set<std::pair<int, int>>;

bool holds_one_of(const Places& places, const yaml::Node& node) {
  const auto is_here = [&](Spot spot) { return places.contains({spot.line, spot.column}); };
  if (is_here(node.spot)) return true;
  for (const auto& element : node.elements)
    if (holds_one_of(places, *element)) return true;
  for (const auto& entry : node.entries)
    if (is_here(entry.spot) || holds_one_of(places, *entry.value)) return true;
  return false;
}

/// `parts` were read one by one from what the section holds; only those without a complaint stay.
template <class T>
void keep_whole(const yaml::Node& root, std::string_view section, const Places& places,
                std::vector<T>& parts) {
  const auto* found = root.find(section);
  if (found == nullptr) return;
  const yaml::Node& node = *found->value;
  std::vector<T> whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_listed = i < node.elements.size();
    if (!is_listed && i >= node.entries.size()) break;
    const yaml::Node& value = is_listed ? *node.elements[i] : *node.entries[i].value;
    const Spot spot = is_listed ? value.spot : node.entries[i].spot;
    if (!places.contains({spot.line, spot.column}) && !holds_one_of(places, value))
      whole.push_back(std::move(parts[i]));
  }
  parts = std::move(whole);
}

void drop_faulty_parts(const yaml::Node& root, const std::vector<Complaint>& complaints,
                       Config& out) {
  Places places;
  for (const auto& complaint : complaints)
    places.emplace(complaint.place.line, complaint.place.column);
  keep_whole(root, "sources", places, out.http_sources);
  keep_whole(root, "plugins", places, out.plugins);
  keep_whole(root, "tools", places, out.tools);
  keep_whole(root, "prompts", places, out.prompts);
  keep_whole(root, "resources", places, out.resources);
  keep_whole(root, "groups", places, out.groups);
}

std::string folder_of(const std::string& path) {
  std::error_code ec;
  const auto full = std::filesystem::absolute(path, ec);
  return (ec ? std::filesystem::path(path) : full).parent_path().string();
}

}  // namespace

Loaded load_text(const std::string& text, const std::string& path) {
  Loaded out;
  out.config.file = path;
  Complaints complaints(path);
  Context context{complaints, folder_of(path)};
  const auto root = yaml::parse(text, complaints);
  if (root) read_top(Field(context, *root, {}), out.config);
  out.complaints = std::move(complaints).take();
  if (root && !out.complaints.empty()) drop_faulty_parts(*root, out.complaints, out.config);
  return out;
}

Loaded load_file(const std::string& path) {
  auto file = slurp(path);
  if (file.content) return load_text(*file.content, path);
  Loaded out;
  out.config.file = path;
  out.complaints.push_back({{path, 0, 0}, "cannot read the configuration file: " + file.error});
  return out;
}

}  // namespace sluice::config
