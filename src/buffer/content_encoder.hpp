#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <sluice/error.hpp>

#include "buffer/content_coding.hpp"

namespace sluice {

/// What is to be known of a content that was encoded up to a flush() so that write_tail() can
/// complete it.
struct PrefixEnd {
  ContentCoding coding = ContentCoding::identity;
  std::uint32_t crc = 0;     ///< Of what was encoded; gzip only.
  std::uint64_t length = 0;  ///< Of what was encoded.
};

/// Compresses one content after the other, chunk in, chunk out.
///
/// The order is step() any number of times, now and then flush() until it is done, finish() until
/// it is done, then reset() for the next content. An encoder takes a while to come up with output:
/// up to 128 KiB of input are held back until flush() or finish().
///
/// Levels and windows are those where, for table rows, source text and JSON, the next one up costs
/// more time than it saves bytes (tests/bench/micro_compress.cpp).
///
/// Ownership: borrows nothing between calls.
/// Threads:   one at a time.
/// Bounds:    max_memory() bytes. gzip and zstd allocate in make(); br as it goes, but keeps what it
///            was given, so that it allocates nothing once it has had a content or two of the kind.
/// Errors:    std::errc::not_enough_memory where the library gets none; only reset() may follow.
class ContentEncoder {
 public:
  struct Step {
    std::size_t read = 0;  ///< Input bytes used up; those held back count as used.
    std::size_t written = 0;
  };
  struct Rest {
    std::size_t written = 0;
    bool done = false;  ///< Else the same call follows, with more room.
  };
  /// Whatever is left to write, this much room lets a call make progress.
  static constexpr std::size_t kMinRoom = 32;

  /// An encoder for `coding`. REQUIRES: it is not identity.
  [[nodiscard]] static Result<std::unique_ptr<ContentEncoder>> make(ContentCoding coding);
  /// The most that an encoder of `coding` ever holds.
  [[nodiscard]] static constexpr std::size_t max_memory(ContentCoding coding) noexcept {
    switch (coding) {
      case ContentCoding::gzip:
        return 272 * 1024;
      case ContentCoding::zstd:
        return 1120 * 1024;
      case ContentCoding::br:
        return 1280 * 1024;
      case ContentCoding::identity:
        break;
    }
    return 0;
  }

  ContentEncoder(const ContentEncoder&) = delete;
  ContentEncoder& operator=(const ContentEncoder&) = delete;
  virtual ~ContentEncoder() = default;

  [[nodiscard]] ContentCoding coding() const noexcept { return coding_; }

  /// Reads and writes as much as fits. Stops only at the end of `in` or when `out` is full.
  [[nodiscard]] Result<Step> step(std::string_view in, std::span<char> out) noexcept;
  /// Writes what was held back and ends at the border of a byte, so that all that was taken can be
  /// decoded. Nothing is written where nothing was taken since the last one.
  /// REQUIRES: out.size() >= kMinRoom.
  [[nodiscard]] Result<Rest> flush(std::span<char> out) noexcept { return run_flush(out); }
  /// Writes what was held back and the end of the content. REQUIRES: out.size() >= kMinRoom.
  [[nodiscard]] Result<Rest> finish(std::span<char> out) noexcept;
  /// Drops what was not finished; a new content begins.
  [[nodiscard]] Result<> reset() noexcept;

  /// For write_tail(), once flush() is done.
  [[nodiscard]] PrefixEnd prefix_end() const noexcept { return {coding_, crc(), taken_}; }
  /// Bytes of the content so far.
  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }
  /// Bytes that the library has been given and has not returned.
  [[nodiscard]] virtual std::size_t memory() const noexcept = 0;

 protected:
  explicit ContentEncoder(ContentCoding coding) noexcept : coding_(coding) {}
  [[nodiscard]] virtual Result<Step> run(std::string_view in, std::span<char> out) noexcept = 0;
  [[nodiscard]] virtual Result<Rest> run_flush(std::span<char> out) noexcept = 0;
  [[nodiscard]] virtual Result<Rest> run_finish(std::span<char> out) noexcept = 0;
  [[nodiscard]] virtual Result<> run_reset() noexcept = 0;
  [[nodiscard]] virtual std::uint32_t crc() const noexcept { return 0; }

 private:
  const ContentCoding coding_;
  std::uint64_t taken_ = 0;
  bool finished_ = false;
};

/// The bytes that write_tail() writes for a tail of `size` bytes at most.
[[nodiscard]] constexpr std::size_t max_tail(std::size_t size) noexcept {
  // 5 bytes for each stored block of gzip, which holds the least, and the frame of the smallest.
  return size + (size / 65535 + 1) * 5 + 16;
}

/// Completes a content: behind what an encoder wrote up to a flush() that was done, the bytes
/// written here make one valid content, of the prefix and `tail`. Returns their number.
///
/// The prefix stays as it is, so one may be kept and sent with any number of tails. The tail is not
/// compressed: it is short, and so this takes as long as a copy of it.
/// REQUIRES: out.size() >= max_tail(tail.size()).
[[nodiscard]] std::size_t write_tail(const PrefixEnd& prefix, std::string_view tail,
                                     std::span<char> out) noexcept;

}  // namespace sluice
