#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.hpp"

namespace sluice::mcp {

/// `title`, then a line for each violation: where, what, and by which rule.
[[nodiscard]] inline std::string describe(std::string_view title,
                                          const std::vector<schema::Violation>& violations) {
  std::string text(title);
  for (const auto& v : violations) {
    text += "\n- ";
    text += v.instance_path.empty() ? "the whole" : v.instance_path;
    text += ": " + v.message + " (rule " + v.rule + ")";
  }
  return text;
}

}  // namespace sluice::mcp
