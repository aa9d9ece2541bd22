#include "config/load.hpp"

#include <filesystem>

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
  if (const auto f = top.find("log")) read_log(*f, out.log);
  if (const auto f = top.find("sources")) read_sources(*f, out.http_sources);
  if (const auto f = top.find("plugins")) read_plugins(*f, out.plugins);
  if (const auto f = top.find("defaults"))
    read_tool_bounds(Section(*f, keys::defaults), out.defaults);
  if (const auto f = top.find("tools")) read_tools(*f, out);
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
  if (const auto root = yaml::parse(text, complaints))
    read_top(Field(context, *root, {}), out.config);
  out.complaints = std::move(complaints).take();
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
