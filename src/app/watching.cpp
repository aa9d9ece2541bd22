#include "app/watching.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <sluice/json.hpp>

#include "base/uri_matcher.hpp"
#include "base/uri_template.hpp"
#include "base/uri_text.hpp"
#include "tools/glob.hpp"
#include "tools/template.hpp"

namespace sluice::app {
namespace {

using Target = tools::FileWatcher::Target;

/// A directory, each file of which is a resource.
class TreeTarget final : public Target {
 public:
  TreeTarget(const config::FileTree& tree, mcp::ResourceChanges& changes)
      : root_(tree.root), uri_(tree.uri), filter_(tree.include, tree.exclude), changes_(changes) {}

  const std::string& root() const noexcept override { return root_; }
  bool takes(std::string_view path) const override { return filter_.takes(path); }
  bool enters(std::string_view directory) const override { return filter_.enters(directory); }

  void changed(const tools::FileChanges& changes) override {
    if (changes.all) changes_.resources_updated(uri_);
    for (const auto& path : changes.directories) changes_.resources_updated(uri_of(path));
    for (const auto& path : changes.files) changes_.resource_updated(uri_of(path));
    if (changes.list) changes_.list_changed(mcp::List::resources);
  }

 private:
  std::string uri_of(std::string_view path) const {
    std::string uri = uri_;
    uri::append_path(uri, path);
    return uri;
  }

  const std::string root_;
  const std::string uri_;
  const tools::PathFilter filter_;
  mcp::ResourceChanges& changes_;
};

/// One file.
class FileTarget final : public Target {
 public:
  FileTarget(std::string uri, std::string root, std::string path, mcp::ResourceChanges& changes)
      : uri_(std::move(uri)), root_(std::move(root)), path_(std::move(path)), changes_(changes) {}

  const std::string& root() const noexcept override { return root_; }
  bool takes(std::string_view path) const override { return path == path_; }
  bool enters(std::string_view directory) const override {
    return path_.size() > directory.size() && path_[directory.size()] == '/' &&
           path_.starts_with(directory);
  }
  void changed(const tools::FileChanges&) override { changes_.resource_updated(uri_); }

 private:
  const std::string uri_;
  const std::string root_;
  const std::string path_;
  mcp::ResourceChanges& changes_;
};

/// Files whose paths hold the variables of a template: the way back from a path to its URI.
class TemplateTarget final : public Target {
 public:
  TemplateTarget(std::string root, UriTemplate uris, UriMatcher paths,
                 mcp::ResourceChanges& changes)
      : root_(std::move(root)),
        uris_(std::move(uris)),
        paths_(std::move(paths)),
        changes_(changes) {}

  const std::string& root() const noexcept override { return root_; }
  bool takes(std::string_view path) const override { return uri_of(path).has_value(); }
  bool enters(std::string_view) const override { return true; }

  void changed(const tools::FileChanges& changes) override {
    // Where more than single files have changed, only the beginning of their URIs is known.
    if (changes.all || !changes.directories.empty())
      changes_.resources_updated(uris_.parts().front().literal);
    for (const auto& path : changes.files)
      if (const auto uri = uri_of(path)) changes_.resource_updated(*uri);
  }

  static constexpr std::string_view kScheme = "path:";

 private:
  std::optional<std::string> uri_of(std::string_view path) const {
    std::string encoded(kScheme);
    uri::append_path(encoded, path);
    const auto found = paths_.match(encoded);
    if (!found) return std::nullopt;
    std::vector<UriVariable> values;
    for (const auto& binding : *found) values.push_back({binding.name, binding.values.at(0)});
    return uris_.expand(values);
  }

  const std::string root_;
  const UriTemplate uris_;
  const UriMatcher paths_;
  mcp::ResourceChanges& changes_;
};

/// The path as a template of its own, so that it can be taken apart; nullopt where it cannot.
std::optional<UriMatcher> matcher_of(const config::Template& path, const UriTemplate& uris) {
  const auto is_wide = [&](std::string_view name) {
    for (const auto& part : uris.parts())
      for (const auto& variable : part.variables)
        if (variable.name == name) return UriTemplate::rules(part.op).keeps_reserved;
    return false;
  };
  std::string text(TemplateTarget::kScheme);
  for (const auto& part : path.parts) {
    if (part.is_slot)
      text += (is_wide(part.text) ? "{+" : "{") + part.text + '}';
    else
      uri::append_path(text, part.text);
  }
  std::string problem;
  const auto parsed = UriTemplate::parse(text, problem);
  return parsed ? UriMatcher::make(*parsed, {}, problem) : std::nullopt;
}

std::unique_ptr<Target> make_target(const config::Resource& resource,
                                    mcp::ResourceChanges& changes) {
  if (!resource.watch) return nullptr;
  if (const auto* tree = std::get_if<config::FileTree>(&resource.source))
    return std::make_unique<TreeTarget>(*tree, changes);
  const auto* file = std::get_if<config::FileTool>(&resource.source);
  if (file == nullptr) return nullptr;
  if (auto path = tools::expand(file->path, Json()))
    return std::make_unique<FileTarget>(resource.uri, file->root, std::move(*path), changes);
  std::string problem;
  auto uris = UriTemplate::parse(resource.uri_template, problem);
  auto paths = uris ? matcher_of(file->path, *uris) : std::nullopt;
  if (!paths) return nullptr;
  return std::make_unique<TemplateTarget>(file->root, std::move(*uris), std::move(*paths), changes);
}

}  // namespace

std::vector<std::unique_ptr<Target>> watch_targets(const config::Config& config,
                                                   mcp::ResourceChanges& changes) {
  std::vector<std::unique_ptr<Target>> out;
  for (const auto& resource : config.resources)
    if (auto target = make_target(resource, changes)) out.push_back(std::move(target));
  return out;
}

}  // namespace sluice::app
