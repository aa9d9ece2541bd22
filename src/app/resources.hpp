#pragma once

#include <vector>

#include "app/upstreams.hpp"
#include "config/config.hpp"
#include "config/load.hpp"
#include "mcp/resources.hpp"

namespace sluice::app {

/// Adds the resources of the file; what is wrong with them goes to `problems`.
void add_resources(const config::Config& config, const Upstreams& upstreams,
                   mcp::Resources::Builder& builder, std::vector<config::Complaint>& problems);

}  // namespace sluice::app
