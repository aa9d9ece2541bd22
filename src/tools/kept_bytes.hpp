#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/frame_pool.hpp"
#include "mcp/inner_call.hpp"
#include "mcp/parked_results.hpp"

namespace sluice::tools {

/// Bytes of which the first ones are in a file and the rest in memory.
///
/// Ownership: borrows both.
struct KeptBytes {
  int fd = -1;
  std::uint64_t in_file = 0;
  std::string_view tail = {};

  [[nodiscard]] std::uint64_t size() const noexcept { return in_file + tail.size(); }
  [[nodiscard]] static KeptBytes of(const mcp::ParkedResult& parked) noexcept {
    return {parked.fd(), parked.size(), {}};
  }
};

/// Reads them front to back.
///
/// Ownership: borrows call and bytes.
/// Threads:   the call's loop.
/// Memory:    a frame, for what is in the file.
class KeptReader {
 public:
  KeptReader(mcp::InnerCall& call, const KeptBytes& bytes, std::uint64_t from)
      : call_(call), bytes_(bytes), at_(std::min(from, bytes.size())) {}

  [[nodiscard]] std::uint64_t at() const noexcept { return at_; }
  [[nodiscard]] bool is_over() const noexcept { return at_ == bytes_.size(); }
  /// The next piece, of `most` bytes at most; empty at the end. It stays until the next one.
  /// Errors: Errc::frames_exhausted, Errc::source_failed where the file cannot be read.
  [[nodiscard]] Awaitable<Result<std::string_view>> next(std::uint64_t most = kFrameBytes);
  /// The last bytes of the piece were not taken.
  void give_back(std::size_t bytes) noexcept { at_ -= bytes; }

 private:
  mcp::InnerCall& call_;
  const KeptBytes bytes_;
  Frame frame_;
  std::uint64_t at_;
  std::uint64_t read_ = 0;  // since others had their turn
};

}  // namespace sluice::tools
