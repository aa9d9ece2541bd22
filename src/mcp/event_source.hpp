#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sluice::mcp {

/// What feeds an event stream that stays open. The connection that holds the stream asks for events
/// when it is woken, and sends them.
///
/// Ownership: the stream's, see Exchange::hold_event_stream().
/// Threads:   the stream's loop.
/// Bounds:    while a piece is on its way nothing more is asked for, so what waits is for the source
///            to bound.
class EventSource {
 public:
  /// About as much as next() gives at once.
  static constexpr std::size_t kPiece = 16 * 1024;

  enum class State : std::uint8_t { open, over };
  class Stream {
   public:
    virtual void wake() = 0;

   protected:
    ~Stream() = default;
  };

  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  virtual ~EventSource() = default;

  /// Appends events to `out`: those that are pending, or the first of them, or a part of a long
  /// one. Nothing appended: there are none. `over`: the stream ends behind them.
  [[nodiscard]] virtual State next(std::string& out) = 0;
  /// The last thing that was given is part of an event, so nothing may follow it but the rest.
  [[nodiscard]] virtual bool is_amid_event() const noexcept { return false; }
  /// The server stops: calls may go on for a while, what waits for nothing but changes ends.
  virtual void on_drain() = 0;
  /// How long to wait, once there was nothing pending, before next() is asked again: what comes
  /// meanwhile can be merged.
  [[nodiscard]] virtual std::chrono::milliseconds interval() const noexcept {
    return std::chrono::milliseconds(0);
  }

  /// The stream that it feeds; null: none.
  void feed(Stream* stream) noexcept { stream_ = stream; }

 protected:
  /// There is something to ask for. From the loop.
  void wake() {
    if (stream_ != nullptr) stream_->wake();
  }

 private:
  Stream* stream_ = nullptr;
};

}  // namespace sluice::mcp
