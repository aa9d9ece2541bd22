#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "load_answer.hpp"
#include "load_http.hpp"
#include "load_options.hpp"
#include "load_session.hpp"

namespace load {

using Clock = std::chrono::steady_clock;

/// One kept-alive connection with one call at a time on it.
///
/// Ownership: the options outlive it.
/// Errors:    a call that went wrong is Progress::failed and why() says how; the connection is then
///            opened anew by the next send().
class Connection {
 public:
  enum class Progress { waiting, answered, failed };

  /// Opens it, and a session on it in the legacy era. Throws Failure.
  explicit Connection(const Options& options);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Sends the next call. Throws Failure when it cannot be opened again.
  void send(Clock::time_point now);
  /// Takes what recv gave; `in` is empty when the server has closed the connection.
  [[nodiscard]] Progress take(std::string_view in, Clock::time_point now);

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool is_busy() const { return busy_; }
  /// Whether the socket is another than the last time that this was asked.
  [[nodiscard]] bool newly_opened() { return std::exchange(opened_, false); }
  [[nodiscard]] Clock::time_point sent() const { return sent_; }
  [[nodiscard]] std::optional<Clock::time_point> first_byte() const { return first_byte_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  /// Of the last answer that was decoded.
  [[nodiscard]] std::uint64_t text_bytes() const { return text_bytes_; }
  [[nodiscard]] std::uint64_t body_bytes() const { return response_.body_bytes(); }

  double credit = 0;  ///< Bytes that a slow reader may take by now.

 private:
  void open();
  void close();
  Progress fail(std::string why);
  Progress take_body(std::string_view piece);
  Progress finish();
  Progress check(const Answer& answer);

  const Options& options_;
  int fd_ = -1;
  bool opened_ = false;
  bool busy_ = false;
  std::string request_;
  std::size_t id_at_ = 0;  ///< Where the digits of the id stand in the request.
  ResponseReader response_;
  AnswerReader message_;
  EventReader events_;
  bool decoding_ = true;
  std::string refusal_;  ///< What came with a status other than 200.
  std::optional<std::uint64_t> first_length_;
  std::uint64_t text_bytes_ = 0;
  Clock::time_point sent_;
  std::optional<Clock::time_point> first_byte_;
  std::string why_;
};

}  // namespace load
