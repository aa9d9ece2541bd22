#pragma once

#include <map>
#include <memory>
#include <string>

namespace sluice::http {
class Upstream;
}

namespace sluice::app {

/// By the names of their sources.
using Upstreams = std::map<std::string, std::shared_ptr<http::Upstream>>;

}  // namespace sluice::app
