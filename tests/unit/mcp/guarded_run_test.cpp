#include "mcp/guarded_run.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <stdexcept>

#include "mcp/errors.hpp"
#include "support/run_awaitable.hpp"

namespace sluice::mcp {
namespace {

namespace asio = boost::asio;

/// An exchange of which nothing but its loop and its cancellation is used.
class LoopExchange final : public Exchange {
 public:
  explicit LoopExchange(asio::io_context& io) : io_(io) {}
  std::optional<std::string_view> header(std::string_view) override { return std::nullopt; }
  std::string_view group() const noexcept override { return {}; }
  std::string_view body() const noexcept override { return {}; }
  std::size_t body_capacity() const noexcept override { return 0; }
  json::Document& document() noexcept override { return document_; }
  bool takes_json() const noexcept override { return true; }
  bool takes_events() const noexcept override { return true; }
  bool takes_chunks() const noexcept override { return true; }
  ContentCoding accepted_coding() override { return ContentCoding::identity; }
  LoopServices& loop() noexcept override { return loop_; }
  asio::any_io_executor executor() override { return io_.get_executor(); }
  void set_session_id(std::string) override {}
  Awaitable<void> reply(unsigned, std::string_view) override { co_return; }
  FrameWriter& writer() noexcept override { std::abort(); }
  Awaitable<void> reply_empty_stream() override { co_return; }
  void hold_event_stream(std::unique_ptr<EventSource>) override {}
  void listen(Listener*) override {}
  asio::cancellation_signal& cancellation() noexcept override { return cancellation_; }

 private:
  asio::io_context& io_;
  json::Document document_;
  LoopServices loop_;
  asio::cancellation_signal cancellation_;
};

/// Runs `work` in a coroutine as that of a connection is; true where nothing came out of it.
template <class Work>
bool completes(asio::io_context& io, LoopExchange& exchange, Work work) {
  bool over = false;
  bool threw = false;
  asio::co_spawn(
      io, work(),
      asio::bind_cancellation_slot(exchange.cancellation().slot(), [&](std::exception_ptr thrown) {
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
  LoopExchange exchange(io);
  CallServices services;
  CallContext context(exchange, services, {});
  bool began = false;
  EXPECT_TRUE(completes(io, exchange, [&]() -> Awaitable<void> {
    GuardedRun run(context, exchange.cancellation());
    run.stop(Errc::cancelled);
    co_await run.run(wait_long(context, began));
    co_await some_turns(io);
    EXPECT_EQ(run.why(), Errc::cancelled);
  }));
  EXPECT_FALSE(began);
}

TEST(GuardedRun, StoppedWhileItRunsEndsTheWorkAndNothingBehindIt) {
  asio::io_context io;
  LoopExchange exchange(io);
  CallServices services;
  CallContext context(exchange, services, {});
  bool began = false;
  EXPECT_TRUE(completes(io, exchange, [&]() -> Awaitable<void> {
    GuardedRun run(context, exchange.cancellation());
    asio::post(io, [&] { run.stop(Errc::deadline); });
    co_await run.run(wait_long(context, began));
    run.stop(Errc::cancelled);
    co_await some_turns(io);
    EXPECT_EQ(run.why(), Errc::deadline);
  }));
  EXPECT_TRUE(began);
  EXPECT_TRUE(context.cancelled());
}

}  // namespace
}  // namespace sluice::mcp
