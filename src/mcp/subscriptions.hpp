#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "mcp/changes.hpp"

namespace sluice::mcp {

/// Takes word of changes from whoever makes them to the subscriptions that wait for it.
///
/// Way of a change: each loop has a shard of the subscriptions. A change is noted in the shards that
/// have any, once for each thing that changed, and a shard that had nothing noted posts to its loop.
/// There what was noted becomes marks on those subscriptions that want it, and their owners are
/// woken, some at a time, so that the loop's other work has its turn.
///
/// Ownership: shared by the server and whoever tells it of changes; outlives its subscriptions.
/// Threads:   any. One lock for each shard, held for a look-up, or for marking all who want
///            something.
/// Bounds:    kMostNoted changed URIs wait in a shard; more become a change of all. What
///            subscriptions hold, in bytes: `limits.watched_uris`.
class Subscriptions final : public Notifier {
 public:
  /// Different URIs that a shard notes one by one.
  static constexpr std::size_t kMostNoted = 1024;

  Subscriptions(std::size_t loops, std::uint64_t max_bytes);
  ~Subscriptions() override;

  /// From now on the subscriptions of that loop hear of changes, on its executor.
  void serve(std::size_t loop, boost::asio::any_io_executor executor);
  /// No longer. Before the executor's loop dies.
  void stop(std::size_t loop);

  // Notifier
  void resource_updated(std::string_view uri) override;
  void resources_updated(std::string_view prefix) override;
  void list_changed(List list) override;

  /// Subscriptions there are.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_.load(); }

  // For Subscription.
  struct Shard;
  [[nodiscard]] Shard& shard(std::size_t loop) noexcept { return *shards_[loop]; }
  [[nodiscard]] bool take_bytes(std::uint64_t bytes) noexcept;
  void give_bytes(std::uint64_t bytes) noexcept { bytes_.fetch_sub(bytes); }

 private:
  template <class Note>
  void note(Note change);
  void post(Shard& shard);
  void deliver(Shard& shard);

  const std::uint64_t max_bytes_;
  std::atomic<std::uint64_t> bytes_{0};
  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace sluice::mcp
