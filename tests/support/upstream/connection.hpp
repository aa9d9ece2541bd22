#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "answers.hpp"

namespace upstream {

struct Counts {
  std::uint64_t requests = 0;
  std::uint64_t completed = 0;
  std::uint64_t abandoned = 0;
};

/// One client: reads requests, and sends the answer to each by gathered writes as its socket takes it.
///
/// Ownership: closes its socket. Answers and counts outlive it.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  Connection(int socket, Answers& answers, Counts& counts)
      : socket_(socket), answers_(answers), counts_(counts) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Goes on as far as it can, after an event of epoll or at due(). False: it is over.
  [[nodiscard]] bool go_on(std::uint32_t events);
  /// The events of epoll that it waits for now.
  [[nodiscard]] std::uint32_t waits_for() const;
  /// When it goes on without an event.
  [[nodiscard]] std::optional<Clock::time_point> due() const { return due_; }
  [[nodiscard]] int socket() const { return socket_; }

  std::uint32_t watched = 0;  ///< The events that the poll has for it.

 private:
  enum class State { requests, delay, sending, pause };

  bool receive();
  bool begin_next();
  bool send();
  bool finish();
  [[nodiscard]] std::shared_ptr<const Answer> stats() const;

  int socket_;
  Answers& answers_;
  Counts& counts_;
  State state_ = State::requests;
  std::string input_;
  std::shared_ptr<const Answer> answer_;
  std::size_t sent_ = 0;
  std::optional<Clock::time_point> due_;
};

}  // namespace upstream
