#include "mcp/task_store.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "base/random_id.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace sluice::mcp {
namespace {

using namespace std::chrono_literals;
using namespace sluice::literals;
namespace asio = boost::asio;
namespace fs = std::filesystem;

Awaitable<void> find_in(TaskStore& store, std::string_view id, std::string_view owner,
                        std::shared_ptr<Task>& found) {
  auto result = co_await store.find(id, owner);
  found = std::move(result);
}

Awaitable<void> make_in(TaskStore& store, TaskStore::Plan plan, TaskStore::Made& made) {
  auto result = co_await store.make(plan);
  made = std::move(result);
}

struct Bench {
  explicit Bench(const std::function<void(config::Tasks&)>& change = {}) {
    config.spool = (temp.path() / "spool").string();
    if (change) change(config);
    reopen();
  }
  ~Bench() { workers->stop(); }
  void reopen() {
    // What the store has posted uses it.
    if (workers) workers->stop();
    store.reset();
    workers = std::make_unique<WorkerPool>(2);
    store = std::make_unique<TaskStore>(config, *workers);
    store->when_changed([this](const Task& task) {
      const std::lock_guard lock(mutex);
      changes.push_back(std::string(name_of(task.record().status)));
    });
    std::string problem;
    EXPECT_TRUE(store->open(problem)) << problem;
  }
  TaskStore::Made make(std::string_view owner = "me", std::chrono::milliseconds ttl = 1h) {
    TaskStore::Made made;
    testing::run(io, make_in(*store, {"tool", owner, ttl}, made));
    return made;
  }
  std::shared_ptr<Task> find(std::string_view id, std::string_view owner = "me") {
    std::shared_ptr<Task> found;
    testing::run(io, find_in(*store, id, owner, found));
    return found;
  }
  /// As a run does it at its end.
  void settle(Task& task, std::string_view result) const {
    EXPECT_EQ(store->reserve(task, result.size()), "");
    EXPECT_EQ(task.file().write(result, 0), 0);
    TaskRecord record = task.record();
    record.status = TaskStatus::completed;
    record.result_bytes = result.size();
    EXPECT_EQ(task.settle(record), 0);
    store->settled(task);
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(config.spool), fs::directory_iterator()));
  }

  testing::TempFolder temp;
  config::Tasks config;
  std::unique_ptr<WorkerPool> workers;
  asio::io_context io;
  std::mutex mutex;
  std::vector<std::string> changes;
  std::unique_ptr<TaskStore> store;
};

/// The stopper of a run.
struct Target final : Stopper::Target {
  void on_stop(boost::system::error_code why) override { reasons.push_back(why); }
  std::vector<boost::system::error_code> reasons;
};

TEST(TaskStore, FindsATaskForWhoeverMadeIt) {
  Bench bench;
  const auto made = bench.make();
  ASSERT_TRUE(made.task) << made.problem;
  EXPECT_EQ(bench.find(made.task->id()), made.task);
  EXPECT_EQ(bench.find(made.task->id(), "somebody else"), nullptr);
  EXPECT_EQ(bench.find(random_id()), nullptr);
  EXPECT_EQ(bench.find("../../etc/passwd"), nullptr);
  EXPECT_EQ(bench.find(""), nullptr);
  EXPECT_EQ(bench.files(), 1U) << "it is on the disk before anybody hears of it";
}

TEST(TaskStore, NamesTheLimitThatIsReached) {
  {
    Bench bench([](config::Tasks& c) { c.max_tasks = 2; });
    const auto one = bench.make("a");
    const auto two = bench.make("b");
    EXPECT_EQ(bench.make("c").problem, "tasks.max_tasks (2) is reached");
    EXPECT_EQ(bench.files(), 2U);
  }
  {
    Bench bench([](config::Tasks& c) { c.caller_tasks = 1; });
    const auto one = bench.make("a");
    EXPECT_EQ(bench.make("a").problem, "tasks.caller_tasks (1) is reached");
    EXPECT_TRUE(bench.make("b").task);
  }
  {
    Bench bench([](config::Tasks& c) { c.max_bytes = 20_KiB; });
    const auto one = bench.make("a");
    const auto two = bench.make("b");
    EXPECT_EQ(bench.make("c").problem, "tasks.max_bytes (20KiB) is reached");
    EXPECT_EQ(bench.store->reserve(*one.task, 4_KiB), "");
    EXPECT_EQ(bench.store->reserve(*two.task, 1), "tasks.max_bytes (20KiB) is reached");
    EXPECT_EQ(bench.store->bytes(), 20_KiB);
    EXPECT_EQ(bench.store->reserve(*one.task, 1_KiB), "");
    EXPECT_EQ(bench.store->reserve(*two.task, 3_KiB), "");
  }
  {
    Bench bench([](config::Tasks& c) { c.caller_bytes = 16_KiB; });
    const auto one = bench.make("a");
    EXPECT_EQ(bench.store->reserve(*one.task, 8_KiB + 1), "tasks.caller_bytes (16KiB) is reached");
    EXPECT_EQ(bench.store->reserve(*one.task, 8_KiB), "");
    EXPECT_EQ(bench.make("a").problem, "tasks.caller_bytes (16KiB) is reached");
    EXPECT_TRUE(bench.make("b").task);
  }
}

TEST(TaskStore, GivesThePlaceBackWhereTheDiskRefuses) {
  Bench bench;
  fs::remove_all(bench.config.spool);
  EXPECT_EQ(bench.make().problem, "a task cannot be kept: No such file or directory");
  EXPECT_EQ(bench.store->size(), 0U);
  EXPECT_EQ(bench.store->bytes(), 0U);
}

TEST(TaskStore, ForgetsWhatHasExpired) {
  Bench bench;
  const auto short_lived = bench.make("me", 10ms).task;
  const auto long_lived = bench.make("me", 1h).task;
  bench.settle(*short_lived, "short");
  bench.settle(*long_lived, "long");
  const auto expiry = short_lived->record().expires();
  bench.store->sweep(expiry - 1ms);
  EXPECT_EQ(bench.store->size(), 2U);
  bench.store->sweep(expiry);
  EXPECT_EQ(bench.store->size(), 1U);
  testing::run_until(bench.io, [&] { return bench.files() == 1; });
  EXPECT_TRUE(bench.find(long_lived->id()));
  EXPECT_EQ(bench.store->list("me").size(), 1U);
}

TEST(TaskStore, DoesNotGiveOutWhatHasExpiredAndWasNotSweptYet) {
  Bench bench;
  const auto task = bench.make("me", 0ms).task;
  bench.settle(*task, "x");
  EXPECT_EQ(bench.find(task->id()), nullptr);
  EXPECT_TRUE(bench.store->list("me").empty());
}

TEST(TaskStore, StopsATaskThatOutlivesItsTimeAndRemovesItWhenItHasEnded) {
  Bench bench;
  const auto task = bench.make("me", 10ms).task;
  Target target;
  const auto stopper = std::make_shared<Stopper>(bench.io.get_executor(), target);
  task->set_stopper(stopper);
  bench.store->sweep(task->record().expires());
  testing::run_until(bench.io, [&] { return !target.reasons.empty(); });
  EXPECT_EQ(bench.store->size(), 0U);
  TaskRecord record = task->record();
  record.status = TaskStatus::completed;
  EXPECT_EQ(task->settle(record), 0);
  bench.store->settled(*task);
  EXPECT_EQ(bench.files(), 0U);
  stopper->detach();
}

TEST(TaskStore, FindsFinishedTasksAgain) {
  Bench bench;
  const auto done = bench.make().task;
  auto cut = bench.make().task;
  bench.settle(*done, "the result");
  const std::string cut_id = cut->id();
  cut.reset();  // the process ends while this one still runs
  bench.reopen();

  EXPECT_EQ(bench.store->size(), 2U);
  EXPECT_EQ(bench.store->bytes(), 2 * TaskFile::kHeaderBytes + 10);
  const auto found = bench.find(done->id());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record().status, TaskStatus::completed);
  const auto failed = bench.find(cut_id);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->record().status, TaskStatus::failed);
  EXPECT_FALSE(failed->cancel("too late"));
  EXPECT_EQ(bench.find(done->id(), "somebody else"), nullptr);
}

TEST(TaskStore, SeesTheTasksOfOthersThatShareTheDirectory) {
  Bench bench;
  TaskStore other(bench.config, *bench.workers);
  std::string problem;
  ASSERT_TRUE(other.open(problem)) << problem;
  const auto task = bench.make().task;
  const auto look = [&] {
    std::shared_ptr<Task> found;
    testing::run(bench.io, find_in(other, task->id(), "me", found));
    return found;
  };
  const auto running = look();
  ASSERT_TRUE(running);
  EXPECT_TRUE(running->is_elsewhere());
  EXPECT_EQ(running->record().status, TaskStatus::working);
  bench.settle(*task, "x");
  const auto over = look();
  ASSERT_TRUE(over);
  EXPECT_FALSE(over->is_elsewhere());
  EXPECT_EQ(over->record().status, TaskStatus::completed);
  EXPECT_EQ(other.size(), 0U) << "it counts where it was made";
}

TEST(TaskStore, DropsATaskThatNobodyWasToldOf) {
  Bench bench;
  auto task = bench.make().task;
  bench.store->drop(*task);
  EXPECT_EQ(bench.store->size(), 0U);
  EXPECT_EQ(bench.store->bytes(), 0U);
  testing::run_until(bench.io, [&] { return bench.files() == 0; });
}

TEST(TaskStore, ListsTheTasksOfOneCallerInTheirOrder) {
  Bench bench;
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(bench.make("me").task->id());
    EXPECT_TRUE(bench.make("other").task);
    std::this_thread::sleep_for(2ms);
  }
  std::vector<std::string> listed;
  for (const auto& record : bench.store->list("me")) listed.push_back(record.id);
  EXPECT_EQ(listed, ids);
}

TEST(Task, IsCancelledAtOnceAndStaysSo) {
  Bench bench;
  const auto task = bench.make().task;
  Target target;
  const auto stopper = std::make_shared<Stopper>(bench.io.get_executor(), target);
  task->set_stopper(stopper);
  EXPECT_TRUE(task->cancel("because"));
  EXPECT_EQ(task->record().status, TaskStatus::cancelled);
  EXPECT_FALSE(task->cancel("again"));
  task->set_message("still at it");
  EXPECT_EQ(task->record().message, "because");
  testing::run_until(bench.io, [&] { return !target.reasons.empty(); });
  EXPECT_EQ(target.reasons.at(0), Errc::cancelled);
  TaskRecord record = task->record();
  record.status = TaskStatus::completed;
  record.result_bytes = 0;
  EXPECT_EQ(task->settle(record), 0);
  EXPECT_EQ(task->record().status, TaskStatus::cancelled);
  EXPECT_EQ(bench.changes, (std::vector<std::string>{"cancelled"}));
  stopper->detach();
}

TEST(Task, StopsARunThatComesLaterThanItsCancellation) {
  Bench bench;
  const auto task = bench.make().task;
  EXPECT_TRUE(task->cancel("early"));
  Target target;
  const auto stopper = std::make_shared<Stopper>(bench.io.get_executor(), target);
  task->set_stopper(stopper);
  testing::run_until(bench.io, [&] { return !target.reasons.empty(); });
  stopper->detach();
}

TEST(Task, TellsOfEachChange) {
  Bench bench;
  const auto task = bench.make().task;
  task->set_message("half");
  EXPECT_EQ(task->record().message, "half");
  bench.settle(*task, "x");
  EXPECT_EQ(bench.changes, (std::vector<std::string>{"working", "completed"}));
}

TEST(Task, FailsWhereItsEndCannotBeWritten) {
  Bench bench;
  const auto task = bench.make().task;
  fs::remove_all(bench.config.spool);
  TaskRecord record = task->record();
  record.status = TaskStatus::completed;
  EXPECT_EQ(task->settle(record), ENOENT);
  EXPECT_EQ(task->record().status, TaskStatus::failed);
  EXPECT_EQ(task->record().error_message,
            "The result could not be kept: No such file or directory.");
}

Awaitable<void> wait_for(Task& task, asio::any_io_executor executor, int& over) {
  Task::Waiter waiter(task, executor);
  while (!is_terminal(task.record().status)) {
    co_await waiter.wait();
  }
  ++over;
}

TEST(Task, WakesThoseWhoWaitForItsEnd) {
  Bench bench;
  const auto task = bench.make().task;
  int over = 0;
  asio::co_spawn(bench.io, wait_for(*task, bench.io.get_executor(), over), asio::detached);
  asio::co_spawn(bench.io, wait_for(*task, bench.io.get_executor(), over), asio::detached);
  bench.io.restart();
  bench.io.poll();
  EXPECT_EQ(over, 0);
  bench.settle(*task, "x");
  testing::run_until(bench.io, [&] { return over == 2; });
  asio::co_spawn(bench.io, wait_for(*task, bench.io.get_executor(), over), asio::detached);
  testing::run_until(bench.io, [&] { return over == 3; });
}

/// Who asks.
struct Asker final : Mailbox::Owner {
  void on_response(std::string_view id, std::string response) override {
    came.push_back(std::string(id) + "=" + response);
  }
  std::vector<std::string> came;
};

TEST(Task, AsksAndHandsAnswersOnOnce) {
  Bench bench;
  const auto task = bench.make().task;
  Asker asker;
  const auto mailbox = std::make_shared<Mailbox>(bench.io.get_executor(), asker);
  const auto ttl = task->record().ttl;
  task->ask({{"a", "{}"}, {"b", "{}"}}, mailbox, 10min);
  EXPECT_EQ(task->record().status, TaskStatus::input_required);
  EXPECT_EQ(task->record().ttl, ttl + 10min);
  EXPECT_EQ(task->look().questions.size(), 2U);
  task->answer("c", "0");
  task->answer("a", "1");
  task->answer("a", "2");
  EXPECT_EQ(task->record().status, TaskStatus::input_required);
  ASSERT_EQ(task->look().questions.size(), 1U);
  EXPECT_EQ(task->look().questions[0].key, "b");
  task->answer("b", "3");
  EXPECT_EQ(task->record().status, TaskStatus::working);
  bench.io.restart();
  bench.io.poll();
  EXPECT_EQ(asker.came, (std::vector<std::string>{"a=1", "b=3"}));
  task->stop_asking();
  EXPECT_GE(task->record().ttl, ttl);
  EXPECT_LT(task->record().ttl, ttl + 5min) << "what was not needed is given back";
  EXPECT_EQ(bench.changes,
            (std::vector<std::string>{"input_required", "input_required", "working"}));
  mailbox->detach();
}

TEST(Task, AsksNoMoreWhenItIsOver) {
  Bench bench;
  const auto task = bench.make().task;
  task->ask({{"a", "{}"}}, {}, 10min);
  EXPECT_TRUE(task->cancel("enough"));
  EXPECT_TRUE(task->look().questions.empty());
  task->answer("a", "1");
  task->stop_asking();
  EXPECT_EQ(task->record().status, TaskStatus::cancelled);
  task->ask({{"b", "{}"}}, {}, 10min);
  EXPECT_EQ(task->record().status, TaskStatus::cancelled);
}

}  // namespace
}  // namespace sluice::mcp
