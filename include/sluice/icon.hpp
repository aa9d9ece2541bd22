#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// A picture that clients of 2025-11-25 and later may show beside a name.
struct Icon {
  enum class Theme : std::uint8_t { any, light, dark };
  std::string src = {};                 ///< An http, https or data URI.
  std::string mime_type = {};           ///< Empty: as the source says.
  std::vector<std::string> sizes = {};  ///< "48x48", or "any"; empty: any.
  Theme theme = Theme::any;             ///< The background it is made for.
};

}  // namespace sluice
