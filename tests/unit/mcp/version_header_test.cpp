#include "mcp/version_header.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"
#include "mcp/revision.hpp"

namespace sluice::mcp {
namespace {

using Kind = VersionHeader::Kind;

TEST(VersionHeader, NamesOneVersionHoweverOftenItIsRepeated) {
  for (const std::string_view text : {"2025-11-25", "2025-11-25, 2025-11-25",
                                      "2025-11-25,2025-11-25 ,\t2025-11-25", " 2025-11-25 "}) {
    const auto header = read_version_header(text);
    EXPECT_EQ(header.kind, Kind::one) << text;
    EXPECT_EQ(header.value, "2025-11-25") << text;
  }
}

TEST(VersionHeader, IsMalformedWhereItNamesNoneOrSeveral) {
  for (const std::string_view text :
       {"", " ", ",", "2025-11-25,", ",2025-11-25", "2025-11-25, 2025-06-18"})
    EXPECT_EQ(read_version_header(text).kind, Kind::malformed) << text;
  EXPECT_EQ(read_version_header(std::nullopt).kind, Kind::absent);
}

TEST(VersionHeader, IsAfterLegacyWhereItIsALaterDate) {
  for (const std::string_view text : {"2026-07-28", "2025-11-26", "2025-12-01", "9999-99-99"})
    EXPECT_TRUE(read_version_header(text).is_after_legacy()) << text;
  for (const std::string_view text : {"2025-11-25", "2024-11-05", "1999-01-01", "banana", "draft",
                                      "2026-7-28", "2026-07-28x", "2026_07_28", "zzzz-zz-zz"})
    EXPECT_FALSE(read_version_header(text).is_after_legacy()) << text;
}

TEST(VersionHeader, IsAnsweredWithTheVersionsServed) {
  const Failure failure = unsupported_version("1900-01-01\"");
  EXPECT_EQ(failure.code, rpc::kUnsupportedVersion);
  EXPECT_EQ(failure.status, 400U);
  json::Document document;
  const auto data = document.parse_copy(failure.data);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->find("requested").as_string(), "1900-01-01\"");
  EXPECT_EQ(data->find("supported").size(), kRevisions.size());
  EXPECT_EQ((*data->find("supported").begin()).as_string(), "2026-07-28");
}

TEST(Revision, IsFoundByItsExactName) {
  for (const auto& revision : kRevisions) EXPECT_EQ(find_revision(revision.name), &revision);
  for (const std::string_view name : {"", "2025", "2025-11-25 ", "2026-07-29", "1999-01-01"})
    EXPECT_EQ(find_revision(name), nullptr) << name;
}

}  // namespace
}  // namespace sluice::mcp
