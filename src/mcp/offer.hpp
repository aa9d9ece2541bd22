#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "mcp/capabilities.hpp"
#include "mcp/catalogue.hpp"
#include "mcp/prompts.hpp"
#include "mcp/resources.hpp"

namespace sluice::mcp {

/// All that the server offers, or the part of it that a group has.
///
/// Ownership: shared by all loops; a request keeps the one that it began with.
/// Threads:   immutable, any; swapped whole when the configuration is read again.
struct Offer {
  std::shared_ptr<const void> origin;  ///< What the handlers borrow: the configuration.
  std::shared_ptr<const Catalogue> tools;
  std::shared_ptr<const Prompts> prompts;
  std::shared_ptr<const Resources> resources;
  bool tasks = false;  ///< Calls may become tasks.
  /// Tools whose large results are kept, and what reads those.
  struct Parking {
    std::set<std::string, std::less<>> tools;
    std::string reader_tool;
    std::string reader_resource;
  };
  Parking parking;
  std::string instructions;
  std::map<std::string, std::shared_ptr<const Offer>, std::less<>> groups;

  /// What clients are told of it.
  [[nodiscard]] Features features() const;
  /// True where an argument or a variable has values to offer.
  [[nodiscard]] bool has_completions() const noexcept {
    return prompts->has_completions() || resources->has_completions();
  }
};

/// The part of `whole` that a group names. What names nothing is complained of.
[[nodiscard]] std::shared_ptr<const Offer> part_of(const Offer& whole, const config::Group& group,
                                                   std::size_t per_page,
                                                   std::vector<std::string>& complaints);

}  // namespace sluice::mcp
