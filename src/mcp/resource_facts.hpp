#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::mcp {

/// A handler of one resource that knows things about it before it is read.
class ResourceFacts {
 public:
  struct Facts {
    std::uint64_t size = 0;
    std::string last_modified;  ///< ISO 8601.
  };
  /// nullopt where they cannot be had now. Blocks.
  [[nodiscard]] virtual std::optional<Facts> facts() const = 0;

 protected:
  ~ResourceFacts() = default;
};

}  // namespace sluice::mcp
