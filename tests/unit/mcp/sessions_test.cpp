#include "mcp/sessions.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <set>

#include <sluice/error.hpp>

namespace sluice::mcp {
namespace {

using std::chrono::milliseconds;

/// Something that runs on a loop and notes that it was stopped.
struct Running final : Stopper::Target {
  explicit Running(boost::asio::io_context& io)
      : stopper(std::make_shared<Stopper>(io.get_executor(), *this)) {}
  void on_stop(boost::system::error_code why) override {
    ++stops;
    last = why;
  }
  std::shared_ptr<Stopper> stopper;
  int stops = 0;
  boost::system::error_code last;
};

TEST(SessionTable, GivesIdsThatAreAllDifferentAndFoundAgain) {
  SessionTable table(1000, std::chrono::hours(1));
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const auto session = table.create(kNewestLegacy);
    ASSERT_NE(session, nullptr);
    EXPECT_EQ(session->id().size(), 32U);
    EXPECT_EQ(session->id().find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(table.find(session->id()), session);
    ids.insert(session->id());
  }
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_EQ(table.find("made-up"), nullptr);
  EXPECT_EQ(table.find(""), nullptr);
}

TEST(SessionTable, DropsTheSessionUnusedForLongestWhereThereIsNoPlaceLeft) {
  SessionTable table(2, std::chrono::hours(1));
  const auto first = table.create(kNewestLegacy);
  const auto second = table.create(kNewestLegacy);
  EXPECT_EQ(table.find(first->id()), first);  // a use
  const auto third = table.create(kNewestLegacy);
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.find(first->id()), first);
  EXPECT_EQ(table.find(second->id()), nullptr);
}

TEST(SessionTable, DropsNoSessionThatIsBusy) {
  boost::asio::io_context io;
  SessionTable table(1, std::chrono::hours(1));
  const auto first = table.create(kNewestLegacy);
  Running call(io);
  ASSERT_TRUE(first->add_call("1", call.stopper));
  EXPECT_EQ(table.create(kNewestLegacy), nullptr);
  EXPECT_TRUE(table.erase(first->id()));
  EXPECT_FALSE(table.erase(first->id()));
  EXPECT_NE(table.create(kNewestLegacy), nullptr);
}

TEST(Session, TakesNothingNewOnceItHasEnded) {
  boost::asio::io_context io;
  SessionTable table(1, std::chrono::hours(1));
  const auto session = table.create(kNewestLegacy);
  EXPECT_TRUE(table.erase(session->id()));
  Running late(io);
  EXPECT_FALSE(session->add_call("1", late.stopper));
  EXPECT_FALSE(session->add_stream({late.stopper}, 8));
}

TEST(SessionTable, ForgetsASessionThatWasIdleForTooLong) {
  SessionTable table(10, milliseconds(-1));  // any time is too long
  const auto session = table.create(kNewestLegacy);
  EXPECT_EQ(table.find(session->id()), nullptr);
  table.sweep();
  EXPECT_EQ(table.size(), 0U);
}

TEST(SessionTable, KeepsASessionThatIsBusy) {
  boost::asio::io_context io;
  SessionTable table(10, milliseconds(-1));
  const auto session = table.create(kNewestLegacy);
  Running call(io);
  ASSERT_TRUE(session->add_call("1", call.stopper));
  table.sweep();
  EXPECT_EQ(table.find(session->id()), session);
  session->remove_call("1", call.stopper.get());
  Running stream(io);
  ASSERT_TRUE(session->add_stream({stream.stopper}, 1));
  table.sweep();
  EXPECT_EQ(table.find(session->id()), session);
  session->remove_stream(stream.stopper.get());
  table.sweep();
  EXPECT_EQ(table.find(session->id()), nullptr);
}

TEST(SessionTable, IsNotKeptBusyByAStreamThatIsGone) {
  boost::asio::io_context io;
  SessionTable table(10, milliseconds(-1));
  const auto session = table.create(kNewestLegacy);
  {
    Running stream(io);
    ASSERT_TRUE(session->add_stream({stream.stopper}, 1));
    EXPECT_FALSE(session->add_stream({stream.stopper}, 1));
  }
  Running other(io);
  EXPECT_TRUE(session->add_stream({other.stopper}, 1));
  session->remove_stream(other.stopper.get());
  EXPECT_FALSE(session->is_busy());
}

TEST(Session, CancelsTheCallsOfThatIdAndNoOthers) {
  boost::asio::io_context io;
  SessionTable table(10, std::chrono::hours(1));
  const auto session = table.create(kNewestLegacy);
  Running number(io);
  Running again(io);
  Running text(io);
  ASSERT_TRUE(session->add_call("1", number.stopper));
  ASSERT_TRUE(session->add_call("1", again.stopper));
  ASSERT_TRUE(session->add_call("\"1\"", text.stopper));
  EXPECT_FALSE(session->cancel("2"));
  EXPECT_TRUE(session->cancel("1"));
  EXPECT_EQ(number.stops, 0) << "stops on its own loop, not on ours";
  io.run();
  EXPECT_EQ(number.stops, 1);
  EXPECT_EQ(number.last, make_error_code(Errc::cancelled));
  EXPECT_EQ(again.stops, 1);
  EXPECT_EQ(text.stops, 0);
  session->remove_call("1", number.stopper.get());
  EXPECT_TRUE(session->cancel("1")) << "the other one is still there";
  session->remove_call("1", again.stopper.get());
  EXPECT_FALSE(session->cancel("1"));
}

TEST(Session, StopsWhatRunsInItWhenItEnds) {
  boost::asio::io_context io;
  SessionTable table(10, std::chrono::hours(1));
  const auto session = table.create(kNewestLegacy);
  Running call(io);
  Running stream(io);
  ASSERT_TRUE(session->add_call("1", call.stopper));
  ASSERT_TRUE(session->add_stream({stream.stopper}, 8));
  EXPECT_TRUE(table.erase(session->id()));
  EXPECT_EQ(table.size(), 0U);
  io.run();
  EXPECT_EQ(call.stops, 1);
  EXPECT_EQ(stream.stops, 1);
}

TEST(Stopper, DoesNothingOnceDetached) {
  boost::asio::io_context io;
  Running call(io);
  call.stopper->stop(Errc::cancelled);
  call.stopper->detach();
  io.run();
  EXPECT_EQ(call.stops, 0);
}

}  // namespace
}  // namespace sluice::mcp
