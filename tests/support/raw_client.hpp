#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::testing {

/// An HTTP response as it came.
struct Response {
  int status = 0;  ///< 0: none came.
  std::string head;
  std::string body;                 ///< Without the framing.
  std::vector<std::size_t> chunks;  ///< Sizes, where it is chunked.
  bool is_chunked = false;
  bool is_complete = false;  ///< By its own framing.

  /// A field's value; the name in any case.
  [[nodiscard]] std::optional<std::string> field(std::string_view name) const;
  [[nodiscard]] bool is_event_stream() const;
};

/// A plain TCP connection to 127.0.0.1 that sends bytes as they are given.
class RawClient {
 public:
  struct Options {
    int receive_buffer = 0;  ///< 0: the system's choice. A small one makes a slow reader.
  };
  RawClient() = default;
  explicit RawClient(std::uint16_t port) : RawClient(port, Options()) {}
  RawClient(std::uint16_t port, const Options& options);
  RawClient(RawClient&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)) {}
  RawClient& operator=(RawClient&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(in_, other.in_);
    return *this;
  }
  ~RawClient() { close(); }

  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  /// False where the peer takes no more.
  bool send(std::string_view bytes);
  /// Each byte in a segment of its own.
  bool send_by_byte(std::string_view bytes);
  void finish_sending();
  void close();
  /// Closes with a reset.
  void reset();

  /// The next response, to its end or the connection's. `to_head`: the answer to HEAD has no body.
  [[nodiscard]] Response read(bool to_head = false);
  /// The head of the next response alone; the body then comes through read_raw() or read_rest().
  [[nodiscard]] Response read_head();
  void read_rest(Response& response, bool to_head = false);
  /// Body bytes until `text` has come; false where the body ends without.
  [[nodiscard]] bool read_until(Response& response, std::string_view text);
  /// The next piece of the body; false at its end.
  [[nodiscard]] bool read_piece(Response& response) { return take_body_piece(response); }
  /// What has come, at least one byte; empty at the end of the connection.
  [[nodiscard]] std::string read_raw();
  /// True where the peer has closed and sends nothing more.
  [[nodiscard]] bool reads_end();

 private:
  bool fill();
  bool take_body_piece(Response& response);

  int fd_ = -1;
  std::string in_;
};

}  // namespace sluice::testing
