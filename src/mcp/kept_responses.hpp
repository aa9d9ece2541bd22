#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/stopper.hpp"

namespace sluice::mcp {

/// Memory for what all sessions keep (`limits.replays`).
///
/// Threads: any.
class ReplayBudget {
 public:
  explicit ReplayBudget(std::uint64_t max) noexcept : max_(max) {}
  ReplayBudget(const ReplayBudget&) = delete;
  ReplayBudget& operator=(const ReplayBudget&) = delete;

  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    if (used_.fetch_add(bytes) + bytes <= max_) return true;
    used_.fetch_sub(bytes);
    return false;
  }
  void give(std::uint64_t bytes) noexcept { used_.fetch_sub(bytes); }
  [[nodiscard]] std::uint64_t used() const noexcept { return used_.load(); }

 private:
  const std::uint64_t max_;
  std::atomic<std::uint64_t> used_{0};
};

/// The answers of one session that its client can come back for: the events that went ahead of the
/// result, and the result.
///
/// Ownership: the session's; the budget outlives it.
/// Threads:   any; its own lock.
/// Bounds:    `limits.replay` bytes. Where there is no room, the oldest answers that are complete
///            go, then the oldest events of the one that grows; a result that does not fit is not
///            kept, and who asks for it is told so.
/// Time:      an answer that is complete is kept for `timeouts.replay`.
class KeptResponses {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State : std::uint8_t {
    open,       ///< There is more to come.
    whole,      ///< The result is there; empty: the request has none, since it was cancelled.
    too_large,  ///< The result did not fit.
    broken,     ///< The result broke off.
  };

  KeptResponses(ReplayBudget& budget, std::uint64_t max, std::chrono::milliseconds life)
      : budget_(budget), max_(max), life_(life) {}
  KeptResponses(const KeptResponses&) = delete;
  KeptResponses& operator=(const KeptResponses&) = delete;
  ~KeptResponses();

  // The call's half. What it says of a stream that is not kept means nothing.

  /// `request` is the id of the request.
  void begin(std::uint32_t stream, std::string_view request);
  /// Keeps an event, with its fields, under its number.
  void add_event(std::uint32_t stream, std::uint32_t number, std::string text);
  void add_result(std::uint32_t stream, std::string_view bytes);
  void end(std::uint32_t stream, bool is_whole);

  // The client's half.

  /// How far somebody has read.
  struct Position {
    std::uint32_t number = 0;  ///< Of the last event.
    std::size_t result = 0;    ///< Bytes of the result.
  };
  struct Piece {
    bool is_kept = false;  ///< False: the stream is none, or no longer.
    State state = State::open;
    bool is_all = false;  ///< The result, if there is one, is given to its end.
    std::string request;
  };
  /// Appends what follows, about `most` bytes of it, and moves on. Of the result nothing is given
  /// before it is complete; then as one event, with `fields`, lines of their own, in front.
  [[nodiscard]] Piece read(std::uint32_t stream, Position& position, std::size_t most,
                           std::string_view fields, std::string& out);
  enum class Rest : std::uint8_t { unknown, nothing, something };
  /// What follows, or may yet.
  [[nodiscard]] Rest rest_of(std::uint32_t stream, const Position& position);
  /// Who is woken when there is more; the last that came.
  void follow(std::uint32_t stream, std::weak_ptr<Stopper> reader);

  /// Forgets what has been kept for long enough.
  void sweep(Clock::time_point now);

 private:
  struct Event {
    std::uint32_t number;
    std::string text;
  };
  struct Response {
    std::string request;
    std::deque<Event> events;
    std::string result;
    State state = State::open;
    Clock::time_point ended{};
    std::weak_ptr<Stopper> reader;
  };
  using Responses = std::map<std::uint32_t, Response>;  // the oldest first

  // REQUIRES of these: the lock is held.
  [[nodiscard]] bool make_room(Response& growing, std::uint64_t bytes);
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept;
  void give(std::uint64_t bytes) noexcept;
  void drop(Responses::iterator response);
  void drop_result(Response& response, State why);

  ReplayBudget& budget_;
  const std::uint64_t max_;
  const std::chrono::milliseconds life_;
  std::mutex mutex_;
  std::uint64_t used_ = 0;
  Responses responses_;
};

}  // namespace sluice::mcp
