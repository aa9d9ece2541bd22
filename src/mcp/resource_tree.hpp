#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/tool.hpp>

namespace sluice::mcp {

/// The handler of many resources that are known only when they are looked for.
class ResourceTree : public ToolHandler {
 public:
  struct Item {
    std::string uri = {};
    std::string name = {};
    std::string_view mime_type = {};  ///< A constant.
    std::uint64_t size = 0;
    std::string last_modified = {};
  };
  struct Page {
    std::vector<Item> items;
    /// Go on with list(*next, ...), also where there are no items; nullopt: there are no more.
    std::optional<std::string> next;
  };

  /// What all their URIs begin with, in normal form (uri::normalize).
  [[nodiscard]] virtual const std::string& prefix() const noexcept = 0;
  /// No more than so many are listed.
  [[nodiscard]] virtual std::uint32_t max_items() const noexcept = 0;
  /// At most `count` of them, those behind `after`; empty: from the first on. Blocks.
  /// REQUIRES: count > 0.
  [[nodiscard]] virtual Page list(const std::string& after, std::size_t count) const = 0;
};

}  // namespace sluice::mcp
