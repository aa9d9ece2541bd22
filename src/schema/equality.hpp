#pragma once

#include <cstddef>
#include <optional>
#include <sluice/json.hpp>
#include <utility>

#include "schema/budget.hpp"

namespace sluice::schema {

/// Equality of JSON values as JSON Schema defines it: numbers by value, objects without regard to
/// order. False, with the budget exhausted, where that cannot be found out within it.
[[nodiscard]] bool equal(Json a, Json b, Budget& budget) noexcept;

/// The positions of two equal elements, or nullopt. Short arrays are compared pair by pair, longer
/// ones by hash; each comparison is charged to the budget, so that colliding hashes end in an
/// exhausted one.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> find_repeated(Json array,
                                                                               Budget& budget);

}  // namespace sluice::schema
