#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/frame_pool.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/parked_results.hpp"

namespace sluice::tools {

/// A parked result, read front to back through a frame.
///
/// Ownership: borrows call and result.
/// Threads:   the call's loop.
class ParkedPieces {
 public:
  ParkedPieces(mcp::InnerCall& call, const mcp::ParkedResult& parked, std::uint64_t from)
      : call_(call), parked_(parked), at_(std::min(from, parked.size())) {}

  [[nodiscard]] std::uint64_t at() const noexcept { return at_; }
  [[nodiscard]] bool is_over() const noexcept { return at_ == parked_.size(); }
  /// The next piece, of `most` bytes at most; empty at the end. It stays until the next one.
  /// Errors: Errc::frames_exhausted, Errc::source_failed where the file cannot be read.
  [[nodiscard]] Awaitable<Result<std::string_view>> next(std::uint64_t most = kFrameBytes);
  /// The last bytes of the piece were not taken.
  void give_back(std::size_t bytes) noexcept { at_ -= bytes; }

 private:
  mcp::InnerCall& call_;
  const mcp::ParkedResult& parked_;
  Frame frame_;
  std::uint64_t at_;
};

/// Which part of a parked result is wanted.
struct Part {
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  enum class By : std::uint8_t { bytes, lines, items };
  By by = By::bytes;
  std::uint64_t from = 0;  ///< The first of them, from 0.
  std::uint64_t count = kAll;
};

/// What was given of it, and where the next part begins.
struct PartGiven {
  std::uint64_t next = 0;
  bool is_last = true;
};

/// Writes a part of a parked result to the open block of `out`, in pieces of a frame.
///
/// By bytes it begins and ends between two characters of UTF-8: a first byte inside of one is moved
/// to the next, a last one to the one before, so that parts that follow each other by `next` are
/// together what was parked, byte for byte. By lines it ends behind a line break. By items it is
/// a JSON array of the elements, as they stand.
///
/// Memory:  a frame, and by items what a json::Selector takes.
/// Errors:  the writer's; Errc::source_failed where the file cannot be read, or is not the JSON that
///          items need.
[[nodiscard]] Awaitable<Result<PartGiven>> give_part(mcp::InnerCall& call,
                                                     const mcp::ParkedResult& parked,
                                                     const Part& part, std::size_t window,
                                                     ResultWriter& out);

}  // namespace sluice::tools
