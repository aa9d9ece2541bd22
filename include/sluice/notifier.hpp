#pragma once

#include <cstdint>
#include <string_view>

namespace sluice {

/// What a client may keep a list of.
enum class List : std::uint8_t { tools, prompts, resources };

/// Who is told that something the server offers has changed, and tells those clients that asked for
/// it.
///
///     const std::shared_ptr<sluice::Notifier> notifier = registry.notifier();
///     ... on any thread, at any time:
///     notifier->resource_updated("prices://today");
///
/// Ownership: shared; once the server has stopped, what it is told means nothing.
/// Threads:   any.
/// Bounds:    takes what it is told without waiting; changes of one thing that nobody has been told
///            of yet count as one.
class Notifier {
 public:
  Notifier() = default;
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;
  virtual ~Notifier() = default;

  /// What resources/read gives for this URI is no longer what it was. Equivalent URIs are the same
  /// (RFC 3986 section 6.2.2).
  virtual void resource_updated(std::string_view uri) = 0;
  /// The same for every URI that begins so; empty: for every one. Told where single changes have
  /// been lost.
  virtual void resources_updated(std::string_view prefix) = 0;
  virtual void list_changed(List list) = 0;
};

}  // namespace sluice
