#include "config/files.hpp"
#include "config/sections.hpp"

namespace sluice::config {

void read_tasks(const Field& field, Tasks& out) {
  const Section section(field, keys::tasks);
  std::string spool;
  section.text("spool", spool);
  if (spool.find('\0') != std::string::npos)
    section.find("spool")->expected("a path");
  else if (!spool.empty())
    out.spool = resolve(field.context(), spool);
  section.bytes("max_bytes", out.max_bytes);
  section.integer("max_tasks", out.max_tasks);
  section.bytes("caller_bytes", out.caller_bytes);
  section.integer("caller_tasks", out.caller_tasks);
  section.duration("ttl", out.ttl);
  section.duration("poll_interval", out.poll_interval);
}

void require_spool(const Section& tool, std::optional<Tool::Task> task, const Tasks& tasks) {
  const auto field = tool.find("task");
  if (field && task.value_or(Tool::Task::off) != Tool::Task::off && tasks.spool.empty())
    field->complain("needs tasks.spool, a directory to keep results in");
}

}  // namespace sluice::config
