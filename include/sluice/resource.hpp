#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sluice/completion.hpp>
#include <sluice/icon.hpp>
#include <sluice/result_writer.hpp>
#include <sluice/tool.hpp>

namespace sluice {

/// What resources/list says of a resource, or resources/templates/list of a template, and the
/// limits it is read under.
///
/// Its handler is that of a tool: what it writes becomes `contents`, text as text and everything
/// else as base64. It asks the call for the URI and, of a template, for the values of the variables
/// (Call::uri(), Call::argument()). ResultWriter::not_found() and fail() answer with an error.
///
///     auto resource = sluice::Resource::at("demo://motd", "motd");
///     resource.mime_type = "text/plain";
///     registry.add(std::move(resource), handler);
struct Resource {
  /// Declared, so that a list in braces is a Tool wherever both can be added.
  Resource() = default;
  [[nodiscard]] static Resource at(std::string uri, std::string name) {
    Resource out;
    out.uri = std::move(uri);
    out.name = std::move(name);
    return out;
  }
  [[nodiscard]] static Resource matching(std::string uri_template, std::string name) {
    Resource out;
    out.uri_template = std::move(uri_template);
    out.name = std::move(name);
    return out;
  }

  std::string name = {};
  /// RFC 3986. Or `uri_template`.
  std::string uri = {};
  /// RFC 6570, any level; values are found in the URIs that clients ask for, so it must be possible
  /// to tell them apart.
  std::string uri_template = {};
  /// JSON Schema of the variables as members of an object. Empty: each is text, and those that a
  /// URI cannot do without are required. Where it says integer, number, boolean or array, the text
  /// in the URI is taken for that.
  std::string parameters = {};
  /// What is offered while somebody types a variable, by its name. One whose schema has an enum of
  /// texts offers those by itself.
  std::map<std::string, std::shared_ptr<Completer>, std::less<>> completers = {};
  std::string title = {};  ///< Empty: none.
  std::string description = {};
  std::string mime_type = {};              ///< Of every read; empty: as the handler says.
  std::optional<std::uint64_t> size = {};  ///< Bytes, before they are encoded.
  Annotations annotations = {};
  std::vector<Icon> icons = {};
  std::string meta = {};  ///< `_meta` of the resource and its contents, a JSON object; empty: none.
  /// How long clients may keep what they have read, and whether it is the same for everybody
  /// (2026-07-28).
  std::chrono::milliseconds ttl{0};
  bool is_public = false;
  Framing framing = Framing::automatic;  ///< This and the rest as for a tool.
  std::optional<Compression> compression = {};
  std::optional<std::chrono::milliseconds> timeout = {};
  std::optional<std::uint32_t> concurrency = {};
  std::optional<std::uint64_t> max_result = {};
};

}  // namespace sluice
