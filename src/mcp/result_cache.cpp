#include "mcp/result_cache.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice::mcp {

/// What recordings and cache share.
///
/// Threads: any. A recording asks for memory with its own lock held, so none is destroyed, and no
/// lock of one taken, while this one's is.
class ResultCache::Store final : public RecordingBudget {
 public:
  Store(std::uint64_t max_bytes, std::chrono::milliseconds patience) noexcept
      : max_(max_bytes), patience_(patience) {}

  bool take(std::size_t bytes) noexcept override {
    if (try_take(bytes)) return true;
    for (;;) {
      std::shared_ptr<Recording> oldest;
      {
        const std::lock_guard lock(mutex_);
        if (kept_.empty()) return false;
        oldest = drop_oldest();
      }
      oldest.reset();  // gives its bytes back, unless somebody reads it
      if (try_take(bytes)) return true;
    }
  }
  bool take_spare(std::size_t bytes) noexcept override { return try_take(bytes); }
  void give(std::size_t bytes) noexcept override { used_.fetch_sub(bytes); }

  Found find(const std::string& key, IfMissing if_missing,
             const boost::asio::any_io_executor& executor, Clock::time_point now,
             std::shared_ptr<Store> self) {
    std::vector<std::shared_ptr<Recording>> expired;  // destroyed when the lock is gone
    const std::lock_guard lock(mutex_);
    drop_expired(now, expired);
    if (const auto entry = recordings_.find(key); entry != recordings_.end())
      return {entry->second, false};
    if (if_missing == IfMissing::nothing) return {};
    const auto begun = std::make_shared<Recording>(executor, std::move(self), patience_);
    recordings_.emplace(key, begun);
    return {begun, true};
  }

  void sweep(Clock::time_point now) {
    std::vector<std::shared_ptr<Recording>> expired;  // destroyed when the lock is gone
    const std::lock_guard lock(mutex_);
    drop_expired(now, expired);
  }

  void ended(const std::string& key, const std::shared_ptr<Recording>& recording,
             Clock::time_point expires) {
    const bool keep = recording->is_worth_keeping();
    const bool fits = recording->has_kept_all();
    const std::lock_guard lock(mutex_);
    const auto entry = recordings_.find(key);
    if (entry == recordings_.end() || entry->second != recording) return;
    if (!fits) entry->second = nullptr;  // the caller holds it
    if (keep || !fits) {
      used_.fetch_add(kEntryBytes);  // the next recording makes room for it
      kept_.push_back({expires, key});
    } else {
      recordings_.erase(entry);
    }
  }

  void clear() {
    std::unordered_map<std::string, std::shared_ptr<Recording>> all;
    const std::lock_guard lock(mutex_);
    all.swap(recordings_);
    kept_.clear();
  }

 private:
  /// What an entry counts as beside its recording: its key, twice, and its nodes.
  static constexpr std::size_t kEntryBytes = 512;

  struct Kept {
    Clock::time_point expires;
    std::string key;
  };

  [[nodiscard]] bool try_take(std::size_t bytes) noexcept {
    if (used_.fetch_add(bytes) + bytes <= max_) return true;
    used_.fetch_sub(bytes);
    return false;
  }
  void drop_expired(Clock::time_point now, std::vector<std::shared_ptr<Recording>>& expired) {
    while (!kept_.empty() && kept_.front().expires <= now) expired.push_back(drop_oldest());
  }
  [[nodiscard]] std::shared_ptr<Recording> drop_oldest() {
    const auto entry = recordings_.find(kept_.front().key);
    kept_.pop_front();
    give(kEntryBytes);
    auto recording = std::move(entry->second);
    recordings_.erase(entry);
    return recording;
  }

  const std::uint64_t max_;
  const std::chrono::milliseconds patience_;
  std::atomic<std::uint64_t> used_{0};
  std::mutex mutex_;  // for what follows
  /// Null: a result that did not fit, which is not shared again for a while.
  std::unordered_map<std::string, std::shared_ptr<Recording>> recordings_;
  std::deque<Kept> kept_;  // those that are over, the oldest first, which is the next to expire
};

ResultCache::ResultCache(const CachePolicy& policy, std::chrono::milliseconds patience)
    : policy_(policy), store_(std::make_shared<Store>(policy.max_bytes, patience)) {}

ResultCache::~ResultCache() { store_->clear(); }

ResultCache::Found ResultCache::find(const std::string& key, IfMissing if_missing,
                                     const boost::asio::any_io_executor& executor,
                                     Clock::time_point now) {
  return store_->find(key, if_missing, executor, now, store_);
}

void ResultCache::sweep(Clock::time_point now) { store_->sweep(now); }

void ResultCache::ended(const std::string& key, const std::shared_ptr<Recording>& recording,
                        Clock::time_point now) {
  store_->ended(key, recording, now + policy_.ttl);
}

}  // namespace sluice::mcp
