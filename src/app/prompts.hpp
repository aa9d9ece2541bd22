#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/upstreams.hpp"
#include "config/config.hpp"
#include "config/load.hpp"
#include "mcp/prompts.hpp"

namespace sluice::app {

/// What offers values for an argument; null, and `problem` says why where that is not known yet.
[[nodiscard]] std::shared_ptr<Completer> make_completer(const config::Completion& completion,
                                                        const std::string& argument,
                                                        const Upstreams& upstreams,
                                                        const config::Limits& limits,
                                                        std::string& problem);

/// Adds the prompts of the file; what is wrong with them goes to `problems`.
void add_prompts(const config::Config& config, const Upstreams& upstreams,
                 mcp::Prompts::Builder& builder, std::vector<config::Complaint>& problems);

}  // namespace sluice::app
