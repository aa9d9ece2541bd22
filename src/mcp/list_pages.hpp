#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/revision.hpp"

namespace sluice::mcp {

/// Whether a part of what is offered has the thing of that name.
using IsWanted = std::function<bool(const std::string& name)>;

/// What a list method answers (tools/list, prompts/list, ...), in pages that are written once, when
/// the list is made. Each revision has its own; those that would hold the same bytes are shared.
///
/// Threads:   immutable, any.
class ListPages {
 public:
  /// The item at `index` as one JSON object on one line, as clients of `revision` may see it.
  using Render = std::function<std::string(std::size_t index, const Revision& revision)>;

  ListPages() = default;
  /// `member` names the list in its result, "tools", and begins the cursors.
  ListPages(std::string_view member, std::size_t items, std::size_t per_page, const Render& render);

  /// `"tools":[...]` and, where more follow, `,"nextCursor":"..."`. Null where the cursor is none
  /// of ours; no cursor is the first page. Items keep their order.
  /// REQUIRES: `revision` is one of kRevisions.
  [[nodiscard]] const std::string* page(std::string_view cursor,
                                        const Revision& revision) const noexcept;
  /// True where a client would see a difference.
  [[nodiscard]] bool differs_from(const ListPages& other) const;

 private:
  using Pages = std::vector<std::string>;
  std::string prefix_;  // of cursors: "tools-"
  std::array<std::shared_ptr<const Pages>, kRevisions.size()> pages_;
};

}  // namespace sluice::mcp
