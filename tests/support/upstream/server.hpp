#pragma once

#include <cstdint>

namespace upstream {

/// What the program answers to. GET /data and GET /v1/{market}/data, both with a query of
///   bytes=N or sizeMb=N    how large the table is (1 MiB by default)
///   delay_ms=N             waits before it answers
///   pause_after=N          sends N bytes of the body and then nothing more until the client has
///   gone break_after=N          closes the connection after N bytes of the body status=N answers
///   with another status chunked=1              sends the body in chunks, without Content-Length
/// GET /stats                {"requests":N,"completed":N,"abandoned":N}, which count the answers to
/// /data
///
/// Threads: one per connection, so that a slow reader holds up nobody else.
class Server {
 public:
  /// Binds to loopback. Throws std::system_error.
  explicit Server(std::uint16_t port);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  /// Accepts for ever.
  void run();

 private:
  int listener_ = -1;
};

}  // namespace upstream
