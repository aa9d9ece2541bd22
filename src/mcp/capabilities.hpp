#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mcp/revision.hpp"

namespace sluice::mcp {

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

/// A kind of thing that is listed.
struct ListFeature {
  bool list_changed = false;  ///< Clients are told when the list has changed.
  bool subscribe = false;     ///< Clients can watch a single one (resources).
};

/// What the server offers, for the one place that tells it: `initialize` and `server/discover`.
struct Features {
  bool logging = true;
  bool completions = false;
  std::optional<ListFeature> tools;
  std::optional<ListFeature> prompts;
  std::optional<ListFeature> resources;
  bool tasks = false;
  /// Settings by name of the extension, members of a JSON object; from 2026-07-28 on.
  std::string extensions;
};

/// ServerCapabilities as `revision` has them: a JSON object with what is there and nothing else.
[[nodiscard]] std::string capabilities(const Features& features, const Revision& revision);

}  // namespace sluice::mcp
