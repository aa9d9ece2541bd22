#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sluice/result_writer.hpp>

#include "buffer/frame_pool.hpp"
#include "http/upstream_connection.hpp"

namespace sluice::http {

/// What of a response's head is of use here.
struct UpstreamHead {
  unsigned status = 0;
  std::string reason;  ///< "Not Found"; printable, may be empty.
  std::string content_type;
  std::string content_encoding;  ///< All fields of that name as one list.
  std::string location;
  std::string link;  ///< All fields of that name as one list (RFC 8288).
  std::string retry_after;
  std::optional<std::uint64_t> content_length;
};

/// Reads one response (RFC 9112) from a connection into one frame and hands its body on as views
/// into that frame: nothing is copied but what a read cut in the middle of a chunk's size line.
///
/// Ownership: holds the frame from the first byte of the response until its end or its own; borrows
///            pool and connection.
/// Threads:   one loop.
/// Bounds:    one frame; a head of less than that (Errc::source_failed above), at most kMaxInterim
///            1xx before it.
/// Errors:    Errc::source_failed for what is no HTTP response and Errc::frames_exhausted:
///            problem() says what; else what the connection said. The connection is of no use after
///            one.
class UpstreamResponse {
 public:
  static constexpr int kMaxInterim = 16;

  UpstreamResponse(FramePool& frames, UpstreamConnection& connection, bool is_head_request);
  UpstreamResponse(const UpstreamResponse&) = delete;
  UpstreamResponse& operator=(const UpstreamResponse&) = delete;
  ~UpstreamResponse();

  [[nodiscard]] Awaitable<Result<>> read_head();
  [[nodiscard]] const UpstreamHead& head() const noexcept { return head_; }
  /// The next bytes of the body; empty at its end. Valid until the next call. REQUIRES: read_head()
  /// went well.
  [[nodiscard]] Awaitable<Result<std::string_view>> read_body();

  /// A byte of the response has come in.
  [[nodiscard]] bool has_begun() const noexcept { return begun_; }
  [[nodiscard]] bool is_complete() const noexcept;
  /// The connection may take the next request. REQUIRES: is_complete().
  [[nodiscard]] bool keeps_connection() const noexcept;
  /// Gives the frame back; nothing can be read from here on.
  void release() noexcept;
  /// Bytes of the body so far, as they were sent.
  [[nodiscard]] std::uint64_t body_bytes() const noexcept { return body_bytes_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  class Parser;

  [[nodiscard]] boost::system::error_code malformed(std::string text);
  [[nodiscard]] boost::system::error_code parse();
  [[nodiscard]] bool make_room() noexcept;
  void mend_status_line() noexcept;
  void start_parser();

  static constexpr std::size_t kFront = 1;  // kept free for mend_status_line()

  FramePool& frames_;
  UpstreamConnection& connection_;
  const bool is_head_request_;
  UpstreamHead head_;
  std::unique_ptr<Parser> parser_;
  Frame frame_;
  std::size_t begin_ = kFront;  // of what is in the frame and not parsed
  std::size_t end_ = kFront;
  std::uint64_t body_bytes_ = 0;
  bool begun_ = false;
  bool has_surplus_ = false;  // bytes behind the end
  std::string problem_;
};

}  // namespace sluice::http
