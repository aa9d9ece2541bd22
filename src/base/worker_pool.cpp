#include "base/worker_pool.hpp"

#include <atomic>
#include <boost/asio/associated_cancellation_slot.hpp>
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

void WorkerPool::post(std::function<void()> work) { asio::post(*pool_, std::move(work)); }

asio::awaitable<void> WorkerPool::run(std::function<void()> work) {
  auto start = [this, &work](auto handler) {
    auto executor = asio::get_associated_executor(handler);
    auto guard = asio::make_work_guard(executor);
    auto slot = asio::get_associated_cancellation_slot(handler);
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    // Whoever sets it first answers: the worker that begins, or a cancellation that comes before.
    auto claimed = std::make_shared<std::atomic<bool>>(false);
    if (slot.is_connected())
      slot.assign([claimed, shared, on = executor](asio::cancellation_type) mutable {
        if (claimed->exchange(true)) return;
        asio::post(on, [shared]() mutable {
          std::move (*shared)(boost::system::error_code(asio::error::operation_aborted));
        });
      });
    asio::post(
        *pool_, [&work, claimed, shared = std::move(shared), guard = std::move(guard)]() mutable {
          const auto on = guard.get_executor();
          const bool is_ours = !claimed->exchange(true);
          if (is_ours) work();
          // The loop may end as soon as it has this, so nothing that keeps it running stays here.
          asio::post(on, [is_ours, shared = std::move(shared), guard = std::move(guard)]() mutable {
            guard.reset();
            if (is_ours) std::move (*shared)(boost::system::error_code());
          });
        });
  };
  co_await asio::async_initiate<const asio::use_awaitable_t<>, void(boost::system::error_code)>(
      start, asio::use_awaitable);
}

}  // namespace sluice
