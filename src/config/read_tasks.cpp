// Where results are kept on disk: tasks, parking.

#include "config/files.hpp"
#include "config/sections.hpp"

namespace sluice::config {
namespace {

void read_directory(const Section& section, const char* key, std::string& out) {
  std::string path;
  section.text(key, path);
  if (path.find('\0') != std::string::npos)
    section.find(key)->expected("a path");
  else if (!path.empty())
    out = resolve(section.field().context(), path);
}

}  // namespace

void read_tasks(const Field& field, Tasks& out) {
  const Section section(field, keys::tasks);
  read_directory(section, "spool", out.spool);
  section.bytes("max_bytes", out.max_bytes);
  section.integer("max_tasks", out.max_tasks);
  section.bytes("caller_bytes", out.caller_bytes);
  section.integer("caller_tasks", out.caller_tasks);
  section.duration("ttl", out.ttl);
  section.duration("poll_interval", out.poll_interval);
}

void read_parking(const Field& field, ParkingLot& out) {
  const Section section(field, keys::parking);
  read_directory(section, "directory", out.directory);
  section.bytes("max_bytes", out.max_bytes);
  section.bytes("per_caller", out.per_caller);
  section.integer("max_results", out.max_results);
  section.bytes("part", out.part, 1_KiB);
  section.boolean("keep", out.keep);
  if (out.keep && out.directory.empty())
    field.complain("keep needs directory, which is for these results alone");
}

void require_spool(const Section& tool, std::optional<Tool::Task> task, const Tasks& tasks) {
  const auto field = tool.find("task");
  if (field && task.value_or(Tool::Task::off) != Tool::Task::off && tasks.spool.empty())
    field->complain("needs tasks.spool, a directory to keep results in");
}

}  // namespace sluice::config
