#include <optional>
#include <utility>

#include "base/uri_text.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/resource_tree.hpp"
#include "tools/factory.hpp"
#include "tools/file_relay.hpp"
#include "tools/file_tree.hpp"
#include "tools/glob.hpp"
#include "tools/rooted_open.hpp"
#include "tools/source_result.hpp"

namespace sluice::tools {
namespace {

bool has_odd_segment(std::string_view path) noexcept {
  while (true) {
    const auto slash = path.find('/');
    const auto segment = path.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

/// The files of a directory as resources.
///
/// Ownership: borrows the configuration, which outlives it; owns the directory's descriptor.
/// Threads:   immutable, any.
class TreeHandler final : public mcp::ResourceTree {
 public:
  TreeHandler(const Subject& subject, const config::FileTree& source, RootedDirectory root)
      : subject_(subject),
        config_(source),
        prefix_(uri::normalize(source.uri)),
        root_(std::move(root)),
        filter_(source.include, source.exclude),
        tree_(root_, filter_) {}

  const std::string& prefix() const noexcept override { return prefix_; }
  std::uint32_t max_items() const noexcept override { return config_.max_files; }

  Page list(const std::string& after, std::size_t count) const override {
    auto found = tree_.list(after, count);
    Page page;
    page.next = std::move(found.next);
    page.items.reserve(found.files.size());
    for (auto& file : found.files) {
      Item& item = page.items.emplace_back();
      item.uri = config_.uri;
      uri::append_path(item.uri, file.path);
      item.mime_type = media_type_of(file.path);
      item.size = file.size;
      item.last_modified = time_text(file.modified);
      item.name = std::move(file.path);
    }
    return page;
  }

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    const auto path = path_of(call.uri());
    if (!path) {
      const auto told = co_await out.not_found("There is no such file.");
      co_return told;
    }
    ResultShape shape;
    shape.kind = result_kind(config::ResultKind::automatic, subject_.mime_type);
    shape.mime_type = subject_.mime_type;
    const auto given = co_await give_file(call, out, root_, *path, shape);
    co_return given;
  }

 private:
  /// The one path that is listed under that URI; nullopt where there is none.
  std::optional<std::string> path_of(std::string_view uri) const {
    const std::string normal = uri::normalize(uri);
    if (!normal.starts_with(prefix_)) return std::nullopt;
    const auto rest = std::string_view(normal).substr(prefix_.size());
    std::string path = uri::decode(rest);
    // Nothing has a second name: an encoded slash, a query and dots are none of a path's.
    std::string again;
    uri::append_path(again, path);
    const bool is_plain = uri::normalize_part(rest_without_harmless(rest)) == again;
    if (!is_plain || path.find('\0') != std::string::npos || has_odd_segment(path) ||
        !filter_.takes(path))
      return std::nullopt;
    return path;
  }

  /// Reserved characters that clients may leave as they are in a segment, in the encoded form.
  static std::string rest_without_harmless(std::string_view rest) {
    std::string out;
    for (const char c : rest) {
      if (std::string_view(":@!$&'()*+,;=[]").find(c) != std::string_view::npos)
        uri::append_triplet(out, c);
      else
        out += c;
    }
    return out;
  }

  const Subject subject_;
  const config::FileTree& config_;
  const std::string prefix_;
  const RootedDirectory root_;
  const PathFilter filter_;
  const FileTree tree_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_tree(const Subject& subject, const config::FileTree& source,
                                       std::string& problem) {
  RootedDirectory root;
  if (!root.open(source.root, problem)) return nullptr;
  return std::make_unique<TreeHandler>(subject, source, std::move(root));
}

}  // namespace sluice::tools
