#pragma once

#include <sluice/notifier.hpp>

namespace sluice::mcp {

using sluice::List;
/// What tells of changes inside the program, plug-ins apart, uses the same interface as those.
using ResourceChanges = sluice::Notifier;

}  // namespace sluice::mcp
