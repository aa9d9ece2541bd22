#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/linked.hpp"
#include "config/config.hpp"
#include "config/load.hpp"
#include "mcp/offer.hpp"

namespace sluice::app {

/// What is offered, or what is wrong with it.
struct BuiltOffer {
  std::shared_ptr<const mcp::Offer> offer;    ///< Null where there are complaints.
  std::vector<config::Complaint> complaints;  ///< In the order of the file.
};

/// Makes all that a configuration offers: what stands in the file, what its plug-ins add, then
/// `linked`; and its groups. Plug-ins say to `notifier` what changes. The offer keeps the configuration, of which its handlers hold parts,
/// and frees those that are not needed any more.
[[nodiscard]] BuiltOffer build_offer(const std::shared_ptr<config::Config>& config,
                                     std::size_t loops, std::shared_ptr<Notifier> notifier,
                                     Linked linked = {});

/// By line and column; what has no place, such as tools of the host program, comes last.
void sort_by_place(std::vector<config::Complaint>& complaints);

}  // namespace sluice::app
