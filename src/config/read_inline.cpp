#include <algorithm>

#include "config/files.hpp"
#include "config/json_text.hpp"
#include "config/names.hpp"
#include "config/sections.hpp"
#include "config/utf8.hpp"
#include "json/base64.hpp"

namespace sluice::config {
namespace {

using Kind = InlineBlock::Kind;

constexpr std::pair<std::string_view, Kind> kKinds[] = {{"text", Kind::text},
                                                        {"image", Kind::image},
                                                        {"audio", Kind::audio},
                                                        {"resource_link", Kind::resource_link},
                                                        {"resource", Kind::resource}};

/// What may stand in a block of each type beside `type` and `annotations`.
std::span<const std::string_view> keys_of(Kind kind) {
  static constexpr std::string_view kText[] = {"text", "file"};
  static constexpr std::string_view kMedia[] = {"data", "file", "mime_type"};
  static constexpr std::string_view kLink[] = {"uri",         "name",      "title",
                                               "description", "mime_type", "size"};
  static constexpr std::string_view kResource[] = {"uri", "text", "data", "file", "mime_type"};
  switch (kind) {
    case Kind::text:
      return kText;
    case Kind::image:
    case Kind::audio:
      return kMedia;
    case Kind::resource_link:
      return kLink;
    case Kind::resource:
      break;
  }
  return kResource;
}

std::string_view name_of(Kind kind) {
  return std::ranges::find(kKinds, kind, &std::pair<std::string_view, Kind>::second)->first;
}

std::string guess_mime_type(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".png", "image/png"},  {".jpg", "image/jpeg"},  {".jpeg", "image/jpeg"},
      {".gif", "image/gif"},  {".webp", "image/webp"}, {".svg", "image/svg+xml"},
      {".wav", "audio/wav"},  {".mp3", "audio/mpeg"},  {".ogg", "audio/ogg"},
      {".flac", "audio/flac"}};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return std::string(type);
  return {};
}

/// Base64 in a block scalar has line breaks.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return text;
}

void read_content(const Section& section, InlineBlock& out) {
  if (section.has("text")) {
    section.text("text", out.text);
  } else if (const auto data = section.find("data")) {
    out.is_binary = true;
    out.data = read_base64(*data).value_or("");
  } else if (const auto file = section.find("file")) {
    auto content = read_file(*file);
    if (!content) return;
    out.file = resolve(file->context(), file->node().value);
    const bool is_media = out.kind == Kind::image || out.kind == Kind::audio;
    const bool is_text = !find_non_utf8(*content);
    if (out.kind == Kind::text && !is_text) file->complain("expected a file with text in UTF-8");
    out.is_binary = is_media || !is_text;
    (out.is_binary ? out.data : out.text) = *std::move(content);
  }
}

void check_content(const Section& section, const InlineBlock& block) {
  const auto allowed = keys_of(block.kind);
  std::size_t sources = 0;
  std::string options;
  for (const std::string_view key : {"text", "data", "file"}) {
    sources += section.has(key) ? 1 : 0;
    if (std::ranges::find(allowed, key) != allowed.end())
      options += (options.empty() ? "" : ", ") + std::string(key);
  }
  if (!options.empty() && sources != 1)
    section.field().complain("expected exactly one of " + options);
  for (const auto& entry : section.field().node().entries) {
    const bool is_known = std::ranges::find(keys::block.keys, entry.key) != keys::block.keys.end();
    if (!is_known || entry.key == "type" || entry.key == "annotations") continue;
    if (std::ranges::find(allowed, entry.key) == allowed.end())
      section.field().context().complaints.add(
          entry.spot, section.field().name() + ": " + entry.key +
                          " does not go with type: " + std::string(name_of(block.kind)));
  }
}

}  // namespace

InlineBlock read_block(const Section& section, BlockUse use) {
  const Field& field = section.field();
  InlineBlock out;
  out.place = field.place();
  if (const auto type = section.find("type")) {
    const auto kind = type->choice(kKinds);
    if (!kind) return out;
    out.kind = *kind;
  } else if (use == BlockUse::content) {
    field.complain("type is missing; expected text, image, audio, resource_link or resource");
    return out;
  }
  check_content(section, out);
  read_content(section, out);
  section.text("uri", out.uri);
  section.text("name", out.name);
  section.text("title", out.title);
  section.text("description", out.description);
  section.text("mime_type", out.mime_type);
  section.integer("size", out.size, 0, std::uint64_t{1} << 53);
  if (const auto annotations = section.find("annotations"))
    read_block_annotations(*annotations, out.annotations);

  const bool has_uri = out.kind == Kind::resource_link || out.kind == Kind::resource;
  if (const auto uri = section.find("uri"); uri && uri->is_scalar()) {
    const auto wrong = use == BlockUse::content ? wrong_uri(out.uri) : std::string();
    if (!wrong.empty()) uri->complain(wrong);
  } else if (has_uri && !uri) {
    field.complain("uri is missing");
  }
  if (out.kind == Kind::resource_link && !section.has("name")) field.complain("name is missing");
  if ((out.kind == Kind::image || out.kind == Kind::audio) && out.mime_type.empty()) {
    out.mime_type = guess_mime_type(out.file);
    if (out.mime_type.empty() && !(section.has("file") && out.file.empty()))
      field.complain("mime_type is missing");
  }
  return out;
}

void read_block_annotations(const Field& field, InlineAnnotations& out) {
  const Section section(field, keys::block_annotations);
  static constexpr std::pair<std::string_view, std::string_view> kRoles[] = {
      {"user", "user"}, {"assistant", "assistant"}};
  if (const auto audience = section.find("audience"))
    for (const auto& element : audience->elements(Field::Lists::or_single))
      if (const auto role = element.choice(kRoles)) out.audience.emplace_back(*role);
  if (const auto priority = section.find("priority")) out.priority = priority->number(0, 1);
  section.text("last_modified", out.last_modified);
}

std::optional<std::string> read_base64(const Field& field) {
  const auto text = field.text();
  if (!text) return std::nullopt;
  auto decoded = json::base64_decode(without_blanks(*text));
  if (!decoded) field.complain("expected base64 (RFC 4648) with its padding");
  return decoded;
}

void read_inline_tool(const Section& tool, InlineTool& out) {
  if (const auto text = tool.find("text")) {
    InlineBlock block;
    block.place = text->place();
    tool.text("text", block.text);
    out.blocks.push_back(std::move(block));
  } else if (const auto content = tool.find("content")) {
    for (const auto& element : content->elements()) {
      if (element.is_mapping())
        out.blocks.push_back(read_block(Section(element, keys::block), BlockUse::content));
      else
        element.expected("a mapping with a type");
    }
  }
  if (const auto structured = tool.find("structured"))
    out.structured = to_json(*structured).value_or("");
}

}  // namespace sluice::config
