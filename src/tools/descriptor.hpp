#pragma once

#include "base/descriptor.hpp"

namespace sluice::tools {

using sluice::Descriptor;

}  // namespace sluice::tools
