#include "base/worker_pool.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>

namespace sluice {

namespace asio = boost::asio;

WorkerPool::WorkerPool(std::size_t threads) : pool_(std::make_unique<asio::thread_pool>(threads)) {}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() noexcept {
  if (!pool_) return;
  pool_->stop();
  pool_->join();
  pool_.reset();
}

asio::awaitable<void> WorkerPool::run(std::function<void()> work) {
  auto start = [this, &work](auto handler) {
    auto executor = asio::get_associated_executor(handler);
    auto guard = asio::make_work_guard(executor);
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    asio::post(*pool_, [&work, shared = std::move(shared), guard = std::move(guard)]() mutable {
      work();
      // The loop may be gone as soon as it has this, so nothing of it stays here.
      const auto on = guard.get_executor();
      asio::post(on, [shared = std::move(shared), guard = std::move(guard)]() mutable {
        guard.reset();
        std::move (*shared)();
      });
    });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(start, asio::use_awaitable);
}

}  // namespace sluice
