// What is made of a tool's result: select, drop, max_items, max_bytes, max_lines, format, columns;
// park and page.

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

/// The array whose elements count as items.
void read_items(const Section& section, std::string& out) {
  const auto field = section.find("items");
  if (!field) return;
  const auto path = read_path(*field);
  if (path && !path->is_definite())
    field->complain("names one array: by names and indices alone");
  else if (path)
    out = path->text();
}

std::optional<Parking> read_park(const Field& field) {
  // A tool may be without what `defaults` says.
  if (field.as_boolean() == false) return std::nullopt;
  Parking out;
  const Section section(field, keys::park);
  section.bytes("over", out.over);
  section.bytes("preview", out.preview);
  section.duration("ttl", out.ttl);
  read_items(section, out.items);
  if (out.preview > out.over) field.complain("preview is larger than over");
  return out;
}

std::optional<UpstreamPaging> read_upstream_paging(const Section& page) {
  UpstreamPaging out;
  page.duration("ttl", out.ttl);
  page.text("parameter", out.parameter);
  const auto next = page.find("next");
  if (next->is_scalar() && next->node().value == "link") {
    if (const auto parameter = page.find("parameter"))
      parameter->complain("does not go with next: link, which is a URL");
    return out;
  }
  const auto path = read_path(*next);
  if (path && !path->is_definite())
    next->complain("names one value: by names and indices alone; or is link");
  else if (path)
    out.next = path->text();
  return out;
}

std::optional<Paging> read_paging(const Section& page) {
  static constexpr std::pair<std::string_view, Paging::By> kBy[] = {
      {"items", Paging::By::items}, {"lines", Paging::By::lines}, {"bytes", Paging::By::bytes}};
  Paging out;
  if (!page.has("by")) {
    page.field().complain("needs by: items, lines or bytes; or next, where the upstream has pages");
    return std::nullopt;
  }
  page.choice("by", out.by, kBy);
  if (out.by == Paging::By::bytes) {
    out.size = 16_KiB;
    page.bytes("size", out.size);
  } else {
    page.integer("size", out.size);
  }
  page.duration("ttl", out.ttl);
  read_items(page, out.items);
  if (const auto items = page.find("items"); items && out.by != Paging::By::items)
    items->complain("goes with by: items");
  if (const auto parameter = page.find("parameter")) parameter->complain("goes with next");
  return out;
}

/// `park` and `page`; those of the upstream into `upstream`, which is null where it has none.
Keeping read_keeping(const Section& section, std::optional<UpstreamPaging>* upstream) {
  Keeping out;
  const auto park = section.find("park");
  const auto page = section.find("page");
  if (park) out.parking = read_park(*park);
  out.is_off = park && park->as_boolean() == false;
  if (!page) return out;
  const Section keys(*page, keys::page);
  if (keys.has("next")) {
    for (const auto* key : {"by", "size", "items"})
      if (const auto other = keys.find(key))
        other->complain("does not go with next: the upstream has its own pages");
    if (upstream == nullptr)
      keys.find("next")->complain("is for results of upstreams (source)");
    else
      *upstream = read_upstream_paging(keys);
  } else {
    out.paging = read_paging(keys);
    if (park && out.parking)
      park->complain("does not go with page, which keeps what it does not give");
  }
  return out;
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

void settle(Keeping& keeping, std::optional<Shaping>& shaping) {
  using Format = Shaping::Format;
  if (keeping.is_nothing()) return;
  const bool has_items = keeping.paging && keeping.paging->by == Paging::By::items;
  if (has_items && shaping) {
    // A page of items is a table of its own.
    keeping.paging->format = std::exchange(shaping->format, Format::as_is);
    keeping.paging->columns = std::exchange(shaping->columns, {});
    shaping->is_json = true;
  }
  const bool stays_json = shaping && shaping->is_json &&
                          (shaping->format == Format::as_is || shaping->format == Format::json);
  keeping.is_json = has_items || stays_json;
}

Plugin::Results read_results(const std::string& tool, const Section& section) {
  return {tool, read_shaping(section), read_keeping(section, nullptr)};
}

std::optional<Parking> read_default_parking(const Section& defaults) {
  const auto park = defaults.find("park");
  return park ? read_park(*park) : std::nullopt;
}

namespace {

void read_shaping(const Section& tool, const std::optional<Shaping>& defaults, Tool& out) {
  auto keys = read_keys(tool);
  if (!keys) {
    const auto* const http = std::get_if<HttpTool>(&out.source);
    // What is said of the next page is not to come behind structured content.
    const bool has_pages = http != nullptr && http->paging && http->structured != Structured::off;
    if (!has_pages && (!defaults || is_small(out, *defaults))) return;
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

/// What `defaults` says holds where it can.
void add_default_parking(const std::optional<Parking>& defaults, Tool& out) {
  if (!defaults || out.keeping.is_off || !out.keeping.is_nothing() || out.cache ||
      !out.output_schema.empty())
    return;
  if (const auto* const fixed = std::get_if<InlineTool>(&out.source)) {
    const auto is_large = [&](const InlineBlock& block) {
      return !block.file.empty() || block.text.size() > defaults->over;
    };
    if (std::ranges::none_of(fixed->blocks, is_large) && fixed->structured.size() <= defaults->over)
      return;
  }
  out.keeping.parking = defaults;
}

}  // namespace

void read_results(const Section& tool, const Defaults& defaults, Tool& out) {
  auto* const http = std::get_if<HttpTool>(&out.source);
  out.keeping = read_keeping(tool, http != nullptr ? &http->paging : nullptr);
  const auto* const structured =
      std::visit([](auto& source) { return result_of(source); }, out.source).second;
  const bool is_structured = structured != nullptr && *structured != Structured::off;
  add_default_parking(defaults.parking, out);
  // What is kept is not cut, unless the tool itself says so.
  read_shaping(tool, out.keeping.is_nothing() ? defaults.shaping : std::nullopt, out);
  for (const auto* key : {"park", "page"}) {
    const auto field = tool.find(key);
    if (!field || (out.keeping.is_nothing() && (http == nullptr || !http->paging))) continue;
    if (out.cache) field->complain("does not go with cache: what is kept belongs to one caller");
    if (!out.keeping.is_nothing() && !out.output_schema.empty())
      field->complain("does not go with output_schema, which promises structured content");
  }
  if (const auto page = tool.find("page"); page && is_structured && out.keeping.paging)
    page->complain("does not go with structured content: a page is text");
  settle(out.keeping, out.shaping);
}

}  // namespace sluice::config
