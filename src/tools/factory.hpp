#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <sluice/tool.hpp>

#include "config/config.hpp"

namespace sluice::http {
class Upstream;
}

/// One function per kind of source. Each gives a handler for a tool or a resource, or null and
/// fills `problem` with what the operator has to mend. The configuration outlives the handlers.
namespace sluice::tools {

/// Whose handler it is.
struct Subject {
  std::string_view name;
  std::span<const config::Parameter> parameters;
  /// What a resource says of itself; decides whether its bytes are text, where `result` leaves that
  /// open. Empty for tools.
  std::string_view mime_type = {};
};
[[nodiscard]] inline Subject subject_of(const config::Tool& tool) noexcept {
  return {tool.name, tool.parameters};
}
[[nodiscard]] inline Subject subject_of(const config::Resource& resource) noexcept {
  return {resource.name, resource.parameters, resource.mime_type};
}

[[nodiscard]] std::unique_ptr<ToolHandler> make_inline(const config::InlineTool& source);
[[nodiscard]] std::unique_ptr<ToolHandler> make_text(const config::TextTemplate& source);
[[nodiscard]] std::unique_ptr<ToolHandler> make_file(const Subject& subject,
                                                     const config::FileTool& source,
                                                     std::string& problem);
[[nodiscard]] std::unique_ptr<ToolHandler> make_tree(const Subject& subject,
                                                     const config::FileTree& source,
                                                     std::string& problem);
[[nodiscard]] std::unique_ptr<ToolHandler> make_command(const Subject& subject,
                                                        const config::CommandTool& source,
                                                        std::string& problem);
[[nodiscard]] std::unique_ptr<ToolHandler> make_http(const Subject& subject,
                                                     const config::HttpTool& source,
                                                     std::shared_ptr<http::Upstream> upstream,
                                                     std::string& problem);

// For tools, whose source is known to be of that kind.
[[nodiscard]] inline std::unique_ptr<ToolHandler> make_inline_tool(const config::Tool& tool,
                                                                   std::string&) {
  return make_inline(std::get<config::InlineTool>(tool.source));
}
[[nodiscard]] inline std::unique_ptr<ToolHandler> make_file_tool(const config::Tool& tool,
                                                                 std::string& problem) {
  return make_file(subject_of(tool), std::get<config::FileTool>(tool.source), problem);
}
[[nodiscard]] inline std::unique_ptr<ToolHandler> make_command_tool(const config::Tool& tool,
                                                                    std::string& problem) {
  return make_command(subject_of(tool), std::get<config::CommandTool>(tool.source), problem);
}
[[nodiscard]] inline std::unique_ptr<ToolHandler> make_http_tool(
    const config::Tool& tool, std::shared_ptr<http::Upstream> upstream, std::string& problem) {
  return make_http(subject_of(tool), std::get<config::HttpTool>(tool.source), std::move(upstream),
                   problem);
}

/// The same tool, which asks its user first and does nothing unless the answer is yes.
[[nodiscard]] std::unique_ptr<ToolHandler> make_confirmed_tool(
    const config::Confirm& confirm, std::unique_ptr<ToolHandler> handler);

/// The same tool, whose results are made as small as `shaping` says.
[[nodiscard]] std::unique_ptr<ToolHandler> make_shaped_tool(config::Shaping shaping,
                                                            const config::Limits& limits,
                                                            std::unique_ptr<ToolHandler> handler);

/// The same tool, whose large results are kept on disk, or given in pages.
[[nodiscard]] std::unique_ptr<ToolHandler> make_keeping_tool(config::Keeping keeping,
                                                             const config::Limits& limits,
                                                             std::unique_ptr<ToolHandler> handler);
// The limits outlive them.
std::unique_ptr<ToolHandler> make_shaped_tool(config::Shaping, config::Limits&&,
                                              std::unique_ptr<ToolHandler>) = delete;
std::unique_ptr<ToolHandler> make_keeping_tool(config::Keeping, config::Limits&&,
                                               std::unique_ptr<ToolHandler>) = delete;

/// Reads what was kept: for the resource template and for the tool (tools/pages.hpp).
[[nodiscard]] std::unique_ptr<ToolHandler> make_parked_reader(const config::Config& config);

}  // namespace sluice::tools
