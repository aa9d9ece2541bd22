#include "mcp/list_pages.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sluice::mcp {

ListPages::ListPages(std::string_view member, std::size_t items, std::size_t per_page,
                     const Render& render)
    : prefix_(std::string(member) + '-') {
  per_page = std::max<std::size_t>(1, per_page);
  for (const Revision& revision : kRevisions) {
    Pages pages;
    std::size_t i = 0;
    do {
      std::string page = '"' + std::string(member) + "\":[";
      const std::size_t end = std::min(items, i + per_page);
      for (; i < end; ++i) {
        if (page.back() != '[') page += ',';
        page += render(i, revision);
      }
      page += ']';
      if (i < items)
        page += R"(,"nextCursor":")" + prefix_ + std::to_string(pages.size() + 1) + '"';
      pages.push_back(std::move(page));
    } while (i < items);

    auto& own = pages_[index_of(revision)];
    for (const auto& other : pages_)
      if (other && *other == pages) own = other;
    if (!own) own = std::make_shared<const Pages>(std::move(pages));
  }
}

const std::string* ListPages::page(std::string_view cursor,
                                   const Revision& revision) const noexcept {
  const Pages& pages = *pages_[index_of(revision)];
  if (cursor.empty()) return &pages.front();
  if (!cursor.starts_with(prefix_)) return nullptr;
  cursor.remove_prefix(prefix_.size());
  std::size_t index = 0;
  const auto [end, ec] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), index);
  if (ec != std::errc{} || end != cursor.data() + cursor.size() || cursor.front() == '0')
    return nullptr;
  return index > 0 && index < pages.size() ? &pages[index] : nullptr;
}

bool ListPages::differs_from(const ListPages& other) const {
  return !std::ranges::equal(pages_, other.pages_, [](const auto& a, const auto& b) {
    return a == b || (a && b && *a == *b);
  });
}

}  // namespace sluice::mcp
