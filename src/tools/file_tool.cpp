#include <optional>
#include <utility>

#include "base/uri_text.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/resource_facts.hpp"
#include "tools/factory.hpp"
#include "tools/file_relay.hpp"
#include "tools/rooted_open.hpp"
#include "tools/source_result.hpp"
#include "tools/template.hpp"

namespace sluice::tools {
namespace {

/// A URI for a file whose place is nobody's business: the tool's name and the path below the
/// directory.
std::string uri_of(std::string_view tool, std::string_view path) {
  std::string uri = "sluice://";
  uri.append(tool).append("/");
  uri::append_path(uri, path);
  return uri;
}

/// Gives files below a directory.
///
/// Ownership: borrows the configuration, which outlives it; owns the directory's descriptor.
/// Threads:   immutable, any.
class FileHandler final : public ToolHandler, public mcp::ResourceFacts {
 public:
  FileHandler(const Subject& subject, const config::FileTool& source, RootedDirectory root)
      : subject_(subject), config_(source), root_(std::move(root)) {}

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    const auto path = expand(config_.path, call.arguments());
    const std::string refusal =
        path ? path_problem(*path) : "A parameter of the path has no value.";
    if (!refusal.empty()) {
      const auto told = co_await out.not_found(refusal);
      co_return told;
    }
    const ResultShape shape{result_kind(config_.result, subject_.mime_type), config_.structured,
                            config_.mime_type.value_or(std::string()),
                            uri_of(subject_.name, *path)};
    const auto given = co_await give_file(call, out, root_, *path, shape);
    co_return given;
  }

  std::optional<Facts> facts() const override {
    const auto path = expand(config_.path, Json());
    struct stat status{};
    if (!path || !path_problem(*path).empty() || !root_.stat_file(*path, status))
      return std::nullopt;
    return Facts{static_cast<std::uint64_t>(status.st_size), time_text(status.st_mtim.tv_sec)};
  }

 private:
  const Subject subject_;
  const config::FileTool& config_;
  const RootedDirectory root_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_file(const Subject& subject, const config::FileTool& source,
                                       std::string& problem) {
  RootedDirectory root;
  if (!root.open(source.root, problem)) return nullptr;
  return std::make_unique<FileHandler>(subject, source, std::move(root));
}

}  // namespace sluice::tools
