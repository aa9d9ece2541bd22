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
#include "config/config.hpp"
#include "mcp/private_folder.hpp"

namespace sluice::mcp {

/// A result that is kept on disk for the caller whose call made it.
///
/// Ownership: shared by the store and whoever reads it: one that has expired stays readable until
///            they are done.
/// Threads:   written by one call; immutable, any, once it is kept.
class ParkedResult {
 public:
  struct About {
    std::string owner;  ///< caller_key() of the caller.
    std::string tool;
    std::string mime_type = {};
    enum class Form : std::uint8_t { text, json, binary } form = Form::text;
    std::string items = {};  ///< json: JSONPath of the array whose elements are its items.
  };

  ~ParkedResult();
  ParkedResult(const ParkedResult&) = delete;
  ParkedResult& operator=(const ParkedResult&) = delete;

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const About& about() const noexcept { return about_; }
  [[nodiscard]] int fd() const noexcept { return file_.get(); }
  /// Bytes of it.
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
/// Each is a file without a name in `parking.directory`, for this user alone, which goes with the
/// process. Where `parking.keep` is set, one that is whole gets the name ID.parked, and behind its
/// bytes kTrailerBytes that say what it is, as one line of JSON filled up with blanks, so that the
/// next process finds it.
///
/// Threads:   any.
/// Bounds:    `parking.max_bytes` and `parking.max_results` of all, `parking.per_caller` of one
///            caller. Where there is no room, those that expire first go: the caller's own, then, unless
///            its own share is what is used up, anybody's. One that is being read stays.
class ParkedResults {
 public:
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;
  static constexpr std::size_t kTrailerBytes = 4096;

  /// `config` outlives it. `temporary`: where files go that `config.directory` says nothing of.
  ParkedResults(const config::ParkingLot& config, const std::string& temporary);
  ~ParkedResults();
  ParkedResults(const ParkedResults&) = delete;
  ParkedResults& operator=(const ParkedResults&) = delete;

  /// Makes `parking.directory` where it is not there, and finds what an earlier process has kept in it.
  /// Blocks; before the first call.
  [[nodiscard]] bool open(std::string& problem);

  struct Begun {
    std::shared_ptr<ParkedResult> result;  ///< Null: see `error`.
    int error = 0;                         ///< errno
  };
  /// A file for a result that is to come. Blocks.
  [[nodiscard]] Begun begin(ParkedResult::About about) const;
  /// Counts so many more bytes of it; false where there is no room for them.
  [[nodiscard]] bool grow(ParkedResult& result, std::uint64_t bytes);
  /// It is whole, and found by its id from now on, for `ttl`. False where there is no place for it:
  /// parking.max_results. Blocks.
  [[nodiscard]] bool keep(std::shared_ptr<ParkedResult> result, std::chrono::milliseconds ttl);

  /// Null where there is none, it is another caller's, or has expired.
  [[nodiscard]] std::shared_ptr<const ParkedResult> find(std::string_view id,
                                                         std::string_view owner) const;
  /// Lets go of what has expired. Blocks.
  void sweep(Time now);

  [[nodiscard]] static Time now() noexcept {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }

 private:
  struct Kept {
    std::shared_ptr<ParkedResult> result;
    Time expires;
  };
  using KeptById = std::map<std::string, Kept, std::less<>>;

  /// Drops the one that nobody reads and that expires first, of `owner` where that is not empty;
  /// false where there is none.
  [[nodiscard]] bool drop_one(std::string_view owner);
  [[nodiscard]] bool drop_any(std::string_view owner) { return drop_one(owner) || drop_one({}); }
  void forget(const std::string& id) const noexcept;
  /// Makes a file outlive the process; errno.
  [[nodiscard]] int name(const ParkedResult& result, Time expires) const;
  void adopt(const std::string& name, Time now);

  const config::ParkingLot& config_;
  const std::string directory_;
  PrivateFolder folder_{"parking.directory"};
  const std::shared_ptr<ParkedResult::Budget> budget_;
  mutable std::mutex mutex_;
  KeptById kept_;
};

}  // namespace sluice::mcp
