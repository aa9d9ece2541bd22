#pragma once

#include <string>

#include "mcp/resource_tree.hpp"
#include "mcp/resources.hpp"
#include "mcp/revision.hpp"

namespace sluice::mcp {

/// What resources/list or resources/templates/list say of it: one JSON object on one line. `facts`
/// may be null.
[[nodiscard]] std::string render(const ResourceEntry& entry, const ResourceFacts::Facts* facts,
                                 const Revision& revision);
/// The same for an item of a tree, of which all is said that is said of the tree.
[[nodiscard]] std::string render(const ResourceEntry& tree, const ResourceTree::Item& item,
                                 const Revision& revision);

}  // namespace sluice::mcp
