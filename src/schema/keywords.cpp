#include "schema/keywords.hpp"

#include <unordered_map>

namespace sluice::schema {
namespace {

struct Entry {
  const Keyword* keyword;
  std::size_t index;
};

struct Index {
  std::unordered_multimap<std::string_view, Entry> by_name;

  Index() {
    std::size_t next = 0;
    for (const auto table : {assertion_keywords(), applicator_keywords(), core_keywords()}) {
      for (std::size_t i = 0; i < table.size; ++i, ++next) {
        by_name.emplace(table.first[i].name, Entry{table.first + i, next});
      }
    }
  }
};

}  // namespace

const Keyword* find_keyword(std::string_view name, Dialect dialect, std::size_t& index) noexcept {
  static const Index all;
  const auto [first, last] = all.by_name.equal_range(name);
  for (auto at = first; at != last; ++at) {
    const Keyword& keyword = *at->second.keyword;
    if (dialect == Dialect::draft_07 ? keyword.in_draft_07 : keyword.in_2020_12) {
      index = at->second.index;
      return &keyword;
    }
  }
  return nullptr;
}

}  // namespace sluice::schema
