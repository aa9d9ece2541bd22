#include "mcp/event_id.hpp"

#include <gtest/gtest.h>

namespace sluice::mcp {
namespace {

using Kind = EventId::Kind;

TEST(EventId, IsTheSameWhenItComesBack) {
  for (const std::string request :
       {"1", "-7", "9007199254740993", "\"a-b\"", "\"q\\\"\xC3\xA9 %\""})
    for (const std::uint32_t number : {0U, 1U, 4294967295U}) {
      const EventId id{number, Kind::response, 7, number, request};
      const auto text = id.text();
      EXPECT_EQ(text.find_first_of(" \t\r\n\""), std::string::npos) << text;
      const auto back = EventId::parse(text);
      ASSERT_TRUE(back) << text;
      EXPECT_EQ(back->epoch, id.epoch);
      EXPECT_EQ(back->kind, Kind::response);
      EXPECT_EQ(back->stream, 7U);
      EXPECT_EQ(back->number, number);
      EXPECT_EQ(back->request, request);
    }
  const EventId listening{0xdeadbeef, Kind::listening, 3, 9, {}};
  EXPECT_EQ(listening.text(), "deadbeef-g3-9");
  const auto back = EventId::parse("deadbeef-g3-9");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->kind, Kind::listening);
  EXPECT_EQ(back->number, 9U);
}

TEST(EventId, LeavesOutTheIdOfARequestThatIsTooLong) {
  const EventId id{1, Kind::response, 2, 3, '"' + std::string(1000, 'x') + '"'};
  EXPECT_LE(id.text().size(), EventId::kLongest);
  const auto back = EventId::parse(id.text());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->request, "");
}

TEST(EventId, IsNoneWhereTheTextIsNotOurs) {
  for (const char* text : {"",
                           "1",
                           "-",
                           "1-",
                           "1-g",
                           "1-g2",
                           "1-g2-",
                           "1-g2-3-",
                           "1-g2-3-4",
                           "1-x2-3",
                           "g-g2-3x",
                           "1-r2-3",
                           "1-r2-3-x",
                           "1-r2-3-{}",
                           "1-r2-3-%7B%7D",
                           "1-r2-3-[1]",
                           "1-r2-3-%22a",
                           "1-r2-3-1%2C2",
                           "1-r2-3-null",
                           "1-r2-3-1 ",
                           "100000000-g1-1",
                           "1-g4294967296-1",
                           "1-g1-99999999999",
                           "1-g-1-1",
                           " 1-g1-1"})
    EXPECT_FALSE(EventId::parse(text)) << text;
  EXPECT_FALSE(EventId::parse(std::string(300, '1')));
}

}  // namespace
}  // namespace sluice::mcp
