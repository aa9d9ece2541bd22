#pragma once

#include <cstddef>
#include <cstdint>
#include <sluice/result_writer.hpp>
#include <string>
#include <string_view>

#include "buffer/frame_pool.hpp"
#include "json/raw_json.hpp"
#include "mcp/inner_call.hpp"
#include "tools/descriptor.hpp"

namespace sluice::tools {

/// A copy of a JSON value that has to be sent a second time, checked while it comes.
///
/// What fits into one frame stays there; more goes to a temporary file without a name, in pieces of
/// a frame, written and read by the worker pool.
///
/// Ownership: one per call; borrows the call.
/// Threads:   the call's loop.
/// Bounds:    one frame of memory; the file is as large as the value, which `limits.result` bounds.
/// Errors:    the first problem is kept; append() then does nothing, so that a source can be read
///            to its end.
class Spool {
 public:
  enum class Problem : std::uint8_t { none, not_json, too_deep, no_frame, disk };

  explicit Spool(mcp::InnerCall& call);
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  [[nodiscard]] Awaitable<void> append(std::string_view piece);
  /// The value is complete.
  void finish() noexcept;
  /// Writes all of it to `out`. REQUIRES: finish(), and no problem then.
  [[nodiscard]] Awaitable<Result<>> replay(ResultWriter& out);

  [[nodiscard]] Problem problem() const noexcept { return problem_; }
  /// errno, where the problem is `disk`.
  [[nodiscard]] int disk_error() const noexcept { return disk_error_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return in_file_ + used_; }
  /// Why it cannot be structured content behind what `out` has; empty: it can be.
  /// REQUIRES: finish().
  [[nodiscard]] std::string why_not(const ResultWriter& out) const;

 private:
  [[nodiscard]] Awaitable<void> flush();
  void set(boost::system::error_code ec) noexcept;

  mcp::InnerCall& call_;
  json::RawJson checker_;
  Frame frame_;
  std::size_t used_ = 0;  // of the frame
  std::uint64_t in_file_ = 0;
  Descriptor file_;
  Problem problem_ = Problem::none;
  int disk_error_ = 0;
};

}  // namespace sluice::tools
