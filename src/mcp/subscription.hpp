#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/list_set.hpp"
#include "mcp/subscriptions.hpp"

namespace sluice::mcp {

/// Something that changed: a list, or where there is none the resource of a URI.
struct Change {
  std::optional<List> list;
  std::string uri;  ///< As it was given to watch().
};

/// A message on one of several streams.
struct SentAs {
  std::uint32_t stream = 0;
  std::uint32_t number = 0;  ///< Of all messages of these streams; from 1.
};

/// What somebody wants to hear of, and what of it has changed since it was told.
///
/// Ownership: its owner's, as the last member, since it is told until this is gone. The hub outlives
///            it.
/// Threads:   any.
/// Bounds:    one mark for each thing it wants to hear of, however often that changes.
class Subscription {
 public:
  class Owner {
   public:
    /// Something is pending where nothing was. On the loop, under the shard's lock: the place to
    /// wake somebody, nothing else.
    virtual void on_changes() = 0;

   protected:
    ~Owner() = default;
  };

  Subscription(Subscriptions& hub, std::size_t loop, ListSet lists, Owner& owner);
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;
  ~Subscription();

  enum class Watch : std::uint8_t {
    watched,    ///< From now on, or it was already.
    too_many,   ///< It watches `most` others.
    no_memory,  ///< `limits.watched_uris`
  };
  /// Wants to hear of a resource too.
  [[nodiscard]] Watch watch(std::string_view uri, std::size_t most);
  /// Not any more; the text that watch() was given.
  void forget(std::string_view uri);
  [[nodiscard]] bool watches(std::string_view uri) const;
  /// Resources it wants to hear of.
  [[nodiscard]] std::size_t size() const;

  /// The next pending change, which is pending no longer: it is being told, as `sent`.
  [[nodiscard]] std::optional<Change> take(const SentAs& sent = {});
  [[nodiscard]] bool has_pending() const;
  /// Whatever was told on that stream after that message is pending again.
  void repeat_after(const SentAs& last);
  /// Everything is.
  void repeat_all();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace sluice::mcp
