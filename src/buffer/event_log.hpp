#pragma once

#include <cstddef>
#include <string_view>

namespace sluice {

/// What a FrameWriter tells of an event stream whose client may lose the connection and come back
/// for the rest: gives events their ids, and keeps what goes out.
///
/// Ownership: the call's; outlives the response.
/// Threads:   the response's loop.
class EventLog {
 public:
  /// The most that prime() and event() give.
  static constexpr std::size_t kMostText = 512;

  EventLog() = default;
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;
  virtual ~EventLog() = default;

  /// Whether the client understands an event without data.
  [[nodiscard]] virtual bool primes() const noexcept = 0;
  /// Such an event, which goes ahead of all others, so that the client has an id to come back with.
  /// Once, as soon as the stream opens. Valid until the next call of anything here. REQUIRES:
  /// primes().
  [[nodiscard]] virtual std::string_view prime() = 0;
  /// Keeps a message that goes out as an event of its own. The lines in front of its data, valid
  /// until the next call.
  [[nodiscard]] virtual std::string_view event(std::string_view json) = 0;
  /// Keeps part of the result, once the client has an id.
  virtual void result(std::string_view bytes) = 0;
  enum class End : bool { whole, broken };
  /// There is no more to come.
  virtual void end(End end) = 0;
};

}  // namespace sluice
