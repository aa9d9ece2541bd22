#pragma once

#include <memory>
#include <string>

#include <sluice/tool.hpp>

#include "config/config.hpp"

namespace sluice::http {
class Upstream;
}

/// One function per tool type. Each gives a handler, or null and fills `problem` with what the
/// operator has to mend. The configuration outlives the handlers.
namespace sluice::tools {

[[nodiscard]] std::unique_ptr<ToolHandler> make_inline_tool(const config::Tool& tool,
                                                            std::string& problem);
[[nodiscard]] std::unique_ptr<ToolHandler> make_file_tool(const config::Tool& tool,
                                                          std::string& problem);
[[nodiscard]] std::unique_ptr<ToolHandler> make_command_tool(const config::Tool& tool,
                                                             std::string& problem);
[[nodiscard]] std::unique_ptr<ToolHandler> make_http_tool(const config::Tool& tool,
                                                          std::shared_ptr<http::Upstream> upstream,
                                                          std::string& problem);

/// The same tool, which asks its user first and does nothing unless the answer is yes.
[[nodiscard]] std::unique_ptr<ToolHandler> make_confirmed_tool(
    const config::Confirm& confirm, std::unique_ptr<ToolHandler> handler);

}  // namespace sluice::tools
