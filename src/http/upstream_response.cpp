#include "http/upstream_response.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <cstring>
#include <utility>

#include "base/check.hpp"

namespace sluice::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

namespace {

// Of what comes from a stranger and goes into a message.
std::string printable(beast::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 80)) out += c >= ' ' && c < '\x7f' ? c : '?';
  return out;
}

}  // namespace

/// Beast's parser, with the body recorded as a view instead of being put somewhere.
class UpstreamResponse::Parser final : public beast::http::basic_parser<false> {
 public:
  explicit Parser(UpstreamHead& head) : head_(head) {}

  std::string_view piece;  ///< Of the body, from the last put().
  std::string transfer;    ///< Transfer-Encoding

 private:
  using Text = beast::string_view;

  void on_request_impl(beast::http::verb, Text, Text, int, error_code&) override {}
  void on_response_impl(int code, Text reason, int, error_code&) override {
    head_.status = static_cast<unsigned>(code);
    head_.reason = printable(reason);
  }
  void on_field_impl(beast::http::field name, Text, Text value, error_code&) override {
    using beast::http::field;
    switch (name) {
      case field::content_type:
        set(head_.content_type, value);
        break;
      case field::location:
        set(head_.location, value);
        break;
      case field::link:
        append(head_.link, value);
        break;
      case field::retry_after:
        head_.retry_after = printable(value);
        break;
      case field::content_encoding:
        append(head_.content_encoding, value);
        break;
      case field::transfer_encoding:
        append(transfer, value);
        break;
      default:
        break;
    }
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(Text body, error_code&) override { return take(body); }
  void on_chunk_header_impl(std::uint64_t, Text, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, error_code&) override {
    return take(body);
  }
  void on_finish_impl(error_code&) override {}

  static void set(std::string& to, Text value) { to.assign(value.data(), value.size()); }
  static void append(std::string& to, Text value) {
    if (!to.empty()) to += ", ";
    to.append(value.data(), value.size());
  }
  std::size_t take(Text body) noexcept {
    piece = {body.data(), body.size()};
    return body.size();
  }

  UpstreamHead& head_;
};

UpstreamResponse::UpstreamResponse(FramePool& frames, UpstreamConnection& connection,
                                   bool is_head_request)
    : frames_(frames), connection_(connection), is_head_request_(is_head_request) {}

UpstreamResponse::~UpstreamResponse() = default;

void UpstreamResponse::start_parser() {
  head_ = {};
  parser_ = std::make_unique<Parser>(head_);
  parser_->header_limit(static_cast<std::uint32_t>(kFrameBytes));
  parser_->body_limit(boost::none);
  parser_->skip(is_head_request_);
}

error_code UpstreamResponse::malformed(std::string text) {
  problem_ = std::move(text);
  return make_error_code(Errc::source_failed);
}

bool UpstreamResponse::is_complete() const noexcept { return parser_ && parser_->is_done(); }

bool UpstreamResponse::keeps_connection() const noexcept {
  return parser_->is_done() && parser_->keep_alive() && !has_surplus_;
}

void UpstreamResponse::release() noexcept {
  has_surplus_ = has_surplus_ || begin_ != end_;
  begin_ = end_ = kFront;
  frame_.reset();
}

// One step of the parser over what is in the frame; need_more where that is not enough.
error_code UpstreamResponse::parse() {
  parser_->piece = {};
  if (begin_ == end_) return beast::http::error::need_more;
  error_code ec;
  begin_ += parser_->put(asio::const_buffer(frame_.data() + begin_, end_ - begin_), ec);
  if (!ec || ec == beast::http::error::need_more) return ec;
  if (ec == beast::http::error::header_limit) return malformed("the head is longer than 64 KiB");
  return malformed(ec.message());
}

// A status line may end behind the status (some servers leave the space out with the reason,
// against RFC 9112 section 4); Beast wants the space. There is always a byte to spare in front.
void UpstreamResponse::mend_status_line() noexcept {
  constexpr std::size_t kStatusEnd = std::string_view("HTTP/1.1 200").size();
  char* const line = frame_.data() + begin_;
  if (end_ - begin_ <= kStatusEnd || line[kStatusEnd] != '\r') return;
  if (std::memcmp(line, "HTTP/1.", 7) != 0) return;
  std::memmove(line - 1, line, kStatusEnd);
  line[kStatusEnd - 1] = ' ';
  --begin_;
}

// Moves what is left to the front; false where the frame is full of it.
bool UpstreamResponse::make_room() noexcept {
  if (begin_ == end_) {
    begin_ = end_ = kFront;
  } else if (begin_ > kFront) {
    std::memmove(frame_.data() + kFront, frame_.data() + begin_, end_ - begin_);
    end_ -= begin_ - kFront;
    begin_ = kFront;
  }
  return end_ < kFrameBytes;
}

Awaitable<Result<>> UpstreamResponse::read_head() {
  // An upstream that takes its time holds no frame.
  const error_code ready = co_await connection_.wait_readable();
  if (ready) co_return ready;
  frame_ = frames_.take();
  if (!frame_) {
    problem_ = make_error_code(Errc::frames_exhausted).message();
    co_return make_error_code(Errc::frames_exhausted);
  }
  start_parser();
  int interim = 0;
  while (true) {
    mend_status_line();
    const error_code parsed = parse();
    if (parsed == beast::http::error::need_more) {
      if (!make_room()) co_return malformed("the head is longer than 64 KiB");
      const Result<std::size_t> read =
          co_await connection_.read_some(asio::buffer(frame_.data() + end_, kFrameBytes - end_));
      if (!read) {
        if (read.error() == asio::error::eof && begun_)
          co_return malformed("the head is cut short");
        co_return read.error();
      }
      begun_ = true;
      end_ += *read;
      continue;
    }
    if (parsed) co_return parsed;
    if (!parser_->is_header_done()) continue;
    if (head_.status < 100) co_return malformed("its status is no status");
    if (head_.status == 101)
      co_return malformed("it switches to a protocol that was not asked for");
    if (head_.status >= 200) break;
    if (++interim > kMaxInterim) co_return malformed("it sends 1xx responses without end");
    start_parser();
  }
  if (parser_->chunked() || !parser_->transfer.empty()) {
    if (!beast::iequals(parser_->transfer, "chunked")) {
      co_return malformed("its transfer coding is not chunked alone");
    }
  }
  if (const auto length = parser_->content_length()) head_.content_length = *length;
  if (parser_->is_done()) release();
  co_return Result<>();
}

Awaitable<Result<std::string_view>> UpstreamResponse::read_body() {
  while (!parser_->is_done()) {
    const error_code parsed = parse();
    if (!parsed) {
      if (parser_->piece.empty()) continue;
      body_bytes_ += parser_->piece.size();
      co_return parser_->piece;
    }
    if (parsed != beast::http::error::need_more) co_return parsed;
    if (!make_room())
      co_return malformed("a chunk's size line or the trailer is longer than 64 KiB");
    const Result<std::size_t> read =
        co_await connection_.read_some(asio::buffer(frame_.data() + end_, kFrameBytes - end_));
    if (!read) {
      if (read.error() != asio::error::eof) co_return read.error();
      error_code ec;
      parser_->put_eof(ec);
      if (ec) co_return asio::error::eof;
      continue;
    }
    end_ += *read;
  }
  release();
  co_return std::string_view();
}

}  // namespace sluice::http
