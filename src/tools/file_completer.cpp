#include <utility>
#include <vector>

#include "mcp/completion_match.hpp"
#include "mcp/inner_call.hpp"
#include "tools/completers.hpp"
#include "tools/file_tree.hpp"
#include "tools/glob.hpp"
#include "tools/rooted_open.hpp"

namespace sluice::tools {
namespace {

/// Paths of the files below a directory, looked up for each request.
///
/// Threads:   immutable, any; the disk is waited for on the worker pool.
/// Bounds:    those of one FileTree::list(); where they do not do, there is more than is offered.
class FileCompleter final : public Completer {
 public:
  FileCompleter(RootedDirectory root, std::string pattern)
      : root_(std::move(root)), filter_({std::move(pattern)}, {}), tree_(root_, filter_) {}

  Awaitable<Result<Completions>> complete(Call& call, std::string_view typed) override {
    constexpr std::size_t kMaxFiles = 10'000;
    auto list = [this] { return tree_.list({}, kMaxFiles); };
    const FileTree::Listing listing = co_await call.offload(list);
    std::vector<std::string> paths;
    paths.reserve(listing.files.size());
    for (const auto& file : listing.files) paths.push_back(file.path);
    Completions out = mcp::matching(paths, typed);
    if (listing.next) {
      out.total.reset();
      out.has_more = true;
    }
    co_return out;
  }

 private:
  const RootedDirectory root_;
  const PathFilter filter_;
  const FileTree tree_;
};

}  // namespace

std::shared_ptr<Completer> make_file_completer(const config::Completion::Files& files,
                                               std::string& problem) {
  RootedDirectory root;
  if (!root.open(files.root, problem)) return nullptr;
  return std::make_shared<FileCompleter>(std::move(root), files.pattern);
}

}  // namespace sluice::tools
