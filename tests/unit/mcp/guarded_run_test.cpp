#include "mcp/guarded_run.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <stdexcept>

#include "support/fake_call.hpp"
#include "support/run_awaitable.hpp"

namespace sluice::mcp {
namespace {

namespace asio = boost::asio;

/// Runs `work` in a coroutine as that of a connection is; true where nothing came out of it.
template <class Work>
bool completes(asio::io_context& io, asio::cancellation_signal& cancellation, Work work) {
  bool over = false;
  bool threw = false;
  asio::co_spawn(io, work(),
                 asio::bind_cancellation_slot(cancellation.slot(), [&](std::exception_ptr thrown) {
                   threw = thrown != nullptr;
                   over = true;
                 }));
  sluice::testing::run_until(io, [&] { return over; });
  return !threw;
}

Awaitable<void> some_turns(asio::io_context& io) {
  for (int i = 0; i < 3; ++i) {
    co_await asio::post(io, asio::use_awaitable);
  }
}

Awaitable<Result<>> wait_long(Call& call, bool& began) {
  began = true;
  co_await call.sleep(std::chrono::hours(1));
  co_return Result<>();
}

TEST(GuardedRun, StoppedBeforeItBeginsLeavesItsCoroutineAlone) {
  asio::io_context io;
  asio::cancellation_signal cancellation;
  sluice::testing::FakeCall call(io.get_executor());
  bool began = false;
  EXPECT_TRUE(completes(io, cancellation, [&]() -> Awaitable<void> {
    GuardedRun run(call, cancellation);
    run.stop(Errc::cancelled);
    co_await run.run(wait_long(call, began));
    co_await some_turns(io);
    EXPECT_EQ(run.why(), Errc::cancelled);
  }));
  EXPECT_FALSE(began);
}

TEST(GuardedRun, StoppedWhileItRunsEndsTheWorkAndNothingBehindIt) {
  asio::io_context io;
  asio::cancellation_signal cancellation;
  sluice::testing::FakeCall call(io.get_executor());
  bool began = false;
  EXPECT_TRUE(completes(io, cancellation, [&]() -> Awaitable<void> {
    GuardedRun run(call, cancellation);
    asio::post(io, [&] { run.stop(Errc::deadline); });
    co_await run.run(wait_long(call, began));
    run.stop(Errc::cancelled);
    co_await some_turns(io);
    EXPECT_EQ(run.why(), Errc::deadline);
  }));
  EXPECT_TRUE(began);
  EXPECT_TRUE(call.cancelled());
}

}  // namespace
}  // namespace sluice::mcp
