#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::mcp {

/// What a client may keep a list of.
enum class List : std::uint8_t { tools, prompts, resources };

/// Who is told that something the server offers has changed, and tells those clients that asked for
/// it.
///
/// Ownership: outlives whoever tells it.
/// Threads:   any.
/// Bounds:    takes what it is told without waiting; changes of one thing that nobody has been told
///            of yet count as one.
class ResourceChanges {
 public:
  ResourceChanges() = default;
  ResourceChanges(const ResourceChanges&) = delete;
  ResourceChanges& operator=(const ResourceChanges&) = delete;
  virtual ~ResourceChanges() = default;

  /// What resources/read gives for this URI is no longer what it was. Equivalent URIs are the same
  /// (uri::normalize).
  virtual void resource_updated(std::string_view uri) = 0;
  /// The same for every URI that begins so; empty: for every one. Told where single changes have
  /// been lost.
  virtual void resources_updated(std::string_view prefix) = 0;
  virtual void list_changed(List list) = 0;
};

}  // namespace sluice::mcp
