#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sluice/resource.hpp>

#include "buffer/recording.hpp"
#include "config/config.hpp"
#include "mcp/changes.hpp"
#include "mcp/contents_writer.hpp"
#include "mcp/handler_entry.hpp"
#include "mcp/list_pages.hpp"
#include "mcp/resource_facts.hpp"
#include "mcp/resource_tree.hpp"
#include "mcp/template_variables.hpp"

namespace sluice::mcp {

/// A resource, a template or a tree, ready to be read.
struct ResourceEntry : HandlerEntry {
  Resource resource;
  std::optional<TemplateVariables> variables;  ///< Of a template.
  const ResourceTree* tree = nullptr;          ///< Its handler, where that is one.
  const ResourceFacts* facts = nullptr;        ///< Likewise.
  std::shared_ptr<const Recording> fixed;      ///< What every read gives; null: the handler runs.
  mutable std::atomic<bool> is_cut{false};     ///< Not all of a tree is listed; has been logged.

  [[nodiscard]] bool is_template() const noexcept { return variables.has_value(); }
};

/// How contents of a resource are written; `id`, `envelope` and `revision` are the caller's.
[[nodiscard]] ContentsWriter::Options contents_options(const ResourceEntry& entry,
                                                       std::string_view uri);

/// All resources and templates. Built once, then shared by all loops.
///
/// Threads:   immutable, any.
class Resources {
 public:
  class Builder;

  struct Found {
    const ResourceEntry* entry = nullptr;  ///< Null: there is no such resource.
    std::string arguments;                 ///< JSON object: the variables of a template.
    std::string problem;  ///< Why the URI is not to be had, where a template would fit.
  };
  /// What is meant by a URI, in whatever form it is written: a resource of its own, then the tree
  /// with the longest prefix, then the first template that fits.
  [[nodiscard]] Found find(std::string_view uri, std::uint64_t max_steps) const;
  /// The template that is written so; null: there is none.
  [[nodiscard]] const ResourceEntry* find_template(std::string_view uri_template) const noexcept;

  /// One page of resources/list, as ListPages gives it; nullopt where the cursor is none of ours.
  /// Trees are listed file by file, as they are now. Blocks where blocks() says so.
  [[nodiscard]] std::optional<std::string> page(std::string_view cursor,
                                                const Revision& revision) const;
  /// True where page() has to look at the disk.
  [[nodiscard]] bool blocks() const noexcept { return blocks_; }
  /// resources/templates/list, in the order of registration.
  [[nodiscard]] const ListPages& templates() const noexcept { return templates_; }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  /// True where a variable of a template has values to offer.
  [[nodiscard]] bool has_completions() const noexcept;
  /// Those resources alone, by their names.
  [[nodiscard]] std::shared_ptr<const Resources> only(const IsWanted& is_wanted,
                                                      std::size_t per_page) const;

  /// True where a client would see a difference in a list, files of trees apart.
  [[nodiscard]] bool differs_from(const Resources& other) const { return listed_ != other.listed_; }
  /// Tells what may read otherwise than it did in `before`.
  void tell_changes_since(const Resources& before, ResourceChanges& changes) const;

 private:
  using Entries = std::vector<std::shared_ptr<const ResourceEntry>>;
  Resources(Entries entries, std::size_t per_page);

  Entries entries_;
  std::unordered_map<std::string, const ResourceEntry*> by_uri_;  // in normal form
  std::vector<const ResourceEntry*> trees_;                       // the longest prefix first
  std::vector<const ResourceEntry*> with_variables_;
  ListPages templates_;
  std::string listed_;  // all that lists say, but for files of trees
  std::size_t per_page_ = 1;
  bool blocks_ = false;
};

class Resources::Builder {
 public:
  explicit Builder(const config::Config& config) : config_(config) {}
  /// Takes a resource, or keeps a complaint about it. A ResourceTree has neither URI nor template.
  void add(Resource resource, std::unique_ptr<ToolHandler> handler);
  /// What was wrong with the resources added since the last call.
  [[nodiscard]] std::vector<std::string> take_complaints() {
    return std::exchange(complaints_, {});
  }
  /// REQUIRES: there were no complaints.
  [[nodiscard]] std::shared_ptr<const Resources> build() &&;

 private:
  void complain(const Resource& resource, std::string_view what);
  void check(const Resource& resource, const ResourceTree* tree);
  /// Adds what variables offer by themselves.
  void complete(const TemplateVariables& variables, Resource& resource);

  const config::Config& config_;
  Entries entries_;
  std::vector<std::string> complaints_;
};

}  // namespace sluice::mcp
