#include "mcp/subscriptions.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mcp/subscription.hpp"

namespace sluice::mcp {
namespace {

using Watch = Subscription::Watch;

constexpr std::size_t kMany = 1'000'000;

ListSet only(List list) {
  ListSet set;
  set.add(list);
  return set;
}

/// One who waits for changes.
struct Waiting final : Subscription::Owner {
  Waiting(Subscriptions& hub, ListSet lists, std::initializer_list<std::string_view> uris = {},
          std::size_t loop = 0)
      : subscription(hub, loop, lists, *this) {
    for (const auto uri : uris) EXPECT_EQ(subscription.watch(uri, kMany), Watch::watched);
  }
  void on_changes() override { ++told; }

  /// All that is pending: names of lists, URIs.
  std::vector<std::string> take() {
    std::vector<std::string> out;
    while (const auto change = subscription.take())
      out.push_back(change->list ? std::to_string(static_cast<int>(*change->list)) : change->uri);
    return out;
  }

  std::atomic<int> told = 0;
  Subscription subscription;
};

using Texts = std::vector<std::string>;

/// A hub whose only loop is run by hand.
struct OneLoop {
  explicit OneLoop(std::uint64_t bytes = kMany) : hub(1, bytes) { hub.serve(0, io.get_executor()); }
  ~OneLoop() { hub.stop(0); }
  /// How often the loop had to do something.
  std::size_t turn() {
    io.restart();
    return io.poll();
  }

  boost::asio::io_context io;
  Subscriptions hub;
};

TEST(Subscriptions, TellOfWhatWasAskedForAndNothingElse) {
  OneLoop loop;
  Waiting tools(loop.hub, only(List::tools));
  Waiting file(loop.hub, {}, {"file:///a", "file:///b"});
  Waiting nothing(loop.hub, {});
  loop.hub.list_changed(List::tools);
  loop.hub.list_changed(List::prompts);
  loop.hub.resource_updated("file:///a");
  loop.hub.resource_updated("file:///c");
  loop.turn();
  EXPECT_EQ(tools.take(), Texts{"0"});
  EXPECT_EQ(file.take(), Texts{"file:///a"});
  EXPECT_EQ(nothing.take(), Texts{});
  EXPECT_EQ(nothing.told, 0);
}

TEST(Subscriptions, CountChangesOfOneThingAsOneUntilThatIsTold) {
  OneLoop loop;
  Waiting waiting(loop.hub, ListSet::all(), {"a:1", "a:2", "a:3"});
  for (int i = 0; i < 10'000; ++i) {
    loop.hub.resource_updated(i % 3 == 0 ? "a:1" : i % 3 == 1 ? "a:2" : "a:3");
    loop.hub.list_changed(List::resources);
    if (i % 100 == 0) loop.turn();
  }
  loop.turn();
  EXPECT_EQ(waiting.told, 1) << "it was told and has not asked yet";
  EXPECT_EQ(waiting.take().size(), 4U);
  loop.hub.resource_updated("a:1");
  loop.turn();
  EXPECT_EQ(waiting.told, 2);
  EXPECT_EQ(waiting.take(), Texts{"a:1"});
}

TEST(Subscriptions, PostOnceForAllThatChangesBeforeTheLoopHasItsTurn) {
  OneLoop loop;
  for (int i = 0; i < 100; ++i) loop.hub.list_changed(List::tools);
  EXPECT_EQ(loop.turn(), 0U) << "nobody wants to hear of it";
  Waiting waiting(loop.hub, ListSet::all(), {"a:1"});
  for (int i = 0; i < 100; ++i) {
    loop.hub.resource_updated("a:" + std::to_string(i));
    loop.hub.list_changed(List::tools);
  }
  EXPECT_EQ(loop.turn(), 1U);
}

TEST(Subscriptions, KnowEquivalentUrisAndTellEachAsItWasAskedFor) {
  OneLoop loop;
  Waiting plain(loop.hub, {}, {"HTTP://Example.com/%7Euser", "http://example.com/~user"});
  loop.hub.resource_updated("http://EXAMPLE.com/~user");
  loop.turn();
  EXPECT_EQ(plain.take(), (Texts{"HTTP://Example.com/%7Euser", "http://example.com/~user"}));
  plain.subscription.forget("http://example.com/~user");
  loop.hub.resource_updated("http://example.com/%7euser");
  loop.turn();
  EXPECT_EQ(plain.take(), Texts{"HTTP://Example.com/%7Euser"});
}

TEST(Subscriptions, TellOfAllThatBeginsSo) {
  OneLoop loop;
  Waiting waiting(loop.hub, {}, {"file:///a", "file:///a/b", "file:///a/c", "file:///ab", "b:1"});
  loop.hub.resources_updated("file:///a/");
  loop.turn();
  EXPECT_EQ(waiting.take(), (Texts{"file:///a/b", "file:///a/c"}));
  loop.hub.resources_updated("FILE:///a");
  loop.turn();
  EXPECT_EQ(waiting.take().size(), 4U);
  loop.hub.resources_updated("");
  loop.turn();
  EXPECT_EQ(waiting.take().size(), 5U);
}

TEST(Subscriptions, NoteSoManyChangesAndThenOneOfAll) {
  OneLoop loop;
  Waiting waiting(loop.hub, {}, {"a:1", "b:2"});
  for (std::size_t i = 0; i < 3 * Subscriptions::kMostNoted; ++i)
    loop.hub.resource_updated("other:" + std::to_string(i));
  EXPECT_EQ(loop.turn(), 1U);
  EXPECT_EQ(waiting.take(), (Texts{"a:1", "b:2"}));
  for (std::size_t i = 0; i < 2 * Subscriptions::kMostNoted; ++i)
    loop.hub.resources_updated("other:" + std::to_string(i));
  loop.turn();
  EXPECT_EQ(waiting.take(), (Texts{"a:1", "b:2"}));
}

TEST(Subscriptions, WakeSomeAtATimeSoThatOthersHaveTheirTurn) {
  OneLoop loop;
  std::deque<Waiting> all;
  for (int i = 0; i < 1000; ++i) all.emplace_back(loop.hub, ListSet::all());
  loop.hub.list_changed(List::tools);
  std::size_t turns = 0;
  int told = 0;
  int most = 0;
  while (loop.io.restart(), loop.io.poll_one() != 0) {
    int now = 0;
    for (const auto& waiting : all) now += waiting.told;
    most = std::max(most, now - told);
    told = now;
    ++turns;
  }
  EXPECT_EQ(told, 1000);
  EXPECT_LE(most, 128);
  EXPECT_GE(turns, 8U);
}

TEST(Subscriptions, BoundTheirNumberForOneAndTheirMemoryForAll) {
  OneLoop loop(10'000);
  Waiting few(loop.hub, {});
  EXPECT_EQ(few.subscription.watch("a:1", 2), Watch::watched);
  EXPECT_EQ(few.subscription.watch("a:2", 2), Watch::watched);
  EXPECT_EQ(few.subscription.watch("a:1", 2), Watch::watched) << "it is already";
  EXPECT_EQ(few.subscription.watch("a:3", 2), Watch::too_many);
  few.subscription.forget("a:1");
  EXPECT_EQ(few.subscription.watch("a:3", 2), Watch::watched);
  EXPECT_EQ(few.subscription.size(), 2U);
  {
    Waiting many(loop.hub, {});
    int n = 0;
    while (many.subscription.watch("b:" + std::to_string(n), kMany) == Watch::watched) ++n;
    EXPECT_GT(n, 10);
    EXPECT_LE(loop.hub.bytes(), 10'000U);
    EXPECT_EQ(few.subscription.watch("a:4", kMany), Watch::no_memory);
  }
  EXPECT_EQ(few.subscription.watch("a:4", kMany), Watch::watched);
  few.subscription.forget("a:2");
  few.subscription.forget("a:3");
  few.subscription.forget("a:4");
  few.subscription.forget("a:5");
  EXPECT_EQ(loop.hub.bytes(), 0U);
}

TEST(Subscriptions, RepeatWhatAStreamWasToldAfterAMessage) {
  OneLoop loop;
  Waiting waiting(loop.hub, ListSet::all(), {"a:1", "a:2"});
  auto& subscription = waiting.subscription;
  loop.hub.list_changed(List::tools);
  loop.turn();
  ASSERT_TRUE(subscription.take({.stream = 1, .number = 1}));
  loop.hub.resource_updated("a:1");
  loop.turn();
  ASSERT_TRUE(subscription.take({.stream = 1, .number = 2}));
  loop.hub.resource_updated("a:2");
  loop.turn();
  ASSERT_TRUE(subscription.take({.stream = 2, .number = 3}));
  EXPECT_FALSE(subscription.has_pending());

  subscription.repeat_after({.stream = 1, .number = 2});
  EXPECT_FALSE(subscription.has_pending());
  subscription.repeat_after({.stream = 1, .number = 1});
  EXPECT_EQ(waiting.take(), Texts{"a:1"});
  subscription.repeat_after({.stream = 3, .number = 0});
  EXPECT_FALSE(subscription.has_pending()) << "what went out on another stream stays there";
  subscription.repeat_all();
  EXPECT_EQ(waiting.take(), (Texts{"0", "1", "2", "a:1", "a:2"}));
}

TEST(Subscriptions, SayNothingOnceTheLoopIsGone) {
  Subscriptions hub(2, kMany);
  hub.list_changed(List::tools);
  Waiting waiting(hub, ListSet::all(), {"a:1"});
  {
    boost::asio::io_context io;
    hub.serve(0, io.get_executor());
    hub.list_changed(List::tools);
    io.poll();
    hub.stop(0);
  }
  hub.list_changed(List::tools);
  hub.resource_updated("a:1");
  hub.resources_updated("");
  EXPECT_EQ(waiting.told, 1);
  EXPECT_EQ(hub.size(), 1U);
}

/// A loop with a thread of its own.
struct Running {
  Running() : work(io.get_executor()), thread([this] { io.run(); }) {}
  ~Running() {
    work.reset();
    thread.join();
  }
  /// Runs it there and waits.
  template <class What>
  void on(What what) {
    std::promise<void> done;
    boost::asio::post(io, [&] {
      what();
      done.set_value();
    });
    done.get_future().wait();
  }

  boost::asio::io_context io;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
  std::thread thread;
};

TEST(Subscriptions, LoseNothingWhileSubscriptionsComeAndGoOnManyLoops) {
  constexpr std::size_t kLoops = 3;
  constexpr int kRounds = 200;
  Subscriptions hub(kLoops, kMany);
  std::vector<std::unique_ptr<Running>> loops;
  for (std::size_t i = 0; i < kLoops; ++i) {
    loops.push_back(std::make_unique<Running>());
    hub.serve(i, loops.back()->io.get_executor());
  }
  std::atomic<bool> over = false;
  std::vector<std::thread> publishers;
  for (int p = 0; p < 2; ++p)
    publishers.emplace_back([&hub, &over, p] {
      for (int i = 0; !over; ++i) {
        hub.resource_updated("a:" + std::to_string(i % 5));
        if (p == 0) hub.list_changed(List::tools);
        if (i % 50 == 0) hub.resources_updated("a");
        std::this_thread::yield();
      }
    });
  std::vector<std::thread> others;
  for (std::size_t i = 0; i < kLoops; ++i)
    others.emplace_back([&hub, i] {
      // Sessions subscribe from any thread, and die on any.
      for (int round = 0; round < kRounds; ++round) {
        Waiting waiting(hub, ListSet::all(), {"a:1", "a:2"}, i);
        static_cast<void>(waiting.take());
        waiting.subscription.forget("a:1");
        waiting.subscription.repeat_all();
      }
    });
  std::deque<Waiting> staying;
  for (std::size_t i = 0; i < kLoops; ++i)
    for (int n = 0; n < 20; ++n)
      staying.emplace_back(hub, ListSet::all(),
                           std::initializer_list<std::string_view>{"a:0", "a:3"}, i);
  for (auto& other : others) other.join();
  over = true;
  for (auto& publisher : publishers) publisher.join();
  for (auto& loop : loops) loop->on([] {});
  for (auto& loop : loops) loop->on([] {});

  for (auto& waiting : staying) static_cast<void>(waiting.take());
  hub.list_changed(List::prompts);
  hub.resource_updated("a:3");
  for (auto& loop : loops) loop->on([] {});
  for (auto& waiting : staying) EXPECT_EQ(waiting.take(), (Texts{"1", "a:3"}));
  EXPECT_EQ(hub.size(), staying.size());
  for (std::size_t i = 0; i < kLoops; ++i) hub.stop(i);
}

}  // namespace
}  // namespace sluice::mcp
