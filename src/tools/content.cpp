#include "tools/content.hpp"

#include "tools/source_result.hpp"

namespace sluice::tools {

using Kind = config::InlineBlock::Kind;

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

BlockKind block_kind(const config::InlineBlock& block) noexcept {
  switch (block.kind) {
    case Kind::text:
    case Kind::resource_link:
      return BlockKind::text;
    case Kind::image:
      return BlockKind::image;
    case Kind::audio:
      return BlockKind::audio;
    case Kind::resource:
      break;
  }
  return block.is_binary ? BlockKind::resource_blob : BlockKind::resource_text;
}

std::string_view mime_type_of(const config::InlineBlock& block) noexcept {
  if (!block.mime_type.empty() || block.file.empty()) return block.mime_type;
  return media_type_of(block.file);
}

}  // namespace sluice::tools
