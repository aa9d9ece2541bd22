// What is made of a tool's result: select, drop, max_items, max_bytes, max_lines, format, columns.

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

/// The result and structured of the source; nullptr where it has none.
template <class Source>
std::pair<ResultKind*, Structured*> result_of(Source& source) {
  if constexpr (std::is_same_v<Source, InlineTool>)
    return {nullptr, nullptr};
  else
    return {&source.result, &source.structured};
}

}  // namespace

void read_shaping(const Section& tool, Tool& out) {
  static constexpr std::pair<std::string_view, Shaping::Format> kFormats[] = {
      {"csv", Shaping::Format::csv},
      {"markdown", Shaping::Format::markdown},
      {"lines", Shaping::Format::lines},
      {"json", Shaping::Format::json}};
  bool has_any = false;
  for (const auto* key : kKeys) has_any |= tool.has(key);
  if (!has_any) return;

  Shaping& shaping = out.shaping.emplace();
  json::Selection selection;
  read_paths(tool, "select", selection.select);
  read_paths(tool, "drop", selection.drop);
  if (const auto items = tool.find("max_items")) read_max_items(*items, shaping, selection);
  tool.bytes("max_bytes", shaping.max_bytes);
  tool.integer("max_lines", shaping.max_lines);
  tool.choice("format", shaping.format, kFormats);
  tool.texts("columns", shaping.columns);
  const auto columns = tool.find("columns");
  if (columns &&
      (shaping.format == Shaping::Format::as_is || shaping.format == Shaping::Format::json ||
       shaping.format == Shaping::Format::lines))
    columns->complain("goes with format: csv or markdown only");

  const auto [result, structured] =
      std::visit([](auto& source) { return result_of(source); }, out.source);
  const bool is_structured = structured != nullptr && *structured != Structured::off;
  const bool selects = tool.has("select") || tool.has("drop") || tool.has("max_items");
  const bool needs_json = selects || tool.has("format");
  if (needs_json && result != nullptr &&
      (*result == ResultKind::image || *result == ResultKind::audio || *result == ResultKind::blob))
    tool.field().complain("select, drop, max_items and format go with a result that is JSON");
  if (const auto lines = tool.find("max_lines"); lines && needs_json)
    lines->complain("is for text; for JSON there are max_items and max_bytes");
  if (const auto format = tool.find("format");
      format && is_structured && shaping.format != Shaping::Format::json)
    format->complain("does not go with structured content, which is JSON");

  shaping.is_json =
      needs_json || is_structured || (result != nullptr && *result == ResultKind::json);
  shaping.has_schema = !out.output_schema.empty();
  if (structured != nullptr && *structured == Structured::both) {
    // The text is made where the structured content is.
    *structured = Structured::on;
    shaping.structured_as_text = true;
  }
  if (!selects) return;
  shaping.select_text = joined(selection.select.empty() ? selection.drop : selection.select);
  // Structured content keeps what its schema says is around.
  if (is_structured) selection.shape = json::Selection::Shape::document;
  std::string problem;
  auto plan = json::SelectPlan::make(selection, problem);
  if (!plan) {
    tool.field().complain(problem);
    return;
  }
  shaping.select = std::make_shared<const json::SelectPlan>(*std::move(plan));
}

}  // namespace sluice::config
