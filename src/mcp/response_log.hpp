#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "buffer/event_log.hpp"
#include "mcp/event_id.hpp"
#include "mcp/revision.hpp"
#include "mcp/session_inbox.hpp"

namespace sluice::mcp {

/// Keeps, with its session, the answer to a request whose client may lose the connection.
///
/// Ownership: lives in the coroutine that answers the request. The inbox outlives it.
/// Threads:   the call's loop.
/// Bounds:    nothing is held before the stream opens ahead of the result; then what the session
///            keeps.
class ResponseLog final : public EventLog {
 public:
  /// Of an inbox of null nothing is kept. `request` is the id of the request, JSON text; `retry` is
  /// `server.retry`.
  ResponseLog(SessionInbox* inbox, const Revision& revision, std::string_view request,
              std::chrono::milliseconds retry)
      : inbox_(inbox), revision_(revision), request_(request), retry_(retry) {}

  /// For a FrameWriter; null where nothing is kept.
  [[nodiscard]] EventLog* get() noexcept { return inbox_ != nullptr ? this : nullptr; }

  [[nodiscard]] bool primes() const noexcept override {
    return revision_.resumption == Revision::Resumption::primed;
  }
  [[nodiscard]] std::string_view prime() override;
  [[nodiscard]] std::string_view event(std::string_view json) override;
  void result(std::string_view bytes) override;
  void end(End end) override;

 private:
  /// `id: ...`, a line, for the next event.
  void begin_text();

  SessionInbox* const inbox_;
  const Revision& revision_;
  const std::string_view request_;
  const std::chrono::milliseconds retry_;
  std::uint32_t stream_ = 0;  // 0: none yet
  std::uint32_t number_ = 0;
  std::string text_;
};

}  // namespace sluice::mcp
