#pragma once

#include <sluice/json.hpp>

namespace sluice::mcp {

/// `{}`, for arguments that were left out.
[[nodiscard]] const Json& empty_object();

}  // namespace sluice::mcp
