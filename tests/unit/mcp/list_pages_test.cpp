#include "mcp/list_pages.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

ListPages numbers(std::size_t items, std::size_t per_page) {
  return {"numbers", items, per_page,
          [](std::size_t i, const Revision&) { return R"({"n":)" + std::to_string(i) + '}'; }};
}

TEST(ListPages, GoThroughAllItemsInTheirOrder) {
  for (const std::size_t per_page : {0U, 1U, 2U, 3U, 100U})
    for (const std::size_t items : {0U, 1U, 2U, 3U, 4U, 7U}) {
      const ListPages pages = numbers(items, per_page);
      std::string cursor;
      std::size_t seen = 0;
      std::size_t count = 0;
      do {
        ASSERT_LE(++count, items + 1) << "paging ends";
        const std::string* page = pages.page(cursor, kModern);
        ASSERT_NE(page, nullptr);
        json::Document document;
        const auto root = document.parse_copy("{" + *page + "}");
        ASSERT_TRUE(root);
        for (const Json n : root->find("numbers"))
          EXPECT_EQ(n.find("n").raw(), std::to_string(seen++));
        EXPECT_LE(root->find("numbers").size(), std::max<std::size_t>(1, per_page));
        cursor = root->find("nextCursor").as_string().value_or("");
      } while (!cursor.empty());
      EXPECT_EQ(seen, items);
    }
}

TEST(ListPages, KnowNoCursorButTheirOwn) {
  const ListPages pages = numbers(5, 2);
  for (const std::string_view cursor :
       {"bogus", "numbers-", "numbers-0", "numbers-3", "numbers-01", "numbers-1x", "numbers--1",
        "numbers-+1", "numbers-99999999999999999999", "NUMBERS-1", " numbers-1", "tools-1"})
    EXPECT_EQ(pages.page(cursor, kModern), nullptr) << cursor;
  EXPECT_NE(pages.page("numbers-1", kModern), nullptr);
  EXPECT_NE(pages.page("numbers-2", kModern), nullptr);
}

TEST(ListPages, AreSharedByRevisionsThatSeeTheSame) {
  const ListPages pages("things", 3, 2, [](std::size_t, const Revision& revision) {
    return std::string(revision.is_modern ? R"({"new":1})" : R"({"old":1})");
  });
  const auto* const modern = pages.page({}, kRevisions[0]);
  const auto* const legacy = pages.page({}, kRevisions[1]);
  EXPECT_NE(modern, legacy);
  EXPECT_NE(modern->find("new"), std::string::npos);
  EXPECT_NE(legacy->find("old"), std::string::npos);
  for (std::size_t i = 2; i < kRevisions.size(); ++i)
    EXPECT_EQ(pages.page({}, kRevisions[i]), legacy);
}

}  // namespace
}  // namespace sluice::mcp
