#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace sluice::mcp {

/// A result that is kept on disk for the caller whose call made it, in a file without a name, which
/// goes with the process.
///
/// Ownership: shared by the store and whoever reads it: one that has gone stays readable until they
///            are done.
/// Threads:   written by one call; immutable, any, once it is kept.
class ParkedResult {
 public:
  struct About {
    std::string owner;       ///< caller_key() of the caller.
    std::string tool;
    std::string mime_type;   ///< Empty: not known.
    std::string items_path;  ///< JSONPath of the array whose elements are counted; empty: it is no JSON.
  };

  ~ParkedResult();
  ParkedResult(const ParkedResult&) = delete;
  ParkedResult& operator=(const ParkedResult&) = delete;

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const About& about() const noexcept { return about_; }
  [[nodiscard]] int fd() const noexcept { return file_.get(); }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_.load(); }

 private:
  friend class ParkedResults;
  struct Budget;
  ParkedResult(std::shared_ptr<Budget> budget, About about, std::string id, Descriptor file);

  const std::shared_ptr<Budget> budget_;
  const About about_;
  const std::string id_;
  const Descriptor file_;
  std::atomic<std::uint64_t> size_{0};
};

/// The results that are kept until they expire.
///
/// Threads:   any.
/// Bounds:    `parking.max_bytes` of all, `parking.per_caller` of one caller. Where there is no room,
///            those that expire first go: the caller's own where its share is used up, else anybody's.
class ParkedResults {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    std::uint64_t max_bytes = 0;
    std::uint64_t per_caller = 0;
  };

  ParkedResults(std::string directory, Limits limits);
  ~ParkedResults();
  ParkedResults(const ParkedResults&) = delete;
  ParkedResults& operator=(const ParkedResults&) = delete;

  struct Begun {
    std::shared_ptr<ParkedResult> result;  ///< Null: see `error`.
    int error = 0;                         ///< errno
  };
  /// A file for a result that is to come. Blocks.
  [[nodiscard]] Begun begin(ParkedResult::About about) const;
  /// Counts so many more bytes of it; false where there is no room for them.
  [[nodiscard]] bool grow(ParkedResult& result, std::uint64_t bytes);
  /// It is whole, and found by its id from now on, for `ttl`.
  void keep(std::shared_ptr<ParkedResult> result, std::chrono::milliseconds ttl);

  /// Null where there is none, it is another caller's, or has expired.
  [[nodiscard]] std::shared_ptr<const ParkedResult> find(std::string_view id,
                                                         std::string_view owner) const;
  void sweep(Clock::time_point now);

 private:
  struct Kept {
    std::shared_ptr<ParkedResult> result;
    Clock::time_point expires;
  };
  /// Drops the one that expires first, of `owner` where that is not empty; false where there is none.
  [[nodiscard]] bool drop_one(std::string_view owner);

  const std::string directory_;
  const std::shared_ptr<ParkedResult::Budget> budget_;
  mutable std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> kept_;
};

}  // namespace sluice::mcp
