#include "mcp/parked_results.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file_io.hpp"
#include "support/temp_folder.hpp"

namespace sluice::mcp {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::TempFolder;

struct Store {
  explicit Store(config::ParkingLot lot = {}) : config(std::move(lot)) {
    if (config.directory.empty()) config.directory = folder.path().string();
    store = std::make_unique<ParkedResults>(config, "/nowhere");
  }
  /// The id of what was kept; empty where there was no room.
  std::string park(const std::string& owner, std::string_view bytes,
                   std::chrono::milliseconds ttl = 1h) {
    auto begun = store->begin({owner, "tool", "text/plain", {}, "$"});
    if (!begun.result || !store->grow(*begun.result, bytes.size())) return {};
    EXPECT_EQ(write_all(begun.result->fd(), bytes, 0), 0);
    const std::string id = begun.result->id();
    return store->keep(std::move(begun.result), ttl) ? id : std::string();
  }
  bool has(const std::string& id, std::string_view owner) const {
    return store->find(id, owner) != nullptr;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(config.directory), fs::directory_iterator()));
  }

  const TempFolder folder;
  config::ParkingLot config;
  std::unique_ptr<ParkedResults> store;
};

TEST(ParkedResults, AreFoundByTheirOwnersAlone) {
  Store s;
  const std::string id = s.park("me", "text");
  const auto found = s.store->find(id, "me");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->size(), 4U);
  EXPECT_FALSE(s.has(id, "you"));
  EXPECT_FALSE(s.has("0123", "me"));
}

TEST(ParkedResults, LeaveNoNameOnDisk) {
  Store s;
  EXPECT_NE(s.park("me", "text"), "");
  EXPECT_EQ(s.files(), 0U);
}

TEST(ParkedResults, GoWhenTheyExpire) {
  Store s({.directory = {}, .max_bytes = 10});
  const std::string id = s.park("me", "0123456789", 50ms);
  s.store->sweep(ParkedResults::now() + 1h);
  EXPECT_FALSE(s.has(id, "me"));
  EXPECT_NE(s.park("me", "0123456789"), "") << "its room is free again";
  EXPECT_FALSE(s.has(s.park("me", "x", 0ms), "me")) << "expired, and not swept yet";
}

TEST(ParkedResults, MakeRoomByWhatExpiresFirst) {
  Store s({.directory = {}, .max_bytes = 30, .per_caller = 20});
  const std::string soon = s.park("me", "0123456789", 1min);
  const std::string later = s.park("me", "0123456789", 1h);
  const std::string other = s.park("you", "0123456789", 1s);
  const std::string next = s.park("me", "0123456789");
  EXPECT_FALSE(s.has(soon, "me")) << "the caller's own, since its share was used up";
  EXPECT_TRUE(s.has(later, "me"));
  EXPECT_TRUE(s.has(other, "you"));
  EXPECT_NE(s.park("them", "0123456789"), "");
  EXPECT_FALSE(s.has(other, "you")) << "anybody's, where the caller has none";
  EXPECT_TRUE(s.has(next, "me"));
  EXPECT_EQ(s.park("me", "012345678901234567890"), "") << "more than one may have at all";
}

TEST(ParkedResults, DoNotDropWhatIsBeingRead) {
  Store s({.directory = {}, .max_bytes = 10});
  const std::string id = s.park("me", "0123456789");
  auto read = s.store->find(id, "me");
  EXPECT_EQ(s.park("me", "x"), "") << "it would go on to take its room";
  EXPECT_TRUE(s.has(id, "me"));
  read.reset();
  EXPECT_NE(s.park("me", "x"), "");
  EXPECT_FALSE(s.has(id, "me"));
}

TEST(ParkedResults, AreBoundedInNumber) {
  Store s({.directory = {}, .max_results = 2});
  const std::string first = s.park("me", "a", 1min);
  const std::string second = s.park("me", "b");
  EXPECT_NE(s.park("me", "c"), "");
  EXPECT_FALSE(s.has(first, "me"));
  EXPECT_TRUE(s.has(second, "me"));
}

TEST(ParkedResults, SayWhyThereIsNoFile) {
  Store s({.directory = "/nowhere/at/all"});
  const auto begun = s.store->begin({"me", "tool", "text/plain", {}, "$"});
  EXPECT_EQ(begun.result, nullptr);
  EXPECT_EQ(begun.error, ENOENT);
}

TEST(ParkedResults, OutliveTheProcessWhereTheyAreToBeKept) {
  const TempFolder folder;
  const config::ParkingLot lot{.directory = (folder.path() / "kept").string(), .keep = true};
  std::string problem;
  std::string id;
  std::string gone;
  {
    Store before(lot);
    ASSERT_TRUE(before.store->open(problem)) << problem;
    id = before.park("me", "kept text");
    gone = before.park("me", "x", 0ms);
    EXPECT_EQ(before.files(), 2U);
    for (const auto& entry : fs::directory_iterator(lot.directory)) {
      struct stat status{};
      ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777U, 0600U);
    }
  }
  std::ofstream(fs::path(lot.directory) / (std::string(32, 'a') + ".parked")) << "torn";
  fs::permissions(fs::path(lot.directory) / (std::string(32, 'a') + ".parked"),
                  fs::perms::owner_read | fs::perms::owner_write);
  Store after(lot);
  ASSERT_TRUE(after.store->open(problem)) << problem;
  const auto found = after.store->find(id, "me");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->size(), 9U);
  EXPECT_EQ(found->about().tool, "tool");
  std::string text(9, '\0');
  EXPECT_EQ(read_all(found->fd(), text, 0), 0);
  EXPECT_EQ(text, "kept text");
  EXPECT_FALSE(after.has(id, "you"));
  EXPECT_FALSE(after.has(gone, "me"));
  EXPECT_EQ(after.files(), 1U) << "what has expired and what is torn was removed";
  after.store->sweep(ParkedResults::now() + 2h);
  EXPECT_EQ(after.files(), 0U);
}

}  // namespace
}  // namespace sluice::mcp
