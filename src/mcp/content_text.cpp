#include "mcp/content_text.hpp"

#include <span>

#include "json/base64.hpp"
#include "json/document.hpp"
#include "mcp/json_members.hpp"

namespace sluice::mcp {
namespace {

/// What belongs to the block itself; `_meta` came with 2025-06-18.
void append_extras(std::string& out, const Block& block, const Revision& revision) {
  append_annotations(out, block.annotations);
  if (block.meta.empty() || revision.details < Revision::Details::titles) return;
  std::string meta(block.meta);
  make_one_line(meta);
  append_member(out, "_meta", meta);
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  json::Base64Encoder encoder;
  out += '"';
  std::size_t end = out.size();
  out.resize(end + (bytes.size() + 2) / 3 * 4 + json::Base64Encoder::kMinRoom);
  while (!bytes.empty()) {
    const auto step = encoder.step(bytes, std::span(out).subspan(end));
    bytes.remove_prefix(step.read);
    end += step.written;
  }
  end += encoder.finish(std::span(out).subspan(end));
  out.resize(end);
  out += '"';
}

void append_content(std::string& out, const Block& block, std::string_view content,
                    const Revision& revision) {
  const auto append_payload = [&](std::string_view name, bool is_text) {
    append_member(out, name, "");
    if (is_text)
      json::append_string(out, content);
    else
      append_base64(out, content);
  };
  out += '{';
  switch (block.kind) {
    case BlockKind::text:
    case BlockKind::structured:
      append_text(out, "type", "text");
      append_extras(out, block, revision);
      append_payload("text", true);
      break;
    case BlockKind::image:
    case BlockKind::audio:
      append_text(out, "type", block.kind == BlockKind::image ? "image" : "audio");
      append_extras(out, block, revision);
      append_text(out, "mimeType", block.mime_type);
      append_payload("data", false);
      break;
    case BlockKind::resource_text:
    case BlockKind::resource_blob:
      append_text(out, "type", "resource");
      append_extras(out, block, revision);
      append_member(out, "resource", "{");
      append_text(out, "uri", block.uri);
      append_text(out, "mimeType", block.mime_type);
      append_payload(block.kind == BlockKind::resource_text ? "text" : "blob",
                     block.kind == BlockKind::resource_text);
      out += '}';
      break;
  }
  out += '}';
}

void append_link(std::string& out, const ResourceLink& link, const Revision& revision) {
  if (revision.details < Revision::Details::titles) {
    Block block;
    block.annotations = link.annotations;
    const std::string text =
        std::string(link.title.empty() ? link.name : link.title) + ": " + std::string(link.uri);
    append_content(out, block, text, revision);
    return;
  }
  out += '{';
  append_text(out, "type", "resource_link");
  append_text(out, "uri", link.uri);
  append_text(out, "name", link.name);
  append_text(out, "title", link.title);
  append_text(out, "description", link.description);
  append_text(out, "mimeType", link.mime_type);
  if (link.size) append_member(out, "size", std::to_string(*link.size));
  append_annotations(out, link.annotations);
  out += '}';
}

}  // namespace sluice::mcp
