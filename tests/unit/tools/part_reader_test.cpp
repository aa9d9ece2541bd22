#include "tools/part_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/file_io.hpp"
#include "unit/tools/bench.hpp"

namespace sluice::tools {
namespace {

using By = config::Paging::By;

/// Text of which the first `in_file` bytes are in a file and the rest is not.
class Kept {
 public:
  Kept(std::string text, std::size_t in_file) : text_(std::move(text)), in_file_(in_file) {
    const std::string head = text_.substr(0, in_file);
    if (write_all(fd_.get(), head, 0) != 0) std::abort();
  }
  explicit Kept(const std::string& text) : Kept(text, text.size() / 2) {}
  KeptBytes bytes() const {
    return {fd_.get(), in_file_, std::string_view(text_).substr(in_file_)};
  }

 private:
  const std::string text_;
  const std::size_t in_file_;
  const Descriptor fd_{open_unnamed("/tmp")};
};

struct Given {
  std::string text;
  std::uint64_t next = 0;
  std::uint64_t offset = 0;
  bool is_last = false;
  bool is_cut = false;
  std::string problem;
  std::string losses;
};

Given give(const KeptBytes& bytes, const Part& part) {
  Bench bench;
  const config::Limits limits;
  PartReader reader(bench.call, bytes, part, limits);
  bench.run(reader.give(bench.out));
  EXPECT_EQ(bench.call.frames().in_use(), 0U);
  Given given{bench.out.all(),  reader.next(),   reader.offset(),
              reader.is_last(), reader.is_cut(), {},
              reader.losses()};
  if (!bench.result) given.problem = reader.problem();
  return given;
}

TEST(PartReader, GivesPartsByBytesThatAreTogetherTheWhole) {
  const std::string text = "a\xC3\xA9\xE2\x82\xACz\xF0\x9F\x98\x80.\xE5\x8F\xB0";
  for (std::size_t in_file = 0; in_file <= text.size(); ++in_file) {
    const Kept kept(text, in_file);
    for (std::uint64_t count = 1; count <= text.size() + 1; ++count) {
      std::string all;
      Given given;
      for (int rounds = 0; !given.is_last && rounds < 100; ++rounds) {
        given = give(kept.bytes(), {.from = given.next, .count = count});
        EXPECT_NE(static_cast<unsigned char>(given.text.at(0)) & 0xC0U, 0x80U)
            << "begins inside of a character";
        EXPECT_LE(given.text.size(), std::max<std::uint64_t>(count, 4));
        all += given.text;
      }
      EXPECT_EQ(all, text) << count;
    }
  }
}

TEST(PartReader, CutsBytesThatAreNoTextAnywhere) {
  const std::string bytes = "\xE2\x82\xAC\x80\x80";
  const Given given = give(Kept(bytes).bytes(), {.from = 1, .count = 3, .is_binary = true});
  EXPECT_EQ(given.text, bytes.substr(1, 3));
  EXPECT_EQ(given.next, 4U);
}

TEST(PartReader, TakesBytesThatAreNoUtf8AsTheyAre) {
  const std::string text = "\x80\x80\x80\x80\x80\xFF\xFE";
  std::string all;
  Given given;
  while (!given.is_last) {
    given = give(Kept(text).bytes(), {.from = given.next, .count = 2});
    all += given.text;
  }
  EXPECT_EQ(all, text);
}

TEST(PartReader, GivesNothingBehindTheEnd) {
  const Given given = give(Kept("abc").bytes(), {.from = 9, .count = 2});
  EXPECT_EQ(given.text, "");
  EXPECT_TRUE(given.is_last);
}

TEST(PartReader, GivesLines) {
  const Kept kept("one\ntwo\n\nfour\nfive");
  EXPECT_EQ(give(kept.bytes(), {.by = By::lines, .from = 1, .count = 2}).text, "two\n\n");
  const Given last = give(kept.bytes(), {.by = By::lines, .from = 3, .count = 9});
  EXPECT_EQ(last.text, "four\nfive");
  EXPECT_TRUE(last.is_last);
  std::string all;
  Given given;
  while (!given.is_last) {
    given = give(kept.bytes(), {.by = By::lines, .count = 2, .offset = given.offset});
    all += given.text;
  }
  EXPECT_EQ(all, "one\ntwo\n\nfour\nfive");
}

TEST(PartReader, EndsLinesWhereThereIsNoMoreRoom) {
  const Kept kept("one\ntwo\nthree\n");
  const Given two = give(kept.bytes(), {.by = By::lines, .max_bytes = 10});
  EXPECT_EQ(two.text, "one\ntwo\n");
  EXPECT_FALSE(two.is_cut);
  EXPECT_EQ(two.next, 2U);
  const Kept wide("\xE5\x8F\xB0\xE5\x8F\xB0\n");
  const Given cut = give(wide.bytes(), {.by = By::lines, .max_bytes = 5});
  EXPECT_EQ(cut.text, "\xE5\x8F\xB0");
  EXPECT_TRUE(cut.is_cut);
  EXPECT_EQ(cut.offset, 3U);
}

TEST(PartReader, EndsBehindALineWhereAFrameEndsInOne) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += std::to_string(100'000 + i) + " \xE5\x8F\xB0\n";
  const Kept kept(text, text.size());
  std::string all;
  Given given;
  while (!given.is_last) {
    given = give(kept.bytes(), {.by = By::lines, .from = given.next, .max_bytes = 65'536});
    EXPECT_FALSE(given.is_cut);
    EXPECT_LE(given.text.size(), 65'536U);
    EXPECT_TRUE(given.text.ends_with('\n'));
    all += given.text;
  }
  EXPECT_EQ(all, text);
}

TEST(PartReader, GivesLinesLongerThanAFrame) {
  const std::string text = std::string(150'000, 'x') + "\nend";
  const Kept kept(text, text.size());
  EXPECT_EQ(give(kept.bytes(), {.by = By::lines, .count = 1}).text, text.substr(0, 150'001));
  EXPECT_EQ(give(kept.bytes(), {.by = By::lines, .from = 1, .count = 1}).text, "end");
}

constexpr const char* kRows =
    R"({"columns":["a","b"], "rows":[[1,1.10],[2,20000000000000000001],[3,"x,y"]], "total":3})";

TEST(PartReader, GivesItemsWithWhatStandsAroundThem) {
  const Kept kept(kRows);
  const Given first = give(kept.bytes(), {.by = By::items, .count = 2, .items = "$.rows"});
  EXPECT_EQ(first.text, R"({"columns":["a","b"], "rows":[[1,1.10],[2,20000000000000000001]]})");
  EXPECT_EQ(first.next, 2U);
  EXPECT_FALSE(first.is_last);
  const Given last =
      give(kept.bytes(), {.by = By::items, .from = first.next, .count = 2, .items = "$.rows"});
  EXPECT_EQ(last.text, R"({"columns":["a","b"], "rows":[[3,"x,y"]], "total":3})");
  EXPECT_TRUE(last.is_last);
}

TEST(PartReader, MakesATableOfItems) {
  json::Table::Options table;
  table.format = json::TableFormat::csv;
  const Part part{.by = By::items, .from = 1, .count = 9, .items = "$.rows", .table = &table};
  const Given given = give(Kept(kRows).bytes(), part);
  EXPECT_EQ(given.text, "a,b\n2,20000000000000000001\n3,\"x,y\"\n");
  EXPECT_EQ(given.losses, "Left out beside the table: total.");
}

TEST(PartReader, EndsItemsWhereThereIsNoMoreRoom) {
  const Kept kept("[11111,22222,33333,44444]");
  const Given given = give(kept.bytes(), {.by = By::items, .max_bytes = 14});
  EXPECT_EQ(given.text, "[11111,22222]");
  EXPECT_EQ(given.next, 2U);
  EXPECT_FALSE(given.is_last);
  EXPECT_FALSE(given.is_cut);
}

TEST(PartReader, CountsItemsAndNotWhatIsInThem) {
  const Kept kept(
      R"([{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]},{"a":[]},{"a":[]}])");
  const Given cut = give(kept.bytes(), {.by = By::items, .max_bytes = 40});
  EXPECT_EQ(cut.text, R"([{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13]}])");
  EXPECT_TRUE(cut.is_cut);
  EXPECT_EQ(cut.next, 0U);
  const Given second = give(kept.bytes(), {.by = By::items, .from = 1, .max_bytes = 12});
  EXPECT_EQ(second.text, R"([{"a":[]}])");
  EXPECT_FALSE(second.is_cut);
  EXPECT_EQ(second.next, 2U);
}

TEST(PartReader, MakesATableOfAnArrayAnywhere) {
  json::Table::Options table;
  const Kept kept(R"({"meta":{"n":2},"data":{"list":[{"a":1},{"a":2}]}})");
  const Part part{.by = By::items, .from = 1, .items = "$.data.list", .table = &table};
  EXPECT_EQ(give(kept.bytes(), part).text, "a\n2\n");
}

TEST(PartReader, SaysWhatHasNoItems) {
  EXPECT_EQ(give(Kept(R"({"a":1})").bytes(), {.by = By::items, .items = "$.rows"}).problem,
            "The result has no array at $.rows, so it has no items.");
  EXPECT_NE(give(Kept("[1 2]").bytes(), {.by = By::items}).problem.find("at byte"),
            std::string::npos);
}

TEST(PartReader, SaysThatAFileCannotBeRead) {
  EXPECT_EQ(give({-1, 10, {}}, {}).problem, "What was kept of the result cannot be read.");
}

}  // namespace
}  // namespace sluice::tools
