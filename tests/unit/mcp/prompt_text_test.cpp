#include "mcp/prompt_text.hpp"

#include <gtest/gtest.h>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

constexpr std::uint64_t kPlenty = 1 << 20;

const Revision& revision(std::string_view name) { return *find_revision(name); }

TEST(PromptText, WritesEveryKindOfContent) {
  PromptText text(kModern, kPlenty);
  Annotations annotations;
  annotations.for_user = true;
  annotations.priority = 0.5;
  const Block plain{.annotations = &annotations, .meta = "{\"k\":\n1}"};
  ASSERT_TRUE(text.message(Role::user, plain, "a\"b\n"));
  ASSERT_TRUE(text.message(Role::assistant, {.kind = BlockKind::image, .mime_type = "image/png"},
                           std::string_view("\0\1\2\3", 4)));
  ASSERT_TRUE(text.message(Role::user, {.kind = BlockKind::audio, .mime_type = "audio/wav"}, "x"));
  ASSERT_TRUE(text.message(
      Role::user, {.kind = BlockKind::resource_text, .mime_type = "text/plain", .uri = "a:b"},
      "t"));
  ASSERT_TRUE(text.message(Role::user, {.kind = BlockKind::resource_blob, .uri = "a:c"}, ""));
  ResourceLink link{"a:d", "d"};
  link.size = 7;
  ASSERT_TRUE(text.link(Role::user, link));
  EXPECT_EQ(
      text.messages(),
      R"({"role":"user","content":{"type":"text","annotations":{"audience":["user"],"priority":0.5},"_meta":{"k": 1},"text":"a\"b\n"}},)"
      R"({"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"AAECAw=="}},)"
      R"({"role":"user","content":{"type":"audio","mimeType":"audio/wav","data":"eA=="}},)"
      R"({"role":"user","content":{"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","text":"t"}}},)"
      R"({"role":"user","content":{"type":"resource","resource":{"uri":"a:c","blob":""}}},)"
      R"({"role":"user","content":{"type":"resource_link","uri":"a:d","name":"d","size":7}})");
}

TEST(PromptText, NamesAResourceInTextWhereTheRevisionHasNoLinks) {
  PromptText text(revision("2025-03-26"), kPlenty);
  ResourceLink link{"a:d", "d"};
  link.title = "Table";
  ASSERT_TRUE(text.link(Role::user, link));
  EXPECT_EQ(text.messages(), R"({"role":"user","content":{"type":"text","text":"Table: a:d"}})");
}

TEST(PromptText, PutsWhatIsNotUtf8Right) {
  PromptText text(kModern, kPlenty);
  ASSERT_TRUE(text.text(Role::user, "a\xff"));
  EXPECT_EQ(text.messages(),
            "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\xEF\xBF\xBD\"}}");
}

TEST(PromptText, TakesNothingThatGoesOverItsLimitAndKeepsTheRest) {
  for (std::size_t limit = 0; limit < 300; ++limit) {
    PromptText text(kModern, limit);
    std::string kept;
    for (const auto size : {0U, 10U, 50U, 1000U}) {
      const auto done = text.text(Role::user, std::string(size, 'x'));
      EXPECT_LE(text.messages().size(), limit);
      if (!done) {
        EXPECT_EQ(done.error(), Errc::result_too_large);
        EXPECT_TRUE(text.is_too_large());
        EXPECT_EQ(text.messages(), kept);
        break;
      }
      kept = text.messages();
    }
    EXPECT_TRUE(text.is_too_large());
  }
}

TEST(PromptText, HasNoStructuredContent) {
  PromptText text(kModern, kPlenty);
  EXPECT_EQ(text.message(Role::user, {.kind = BlockKind::structured}, "{}").error(), Errc::misuse);
}

TEST(PromptText, KeepsWhatIsWrongWithAnArgument) {
  PromptText text(kModern, kPlenty);
  const auto refused = text.refuse("too long");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), Errc::invalid_params);
  EXPECT_EQ(text.refusal(), "too long");
}

}  // namespace
}  // namespace sluice::mcp
