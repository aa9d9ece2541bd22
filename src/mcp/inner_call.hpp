#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <sluice/call.hpp>

#include "base/sealer.hpp"
#include "base/worker_pool.hpp"
#include "buffer/frame_pool.hpp"

namespace sluice::mcp {

class ParkedResults;

/// What the built-in tools may use of a call beyond the public contract.
class InnerCall : public Call {
 public:
  /// The loop's pool: a source reads into one frame of it, which it holds while it reads.
  [[nodiscard]] virtual FramePool& frames() noexcept = 0;
  /// Index of the loop, from 0; per-loop connection pools are found by it.
  [[nodiscard]] virtual std::size_t loop() const noexcept = 0;
  [[nodiscard]] virtual WorkerPool& workers() noexcept = 0;
  /// False where nobody hears of progress, now or later: then a source need not count.
  [[nodiscard]] virtual bool wants_progress() const noexcept = 0;
  /// Tells the caller that a source has given so many bytes, of `total` where that is known. Goes
  /// out at the rate of progress(), the first time `progress_interval` after the call began, so
  /// that a result that is quick looks as if nobody had asked; and not where it would make an event
  /// of a result that is too large for one.
  virtual void tell_bytes(std::uint64_t bytes, std::optional<std::uint64_t> total) = 0;
  /// Payload bytes that the result may have.
  [[nodiscard]] virtual std::uint64_t max_result() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t max_nesting() const noexcept = 0;
  /// Directory for unnamed temporary files.
  [[nodiscard]] virtual const std::string& spool_directory() const noexcept = 0;

  /// Where results are parked; null where what this call makes is not for one caller alone.
  [[nodiscard]] virtual ParkedResults* parked() noexcept = 0;
  /// caller_key() of who calls. REQUIRES: parked().
  [[nodiscard]] virtual std::string caller() const = 0;
  [[nodiscard]] virtual const Sealer& sealer() const noexcept = 0;

  /// The capabilities that the last question missed.
  [[nodiscard]] virtual std::span<const std::string> missing() const noexcept { return {}; }

  /// Whoever stops the handler says so first, and why.
  virtual void set_cancelled(boost::system::error_code why) noexcept = 0;
  /// Why it was stopped; none: it was not.
  [[nodiscard]] virtual boost::system::error_code stopped_by() const noexcept = 0;
};

/// Every call that a built-in tool sees is one of ours.
[[nodiscard]] inline InnerCall& inner(Call& call) noexcept { return static_cast<InnerCall&>(call); }

}  // namespace sluice::mcp
