// What listeners are told of tasks.
#include "mcp/task_news.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "mcp/event_source.hpp"
#include "support/event_stream.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace sluice::mcp {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

Awaitable<void> make_in(TaskStore& store, TaskStore::Plan plan, TaskStore::Made& made) {
  auto result = co_await store.make(plan);
  made = std::move(result);
}

struct Bench {
  Bench() {
    config.spool = (temp.path() / "spool").string();
    store.emplace(config, workers);
    std::string problem;
    EXPECT_TRUE(store->open(problem)) << problem;
    news.emplace(*store, TaskTerms{kModern, "{}", 1000ms}, R"({"id":7})", io.get_executor(),
                 [this] { ++wakes; });
  }
  ~Bench() {
    news.reset();
    workers.stop();
  }
  std::shared_ptr<Task> make() {
    TaskStore::Made made;
    testing::run(io, make_in(*store, {"tool", "me", 1h}, made));
    return made.task;
  }
  void settle(Task& task, std::string_view result) {
    EXPECT_EQ(store->reserve(task, result.size()), "");
    EXPECT_EQ(task.file().write(result, 0), 0);
    TaskRecord record = task.record();
    record.status = TaskStatus::completed;
    record.result_bytes = result.size();
    EXPECT_EQ(task.settle(record), 0);
    store->settled(task);
  }
  /// All of what is begun, as a client reads it.
  std::vector<std::string> told() {
    std::string bytes;
    const auto guard = asio::make_work_guard(io);
    for (;;) {
      news->append(bytes);
      if (news->is_idle() || news->is_broken()) break;
      const int before = wakes;
      io.restart();
      while (wakes == before) io.run_one();
    }
    std::vector<std::string> out;
    for (auto& event : testing::read_event_stream(bytes).events)
      out.push_back(std::move(event.data));
    return out;
  }

  testing::TempFolder temp;
  config::Tasks config;
  WorkerPool workers{2};
  asio::io_context io;
  std::optional<TaskStore> store;
  std::optional<TaskNews> news;
  int wakes = 0;
};

TEST(TaskNews, TellsOfItsTasksAndNoOthers) {
  Bench bench;
  const auto task = bench.make();
  const auto other = bench.make();
  bench.news->add(task);
  EXPECT_EQ(bench.news->ids(), (std::vector<std::string_view>{task->id()}));
  EXPECT_FALSE(bench.news->begin_first()) << "it works";
  EXPECT_FALSE(bench.news->begin(task_topic(other->id())));
  EXPECT_FALSE(bench.news->begin("demo://resource"));
  task->set_message("half");
  ASSERT_TRUE(bench.news->begin(task_topic(task->id())));
  const auto told = bench.told();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with(
      R"({"jsonrpc":"2.0","method":"notifications/tasks","params":{"_meta":{"id":7},"taskId":")" +
      task->id() + R"(","status":"working","statusMessage":"half")"))
      << told[0];
  EXPECT_TRUE(told[0].ends_with("}}"));
}

TEST(TaskNews, TellsFirstOfWhatIsOverOrAsks) {
  Bench bench;
  const auto cancelled = bench.make();
  const auto asks = bench.make();
  EXPECT_TRUE(cancelled->cancel("enough"));
  asks->ask({{"name", R"({"method":"m"})"}}, {}, 1h);
  bench.news->add(cancelled);
  bench.news->add(asks);
  std::string all;
  while (bench.news->begin_first()) {
    const auto told = bench.told();
    ASSERT_EQ(told.size(), 1U);
    all += told[0];
  }
  EXPECT_NE(all.find(R"("status":"cancelled","statusMessage":"enough")"), std::string::npos);
  EXPECT_NE(all.find(R"("inputRequests":{"name":{"method":"m"}})"), std::string::npos);
}

TEST(TaskNews, TellsResultsOfEverySizeInPieces) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, EventSource::kPiece - 3,
                                 EventSource::kPiece, 10 * EventSource::kPiece + 1}) {
    Bench bench;
    const auto task = bench.make();
    bench.news->add(task);
    bench.settle(*task, '"' + std::string(size, 'x') + "\"\n]}}");
    ASSERT_TRUE(bench.news->begin(task_topic(task->id())));
    const auto told = bench.told();
    ASSERT_EQ(told.size(), 1U) << size;
    EXPECT_TRUE(told[0].ends_with(R"("result":{"resultType":"complete","content":[")" +
                                  std::string(size, 'x') + "\"\n]}}}"))
        << size;
    EXPECT_TRUE(bench.news->is_idle());
    EXPECT_FALSE(bench.news->is_amid());
  }
}

TEST(TaskNews, SaysNothingOfAResultThatIsGone) {
  Bench bench;
  const auto task = bench.make();
  bench.news->add(task);
  bench.settle(*task, "]}}");
  std::filesystem::remove_all(bench.config.spool);
  ASSERT_TRUE(bench.news->begin(task_topic(task->id())));
  EXPECT_TRUE(bench.told().empty());
  EXPECT_TRUE(bench.news->is_idle());
}

}  // namespace
}  // namespace sluice::mcp
