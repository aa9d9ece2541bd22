#pragma once

#include <memory>

#include "mcp/capabilities.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/prompts.hpp"

namespace sluice::mcp {

/// All that the server offers.
///
/// Threads:   immutable, any; shared by all loops, swapped whole.
struct Offer {
  std::shared_ptr<const Catalogue> tools;
  std::shared_ptr<const Prompts> prompts;

  /// What clients are told of it.
  [[nodiscard]] Features features() const {
    Features out;
    out.tools.emplace();
    if (!prompts->empty()) out.prompts.emplace();
    out.completions = prompts->has_completions();
    return out;
  }
};

}  // namespace sluice::mcp
