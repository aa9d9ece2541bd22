#pragma once

#include <cstddef>
#include <sluice/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.hpp"

namespace sluice::schema {

/// Collects violations up to a limit. Only made once a value is known to be invalid: words cost
/// allocations.
class Report {
 public:
  Report(Json schema_root, Json instance_root, std::size_t limit) noexcept
      : schema_root_(schema_root), instance_root_(instance_root), limit_(limit) {}

  /// An empty report of the same roots.
  [[nodiscard]] Report nested(std::size_t limit) const noexcept {
    return {schema_root_, instance_root_, limit};
  }

  /// `keyword` empty: the schema itself (`false`). `where` is a value, or the name of a member.
  void add(const JsonNode* where, Json schema, std::string_view keyword, std::string message);
  void add(Violation violation) {
    if (!is_full()) violations_.push_back(std::move(violation));
  }
  [[nodiscard]] bool is_full() const noexcept { return violations_.size() >= limit_; }
  [[nodiscard]] std::vector<Violation>& violations() noexcept { return violations_; }
  [[nodiscard]] std::string path_of(const JsonNode* where) const;

 private:
  Json schema_root_;
  Json instance_root_;
  std::size_t limit_;
  std::vector<Violation> violations_;
};

}  // namespace sluice::schema
