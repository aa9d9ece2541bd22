#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <functional>
#include <memory>

namespace sluice {

/// Threads for code that blocks: disk, DNS, plug-ins' own work.
///
/// Threads:   run() may be called from any loop; the work runs on a pool thread and the coroutine
///            resumes on its own loop.
/// Ownership: loops that have called run() outlive stop().
/// Bounds:    as many threads as asked; work waits in a queue, whose length calls in flight bound.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t threads);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();
  /// Waits for work in progress and drops what has not begun. REQUIRES: the loops have stopped, but
  /// are still there: a coroutine that waits inside run() is destroyed with its loop, and the work
  /// uses what the coroutine owns.
  void stop() noexcept;

  /// Runs `work`, which must not throw, and comes back when it has ended. Cancellation waits for
  /// work that has begun; work that still waits in the queue is never run, and operation_aborted is
  /// thrown at once.
  [[nodiscard]] boost::asio::awaitable<void> run(std::function<void()> work);
  /// Runs `work`, which must not throw, some time, or never where stop() comes first.
  void post(std::function<void()> work);

 private:
  std::unique_ptr<boost::asio::thread_pool> pool_;
};

}  // namespace sluice
