#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sluice/tool.hpp>

#include "buffer/recording.hpp"
#include "config/config.hpp"
#include "mcp/handler_entry.hpp"
#include "mcp/json_result_writer.hpp"
#include "mcp/list_pages.hpp"
#include "mcp/result_cache.hpp"
#include "mcp/revision.hpp"
#include "schema/schema.hpp"

namespace sluice::mcp {

/// A parameter that 2026-07-28 clients mirror into a header (Streamable HTTP, Custom Headers from
/// Tool Parameters).
struct HeaderParameter {
  std::string header;             ///< "Mcp-Param-Region"
  std::vector<std::string> path;  ///< Chain of property names from the root of the arguments.
};

/// A tool, ready to be called.
struct ToolEntry : HandlerEntry {
  Tool tool;
  std::unique_ptr<const schema::Schema> input;
  std::unique_ptr<const schema::Schema> output;  ///< Null: none.
  bool output_is_object =
      false;  ///< All that revisions before 2026-07-28 allow of an output schema.
  std::vector<HeaderParameter> headers;
  TaskMode task = TaskMode::off;
  std::chrono::milliseconds task_after{};
  std::unique_ptr<ResultCache> cache;  ///< Null: every call runs the handler.
  /// The result of a FixedTool, by Revision::Structured; null for others.
  std::array<std::shared_ptr<const Recording>, 3> fixed;
  mutable std::atomic<bool> told_unchecked{false};  ///< See JsonResultWriter::Options.

  [[nodiscard]] const std::shared_ptr<const Recording>& fixed_for(
      Revision::Structured structured) const noexcept {
    return fixed[static_cast<std::size_t>(structured)];
  }
};

/// How results of a tool are written.
[[nodiscard]] JsonResultWriter::Options result_options(const ToolEntry& entry,
                                                       Revision::Structured structured,
                                                       const config::Limits& limits,
                                                       std::string_view envelope);

/// The configuration's word for it in the words of tools.
[[nodiscard]] std::optional<TaskMode> task_mode_of(std::optional<config::Tool::Task> task) noexcept;

/// All tools, and tools/list as it is sent. Built once, then shared by all loops.
///
/// Threads:   immutable, any.
class Catalogue {
 public:
  class Builder;

  [[nodiscard]] const ToolEntry* find(std::string_view name) const noexcept;
  [[nodiscard]] const std::vector<std::shared_ptr<const ToolEntry>>& tools() const noexcept {
    return tools_;
  }

  /// tools/list, in the order of registration.
  [[nodiscard]] const ListPages& pages() const noexcept { return pages_; }
  /// Those tools alone, in pages of their own.
  [[nodiscard]] std::shared_ptr<const Catalogue> only(const IsWanted& is_wanted,
                                                      std::size_t per_page) const;

 private:
  using Entries = std::vector<std::shared_ptr<const ToolEntry>>;
  Catalogue(Entries tools, std::size_t per_page);
  Entries tools_;
  std::unordered_map<std::string_view, const ToolEntry*> by_name_;
  ListPages pages_;
};

class Catalogue::Builder {
 public:
  explicit Builder(const config::Config& config) : config_(config) {}
  /// Takes a tool, or keeps a complaint about it.
  void add(Tool tool, std::unique_ptr<ToolHandler> handler);
  /// What was wrong with the tools added since the last call.
  [[nodiscard]] std::vector<std::string> take_complaints() {
    return std::exchange(complaints_, {});
  }
  /// REQUIRES: there were no complaints.
  [[nodiscard]] std::shared_ptr<const Catalogue> build() &&;

 private:
  void complain(const Tool& tool, std::string_view what);

  const config::Config& config_;
  std::vector<std::shared_ptr<const ToolEntry>> tools_;
  std::vector<std::string> complaints_;
};

}  // namespace sluice::mcp
