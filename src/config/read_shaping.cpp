// What is made of a tool's result: select, drop, max_items, max_bytes, max_lines, format, columns.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "config/sections.hpp"
#include "json/path.hpp"
#include "json/select_plan.hpp"

namespace sluice::config {
namespace {

constexpr std::array kKeys{"select",    "drop",   "max_items", "max_bytes",
                           "max_lines", "format", "columns"};

std::optional<json::Path> read_path(const Field& field) {
  const auto text = field.text();
  if (!text) return std::nullopt;
  json::Path::Problem problem;
  auto path = json::Path::parse(*text, problem);
  if (!path)
    field.complain(problem.text + ", at character " + std::to_string(problem.offset + 1) +
                   " of \"" + *text + '"');
  return path;
}

void read_paths(const Section& tool, const char* key, std::vector<json::Path>& out) {
  const auto field = tool.find(key);
  if (!field) return;
  for (const auto& element : field->elements(Field::Lists::or_single))
    if (auto path = read_path(element)) out.push_back(*std::move(path));
}

/// A number, of the elements of the whole result; or { path: ..., max: ... }.
void read_max_items(const Field& field, Shaping& out, json::Selection& selection) {
  selection.items = json::Selection::Items{};
  auto& items = *selection.items;
  out.items_path = "$";
  if (field.is_mapping()) {
    const Section section(field, keys::max_items);
    section.integer("max", out.max_items);
    if (!section.has("max")) field.complain("needs max");
    const auto path = section.find("path");
    if (!path) {
      field.complain("needs path, or is a number: that of the elements of the whole result");
      return;
    }
    auto read = read_path(*path);
    if (!read) return;
    if (!read->is_definite()) {
      path->complain("names one array: by names and indices alone");
      return;
    }
    out.items_path = read->text();
    items.path = *std::move(read);
  } else {
    out.max_items = field.integer(1, 1'000'000'000);
    json::Path::Problem none;
    items.path = *json::Path::parse("$", none);
  }
  items.max = out.max_items.value_or(items.max);
}

std::string joined(const std::vector<json::Path>& paths) {
  std::string out;
  for (const auto& path : paths) out += (out.empty() ? "" : ", ") + path.text();
  return out;
}

/// What a section says of it, before it is made ready.
struct Keys {
  Shaping shaping;
  json::Selection selection;
  bool selects = false;
  bool needs_json = false;
};

/// None where the section has none of the keys.
std::optional<Keys> read_keys(const Section& section) {
  static constexpr std::pair<std::string_view, Shaping::Format> kFormats[] = {
      {"csv", Shaping::Format::csv},
      {"markdown", Shaping::Format::markdown},
      {"lines", Shaping::Format::lines},
      {"json", Shaping::Format::json}};
  bool has_any = false;
  for (const auto* key : kKeys) has_any |= section.has(key);
  if (!has_any) return std::nullopt;

  Keys out;
  Shaping& shaping = out.shaping;
  read_paths(section, "select", out.selection.select);
  read_paths(section, "drop", out.selection.drop);
  if (const auto items = section.find("max_items")) read_max_items(*items, shaping, out.selection);
  section.bytes("max_bytes", shaping.max_bytes);
  section.integer("max_lines", shaping.max_lines);
  section.choice("format", shaping.format, kFormats);
  section.texts("columns", shaping.columns);
  const auto columns = section.find("columns");
  if (columns && shaping.format != Shaping::Format::csv &&
      shaping.format != Shaping::Format::markdown)
    columns->complain("goes with format: csv or markdown only");
  out.selects = section.has("select") || section.has("drop") || section.has("max_items");
  out.needs_json = out.selects || section.has("format");
  shaping.is_json = out.needs_json;
  if (const auto lines = section.find("max_lines"); lines && out.needs_json)
    lines->complain("is for text; for JSON there are max_items and max_bytes");
  return out;
}

void make_ready(const Section& section, Keys& keys) {
  if (!keys.selects) return;
  const auto& named = keys.selection.select.empty() ? keys.selection.drop : keys.selection.select;
  keys.shaping.select_text = joined(named);
  std::string problem;
  auto plan = json::SelectPlan::make(keys.selection, problem);
  if (!plan) {
    section.field().complain(problem);
    return;
  }
  keys.shaping.select = std::make_shared<const json::SelectPlan>(*std::move(plan));
}

/// The result and structured of the source; nullptr where it has none.
template <class Source>
std::pair<ResultKind*, Structured*> result_of(Source& source) {
  if constexpr (std::is_same_v<Source, InlineTool>)
    return {nullptr, nullptr};
  else
    return {&source.result, &source.structured};
}

/// What stands in the file is sent from where it lies, unless it is too large.
bool is_small(const Tool& tool, const Shaping& defaults) {
  const auto* const fixed = std::get_if<InlineTool>(&tool.source);
  if (fixed == nullptr) return false;
  for (const auto& block : fixed->blocks) {
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(block.text, '\n')) + 1;
    if (!block.file.empty() || block.text.size() > defaults.max_bytes.value_or(block.text.size()) ||
        lines > defaults.max_lines.value_or(lines))
      return false;
  }
  return fixed->structured.size() <= defaults.max_bytes.value_or(fixed->structured.size());
}

}  // namespace

std::optional<Shaping> read_shaping(const Section& section) {
  auto keys = read_keys(section);
  if (!keys) return std::nullopt;
  make_ready(section, *keys);
  return std::move(keys->shaping);
}

std::optional<Shaping> read_default_limits(const Section& defaults) {
  Shaping out;
  defaults.bytes("max_bytes", out.max_bytes);
  defaults.integer("max_lines", out.max_lines);
  if (!out.max_bytes && !out.max_lines) return std::nullopt;
  return out;
}

void read_shaping(const Section& tool, const std::optional<Shaping>& defaults, Tool& out) {
  auto keys = read_keys(tool);
  if (!keys) {
    if (!defaults || is_small(out, *defaults)) return;
    keys.emplace();
  }
  Shaping& shaping = keys->shaping;
  if (defaults && !shaping.max_bytes) shaping.max_bytes = defaults->max_bytes;
  if (defaults && !shaping.max_lines) shaping.max_lines = defaults->max_lines;

  const auto [result, structured] =
      std::visit([](auto& source) { return result_of(source); }, out.source);
  const bool is_structured = structured != nullptr && *structured != Structured::off;
  if (keys->needs_json && result != nullptr &&
      (*result == ResultKind::image || *result == ResultKind::audio || *result == ResultKind::blob))
    tool.field().complain("select, drop, max_items and format go with a result that is JSON");
  if (const auto format = tool.find("format");
      format && is_structured && shaping.format != Shaping::Format::json)
    format->complain("does not go with structured content, which is JSON");
  shaping.is_json |= is_structured || (result != nullptr && *result == ResultKind::json);
  shaping.has_schema = !out.output_schema.empty();
  if (structured != nullptr && *structured == Structured::both) {
    // The text is made where the structured content is.
    *structured = Structured::on;
    shaping.structured_as_text = true;
  }
  // Structured content keeps what its schema says is around.
  if (is_structured) keys->selection.shape = json::Selection::Shape::document;
  make_ready(tool, *keys);
  out.shaping = std::move(keys->shaping);
}

}  // namespace sluice::config
