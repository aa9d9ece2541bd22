#include "mcp/resources.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/uri_text.hpp"
#include "json/document.hpp"
#include "mcp/fixed_tool.hpp"
#include "mcp/resource_text.hpp"

namespace sluice::mcp {
namespace {

/// One text for a URI however it is written. Of a web address without a path, clients make one with
/// the path `/`.
std::string key_of(std::string_view uri) {
  std::string key = uri::normalize(uri);
  const bool is_web = key.starts_with("http://") || key.starts_with("https://");
  if (is_web && key.find_first_of("/?#", 8) == std::string::npos) key += '/';
  return key;
}

std::string bytes_of(const Recording& recording) {
  std::string out;
  for (const auto& piece : recording.pieces()) out += piece.bytes;
  return out;
}

}  // namespace

ContentsWriter::Options contents_options(const ResourceEntry& entry, std::string_view uri) {
  ContentsWriter::Options options;
  options.uri = uri;
  options.mime_type = entry.resource.mime_type;
  options.meta = entry.resource.meta;
  options.max_bytes = entry.max_result;
  options.limit_name = entry.limit_name;
  return options;
}

Resources::Found Resources::find(std::string_view uri, std::uint64_t max_steps) const {
  Found found;
  found.arguments = "{}";
  const std::string key = key_of(uri);
  if (const auto it = by_uri_.find(key); it != by_uri_.end()) {
    found.entry = it->second;
    return found;
  }
  for (const auto* entry : trees_)
    if (key.starts_with(entry->tree->prefix())) {
      found.entry = entry;
      return found;
    }
  for (const auto* entry : with_variables_) {
    auto values = entry->variables->find(uri, max_steps);
    if (!values) continue;
    if (!values->problem.empty()) {
      if (found.problem.empty()) found.problem = std::move(values->problem);
      continue;
    }
    found.entry = entry;
    found.arguments = std::move(values->json);
    found.problem.clear();
    return found;
  }
  return found;
}

const ResourceEntry* Resources::find_template(std::string_view uri_template) const noexcept {
  for (const auto* entry : with_variables_)
    if (entry->resource.uri_template == uri_template) return entry;
  return nullptr;
}

bool Resources::has_completions() const noexcept {
  return std::ranges::any_of(with_variables_,
                             [](const auto* entry) { return !entry->resource.completers.empty(); });
}

void Resources::Builder::complain(const Resource& resource, std::string_view what) {
  complaints_.push_back("resource \"" + resource.name + "\": " + std::string(what));
}

void Resources::Builder::check(const Resource& resource, const ResourceTree* tree) {
  if (resource.name.empty()) complain(resource, "it has no name");
  const bool has_uri = !resource.uri.empty();
  const bool has_template = !resource.uri_template.empty();
  if (tree == nullptr && has_uri == has_template)
    complain(resource, "expected a URI or a URI template");
  if (has_uri && uri::scheme_of(resource.uri).empty())
    complain(resource, "its URI does not begin with a scheme");
  for (const auto& other : entries_) {
    const bool is_same = has_uri        ? key_of(other->resource.uri) == key_of(resource.uri)
                         : has_template ? other->resource.uri_template == resource.uri_template
                                        : other->tree != nullptr && tree != nullptr &&
                                              other->tree->prefix() == tree->prefix();
    if (is_same) complain(resource, "\"" + other->name + "\" has the same URI");
  }
  if (!resource.meta.empty()) {
    json::Document meta;
    const auto value = meta.parse_copy(resource.meta);
    if (!value || !value->is(JsonKind::object)) complain(resource, "meta is not a JSON object");
  }
}

void Resources::Builder::complete(const TemplateVariables& variables, Resource& resource) {
  for (const auto& [name, completer] : resource.completers)
    if (!variables.has(name)) complain(resource, "its template holds no {" + name + "}");
  for (const auto name : variables.names())
    if (const auto& allowed = variables.allowed(name); !allowed.empty())
      resource.completers.try_emplace(std::string(name), complete_from(allowed));
}

void Resources::Builder::add(Resource resource, std::unique_ptr<ToolHandler> handler) {
  const std::size_t before = complaints_.size();
  const auto* const tree = dynamic_cast<const ResourceTree*>(handler.get());
  check(resource, tree);
  auto entry = std::make_shared<ResourceEntry>();
  if (!resource.uri_template.empty()) {
    std::string problem;
    entry->variables = TemplateVariables::make(resource.uri_template, resource.parameters, problem);
    if (!entry->variables) complain(resource, problem);
    if (entry->variables) complete(*entry->variables, resource);
  }
  if (complaints_.size() != before || handler == nullptr) return;

  entry->kind = "resource";
  entry->name = resource.name;
  entry->bound({resource.framing, resource.compression, resource.concurrency, resource.timeout,
                resource.max_result},
               config_);
  entry->resource = std::move(resource);
  entry->tree = tree;
  if (!entry->is_template()) entry->facts = dynamic_cast<const ResourceFacts*>(handler.get());
  if (auto* const fixed = dynamic_cast<FixedTool*>(handler.get())) {
    const auto recorded = record(*fixed, contents_options(*entry, entry->resource.uri));
    if (!recorded.recording->is_worth_keeping())
      return complain(entry->resource, "it is larger than " + entry->limit_name + " allows");
    entry->fixed = recorded.recording;
    if (!entry->resource.size) entry->resource.size = recorded.bytes;
  } else {
    entry->handler = std::move(handler);
  }
  entries_.push_back(std::move(entry));
}

std::shared_ptr<const Resources> Resources::Builder::build() && {
  return std::shared_ptr<const Resources>(
      new Resources(std::move(entries_), config_.server.list_page));
}

Resources::Resources(Entries entries, std::size_t per_page)
    : entries_(std::move(entries)), per_page_(std::max<std::size_t>(1, per_page)) {
  for (const auto& entry : entries_) {
    blocks_ |= entry->tree != nullptr || entry->facts != nullptr;
    if (entry->tree != nullptr)
      trees_.push_back(entry.get());
    else if (entry->is_template())
      with_variables_.push_back(entry.get());
    else
      by_uri_.emplace(key_of(entry->resource.uri), entry.get());
    listed_ += entry->tree != nullptr ? render(*entry, {.uri = entry->tree->prefix()}, kModern)
                                      : render(*entry, nullptr, kModern);
  }
  std::ranges::sort(trees_, std::greater<>(),
                    [](const auto* entry) { return entry->tree->prefix().size(); });
  templates_ = ListPages(
      "resourceTemplates", with_variables_.size(), per_page_,
      [&](std::size_t i, const Revision& r) { return render(*with_variables_[i], nullptr, r); });
}

std::shared_ptr<const Resources> Resources::only(const IsWanted& is_wanted,
                                                 std::size_t per_page) const {
  Entries wanted;
  std::ranges::copy_if(entries_, std::back_inserter(wanted),
                       [&](const auto& entry) { return is_wanted(entry->name); });
  return std::shared_ptr<const Resources>(new Resources(std::move(wanted), per_page));
}

void Resources::tell_changes_since(const Resources& before, ResourceChanges& changes) const {
  const auto is_same = [](const ResourceEntry& a, const ResourceEntry& b) {
    return a.fixed && b.fixed && bytes_of(*a.fixed) == bytes_of(*b.fixed);
  };
  const auto tell = [&](const ResourceEntry& entry) {
    if (entry.tree != nullptr)
      changes.resources_updated(entry.tree->prefix());
    else if (entry.is_template())
      changes.resources_updated(entry.variables->beginning());
    else
      changes.resource_updated(entry.resource.uri);
  };
  // Where a resource comes from may have changed with it, and only what is fixed can be compared.
  for (const auto& entry : entries_) {
    const auto known = before.by_uri_.find(key_of(entry->resource.uri));
    if (known == before.by_uri_.end() || !is_same(*entry, *known->second)) tell(*entry);
  }
  for (const auto& entry : before.entries_)
    if (entry->resource.uri.empty() || !by_uri_.contains(key_of(entry->resource.uri))) tell(*entry);
}

}  // namespace sluice::mcp
