#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/json.hpp>

namespace sluice::mcp {

/// What a client has declared that it can do, as names on two levels: "roots", "elicitation.url".
///
/// `"elicitation": {}` is how a client says that it shows forms (2025-11-25, Elicitation,
/// Capabilities), so it stands for "elicitation.form" too.
///
/// Bounds:    names that the revisions do not know are kept up to kMostText bytes together; what
///            does not fit is as if it had not been declared.
class ClientCapabilities {
 public:
  static constexpr std::size_t kMostText = 112;

  ClientCapabilities() = default;
  /// REQUIRES: an object, or not there.
  explicit ClientCapabilities(Json declared);

  [[nodiscard]] bool has(std::string_view name) const noexcept;

  /// As text that a session id can hold, and back. What cannot be read has no capabilities.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static ClientCapabilities from_text(std::string_view text);

 private:
  void add(std::string_view parent, std::string_view child);

  std::uint32_t known_ = 0;  // by the index of the table
  std::vector<std::string> others_;
  std::size_t others_size_ = 0;
};

/// `requiredCapabilities` of a refusal: names on two levels as one object.
[[nodiscard]] std::string required_capabilities(std::span<const std::string> names);

}  // namespace sluice::mcp
