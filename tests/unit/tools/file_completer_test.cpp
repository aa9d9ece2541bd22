#include <gtest/gtest.h>

#include <filesystem>

#include "bench.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"
#include "tools/completers.hpp"

namespace sluice::tools {
namespace {

using Values = std::vector<std::string>;

Awaitable<void> ask(Completer& completer, Call& call, std::string_view typed,
                    Result<Completions>& found) {
  auto done = co_await completer.complete(call, typed);
  found = std::move(done);
}

Completions complete(const config::Completion::Files& files, std::string_view typed) {
  std::string problem;
  const auto completer = make_file_completer(files, problem);
  EXPECT_EQ(problem, "");
  boost::asio::io_context io{1};
  testing::FakeCall call(io.get_executor());
  Result<Completions> found = Errc::misuse;
  testing::run(io, ask(*completer, call, typed, found));
  EXPECT_TRUE(found);
  return found ? *found : Completions{};
}

TEST(FileCompleter, OffersThePathsOfFilesThatFitThePattern) {
  const testing::TempFolder folder;
  for (const auto* name : {"b.md", "a.md", "deep/er/c.md", "a.txt", ".hidden.md"})
    folder.write(name, "");
  const std::string root = folder.path().string();
  EXPECT_EQ(complete({root, "**/*.md"}, "").values, (Values{"a.md", "b.md", "deep/er/c.md"}));
  EXPECT_EQ(complete({root, "**/*.md"}, "C.").values, Values{"deep/er/c.md"});
  EXPECT_EQ(complete({root, "**"}, "a").values, (Values{"a.md", "a.txt"}));
  EXPECT_TRUE(complete({root, "**"}, "../").values.empty());
}

TEST(FileCompleter, SeesFilesThatComeAndGo) {
  const testing::TempFolder folder;
  const config::Completion::Files files{folder.path().string(), "**"};
  EXPECT_TRUE(complete(files, "").values.empty());
  folder.write("new", "");
  EXPECT_EQ(complete(files, "").values, Values{"new"});
}

TEST(FileCompleter, OffersNothingThatLeadsOut) {
  const testing::TempFolder folder;
  folder.write("secret/x", "");
  folder.write("root/y", "");
  std::filesystem::create_symlink("../secret/x", folder.path() / "root/link");
  EXPECT_EQ(complete({(folder.path() / "root").string(), "**"}, "").values, Values{"y"});
}

TEST(FileCompleter, SaysHowManyThereAreBeyondWhatItOffers) {
  const testing::TempFolder folder;
  for (int i = 0; i < 120; ++i) folder.write("f" + std::to_string(i), "");
  const auto found = complete({folder.path().string(), "**"}, "f");
  EXPECT_EQ(found.values.size(), 100U);
  EXPECT_EQ(found.total, 120U);
}

TEST(FileCompleter, NeedsItsDirectory) {
  std::string problem;
  EXPECT_EQ(make_file_completer({"/nowhere-at-all", "**"}, problem), nullptr);
  EXPECT_NE(problem.find("/nowhere-at-all"), std::string::npos);
}

}  // namespace
}  // namespace sluice::tools
