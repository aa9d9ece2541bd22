#include "mcp/kept_responses.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <limits>
#include <string>

namespace sluice::mcp {
namespace {

using State = KeptResponses::State;
using Position = KeptResponses::Position;
using Rest = KeptResponses::Rest;
using std::chrono::milliseconds;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Keeping {
  explicit Keeping(std::uint64_t max = 10'000, std::uint64_t all = 1'000'000,
                   milliseconds life = std::chrono::hours(1))
      : budget(all), kept(budget, max, life) {}

  void event(std::uint32_t stream, std::uint32_t number) {
    kept.add_event(stream, number, "e" + std::to_string(number) + "|");
  }
  /// All that follows `after`.
  std::string rest(std::uint32_t stream, std::uint32_t after = 0, std::size_t most = kAll) {
    std::string out;
    Position position{after, 0};
    for (;;) {
      std::string piece;
      last = kept.read(stream, position, most, "", piece);
      if (most != kAll) EXPECT_LE(piece.size(), most + 20);
      out += piece;
      if (piece.empty() || last.is_all) return out;
    }
  }

  ReplayBudget budget;
  KeptResponses kept;
  KeptResponses::Piece last;
};

TEST(KeptResponses, GiveWhatFollowsAnEventAndTheResultOnceItIsComplete) {
  Keeping keeping;
  keeping.kept.begin(3, "\"r\"");
  for (const std::uint32_t n : {5U, 6U, 9U}) keeping.event(3, n);
  keeping.kept.add_result(3, "{\"res");
  EXPECT_EQ(keeping.rest(3), "e5|e6|e9|");
  EXPECT_FALSE(keeping.last.is_all);
  EXPECT_EQ(keeping.last.request, "\"r\"");
  EXPECT_EQ(keeping.rest(3, 6), "e9|");
  keeping.kept.add_result(3, "ult\"}");
  keeping.kept.end(3, true);
  for (const std::uint32_t after : {0U, 5U, 6U, 8U, 9U, 100U}) {
    std::string expected;
    for (const std::uint32_t n : {5U, 6U, 9U})
      if (n > after) expected += "e" + std::to_string(n) + "|";
    EXPECT_EQ(keeping.rest(3, after), expected + "data: {\"result\"}\n\n");
    EXPECT_TRUE(keeping.last.is_all);
    EXPECT_EQ(keeping.last.state, State::whole);
  }
  std::string out;
  Position position{9, 0};
  EXPECT_EQ(keeping.kept.rest_of(3, position), Rest::something);
  static_cast<void>(keeping.kept.read(3, position, kAll, "id: x\n", out));
  EXPECT_EQ(out, "id: x\ndata: {\"result\"}\n\n");
  EXPECT_EQ(keeping.rest(4), "");
  EXPECT_FALSE(keeping.last.is_kept);
  EXPECT_EQ(keeping.kept.rest_of(4, position), Rest::unknown);
}

TEST(KeptResponses, GivePiecesOfEverySize) {
  Keeping keeping;
  keeping.kept.begin(1, "1");
  for (std::uint32_t n = 1; n < 20; ++n) keeping.event(1, n);
  keeping.kept.add_result(1, std::string(1000, 'r'));
  keeping.kept.end(1, true);
  const auto whole = keeping.rest(1);
  for (std::size_t most = 1; most < 1200; most += 7) EXPECT_EQ(keeping.rest(1, 0, most), whole);
}

TEST(KeptResponses, SayThatARequestHasNoResult) {
  Keeping keeping;
  keeping.kept.begin(1, "1");
  keeping.event(1, 5);
  EXPECT_EQ(keeping.kept.rest_of(1, {5, 0}), Rest::something) << "it may come";
  keeping.kept.end(1, true);
  EXPECT_EQ(keeping.kept.rest_of(1, {4, 0}), Rest::something);
  EXPECT_EQ(keeping.kept.rest_of(1, {5, 0}), Rest::nothing);
  EXPECT_EQ(keeping.rest(1, 5), "");
  EXPECT_TRUE(keeping.last.is_all);
  EXPECT_EQ(keeping.last.state, State::whole);
  keeping.kept.begin(2, "2");
  keeping.kept.add_result(2, "{");
  keeping.kept.end(2, false);
  EXPECT_EQ(keeping.rest(2), "");
  EXPECT_EQ(keeping.last.state, State::broken);
}

TEST(KeptResponses, DropACompleteAnswerForOneThatGrowsThenItsOldestEvents) {
  Keeping keeping(2000);
  keeping.kept.begin(1, "1");
  keeping.kept.add_result(1, std::string(1500, 'a'));
  keeping.kept.end(1, true);
  keeping.kept.begin(2, "2");
  EXPECT_EQ(keeping.rest(1).size(), 1508U);
  for (std::uint32_t n = 1; n <= 100; ++n) keeping.event(2, n);
  EXPECT_EQ(keeping.rest(1), "");
  EXPECT_FALSE(keeping.last.is_kept);
  const auto events = keeping.rest(2);
  EXPECT_FALSE(events.starts_with("e1|"));
  EXPECT_TRUE(events.ends_with("e99|e100|"));
  EXPECT_LE(keeping.budget.used(), 2000U);
  keeping.kept.add_result(2, std::string(1500, 'b'));
  keeping.kept.end(2, true);
  EXPECT_TRUE(keeping.rest(2).ends_with(std::string(1500, 'b') + "\n\n"));
}

TEST(KeptResponses, SayThatAResultWasTooLarge) {
  Keeping keeping(2000);
  keeping.kept.begin(1, "1");
  for (int i = 0; i < 3; ++i) keeping.kept.add_result(1, std::string(900, 'a'));
  keeping.kept.end(1, true);
  EXPECT_EQ(keeping.rest(1), "");
  EXPECT_TRUE(keeping.last.is_all);
  EXPECT_EQ(keeping.last.state, State::too_large);
  EXPECT_LE(keeping.budget.used(), 200U);
}

TEST(KeptResponses, ShareTheMemoryOfAllSessions) {
  ReplayBudget budget(3000);
  {
    KeptResponses one(budget, 2500, std::chrono::hours(1));
    KeptResponses other(budget, 2500, std::chrono::hours(1));
    one.begin(1, "1");
    one.add_result(1, std::string(2000, 'a'));
    other.begin(1, "1");
    other.add_result(1, std::string(2000, 'a'));
    other.end(1, true);
    Position position;
    std::string out;
    EXPECT_EQ(other.read(1, position, kAll, "", out).state, State::too_large);
    EXPECT_LE(budget.used(), 3000U);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(KeptResponses, ForgetWhatHasBeenCompleteForLongEnough) {
  Keeping keeping(10'000, 10'000, milliseconds(1000));
  keeping.kept.begin(1, "1");
  keeping.kept.begin(2, "2");
  keeping.kept.end(2, true);
  const auto now = KeptResponses::Clock::now();
  keeping.kept.sweep(now);
  keeping.rest(2);
  EXPECT_TRUE(keeping.last.is_kept);
  keeping.kept.sweep(now + std::chrono::minutes(1));
  keeping.rest(2);
  EXPECT_FALSE(keeping.last.is_kept);
  keeping.rest(1);
  EXPECT_TRUE(keeping.last.is_kept) << "it is still growing";
}

TEST(KeptResponses, WakeTheLastWhoCame) {
  struct Reader final : Stopper::Target {
    explicit Reader(boost::asio::io_context& io)
        : stopper(std::make_shared<Stopper>(io.get_executor(), *this)) {}
    void on_stop(boost::system::error_code) override {}
    void on_wake() override { ++woken; }
    std::shared_ptr<Stopper> stopper;
    int woken = 0;
  };
  boost::asio::io_context io;
  Reader first(io);
  Reader last(io);
  Keeping keeping;
  keeping.kept.begin(1, "1");
  keeping.kept.follow(1, first.stopper);
  keeping.kept.follow(1, last.stopper);
  keeping.event(1, 1);
  io.run();
  EXPECT_EQ(last.woken, 1);
  keeping.kept.add_result(1, "{}");
  keeping.kept.end(1, true);
  io.restart();
  io.run();
  EXPECT_EQ(last.woken, 2) << "of a result only its end is told";
  EXPECT_EQ(first.woken, 0);
}

TEST(KeptResponses, AnEventOfOneThatIsTooLargeDoesNotMakeRoomByDroppingIt) {
  Keeping keeping(1000);
  keeping.kept.begin(1, "1");
  keeping.event(1, 1);
  keeping.kept.begin(2, "2");
  keeping.kept.add_result(2, std::string(700, 'b'));
  keeping.kept.add_result(1, std::string(2000, 'a'));
  for (std::uint32_t n = 2; n < 50; ++n) keeping.event(1, n);
  static_cast<void>(keeping.rest(1));
  EXPECT_TRUE(keeping.last.is_kept);
  EXPECT_EQ(keeping.last.state, State::too_large);
  EXPECT_LE(keeping.budget.used(), 1000U);
}

}  // namespace
}  // namespace sluice::mcp
