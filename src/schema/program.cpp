#include "schema/program.hpp"

#include <algorithm>

namespace sluice::schema {
namespace {
constexpr std::size_t kLinear = 8;
}

const Property* ObjectRules::find(std::string_view name) const noexcept {
  if (sorted.empty()) {
    for (const Property& property : properties) {
      if (property.name->string == name) return &property;
    }
    return nullptr;
  }
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), name,
                                   [this](std::uint32_t index, std::string_view wanted) {
                                     return properties[index].name->string < wanted;
                                   });
  return at != sorted.end() && properties[*at].name->string == name ? &properties[*at] : nullptr;
}

void ObjectRules::sort() {
  if (properties.size() <= kLinear) return;
  for (std::uint32_t i = 0; i < properties.size(); ++i) sorted.push_back(i);
  std::sort(sorted.begin(), sorted.end(), [this](std::uint32_t a, std::uint32_t b) {
    return properties[a].name->string < properties[b].name->string;
  });
}

}  // namespace sluice::schema
