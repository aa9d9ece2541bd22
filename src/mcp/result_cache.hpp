#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <sluice/tool.hpp>

#include "buffer/recording.hpp"

namespace sluice::mcp {

/// Results of one tool, kept for a while and shared by equal calls, also by those that come while
/// the first is still in progress.
///
/// Ownership: of the tool's entry in the catalogue; recordings that are being read outlive it.
/// Threads:   any.
/// Bounds:    `cache.max_bytes` of memory for all recordings of the tool, those still being read
///            included; the oldest goes first. One in progress may go beyond by the part that a
///            call without a cache would hold.
class ResultCache {
 public:
  using Clock = std::chrono::steady_clock;

  /// `patience`: how long those who share a result that does not fit wait for one that takes
  /// nothing of it.
  explicit ResultCache(const CachePolicy& policy,
                       std::chrono::milliseconds patience = Recording::kPatience);
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;
  ~ResultCache();

  struct Found {
    std::shared_ptr<Recording> recording;
    bool is_new = false;  ///< The caller has to produce it, and to tell ended().
  };
  /// What there is under a key. Where there is nothing: nothing, or where the caller may produce it a new recording,
  /// produced on the loop of `executor`.
  enum class IfMissing : std::uint8_t { nothing, begin };
  [[nodiscard]] Found find(const std::string& key, IfMissing if_missing,
                           const boost::asio::any_io_executor& executor, Clock::time_point now);
  /// Gives back what has expired by now. find() does so too; this is for tools that nobody calls.
  void sweep(Clock::time_point now);
  /// A recording that was new is over: it stays where it is good and whole. Where it did not fit,
  /// equal calls are not shared for `ttl`, since they would all go at the pace of the slowest.
  void ended(const std::string& key, const std::shared_ptr<Recording>& recording,
             Clock::time_point now);

 private:
  class Store;
  const CachePolicy policy_;
  const std::shared_ptr<Store> store_;
};

}  // namespace sluice::mcp
