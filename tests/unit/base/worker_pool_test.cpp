#include "base/worker_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <latch>
#include <thread>

#include "support/run_awaitable.hpp"

namespace sluice {
namespace {

struct Seen {
  std::thread::id before;
  std::thread::id inside;
  std::thread::id after;
};

boost::asio::awaitable<void> look(WorkerPool& pool, Seen& seen) {
  seen.before = std::this_thread::get_id();
  std::function<void()> work = [&seen] { seen.inside = std::this_thread::get_id(); };
  co_await pool.run(std::move(work));
  seen.after = std::this_thread::get_id();
}

boost::asio::awaitable<void> run_one(WorkerPool& pool, std::function<void()> work,
                                     bool& came_back) {
  co_await pool.run(std::move(work));
  came_back = true;
}

TEST(WorkerPool, RunsElsewhereAndComesBackToTheLoop) {
  boost::asio::io_context io;
  WorkerPool pool(2);
  Seen seen;
  testing::run(io, look(pool, seen));
  EXPECT_EQ(seen.before, std::this_thread::get_id());
  EXPECT_NE(seen.inside, std::this_thread::get_id());
  EXPECT_EQ(seen.after, std::this_thread::get_id());
}

TEST(WorkerPool, LeavesTheLoopFreeMeanwhile) {
  boost::asio::io_context io;
  WorkerPool pool(1);
  std::latch go(1);
  bool came_back = false;
  boost::asio::co_spawn(io,
                        run_one(pool, [&go] { go.wait(); }, came_back), [](std::exception_ptr) {});
  bool other = false;
  boost::asio::post(io, [&other] { other = true; });
  io.poll();
  EXPECT_TRUE(other);
  EXPECT_FALSE(came_back);
  go.count_down();
  io.run();  // it knows that work is under way
  EXPECT_TRUE(came_back);
}

TEST(WorkerPool, RunsAllThatIsAskedFromSeveralLoops) {
  constexpr int kEach = 200;
  std::array<boost::asio::io_context, 3>
      contexts;  // outlive the workers, which are the last to touch them
  WorkerPool pool(3);
  std::atomic<int> ran{0};
  std::atomic<int> back{0};
  std::vector<std::thread> loops;
  for (auto& io : contexts)
    loops.emplace_back([&] {
      bool flag = false;
      for (int i = 0; i < kEach; ++i)
        boost::asio::co_spawn(
            io, run_one(pool, [&ran] { ++ran; }, flag), [&back](std::exception_ptr) { ++back; });
      io.run();
    });
  for (auto& loop : loops) loop.join();
  EXPECT_EQ(ran, 3 * kEach);
  EXPECT_EQ(back, 3 * kEach);
  pool.stop();
}

TEST(WorkerPool, IsWaitedForOnceItHasBegunEvenWhenTheCallIsCancelled) {
  boost::asio::io_context io;
  WorkerPool pool(1);
  std::latch begun(1);
  std::latch go(1);
  std::atomic<bool> ended{false};
  bool came_back = false;
  bool over = false;
  boost::asio::cancellation_signal cancel;
  boost::asio::co_spawn(io,
                        run_one(
                            pool,
                            [&] {
                              begun.count_down();
                              go.wait();
                              ended = true;
                            },
                            came_back),
                        boost::asio::bind_cancellation_slot(
                            cancel.slot(), [&over](std::exception_ptr) { over = true; }));
  while (!begun.try_wait()) io.poll();
  cancel.emit(boost::asio::cancellation_type::terminal);
  io.poll();
  EXPECT_FALSE(over) << "the work still uses what the caller owns";
  go.count_down();
  testing::run_until(io, [&over] { return over; });
  EXPECT_TRUE(ended);
}

TEST(WorkerPool, NeverRunsWorkWhoseCallWasCancelledBeforeItBegan) {
  boost::asio::io_context io;
  WorkerPool pool(1);
  std::latch begun(1);
  std::latch go(1);
  bool first_back = false;
  bool second_back = false;
  bool second_ran = false;
  bool second_over = false;
  boost::asio::cancellation_signal cancel;
  boost::asio::co_spawn(io,
                        run_one(
                            pool,
                            [&] {
                              begun.count_down();
                              go.wait();
                            },
                            first_back),
                        [](std::exception_ptr) {});
  while (!begun.try_wait()) io.poll();
  boost::asio::co_spawn(
      io,
      run_one(
          pool, [&second_ran] { second_ran = true; }, second_back),
      boost::asio::bind_cancellation_slot(
          cancel.slot(), [&second_over](std::exception_ptr) { second_over = true; }));
  io.poll();
  cancel.emit(boost::asio::cancellation_type::terminal);
  testing::run_until(io, [&second_over] { return second_over; });
  EXPECT_FALSE(first_back);
  go.count_down();
  io.run();
  EXPECT_TRUE(first_back);
  EXPECT_FALSE(second_ran);
  EXPECT_FALSE(second_back);
}

TEST(WorkerPool, LetsGoOfLoopsThatStoppedWhileWorkWasUnderWay) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran{0};
    bool came_back = false;
    WorkerPool pool(1);
    {
      boost::asio::io_context io;
      std::latch begun(1);
      for (int i = 0; i < 3; ++i)
        boost::asio::co_spawn(io,
                              run_one(
                                  pool,
                                  [&] {
                                    if (ran++ == 0) begun.count_down();
                                  },
                                  came_back),
                              [](std::exception_ptr) {});
      while (!begun.try_wait()) io.poll();
      pool.stop();
    }
    EXPECT_GE(ran, 1);
  }
}

}  // namespace
}  // namespace sluice
