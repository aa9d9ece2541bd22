#include "buffer/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstring>
#include <thread>

#include "support/run_awaitable.hpp"

namespace sluice {
namespace {

namespace asio = boost::asio;
using End = Recording::End;

class Budget final : public RecordingBudget {
 public:
  explicit Budget(std::size_t max) : max_(max) {}
  bool take(std::size_t bytes) noexcept override {
    if (used_.fetch_add(bytes) + bytes <= max_) return true;
    used_.fetch_sub(bytes);
    return false;
  }
  bool take_spare(std::size_t bytes) noexcept override { return take(bytes); }
  void give(std::size_t bytes) noexcept override { used_.fetch_sub(bytes); }
  [[nodiscard]] std::size_t used() const noexcept { return used_.load(); }

 private:
  const std::size_t max_;
  std::atomic<std::size_t> used_{0};
};

std::string text_of(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i * 7 + i / 251) % 26);
  return text;
}

/// Writes all of it, in the manner of a result writer.
Awaitable<void> produce(Recording& to, std::string_view text, std::size_t step, bool breaks,
                        Result<>& result) {
  while (!text.empty()) {
    auto room = to.room();
    if (room.empty()) {
      const auto waited = co_await to.wait_room();
      if (!waited) {
        result = waited;
        co_return;
      }
      continue;
    }
    const std::size_t n = std::min({step, room.size(), text.size()});
    if (breaks) to.line_break();
    std::memcpy(room.data(), text.data(), n);
    to.commit(n);
    text.remove_prefix(n);
  }
}

struct Seen {
  std::string text;
  std::size_t breaks = 0;
  End end = End::open;
  std::size_t most = SIZE_MAX;  ///< Where it stops reading.
};

Awaitable<void> follow(std::unique_ptr<Recording::Reader> reader, Seen& seen) {
  while (seen.text.size() < seen.most) {
    const auto piece = reader->next();
    if (piece.bytes.empty()) {
      seen.end = reader->end();
      if (seen.end != End::open) co_return;
      co_await reader->wait();
      continue;
    }
    seen.text += piece.bytes;
    seen.breaks += piece.breaks_line ? 1 : 0;
  }
}

std::string all_of(const Recording& recording) {
  std::string out;
  for (const auto& piece : recording.pieces()) out += piece.bytes;
  return out;
}

TEST(Recording, GivesEveryReaderAllBytesWheneverItComes) {
  asio::io_context io;
  for (const std::size_t size : {0U, 1U, 4095U, 70000U, 262144U, 1000000U})
    for (const std::size_t step : {500U, 16384U}) {
      const std::string text = text_of(size);
      const auto recording = std::make_shared<Recording>(io.get_executor());
      std::vector<Seen> seen(3);
      asio::co_spawn(io, follow(recording->read(io.get_executor()), seen[0]), asio::detached);
      Result<> result;
      testing::run(
          io, produce(*recording, std::string_view(text).substr(0, size / 2), step, false, result));
      asio::co_spawn(io, follow(recording->read(io.get_executor()), seen[1]), asio::detached);
      testing::run(
          io, produce(*recording, std::string_view(text).substr(size / 2), step, false, result));
      ASSERT_TRUE(result);
      EXPECT_FALSE(recording->is_whole()) << "there may be more to come";
      recording->finish(End::good);
      asio::co_spawn(io, follow(recording->read(io.get_executor()), seen[2]), asio::detached);
      testing::run_until(io, [&] {
        return std::ranges::all_of(seen, [](const Seen& s) { return s.end == End::good; });
      });
      for (const Seen& s : seen) EXPECT_TRUE(s.text == text) << size << ' ' << step;
      ASSERT_TRUE(recording->is_whole());
      EXPECT_TRUE(all_of(*recording) == text);
      EXPECT_EQ(recording->size(), size);
    }
}

TEST(Recording, KeepsThePlacesOfLineBreaks) {
  asio::io_context io;
  for (const std::size_t step : {2000U, 2048U, 4096U, 65536U}) {
    const std::string text = text_of(700000);
    const auto recording = std::make_shared<Recording>(io.get_executor());
    Seen seen;
    Result<> result;
    testing::run(io, produce(*recording, text, step, true, result));
    recording->finish(End::good);
    testing::run(io, follow(recording->read(io.get_executor()), seen));
    EXPECT_TRUE(seen.text == text);
    std::size_t breaks = 0;
    for (const auto& piece : recording->pieces()) breaks += piece.breaks_line ? 1 : 0;
    EXPECT_EQ(breaks, seen.breaks);
    EXPECT_GE(breaks, text.size() / 65536) << "one for each step, but where steps end with a block";
  }
}

TEST(Recording, TakesBackWhatNobodyHasSeen) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  Result<> result;
  testing::run(io, produce(*recording, "kept", 10, false, result));
  const auto mark = recording->mark();
  testing::run(io, produce(*recording, text_of(50000), 16384, true, result));
  EXPECT_EQ(recording->copy_since(mark)->size(), 50000U);
  Seen seen;
  asio::co_spawn(io, follow(recording->read(io.get_executor()), seen), asio::detached);
  io.restart();
  io.poll();
  EXPECT_EQ(seen.text, "");
  ASSERT_TRUE(recording->rollback(mark));
  testing::run(io, produce(*recording, " instead", 10, false, result));
  recording->finish(End::failed);
  testing::run_until(io, [&] { return seen.end != End::open; });
  EXPECT_EQ(seen.text, "kept instead");
  EXPECT_EQ(seen.end, End::failed);
  EXPECT_TRUE(recording->is_whole());
  EXPECT_FALSE(recording->is_worth_keeping());
}

TEST(Recording, TakesNothingBackOfWhatReadersMayHaveSeen) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  Result<> result;
  testing::run(io, produce(*recording, "x", 10, false, result));
  const auto mark = recording->mark();
  testing::run(io, produce(*recording, text_of(400000), 16384, false, result));
  EXPECT_FALSE(recording->rollback(mark));
  EXPECT_FALSE(recording->copy_since(mark));
  recording->finish(End::good);
}

TEST(Recording, BeyondItsBudgetHoldsAWindowAndGoesAtThePaceOfTheSlowest) {
  asio::io_context io;
  const auto budget = std::make_shared<Budget>(300000);
  const std::string text = text_of(3000000);
  const auto recording = std::make_shared<Recording>(io.get_executor(), budget);
  auto slow = recording->read(io.get_executor());
  Seen fast;
  asio::co_spawn(io, follow(recording->read(io.get_executor()), fast), asio::detached);
  Result<> result;
  bool produced = false;
  asio::co_spawn(io, produce(*recording, text, 16384, false, result),
                 [&](std::exception_ptr) { produced = true; });
  io.restart();
  io.poll();
  EXPECT_FALSE(produced) << "waits for the slow one";
  EXPECT_LE(fast.text.size(), 300000 + Recording::kHeldBack * Recording::kBlockBytes);
  EXPECT_EQ(recording->read(io.get_executor()), nullptr) << "its beginning may be gone";
  std::string seen;
  std::size_t most = 0;
  while (!produced || slow->end() == End::open) {
    most = std::max(most, budget->used());
    const auto piece = slow->next();
    seen += piece.bytes;
    io.restart();
    io.poll();
    if (produced && piece.bytes.empty()) {
      if (seen.size() == text.size()) break;
    }
  }
  ASSERT_TRUE(result);
  recording->finish(End::good);
  EXPECT_TRUE(seen == text);
  testing::run_until(io, [&] { return fast.end != End::open; });
  EXPECT_TRUE(fast.text == text);
  EXPECT_LE(most, 300000U);
  EXPECT_FALSE(recording->is_whole());
}

TEST(Recording, OneThatStopsReadingHoldsNobodyUp) {
  asio::io_context io;
  const auto budget = std::make_shared<Budget>(300000);
  const std::string text = text_of(2000000);
  const auto recording = std::make_shared<Recording>(io.get_executor(), budget);
  auto slow = recording->read(io.get_executor());
  Seen fast;
  asio::co_spawn(io, follow(recording->read(io.get_executor()), fast), asio::detached);
  Result<> result;
  bool produced = false;
  asio::co_spawn(io, produce(*recording, text, 16384, false, result),
                 [&](std::exception_ptr) { produced = true; });
  io.restart();
  io.poll();
  ASSERT_FALSE(produced);
  slow.reset();
  testing::run_until(io, [&] { return produced; });
  recording->finish(End::good);
  testing::run_until(io, [&] { return fast.end != End::open; });
  EXPECT_TRUE(fast.text == text);
}

TEST(Recording, LeavesOneBehindThatTakesNoBlockWhileOthersWait) {
  asio::io_context io;
  const auto budget = std::make_shared<Budget>(300000);
  const std::string text = text_of(2000000);
  const auto recording =
      std::make_shared<Recording>(io.get_executor(), budget, std::chrono::milliseconds(20));
  auto slow = recording->read(io.get_executor());
  Seen fast;
  asio::co_spawn(io, follow(recording->read(io.get_executor()), fast), asio::detached);
  Result<> result;
  bool produced = false;
  asio::co_spawn(io, produce(*recording, text, 16384, false, result),
                 [&](std::exception_ptr) { produced = true; });
  BodyPiece held;
  testing::run_until(io, [&] {
    if (held.bytes.empty()) held = slow->next();
    return produced;
  });
  recording->finish(End::good);
  testing::run_until(io, [&] { return fast.end != End::open; });
  EXPECT_TRUE(fast.text == text);
  ASSERT_FALSE(held.bytes.empty());
  EXPECT_TRUE(text.starts_with(held.bytes)) << "what it is still sending stays in memory";
  EXPECT_TRUE(slow->next().bytes.empty());
  EXPECT_EQ(slow->end(), End::left_behind);
}

TEST(Recording, LeavesNobodyBehindWhereNobodyIsAhead) {
  asio::io_context io;
  const auto budget = std::make_shared<Budget>(300000);
  const auto recording =
      std::make_shared<Recording>(io.get_executor(), budget, std::chrono::milliseconds(1));
  auto one = recording->read(io.get_executor());
  auto other = recording->read(io.get_executor());
  Result<> result;
  const std::string text = text_of(2000000);
  asio::co_spawn(io, produce(*recording, text, 16384, false, result), asio::detached);
  io.run_for(std::chrono::milliseconds(50));
  EXPECT_EQ(one->end(), End::open);
  EXPECT_EQ(other->end(), End::open);
  one.reset();
  other.reset();
  testing::run_until(io, [&] { return !result; });
}

TEST(Recording, TellsItsProducerWhenTheLastReaderHasGone) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  bool abandoned = false;
  recording->when_abandoned([&] { abandoned = true; });
  auto one = recording->read(io.get_executor());
  auto two = recording->read(io.get_executor());
  one.reset();
  io.poll();
  EXPECT_FALSE(abandoned);
  two.reset();
  auto three = recording->read(io.get_executor());
  io.restart();
  io.poll();
  EXPECT_FALSE(abandoned) << "somebody came before it was stopped";
  three.reset();
  io.restart();
  io.poll();
  EXPECT_TRUE(abandoned);
  EXPECT_EQ(recording->read(io.get_executor()), nullptr) << "what is being stopped takes nobody in";
  recording->finish(End::broken);
}

TEST(Recording, StaysWholeWhereItsLastReaderWentJustBeforeItsEnd) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  auto reader = recording->read(io.get_executor());
  Result<> result;
  testing::run(io, produce(*recording, "all", 10, false, result));
  reader.reset();
  recording->finish(End::good);
  io.restart();
  io.poll();
  EXPECT_TRUE(recording->is_whole());
  EXPECT_TRUE(recording->has_kept_all());
}

TEST(Recording, ThatNobodyWaitsForIsNotTakenForOneThatDidNotFit) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  recording->read(io.get_executor()).reset();
  recording->read(io.get_executor()).reset();
  io.poll();
  recording->finish(End::failed);
  EXPECT_TRUE(recording->has_kept_all());
  EXPECT_FALSE(recording->is_whole());
}

TEST(Recording, HoldsBackAsMuchAsAWindow) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  Result<> result;
  testing::run(io, produce(*recording, "x", 1, false, result));
  const auto mark = recording->mark();
  testing::run(io, produce(*recording, text_of(180000), 16384, false, result));
  ASSERT_TRUE(recording->rollback(mark));
  recording->finish(End::good);
  EXPECT_EQ(all_of(*recording), "x");
}

TEST(Recording, TakesNobodyInThatCouldOnlyFail) {
  asio::io_context io;
  const auto recording = std::make_shared<Recording>(io.get_executor());
  recording->finish(End::broken);
  EXPECT_EQ(recording->read(io.get_executor()), nullptr);
}

TEST(Recording, GivesItsMemoryBackWithItsLastUser) {
  asio::io_context io;
  const auto budget = std::make_shared<Budget>(10000000);
  auto recording = std::make_shared<Recording>(io.get_executor(), budget);
  Result<> result;
  testing::run(io, produce(*recording, text_of(100000), 16384, false, result));
  recording->finish(End::good);
  EXPECT_GE(budget->used(), 100000U);
  EXPECT_LE(budget->used(), 200000U) << "small results do not cost whole blocks";
  auto reader = recording->read(io.get_executor());
  recording.reset();
  EXPECT_GE(budget->used(), 100000U);
  reader.reset();
  EXPECT_EQ(budget->used(), 0U);
}

TEST(Recording, IsReadOnOtherLoopsWhileItIsWritten) {
  constexpr std::size_t kReaders = 3;
  asio::io_context io;
  const auto budget = std::make_shared<Budget>(400000);
  const std::string text = text_of(5000000);
  const auto recording = std::make_shared<Recording>(io.get_executor(), budget);
  struct Loop {
    asio::io_context io;
    Seen seen;
    std::thread thread;
  };
  std::array<Loop, kReaders> loops;
  for (auto& loop : loops)
    asio::co_spawn(loop.io, follow(recording->read(loop.io.get_executor()), loop.seen),
                   asio::detached);
  loops[1].seen.most = 1000000;
  for (auto& loop : loops) loop.thread = std::thread([&loop] { loop.io.run(); });
  Result<> result;
  bool produced = false;
  asio::co_spawn(io, produce(*recording, text, 10000, true, result),
                 [&](std::exception_ptr) { produced = true; });
  testing::run_until(io, [&] { return produced; });
  recording->finish(End::good);
  for (auto& loop : loops) loop.thread.join();
  ASSERT_TRUE(result);
  EXPECT_TRUE(loops[0].seen.text == text);
  EXPECT_TRUE(loops[2].seen.text == text);
  EXPECT_TRUE(text.starts_with(loops[1].seen.text));
}

}  // namespace
}  // namespace sluice
