#include "mcp/catalogue.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "json/document.hpp"
#include "mcp/fixed_tool.hpp"
#include "mcp/header_parameters.hpp"
#include "mcp/json_members.hpp"
#include "mcp/names.hpp"

namespace sluice::mcp {
namespace {

std::string render(const ToolEntry& entry, const Revision& revision) {
  using Details = Revision::Details;
  const Tool& tool = entry.tool;
  std::string out = "{";
  append_text(out, "name", tool.name);
  if (revision.details >= Details::titles) append_text(out, "title", tool.title);
  append_text(out, "description", tool.description);
  append_member(out, "inputSchema", tool.input_schema);
  // Before 2026-07-28 a list with any other schema in it is not to be read by a client.
  if (entry.output &&
      (revision.structured == Revision::Structured::any ||
       (revision.structured == Revision::Structured::objects && entry.output_is_object)))
    append_member(out, "outputSchema", tool.output_schema);
  std::string annotations = "{";
  append_text(annotations, "title", tool.annotations.title);
  append_flag(annotations, "readOnlyHint", tool.annotations.read_only);
  append_flag(annotations, "destructiveHint", tool.annotations.destructive);
  append_flag(annotations, "idempotentHint", tool.annotations.idempotent);
  append_flag(annotations, "openWorldHint", tool.annotations.open_world);
  annotations += '}';
  if (annotations.size() > 2 && revision.details >= Details::annotations)
    append_member(out, "annotations", annotations);
  if (revision.details >= Details::icons) append_icons(out, tool.icons);
  if (revision.tasks == Revision::Tasks::asked_for && entry.task != TaskMode::off)
    append_member(out, "execution",
                  entry.task == TaskMode::required ? R"({"taskSupport":"required"})"
                                                   : R"({"taskSupport":"optional"})");
  if (!tool.meta.empty() && revision.details >= Details::titles)
    append_member(out, "_meta", tool.meta);
  out += '}';
  make_one_line(out);
  return out;
}

constexpr std::chrono::seconds kTaskAfter{5};

/// One recording does for all revisions that would get the same bytes.
bool record_results(ToolEntry& entry, FixedTool& tool, const config::Limits& limits) {
  using Structured = Revision::Structured;
  for (const auto structured : {Structured::none, Structured::any, Structured::objects}) {
    auto recording = record(tool, result_options(entry, structured, limits, {}));
    // They differ in structured content only, so as many bytes are the same bytes.
    for (const auto& other : entry.fixed)
      if (other && other->size() == recording->size()) recording = other;
    entry.fixed[static_cast<std::size_t>(structured)] = std::move(recording);
  }
  return std::ranges::all_of(entry.fixed, [](const auto& f) { return f->is_whole(); });
}

}  // namespace

JsonResultWriter::Options result_options(const ToolEntry& entry, Revision::Structured structured,
                                         const config::Limits& limits, std::string_view envelope) {
  JsonResultWriter::Options options;
  options.envelope = envelope;
  options.structured = structured;
  options.max_bytes = entry.max_result;
  options.limit_name = entry.limit_name;
  options.max_nesting = limits.nesting;
  options.output_schema = entry.output.get();
  options.needs_structured =
      entry.output && (structured == Revision::Structured::any ||
                       (structured == Revision::Structured::objects && entry.output_is_object));
  options.tool = entry.tool.name;
  options.told_unchecked = &entry.told_unchecked;
  options.max_schema_steps = limits.schema_steps;
  return options;
}

std::optional<TaskMode> task_mode_of(std::optional<config::Tool::Task> task) noexcept {
  if (!task) return std::nullopt;
  switch (*task) {
    case config::Tool::Task::automatic:
      return TaskMode::automatic;
    case config::Tool::Task::always:
      return TaskMode::always;
    case config::Tool::Task::required:
      return TaskMode::required;
    case config::Tool::Task::off:
      break;
  }
  return TaskMode::off;
}

const ToolEntry* Catalogue::find(std::string_view name) const noexcept {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

void Catalogue::Builder::complain(const Tool& tool, std::string_view what) {
  complaints_.push_back("tool \"" + tool.name + "\": " + std::string(what));
}

void Catalogue::Builder::add(Tool tool, std::unique_ptr<ToolHandler> handler) {
  const std::size_t before = complaints_.size();
  if (!is_name(tool.name))
    complain(tool, "a name has 1 to 128 characters, no blanks and no controls");
  for (const auto& other : tools_)
    if (other->tool.name == tool.name) complain(tool, "there is another tool of that name");

  auto entry = std::make_unique<ToolEntry>();
  json::Document document;
  const auto root = document.parse_copy(tool.input_schema);
  if (!root || !root->is(JsonKind::object)) {
    complain(tool, "input_schema is not a JSON object");
  } else {
    if (const Json type = root->find("type"); !type || type.as_string() != "object")
      complain(tool, "input_schema must have the type object");
    schema::Schema::CompileError error;
    entry->input = schema::Schema::compile(tool.input_schema, error);
    if (!entry->input) complain(tool, "input_schema" + error.pointer + ": " + error.message);
    std::string problem;
    entry->headers = find_header_parameters(*root, problem);
    if (!problem.empty()) complain(tool, problem);
  }
  if (!tool.output_schema.empty()) {
    schema::Schema::CompileError error;
    entry->output = schema::Schema::compile(tool.output_schema, error);
    json::Document output;
    const auto root_of_output = output.parse_copy(tool.output_schema);
    entry->output_is_object = root_of_output && root_of_output->find("type").is(JsonKind::string) &&
                              root_of_output->find("type").as_string() == "object";
    if (!entry->output) complain(tool, "output_schema" + error.pointer + ": " + error.message);
  }
  if (!tool.meta.empty()) {
    json::Document meta;
    const auto value = meta.parse_copy(tool.meta);
    if (!value || !value->is(JsonKind::object)) complain(tool, "meta is not a JSON object");
  }
  if (complaints_.size() != before) return;

  entry->kind = "tool";
  entry->name = tool.name;
  entry->bound({tool.framing, tool.compression, tool.concurrency, tool.timeout, tool.max_result},
               config_);
  tool.framing = entry->framing;
  tool.compression = entry->compression;
  tool.concurrency = entry->concurrency;
  // Results that are there already, or kept in another way, need no tasks.
  const bool can_be_task = !tool.cache && dynamic_cast<FixedTool*>(handler.get()) == nullptr;
  if (tool.task.value_or(TaskMode::off) != TaskMode::off && tool.cache)
    return complain(tool, "task does not go with cache: results of tasks are kept apart");
  const bool has_spool = !config_.tasks.spool.empty();
  if (tool.task.value_or(TaskMode::off) != TaskMode::off && !has_spool)
    return complain(tool, "task needs tasks.spool, a directory to keep results in");
  const auto& defaults = config_.defaults;
  if (can_be_task && has_spool)
    entry->task = tool.task.value_or(task_mode_of(defaults.task).value_or(TaskMode::off));
  entry->task_after = tool.task_after.value_or(defaults.task_after.value_or(kTaskAfter));
  entry->tool = std::move(tool);
  if (auto* const fixed = dynamic_cast<FixedTool*>(handler.get())) {
    if (!record_results(*entry, *fixed, config_.limits)) {
      complain(entry->tool, "its structured content is not one JSON value");
      return;
    }
  } else {
    if (entry->tool.cache)
      entry->cache = std::make_unique<ResultCache>(*entry->tool.cache, config_.timeouts.stall);
    entry->handler = std::move(handler);
  }
  tools_.push_back(std::move(entry));
}

std::shared_ptr<const Catalogue> Catalogue::Builder::build() && {
  return std::shared_ptr<const Catalogue>(
      new Catalogue(std::move(tools_), config_.server.list_page));
}

Catalogue::Catalogue(Entries tools, std::size_t per_page)
    : tools_(std::move(tools)),
      pages_("tools", tools_.size(), per_page,
             [&](std::size_t i, const Revision& r) { return render(*tools_[i], r); }) {
  for (const auto& entry : tools_) by_name_.emplace(entry->tool.name, entry.get());
}

std::shared_ptr<const Catalogue> Catalogue::only(const IsWanted& is_wanted,
                                                 std::size_t per_page) const {
  Entries wanted;
  std::ranges::copy_if(tools_, std::back_inserter(wanted),
                       [&](const auto& entry) { return is_wanted(entry->tool.name); });
  return std::shared_ptr<const Catalogue>(new Catalogue(std::move(wanted), per_page));
}

}  // namespace sluice::mcp
