#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace load {

/// What the load client reads of a response's head.
struct ResponseHead {
  int status = 0;
  bool events = false;  ///< text/event-stream; else one JSON message.
  bool closes = false;  ///< The connection ends with this response.
  std::string session;  ///< Mcp-Session-Id.
};

/// Takes responses apart as their bytes come: a head, then the body in pieces without their chunk
/// framing. Copies no byte of a body.
///
/// Errors: what is no HTTP/1.1 response is Step::bad, and why() tells; the reader is then of no
///         further use.
class ResponseReader {
 public:
  enum class Step {
    more,  ///< All of the bytes are used up.
    head,  ///< head() is there.
    body,  ///< piece() is there, a view into the bytes given.
    done,  ///< The response is complete; what follows is the next one's.
    bad,
  };

  /// The next thing in `in`, which is shortened by what it used.
  [[nodiscard]] Step next(std::string_view& in);
  /// Says that the connection has ended: whether that was the end of the response, too.
  [[nodiscard]] bool ends_with_connection() const { return state_ == State::until_close; }

  [[nodiscard]] const ResponseHead& head() const { return head_; }
  [[nodiscard]] std::string_view piece() const { return piece_; }
  /// Bytes of body so far, or of the last response when it is done.
  [[nodiscard]] std::uint64_t body_bytes() const { return body_bytes_; }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  enum class State { head, fixed, size, chunk, chunk_end, last, until_close };

  Step read_head(std::string_view& in);
  Step read_size(std::string_view& in);
  Step read_last(std::string_view& in);
  bool parse_head();
  Step done();
  Step bad(std::string why);

  State state_ = State::head;
  ResponseHead head_;
  std::string lines_;  ///< The head, or a chunk's size line, as far as it has come.
  std::string_view piece_;
  std::uint64_t left_ = 0;
  std::uint64_t body_bytes_ = 0;
  std::string why_;
};

}  // namespace load
