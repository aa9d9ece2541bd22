#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/tool.hpp>

#include "config/config.hpp"

namespace sluice::mcp {

/// A handler and the bounds it runs under: what a tool and a resource have in common.
struct HandlerEntry {
  std::string_view kind;  ///< "tool" or "resource", for messages.
  std::string name;
  std::unique_ptr<ToolHandler> handler;  ///< Null where the result is fixed.
  Framing framing = Framing::automatic;
  Compression compression = Compression::off;
  std::optional<std::uint32_t> concurrency;
  std::chrono::milliseconds timeout{};
  std::uint64_t max_result = 0;
  std::string limit_name;    ///< What a result that is too large is told: "limits.result (64MiB)".
  std::string timeout_name;  ///< The same for the timeout: "timeouts.call (60s)".
  mutable std::atomic<std::uint32_t> in_flight{0};

  /// What is said of the tool or resource itself; what is left open comes from `config`.
  struct Bounds {
    Framing framing = Framing::automatic;
    std::optional<Compression> compression;
    std::optional<std::uint32_t> concurrency;
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<std::uint64_t> max_result;
  };
  void bound(const Bounds& own, const config::Config& config);
};

/// The configuration's word for it in the words of tools; unset is automatic.
[[nodiscard]] Framing framing_of(std::optional<config::Tool::Framing> framing) noexcept;
[[nodiscard]] std::optional<Compression> compression_of(
    std::optional<config::Tool::Compression> compression) noexcept;

}  // namespace sluice::mcp
