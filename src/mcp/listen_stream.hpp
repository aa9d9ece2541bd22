#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/event_source.hpp"
#include "mcp/list_set.hpp"
#include "mcp/subscription.hpp"
#include "mcp/task_news.hpp"

namespace sluice::mcp {

/// The answer to subscriptions/listen (2026-07-28, Subscriptions): what is agreed on, then word of
/// changes, then a result when the server stops. Every message carries the request's id.
///
/// Ownership: its connection's. The hub and the counter outlive it.
/// Threads:   the stream's loop.
/// Bounds:    `limits.listeners` of them; each has as many marks as there are things it wants to
///            hear of.
class ListenStream final : public EventSource, private Subscription::Owner {
 public:
  struct Place {
    Subscriptions& hub;
    std::size_t loop;
    std::atomic<std::uint32_t>& listeners;  ///< Counted while there is the stream.
    std::chrono::milliseconds interval;     ///< `server.change_interval`
  };

  /// `id` is the request's, JSON text; `server_info` an Implementation object that outlives it.
  ListenStream(const Place& place, std::string_view id, std::string_view server_info,
               ListSet lists);
  ~ListenStream() override;

  /// Asks for a resource too. False where there is no memory left for that. REQUIRES: before the
  /// stream is held.
  [[nodiscard]] bool watch(std::string_view uri);

  /// Asks for tasks too. The same holds.
  [[nodiscard]] bool follow(TaskStore& store, const TaskTerms& terms,
                            std::span<const std::shared_ptr<Task>> tasks,
                            const boost::asio::any_io_executor& executor);

  [[nodiscard]] State next(std::string& out) override;
  [[nodiscard]] bool is_amid_event() const noexcept override { return news_ && news_->is_amid(); }
  void on_drain() override;
  [[nodiscard]] std::chrono::milliseconds interval() const noexcept override {
    const bool has_more = news_ && !news_->is_idle();
    return has_more ? std::chrono::milliseconds(0) : interval_;
  }

 private:
  void on_changes() override { wake(); }
  void acknowledge(std::string& out);
  void farewell(std::string& out) const;

  std::atomic<std::uint32_t>& listeners_;
  const std::string_view server_info_;
  const std::string id_;
  std::vector<std::string> watched_;  // until it is acknowledged
  std::unique_ptr<TaskNews> news_;    // null: no tasks are followed
  const std::chrono::milliseconds interval_;
  const ListSet lists_;
  bool is_acknowledged_ = false;
  bool is_draining_ = false;
  Subscription subscription_;
};

}  // namespace sluice::mcp
