#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "json/document.hpp"
#include "mcp/inner_call.hpp"
#include "tools/factory.hpp"
#include "tools/source_result.hpp"

namespace sluice::tools {
namespace {

/// A block of the configuration, made ready to be sent; the views point into the configuration.
struct Item {
  BlockKind kind = BlockKind::text;
  std::string_view mime_type;
  std::string_view uri;
  Annotations annotations;
  std::string_view configured;
  std::string own;       ///< Instead of that, where it is not empty.
  bool is_link = false;  ///< The content is then a whole content block.
  [[nodiscard]] std::string_view content() const noexcept { return own.empty() ? configured : own; }
};

Annotations annotations_of(const config::InlineAnnotations& from) {
  Annotations to;
  for (const auto& who : from.audience) {
    if (who == "user") to.for_user = true;
    if (who == "assistant") to.for_assistant = true;
  }
  to.priority = from.priority;
  to.last_modified = from.last_modified;
  return to;
}

void append_member(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  json::append_string(out.append(","), name);
  json::append_string(out.append(":"), text);
}

void append_annotations(std::string& out, const Annotations& a) {
  if (a.empty()) return;
  std::string inside;
  if (a.for_user || a.for_assistant) {
    inside += R"(,"audience":[)";
    if (a.for_user) inside += R"("user")";
    if (a.for_user && a.for_assistant) inside += ',';
    if (a.for_assistant) inside += R"("assistant")";
    inside += ']';
  }
  if (a.priority) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, *a.priority).ptr;
    inside.append(R"(,"priority":)").append(digits, end);
  }
  append_member(inside, "lastModified", a.last_modified);
  out.append(R"(,"annotations":{)").append(inside, 1).append("}");
}

std::string render_link(const config::InlineBlock& block) {
  std::string out = R"({"type":"resource_link")";
  append_member(out, "uri", block.uri);
  append_member(out, "name", block.name);
  append_member(out, "title", block.title);
  append_member(out, "description", block.description);
  append_member(out, "mimeType", block.mime_type);
  if (block.size) out.append(R"(,"size":)").append(std::to_string(*block.size));
  append_annotations(out, annotations_of(block.annotations));
  return out += '}';
}

bool read_file(const std::string& name, std::string& content, std::string& problem) {
  std::ifstream in(name, std::ios::binary);
  if (in) content.assign(std::istreambuf_iterator<char>(in), {});
  if (in && !in.bad()) return true;
  problem = "cannot read " + name + ": " + std::generic_category().message(errno);
  return false;
}

BlockKind kind_of(const config::InlineBlock& block) noexcept {
  switch (block.kind) {
    case config::InlineBlock::Kind::text:
    case config::InlineBlock::Kind::resource_link:
      return BlockKind::text;
    case config::InlineBlock::Kind::image:
      return BlockKind::image;
    case config::InlineBlock::Kind::audio:
      return BlockKind::audio;
    case config::InlineBlock::Kind::resource:
      break;
  }
  return block.is_binary ? BlockKind::resource_blob : BlockKind::resource_text;
}

/// A result that is the same for every call.
///
/// Ownership: views into the configuration, which outlives it; the bytes are its own.
/// Threads:   immutable, any.
class InlineHandler final : public ToolHandler {
 public:
  InlineHandler(std::vector<Item> items, std::string_view structured)
      : items_(std::move(items)), structured_(structured) {
    const auto first = structured_.find_first_not_of(" \t\r\n");
    structured_.remove_prefix(std::min(first, structured_.size()));
  }

  Awaitable<Result<>> run(Call& call, ResultWriter& out) override {
    for (const Item& item : items_) {
      const auto sent = co_await send(item, out);
      if (!sent) co_return sent;
    }
    if (structured_.empty() || !out.takes_structured(structured_[0])) co_return Result<>{};
    const std::uint64_t limit = mcp::inner(call).max_result();
    if (out.bytes() + structured_.size() > limit) {
      const std::string problem =
          "The structured content is missing: with the rest it would be larger than the limit of " +
          format_bytes(limit) + " for a result.";
      const auto failed = co_await out.fail(problem);
      co_return failed;
    }
    Block block;
    block.kind = BlockKind::structured;
    const auto sent = co_await send_whole(block, structured_, out);
    co_return sent;
  }

 private:
  static Awaitable<Result<>> send(const Item& item, ResultWriter& out) {
    if (item.is_link) return out.raw_block(item.content());
    Block block;
    block.kind = item.kind;
    block.mime_type = item.mime_type;
    block.uri = item.uri;
    if (!item.annotations.empty()) block.annotations = &item.annotations;
    return send_whole(block, item.content(), out);
  }

  static Awaitable<Result<>> send_whole(Block block, std::string_view content, ResultWriter& out) {
    const auto begun = co_await out.begin(block);
    if (!begun) co_return begun;
    const auto written = co_await out.write(content);
    if (!written) co_return written;
    const auto ended = co_await out.end();
    co_return ended;
  }

  const std::vector<Item> items_;
  std::string_view structured_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_inline_tool(const config::Tool& tool, std::string& problem) {
  const auto& source = std::get<config::InlineTool>(tool.source);
  std::vector<Item> items;
  items.reserve(source.blocks.size());
  for (const auto& block : source.blocks) {
    Item& item = items.emplace_back();
    item.kind = kind_of(block);
    item.mime_type = block.mime_type;
    item.annotations = annotations_of(block.annotations);
    if (block.kind == config::InlineBlock::Kind::resource_link) {
      item.is_link = true;
      item.own = render_link(block);
      continue;
    }
    if (block.kind == config::InlineBlock::Kind::resource) item.uri = block.uri;
    if (block.kind == config::InlineBlock::Kind::text) item.mime_type = {};
    item.configured = block.data.empty() ? block.text : block.data;
    if (block.file.empty()) continue;
    // The loader of the configuration has read it; one that was put together otherwise has not.
    if (item.configured.empty() && !read_file(block.file, item.own, problem)) return nullptr;
    if (item.mime_type.empty() && item.kind != BlockKind::text) {
      item.mime_type = media_type_of(block.file);
    }
  }
  return std::make_unique<InlineHandler>(std::move(items), source.structured);
}

}  // namespace sluice::tools
