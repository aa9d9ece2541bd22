#pragma once

#include <span>
#include <string_view>

/// Every key that the loader knows, by section. The JSON Schema for editors is held against these
/// tables.
namespace sluice::config {

struct KeyTable {
  std::string_view section;
  std::span<const std::string_view> keys;
  bool is_open = false;  ///< Other keys are allowed too and belong to somebody else (JSON Schema).
};

namespace keys {
extern const KeyTable top, server, limits, timeouts, tasks, parking, log, defaults, source, tls,
    tool, annotations, parameter, file, block, block_annotations, cache, max_items, park, page,
    plugin, secret, shaping, icon, group, prompt, prompt_argument, message, completion,
    completion_files, completion_http, resource, tree;

/// Which keys of a tool go with which kind of source, and with all.
extern const std::span<const std::string_view> tool_common, tool_http, tool_file, tool_command,
    tool_inline;
/// Likewise of a resource.
extern const std::span<const std::string_view> resource_common, resource_http, resource_file,
    resource_tree, resource_command, resource_inline;
}  // namespace keys

[[nodiscard]] std::span<const KeyTable* const> key_tables();

}  // namespace sluice::config
