#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "answers.hpp"
#include "connection.hpp"

namespace upstream {

/// What the program answers to. GET /data and GET /v1/{market}/data, both with a query of
///
///   bytes=N or sizeMb=N  how large the table is (1 MiB by default)
///   delay_ms=N           waits before it answers
///   pause_after=N        sends N bytes of the body, then nothing more until the client has gone
///   break_after=N        closes the connection after N bytes of the body
///   status=N             answers with another status
///   chunked=1            sends the body in chunks, without Content-Length
///
/// GET /stats: {"requests":N,"completed":N,"abandoned":N}, which count the answers to /data.
///
/// Threads: one, with epoll and sockets that do not block: a slow reader holds up nobody else, and it
///          costs little beside the server that is measured with it.
class Server {
 public:
  /// Binds to loopback. Throws std::system_error.
  explicit Server(std::uint16_t port);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  /// Accepts and answers for ever.
  void run();

 private:
  void accept_all();
  void go_on(Connection& connection, std::uint32_t events);
  void go_on_with_the_due();
  [[nodiscard]] int wait_ms() const;

  int listener_ = -1;
  int poll_ = -1;
  Answers answers_;
  Counts counts_;
  std::map<Connection*, std::unique_ptr<Connection>> connections_;
  std::multimap<Connection::Clock::time_point, Connection*> due_;
};

}  // namespace upstream
