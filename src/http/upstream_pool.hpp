#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>

#include <sluice/result_writer.hpp>

#include "base/loop_affinity.hpp"
#include "http/upstream_connection.hpp"
#include "http/upstream_resolver.hpp"
#include "http/upstream_watch.hpp"

namespace sluice::http {

class UpstreamPool;

/// The right to one connection of a pool, and the connection once there is one. Closes the
/// connection and gives the right back when it dies; keep() gives both back.
///
/// Threads:   the pool's loop.
class [[nodiscard]] UpstreamLease {
 public:
  UpstreamLease() noexcept = default;
  UpstreamLease(const UpstreamLease&) = delete;
  UpstreamLease& operator=(const UpstreamLease&) = delete;
  ~UpstreamLease() { reset(); }

  [[nodiscard]] explicit operator bool() const noexcept { return pool_ != nullptr; }
  /// Null: one has to be opened.
  std::unique_ptr<UpstreamConnection> connection;

  void reset() noexcept;
  /// The connection is at the end of a response and may be used again.
  void keep();

 private:
  friend class UpstreamPool;
  std::shared_ptr<UpstreamPool> pool_;
};

/// The connections of one loop to one upstream.
///
/// Ownership: shared with the leases, so that a call in flight survives the upstream's removal from
///            the configuration.
/// Threads:   one loop, close() too.
/// Bounds:    `max` connections, idle ones among them. Who comes when all are in use waits in
///            order, until the exchange's time is up; calls in flight bound the line.
class UpstreamPool : public std::enable_shared_from_this<UpstreamPool> {
 public:
  struct Options {
    std::string host;
    std::uint16_t port = 0;
    std::size_t max = 64;
    std::chrono::milliseconds idle_timeout{30000};
  };
  UpstreamPool(boost::asio::any_io_executor executor, Options options);
  UpstreamPool(const UpstreamPool&) = delete;
  UpstreamPool& operator=(const UpstreamPool&) = delete;

  /// Fills `lease`, with an idle connection if there is one that is alive. False where the watch's
  /// time was up first.
  [[nodiscard]] Awaitable<bool> acquire(UpstreamLease& lease, UpstreamWatch& watch);
  [[nodiscard]] UpstreamResolver& resolver() noexcept { return resolver_; }
  [[nodiscard]] const boost::asio::any_io_executor& executor() const noexcept { return executor_; }

  /// Closes the idle connections; leases that come back later are closed too.
  void close() noexcept;

  [[nodiscard]] std::size_t idle() const noexcept { return idle_.size(); }
  [[nodiscard]] std::size_t leased() const noexcept { return leased_; }
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  friend class UpstreamLease;
  using Clock = std::chrono::steady_clock;

  struct Idle {
    std::unique_ptr<UpstreamConnection> connection;
    Clock::time_point until;
    std::uint64_t id;
  };
  struct Waiter;

  void take_idle(UpstreamLease& lease);
  void give(std::unique_ptr<UpstreamConnection> connection);
  void release() noexcept;
  void watch_idle(Idle& idle);
  void drop(std::uint64_t id) noexcept;
  void arm();

  boost::asio::any_io_executor executor_;
  const Options options_;
  UpstreamResolver resolver_;
  boost::asio::steady_timer timer_;
  std::list<Idle> idle_;        // the one used last at the end
  std::list<Waiter*> waiters_;  // who has waited longest first
  std::size_t leased_ = 0;
  std::uint64_t next_id_ = 0;
  bool armed_ = false;
  bool closed_ = false;
  [[no_unique_address]] LoopAffinity affinity_;
};

}  // namespace sluice::http
