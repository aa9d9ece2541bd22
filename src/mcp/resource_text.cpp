#include "mcp/resource_text.hpp"

#include "mcp/json_members.hpp"

namespace sluice::mcp {
namespace {

using Details = Revision::Details;

/// What comes from the configuration and what is known of the resource itself.
struct Known {
  std::string_view mime_type;
  std::optional<std::uint64_t> size;
  std::string_view last_modified;
};

void append_rest(std::string& out, const Resource& resource, const Known& known,
                 const Revision& revision) {
  append_text(out, "description", resource.description);
  append_text(out, "mimeType", known.mime_type);
  if (known.size) append_member(out, "size", std::to_string(*known.size));
  Annotations annotations = resource.annotations;
  if (annotations.last_modified.empty()) annotations.last_modified = known.last_modified;
  if (revision.details < Details::titles) annotations.last_modified.clear();
  append_annotations(out, &annotations);
  if (revision.details >= Details::icons) append_icons(out, resource.icons);
  if (!resource.meta.empty() && revision.details >= Details::titles)
    append_member(out, "_meta", resource.meta);
  out += '}';
  make_one_line(out);
}

}  // namespace

std::string render(const ResourceEntry& entry, const ResourceFacts::Facts* facts,
                   const Revision& revision) {
  const Resource& resource = entry.resource;
  std::string out = "{";
  append_text(out, entry.is_template() ? "uriTemplate" : "uri",
              entry.is_template() ? resource.uri_template : resource.uri);
  append_text(out, "name", resource.name);
  if (revision.details >= Details::titles) append_text(out, "title", resource.title);
  Known known{resource.mime_type, resource.size, {}};
  if (facts != nullptr) known.last_modified = facts->last_modified;
  if (facts != nullptr && !known.size) known.size = facts->size;
  append_rest(out, resource, known, revision);
  return out;
}

std::string render(const ResourceEntry& tree, const ResourceTree::Item& item,
                   const Revision& revision) {
  std::string out = "{";
  append_text(out, "uri", item.uri);
  append_text(out, "name", item.name);
  const Resource& resource = tree.resource;
  append_rest(out, resource,
              {resource.mime_type.empty() ? item.mime_type : resource.mime_type, item.size,
               item.last_modified},
              revision);
  return out;
}

}  // namespace sluice::mcp
