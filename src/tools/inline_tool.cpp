#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "mcp/fixed_tool.hpp"
#include "tools/content.hpp"
#include "tools/factory.hpp"

namespace sluice::tools {
namespace {

using Kind = config::InlineBlock::Kind;

/// A block of the configuration, made ready to be sent.
struct Item {
  const config::InlineBlock* block;
  Annotations annotations;
  std::string_view mime_type;
  [[nodiscard]] std::string_view content() const noexcept {
    return block->data.empty() ? block->text : block->data;
  }
};

/// A result that is the same for every call.
///
/// Ownership: points into the configuration, which outlives it.
/// Threads:   immutable, any.
class InlineHandler final : public mcp::FixedTool {
 public:
  InlineHandler(std::vector<Item> items, std::string_view structured)
      : items_(std::move(items)), structured_(structured) {
    const auto first = structured_.find_first_not_of(" \t\r\n");
    structured_.remove_prefix(std::min(first, structured_.size()));
  }

  Awaitable<Result<>> write(ResultWriter& out, std::uint64_t max_result) override {
    for (const Item& item : items_) {
      const auto sent = co_await send(item, out);
      if (!sent) co_return sent;
    }
    if (structured_.empty() || !out.takes_structured(structured_[0])) co_return Result<>{};
    if (out.bytes() + structured_.size() > max_result) {
      const std::string problem =
          "The structured content is missing: with the rest it would be larger than the limit of " +
          format_bytes(max_result) + " for a result.";
      const auto failed = co_await out.fail(problem);
      co_return failed;
    }
    const auto sent = co_await out.structured(structured_);
    co_return sent;
  }

 private:
  static Awaitable<Result<>> send(const Item& item, ResultWriter& out) {
    const config::InlineBlock& from = *item.block;
    if (from.kind == Kind::resource_link)
      return out.link({from.uri, from.name, from.title, from.description, from.mime_type, from.size,
                       &item.annotations});
    Block block;
    block.kind = block_kind(from);
    if (from.kind != Kind::text) block.mime_type = item.mime_type;
    if (from.kind == Kind::resource) block.uri = from.uri;
    block.annotations = &item.annotations;
    return out.block(block, item.content());
  }

  const std::vector<Item> items_;
  std::string_view structured_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_inline(const config::InlineTool& source) {
  std::vector<Item> items;
  items.reserve(source.blocks.size());
  for (const auto& block : source.blocks)
    items.push_back({&block, annotations_of(block.annotations), mime_type_of(block)});
  return std::make_unique<InlineHandler>(std::move(items), source.structured);
}

}  // namespace sluice::tools
