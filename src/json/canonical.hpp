#pragma once

#include <string>

#include <sluice/json.hpp>

namespace sluice::json {

/// One text for all JSON that means the same, but for numbers, which stay as written: no white
/// space, members in the order of their names, strings escaped in one way (in the manner of RFC
/// 8785).
[[nodiscard]] std::string canonical(Json value);

}  // namespace sluice::json
