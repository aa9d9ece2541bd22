#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <sluice/call.hpp>

#include "base/worker_pool.hpp"
#include "buffer/frame_pool.hpp"

namespace sluice::mcp {

/// What the built-in tools may use of a call beyond the public contract.
class InnerCall : public Call {
 public:
  /// The loop's pool: a source reads into one frame of it, which it holds while it reads.
  [[nodiscard]] virtual FramePool& frames() noexcept = 0;
  /// Index of the loop, from 0; per-loop connection pools are found by it.
  [[nodiscard]] virtual std::size_t loop() const noexcept = 0;
  [[nodiscard]] virtual WorkerPool& workers() noexcept = 0;
  /// Payload bytes that the result may have.
  [[nodiscard]] virtual std::uint64_t max_result() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t max_nesting() const noexcept = 0;
  /// Directory for unnamed temporary files.
  [[nodiscard]] virtual const std::string& spool_directory() const noexcept = 0;
};

/// Every call that a built-in tool sees is one of ours.
[[nodiscard]] inline InnerCall& inner(Call& call) noexcept { return static_cast<InnerCall&>(call); }

}  // namespace sluice::mcp
