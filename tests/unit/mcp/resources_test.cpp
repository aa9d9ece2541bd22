#include "mcp/resources.hpp"

#include <gtest/gtest.h>

#include <map>

#include "json/document.hpp"
#include "mcp/fixed_tool.hpp"

namespace sluice::mcp {
namespace {

class NoHandler : public ToolHandler {
 public:
  Awaitable<Result<>> run(Call&, ResultWriter&) override { co_return Result<>{}; }
};

class Fixed final : public FixedTool {
 public:
  explicit Fixed(std::string text) : text_(std::move(text)) {}
  Awaitable<Result<>> write(ResultWriter& out, std::uint64_t) override { return out.text(text_); }

 private:
  std::string text_;
};

class Facts final : public NoHandler, public ResourceFacts {
 public:
  std::optional<ResourceFacts::Facts> facts() const override {
    return ResourceFacts::Facts{7, "2026-01-02T03:04:05Z"};
  }
};

/// A tree of items "00", "01" and so on.
class Tree final : public ResourceTree {
 public:
  Tree(std::string prefix, std::size_t count, std::uint32_t max = 1000)
      : prefix_(std::move(prefix)), count_(count), max_(max) {}
  const std::string& prefix() const noexcept override { return prefix_; }
  std::uint32_t max_items() const noexcept override { return max_; }
  Page list(const std::string& after, std::size_t count) const override {
    Page page;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::string name = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
      if (name <= after) continue;
      if (page.items.size() == count) {
        page.next = page.items.back().name;
        return page;
      }
      page.items.push_back({prefix_ + name, name, "text/plain", i, {}});
    }
    return page;
  }
  Awaitable<Result<>> run(Call&, ResultWriter&) override { co_return Result<>{}; }

 private:
  std::string prefix_;
  std::size_t count_;
  std::uint32_t max_;
};

struct Bench {
  config::Config config;
  Resources::Builder builder{config};
  std::shared_ptr<const Resources> resources;

  void add(Resource resource,
           std::unique_ptr<ToolHandler> handler = std::make_unique<NoHandler>()) {
    builder.add(std::move(resource), std::move(handler));
  }
  void tree(std::string name, std::unique_ptr<Tree> handler) {
    Resource resource;
    resource.name = std::move(name);
    add(std::move(resource), std::move(handler));
  }
  std::string complaint() {
    std::string out;
    for (const auto& text : builder.take_complaints()) out += text + ";";
    return out;
  }
  void build() {
    EXPECT_EQ(complaint(), "");
    resources = std::move(builder).build();
  }
  std::string found(std::string_view uri) {
    const auto result = resources->find(uri, 100'000);
    if (!result.problem.empty()) return "problem";
    return result.entry == nullptr ? "none" : result.entry->name + result.arguments;
  }
  /// What all pages list, by the member of that name, with a bar between pages.
  std::string listed(std::string_view member, const Revision& revision = kModern) {
    std::string out, cursor;
    for (std::size_t pages = 0; pages < 100; ++pages) {
      const auto page = resources->page(cursor, revision);
      if (!page) return out + " no page for " + cursor;
      json::Document document;
      const auto root = document.parse_copy('{' + *page + '}');
      EXPECT_TRUE(root) << *page;
      for (const Json item : root->find("resources"))
        out += std::string(item.find(member).as_string().value_or("-")) + ' ';
      const auto next = root->find("nextCursor").as_string();
      if (!next) return out;
      cursor = *next;
      out += "| ";
    }
    return "endless";
  }
};

const Revision& revision(std::string_view name) { return *find_revision(name); }

TEST(Resources, AreFoundInWhateverFormTheirUriIsWritten) {
  Bench bench;
  bench.add(Resource::at("Test://Static-text", "text"));
  bench.add(Resource::at("http://Example.com", "web"));
  bench.add(Resource::at("x://ü b", "odd"));
  bench.build();
  EXPECT_EQ(bench.found("Test://Static-text"), "text{}");
  EXPECT_EQ(bench.found("test://Static%2Dtext"), "text{}");
  EXPECT_EQ(bench.found("http://example.com/"), "web{}");
  EXPECT_EQ(bench.found("x://%c3%bc%20b"), "odd{}");
  for (const std::string_view uri :
       {"test://static-text", "test://Static-text/", "http://example.com/a"})
    EXPECT_EQ(bench.found(uri), "none") << uri;
}

TEST(Resources, GoAheadOfTreesAndThoseOfTemplates) {
  Bench bench;
  bench.add(Resource::matching("x://a/{+rest}", "template"));
  bench.tree("outer", std::make_unique<Tree>("x://a/", 1));
  bench.tree("inner", std::make_unique<Tree>("x://a/b/", 1));
  bench.add(Resource::at("x://a/b/c", "single"));
  bench.add(Resource::matching("x://{one}{?n}", "other"));
  bench.build();
  EXPECT_EQ(bench.found("x://a/b/c"), "single{}");
  EXPECT_EQ(bench.found("x://a/b/d"), "inner{}");
  EXPECT_EQ(bench.found("x://a/c"), "outer{}");
  EXPECT_EQ(bench.found("x://z?n=1"), R"(other{"one":"z","n":"1"})");
  EXPECT_EQ(bench.resources->find_template("x://{one}{?n}")->name, "other");
  EXPECT_EQ(bench.resources->find_template("x://{one}"), nullptr);
}

TEST(Resources, GoOnToTheNextTemplateWhereOneDoesNotFit) {
  Bench bench;
  auto numbers = Resource::matching("x://{id}", "numbers");
  numbers.parameters =
      R"({"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]})";
  bench.add(std::move(numbers));
  bench.build();
  EXPECT_EQ(bench.found("x://1"), R"(numbers{"id":1})");
  EXPECT_EQ(bench.found("x://a"), "problem");

  Bench both;
  auto again = Resource::matching("x://{id}", "numbers");
  again.parameters = R"({"type":"object","properties":{"id":{"type":"integer"}}})";
  both.add(std::move(again));
  both.add(Resource::matching("x://{name}", "names"));
  both.build();
  EXPECT_EQ(both.found("x://a"), R"(names{"name":"a"})");
}

TEST(Resources, OfferTheValuesOfAnEnumByThemselves) {
  Bench bench;
  auto resource = Resource::matching("x://{a}/{b}/{c}", "t");
  resource.parameters =
      R"({"type":"object","properties":{"a":{"enum":["one","two"]},"b":{"type":"string"}}})";
  resource.completers["b"] = complete_from({"three"});
  bench.add(std::move(resource));
  bench.build();
  EXPECT_TRUE(bench.resources->has_completions());
  const auto* entry = bench.resources->find_template("x://{a}/{b}/{c}");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->resource.completers.size(), 2U);
  EXPECT_TRUE(entry->variables->has("c"));
  EXPECT_FALSE(entry->variables->has("d"));
  Bench none;
  none.add(Resource::matching("x://{a}", "t"));
  none.build();
  EXPECT_FALSE(none.resources->has_completions());
  Bench wrong;
  auto odd = Resource::matching("x://{a}", "t");
  odd.completers["b"] = complete_from({"x"});
  wrong.add(std::move(odd));
  EXPECT_NE(wrong.complaint().find("holds no {b}"), std::string::npos);
}

TEST(Resources, SayOfThemselvesWhatTheRevisionKnows) {
  Bench bench;
  auto full = Resource::at("x://a", "a");
  full.title = "T";
  full.description = "D";
  full.mime_type = "text/x";
  full.size = 5;
  full.annotations.for_user = true;
  full.annotations.last_modified = "2026";
  full.icons.push_back({.src = "https://x"});
  full.meta = "{\"k\":\n1}";
  bench.add(std::move(full));
  bench.build();
  const auto page = [&](std::string_view name) {
    return *bench.resources->page({}, revision(name));
  };
  EXPECT_EQ(page("2026-07-28"), page("2025-11-25"));
  EXPECT_EQ(
      page("2026-07-28"),
      R"("resources":[{"uri":"x://a","name":"a","title":"T","description":"D",)"
      R"("mimeType":"text/x","size":5,"annotations":{"audience":["user"],"lastModified":"2026"},)"
      R"("icons":[{"src":"https://x"}],"_meta":{"k": 1}}])");
  EXPECT_EQ(page("2025-06-18").find("icons"), std::string::npos);
  EXPECT_NE(page("2025-06-18").find("_meta"), std::string::npos);
  EXPECT_EQ(page("2025-03-26"),
            R"("resources":[{"uri":"x://a","name":"a","description":"D","mimeType":"text/x",)"
            R"("size":5,"annotations":{"audience":["user"]}}])");
}

TEST(Resources, ListsTemplatesApart) {
  Bench bench;
  auto resource = Resource::matching("x://{id}", "t");
  resource.mime_type = "text/x";
  bench.add(std::move(resource));
  bench.add(Resource::at("x://a", "a"));
  bench.build();
  EXPECT_EQ(*bench.resources->templates().page({}, kModern),
            R"("resourceTemplates":[{"uriTemplate":"x://{id}","name":"t","mimeType":"text/x"}])");
  EXPECT_EQ(bench.listed("name"), "a ");
  EXPECT_FALSE(bench.resources->blocks());
}

TEST(Resources, KnowsFactsOnlyWhereNothingIsSaid) {
  Bench bench;
  bench.add(Resource::at("x://a", "a"), std::make_unique<Facts>());
  auto said = Resource::at("x://b", "b");
  said.size = 1;
  said.annotations.last_modified = "2020";
  bench.add(std::move(said), std::make_unique<Facts>());
  bench.build();
  EXPECT_TRUE(bench.resources->blocks());
  EXPECT_EQ(*bench.resources->page({}, kModern),
            R"("resources":[{"uri":"x://a","name":"a","size":7,)"
            R"("annotations":{"lastModified":"2026-01-02T03:04:05Z"}},)"
            R"({"uri":"x://b","name":"b","size":1,"annotations":{"lastModified":"2020"}}])");
}

TEST(Resources, ComeInPagesWithTheFilesOfTrees) {
  for (std::uint32_t per_page = 1; per_page < 9; ++per_page) {
    Bench bench;
    bench.config.server.list_page = per_page;
    bench.add(Resource::at("x://a", "a"));
    bench.tree("t", std::make_unique<Tree>("t://", 4));
    bench.add(Resource::matching("x://{id}", "none"));
    bench.tree("empty", std::make_unique<Tree>("e://", 0));
    bench.add(Resource::at("x://b", "b"));
    bench.tree("u", std::make_unique<Tree>("u://", 2));
    bench.build();
    std::string all = bench.listed("uri");
    for (auto bar = all.find("| "); bar != std::string::npos; bar = all.find("| "))
      all.erase(bar, 2);
    EXPECT_EQ(all, "x://a t://00 t://01 t://02 t://03 x://b u://00 u://01 ") << per_page;
  }
}

TEST(Resources, ListNoMoreOfATreeThanIsAllowed) {
  Bench bench;
  bench.config.server.list_page = 2;
  bench.tree("t", std::make_unique<Tree>("t://", 30, 5));
  bench.add(Resource::at("x://b", "b"));
  bench.build();
  EXPECT_EQ(bench.listed("name"), "00 01 | 02 03 | 04 b ");
}

TEST(Resources, HaveNoPageForACursorOfOthers) {
  Bench bench;
  bench.config.server.list_page = 1;
  bench.add(Resource::at("x://a", "a"));
  bench.tree("t", std::make_unique<Tree>("t://", 3));
  bench.build();
  EXPECT_EQ(bench.listed("name"), "a | 00 | 01 | 02 ");
  EXPECT_TRUE(bench.resources->page("resources-1", kModern));
  EXPECT_TRUE(bench.resources->page("resources-1-1-00", kModern));
  for (const std::string_view cursor :
       {"x", "resources-", "resources-2", "resources-01", "resources--1", "resources-0-1-a",
        "resources-1-", "resources-1-1", "resources-1-0-", "resources-1-x-a", "resources-1-1-%30",
        "resources-18446744073709551616", "tools-1", "resources-1 "})
    EXPECT_FALSE(bench.resources->page(cursor, kModern)) << cursor;
}

TEST(Resources, AreWrittenOnceWhereTheyAreFixed) {
  Bench bench;
  bench.add(Resource::at("x://a", "a"), std::make_unique<Fixed>("text \"1\""));
  bench.build();
  const auto found = bench.resources->find("x://a", 1000);
  ASSERT_TRUE(found.entry->fixed);
  std::string body;
  for (const auto& piece : found.entry->fixed->pieces()) body += piece.bytes;
  EXPECT_EQ(body, R"({"uri":"x://a","text":"text \"1\""}]}})");
  EXPECT_EQ(found.entry->resource.size, 8U);
}

TEST(Resources, AreRefusedWithWhatIsWrong) {
  const auto refusal = [](Resource resource) {
    Bench bench;
    bench.add(Resource::at("x://a", "a"));
    bench.add(Resource::matching("x://{id}", "t"));
    bench.add(std::move(resource));
    return bench.complaint();
  };
  EXPECT_NE(refusal({}).find("it has no name"), std::string::npos);
  EXPECT_NE(refusal(Resource::at("", "n")).find("expected a URI"), std::string::npos);
  EXPECT_NE(refusal(Resource::at("no-scheme", "n")).find("scheme"), std::string::npos);
  EXPECT_EQ(refusal(Resource::at("X://%61", "n")), "resource \"n\": \"a\" has the same URI;");
  EXPECT_EQ(refusal(Resource::matching("x://{id}", "n")),
            "resource \"n\": \"t\" has the same URI;");
  EXPECT_NE(refusal(Resource::matching("x://{a}{b}", "n")).find("where {a} ends"),
            std::string::npos);
  auto meta = Resource::at("x://b", "n");
  meta.meta = "[]";
  EXPECT_NE(refusal(meta).find("meta is not a JSON object"), std::string::npos);
  Bench bench;
  bench.config.limits.result = 3;
  bench.add(Resource::at("x://a", "a"), std::make_unique<Fixed>("1234"));
  EXPECT_EQ(bench.complaint(), "resource \"a\": it is larger than limits.result (3) allows;");
}

}  // namespace
}  // namespace sluice::mcp
