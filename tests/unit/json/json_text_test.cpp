#include <gtest/gtest.h>

#include <optional>
#include <sluice/json_text.hpp>
#include <string>

namespace sluice {
namespace {

TEST(JsonText, KeepsItsOwnCopyOfTheText) {
  std::string text = R"({"currency":"TWD","close":1.10})";
  const auto parsed = JsonText::parse(text);
  ASSERT_TRUE(parsed);
  text.assign(text.size(), 'x');
  EXPECT_EQ(parsed->root().find("currency").as_string(), "TWD");
  EXPECT_EQ(parsed->root().find("close").raw(), "1.10");
}

TEST(JsonText, IsReadThroughACopyAfterTheFirstIsGone) {
  std::optional<JsonText> first;
  first = JsonText::parse("[1,2]").value();
  const JsonText second = *first;
  first.reset();
  EXPECT_EQ(second.root().size(), 2u);
}

TEST(JsonText, RefusesWhatIsNotOneJsonText) {
  EXPECT_EQ(JsonText::parse("{").error(), Errc::parse_error);
  EXPECT_EQ(JsonText::parse("").error(), Errc::parse_error);
  EXPECT_EQ(JsonText::parse("{} {}").error(), Errc::parse_error);
}

}  // namespace
}  // namespace sluice
