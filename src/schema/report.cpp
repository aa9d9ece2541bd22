#include "schema/report.hpp"

#include "schema/pointer.hpp"
#include "schema/words.hpp"

namespace sluice::schema {
namespace {
// A path holds names of the value's, which may be of any length.
constexpr std::size_t kMaxPathBytes = 1024;
}  // namespace

std::string Report::path_of(const JsonNode* where) const {
  std::string path = pointer_to(instance_root_, where);
  return path.size() <= kMaxPathBytes ? path : show_text(path, kMaxPathBytes);
}

void Report::add(const JsonNode* where, Json schema, std::string_view keyword,
                 std::string message) {
  if (is_full()) return;
  std::string rule = pointer_to(schema_root_, schema.node());
  if (!keyword.empty()) append_token(rule, keyword);
  violations_.push_back({path_of(where), std::move(rule), std::move(message)});
}

}  // namespace sluice::schema
