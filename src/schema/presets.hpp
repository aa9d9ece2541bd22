#pragma once

#include <sluice/json.hpp>
#include <vector>

#include "schema/schema.hpp"

namespace sluice::schema {

/// A member that is missing from an object and has a default.
struct Preset {
  const JsonNode* object;  ///< In the checked value.
  const JsonNode* name;    ///< In the schema.
  Json value;              ///< In the schema; its default.
};

/// Presets as text to put before the closing braces, in order of offset, each member once (the
/// first preset counts).
[[nodiscard]] std::vector<Insertion> to_insertions(const std::vector<Preset>& presets, Json root);

}  // namespace sluice::schema
