#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sluice/prompt.hpp>

#include "mcp/revision.hpp"

namespace sluice::mcp {

/// The messages of one prompt as JSON, and what else its handler has said.
///
/// Ownership: one per request.
/// Threads:   the call's loop.
/// Bounds:    `max_bytes` of JSON; the message that goes over is not kept.
class PromptText final : public PromptWriter {
 public:
  PromptText(const Revision& revision, std::uint64_t max_bytes)
      : revision_(revision), max_bytes_(max_bytes) {}

  [[nodiscard]] Result<> message(Role role, const Block& block, std::string_view content) override;
  [[nodiscard]] Result<> link(Role role, const ResourceLink& link) override;
  void describe(std::string_view description) override { description_ = description; }
  [[nodiscard]] Result<> refuse(std::string_view why) override;

  /// Messages with commas between them.
  [[nodiscard]] const std::string& messages() const noexcept { return messages_; }
  [[nodiscard]] const std::string& description() const noexcept { return description_; }
  /// Why an argument is no good; empty: none was refused.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }
  [[nodiscard]] bool is_too_large() const noexcept { return too_large_; }

 private:
  void begin(Role role);
  [[nodiscard]] Result<> end(std::size_t before);

  const Revision& revision_;
  const std::uint64_t max_bytes_;
  std::string messages_;
  std::string description_;
  std::string refusal_;
  bool too_large_ = false;
};

}  // namespace sluice::mcp
