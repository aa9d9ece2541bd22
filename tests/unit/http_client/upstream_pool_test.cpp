#include "http/upstream_pool.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <deque>

#include "fetch.hpp"

namespace sluice::http {
namespace {

using namespace sluice::testing;
using Reply = CannedUpstream::Reply;
using Then = CannedUpstream::Then;

std::string target(int i) { return std::string("/item-").append(std::to_string(i)); }

/// Several exchanges at once on one fetcher.
struct Many {
  explicit Many(Fetcher& f) : fetcher(f) {}
  ~Many() {
    fetcher.io.restart();
    fetcher.io.poll();  // what co_spawn has posted uses the signals
  }
  struct One {
    UpstreamRequest request;
    Fetched got;
    boost::asio::cancellation_signal cancel;
    bool done = false;
  };
  One& start(std::string target) {
    One& one = all.emplace_back();
    one.request.target = std::move(target);
    boost::asio::co_spawn(
        fetcher.io, fetcher.fetch(one.request, one.got),
        boost::asio::bind_cancellation_slot(one.cancel.slot(), [&one, this](std::exception_ptr) {
          one.done = true;
          ++done;
          order.push_back(one.request.target);
        }));
    return one;
  }
  void finish() {
    run_until(fetcher.io, [this] { return done == all.size(); });
  }
  Fetcher& fetcher;
  std::deque<One> all;
  std::size_t done = 0;
  std::vector<std::string> order;
};

TEST(UpstreamPool, UsesOneConnectionForRequestsOneAfterTheOther) {
  CannedUpstream stub(canned("200 OK", "hi"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_EQ(stub.accepted(), 1);
  EXPECT_EQ(stub.last().number, 10);
  EXPECT_EQ(fetcher.pool().idle(), 1u);
  EXPECT_EQ(fetcher.pool().leased(), 0u);
}

TEST(UpstreamPool, KeepsNoConnectionThatTheUpstreamWantsClosed) {
  const std::string closing[] = {
      canned("200 OK", "hi", "Connection: close\r\n"),
      "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi",
      canned("200 OK", "hi") + "surplus",
  };
  for (const std::string& bytes : closing) {
    CannedUpstream stub(bytes);
    Fetcher fetcher(Fetcher::source_at(stub.url()));
    EXPECT_EQ(fetcher.get().body, "hi");
    EXPECT_EQ(fetcher.get().body, "hi");
    EXPECT_EQ(stub.accepted(), 2) << bytes;
    EXPECT_EQ(fetcher.pool().idle(), 0u);
  }
}

TEST(UpstreamPool, NeverHasMoreConnectionsThanAllowedAndServesInOrder) {
  CannedUpstream stub(
      [](const CannedUpstream::Request& r) { return Reply{canned("200 OK", r.line())}; });
  config::HttpSource source = Fetcher::source_at(stub.url());
  source.connections = 1;
  Fetcher fetcher(source);
  Many many(fetcher);
  for (int i = 0; i < 20; ++i) many.start(target(i));
  many.finish();
  EXPECT_EQ(stub.accepted(), 1);
  for (std::size_t i = 0; i < 20; ++i) {
    const std::string asked = target(static_cast<int>(i));
    EXPECT_EQ(many.order[i], asked);
    EXPECT_EQ(many.all[i].got.body, std::string("GET ").append(asked).append(" HTTP/1.1"));
  }
}

TEST(UpstreamPool, GivesUpWaitingForAConnectionWhenTheTimeIsUp) {
  CannedUpstream stub(std::string(), Then::hold);
  config::HttpSource source = Fetcher::source_at(stub.url());
  source.connections = 1;
  source.timeout = std::chrono::milliseconds(150);
  Fetcher fetcher(source);
  Many many(fetcher);
  many.start("/holds");
  auto& second = many.start("/waits");
  many.finish();
  EXPECT_NE(second.got.problem, "");
  EXPECT_EQ(fetcher.pool().waiting(), 0u);
  EXPECT_EQ(fetcher.pool().leased(), 0u);
}

TEST(UpstreamPool, LetsTheNextInLineGoWhenOneThatWaitsIsCancelled) {
  CannedUpstream stub([](const CannedUpstream::Request& r) {
    if (r.line().find("/first") != std::string::npos) return Reply{"", Then::hold};
    return Reply{canned("200 OK", "hi")};
  });
  config::HttpSource source = Fetcher::source_at(stub.url());
  source.connections = 1;
  Fetcher fetcher(source);
  Many many(fetcher);
  auto& first = many.start("/first");
  auto& second = many.start("/second");
  auto& third = many.start("/third");
  run_until(fetcher.io, [&] { return fetcher.pool().waiting() == 2; });
  second.cancel.emit(boost::asio::cancellation_type::terminal);
  run_until(fetcher.io, [&] { return second.done; });
  EXPECT_EQ(fetcher.pool().waiting(), 1u);
  first.cancel.emit(boost::asio::cancellation_type::terminal);
  many.finish();
  EXPECT_EQ(third.got.body, "hi");
  EXPECT_EQ(fetcher.pool().leased(), 0u);
  EXPECT_EQ(fetcher.frames.in_use(), 0u);
}

TEST(UpstreamPool, SurvivesBothTheHolderAndAWaiterCancelledAtOnce) {
  CannedUpstream stub([](const CannedUpstream::Request& r) {
    if (r.line().find("/first") != std::string::npos) return Reply{"", Then::hold};
    return Reply{canned("200 OK", "hi")};
  });
  config::HttpSource source = Fetcher::source_at(stub.url());
  source.connections = 1;
  Fetcher fetcher(source);
  Many many(fetcher);
  auto& first = many.start("/first");
  auto& second = many.start("/second");
  auto& third = many.start("/third");
  run_until(fetcher.io, [&] { return fetcher.pool().waiting() == 2; });
  first.cancel.emit(boost::asio::cancellation_type::terminal);
  second.cancel.emit(boost::asio::cancellation_type::terminal);
  many.finish();
  EXPECT_EQ(third.got.body, "hi");
  EXPECT_EQ(fetcher.pool().leased(), 0u);
}

TEST(UpstreamPool, ClosesIdleConnectionsWhenTheirTimeIsUp) {
  CannedUpstream stub(canned("200 OK", "hi"));
  config::HttpSource source = Fetcher::source_at(stub.url());
  source.idle_timeout = std::chrono::milliseconds(30);
  Fetcher fetcher(source);
  EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_EQ(fetcher.pool().idle(), 1u);
  run_until(fetcher.io, [&] { return fetcher.pool().idle() == 0; });
  EXPECT_TRUE(stub.wait_ended(1));
  EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_EQ(stub.accepted(), 2);
}

TEST(UpstreamPool, NoticesWhenAnIdleConnectionIsClosedFromTheOtherSide) {
  CannedUpstream stub(canned("200 OK", "hi"), Then::close);
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, "hi");
  run_until(fetcher.io, [&] { return fetcher.pool().idle() == 0; });
  EXPECT_EQ(fetcher.get("/", "POST", "x").body, "hi");
  EXPECT_EQ(stub.accepted(), 2);
}

TEST(UpstreamPool, ClosesItsConnectionsOnTheirLoopWhenTheUpstreamGoes) {
  CannedUpstream stub(canned("200 OK", "hi"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, "hi");
  std::thread elsewhere([&] { fetcher.upstream.reset(); });
  elsewhere.join();
  fetcher.io.restart();
  fetcher.io.run();
  EXPECT_TRUE(stub.wait_ended(1));
}

}  // namespace
}  // namespace sluice::http
