#include "http/upstream_pool.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/signal.hpp"

namespace sluice::http {

namespace asio = boost::asio;

void UpstreamLease::reset() noexcept {
  connection.reset();
  if (pool_) std::exchange(pool_, nullptr)->release();
}

void UpstreamLease::keep() {
  SLUICE_DCHECK(pool_ && connection);
  pool_->give(std::move(connection));
  reset();
}

/// One place in the line. Gives back what it was granted where nobody takes it, which is when its
/// coroutine is cancelled.
struct UpstreamPool::Waiter {
  Waiter(UpstreamPool& in, const asio::any_io_executor& executor) : pool(in), signal(executor) {
    pool.waiters_.push_back(this);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  ~Waiter() {
    if (place == Place::in_line) pool.waiters_.remove(this);
    if (place == Place::granted) pool.release();
  }
  enum class Place : std::uint8_t { in_line, granted, taken };
  UpstreamPool& pool;
  Signal signal;
  Place place = Place::in_line;
};

UpstreamPool::UpstreamPool(asio::any_io_executor executor, Options options)
    : executor_(std::move(executor)),
      options_(std::move(options)),
      resolver_(executor_, options_.host, options_.port),
      timer_(executor_) {}

Awaitable<bool> UpstreamPool::acquire(UpstreamLease& lease, UpstreamWatch& watch) {
  affinity_.check();
  const std::shared_ptr<UpstreamPool> self = shared_from_this();
  if (leased_ < options_.max && waiters_.empty()) {
    ++leased_;
  } else {
    Waiter waiter(*this, executor_);
    while (waiter.place == Waiter::Place::in_line) {
      if (watch.is_expired()) co_return false;
      watch.guard([&waiter] { waiter.signal.notify(); });
      co_await waiter.signal.wait();
      watch.guard({});
    }
    waiter.place = Waiter::Place::taken;  // what release() counted for it is the lease's now
  }
  lease.pool_ = self;
  take_idle(lease);
  co_return true;
}

void UpstreamPool::take_idle(UpstreamLease& lease) {
  const auto now = Clock::now();
  while (!idle_.empty() && lease.connection == nullptr) {
    Idle last = std::move(idle_.back());
    idle_.pop_back();
    boost::system::error_code ignored;
    last.connection->socket().cancel(ignored);  // the wait of watch_idle()
    if (now < last.until && last.connection->is_quiet())
      lease.connection = std::move(last.connection);
  }
}

void UpstreamPool::give(std::unique_ptr<UpstreamConnection> connection) {
  affinity_.check();
  if (closed_ || !connection->is_quiet()) return;
  idle_.push_back({std::move(connection), Clock::now() + options_.idle_timeout, next_id_++});
  watch_idle(idle_.back());
  if (!armed_) arm();
}

void UpstreamPool::release() noexcept {
  affinity_.check();
  --leased_;
  if (waiters_.empty() || leased_ >= options_.max) return;
  Waiter* const first = waiters_.front();
  waiters_.pop_front();
  ++leased_;
  first->place = Waiter::Place::granted;
  first->signal.notify();
}

// Notices when the peer closes, so that the socket does not stay half closed until somebody needs
// it.
void UpstreamPool::watch_idle(Idle& idle) {
  idle.connection->socket().async_wait(
      asio::ip::tcp::socket::wait_read,
      [weak = weak_from_this(), id = idle.id](boost::system::error_code ec) {
        if (ec) return;
        if (const auto self = weak.lock()) self->drop(id);
      });
}

void UpstreamPool::drop(std::uint64_t id) noexcept {
  std::erase_if(idle_, [id](const Idle& idle) { return idle.id == id; });
}

void UpstreamPool::arm() {
  armed_ = true;
  timer_.expires_at(idle_.front().until);
  timer_.async_wait([weak = weak_from_this()](boost::system::error_code) {
    const auto self = weak.lock();
    if (!self) return;
    self->armed_ = false;
    const auto now = Clock::now();
    std::erase_if(self->idle_, [now](const Idle& idle) { return idle.until <= now; });
    if (!self->idle_.empty()) self->arm();
  });
}

void UpstreamPool::close() noexcept {
  affinity_.check();
  closed_ = true;
  idle_.clear();
  timer_.cancel();
}

}  // namespace sluice::http
