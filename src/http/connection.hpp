#pragma once

#include <array>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/signal.hpp"
#include "buffer/frame_writer.hpp"
#include "http/loop.hpp"
#include "http/negotiate.hpp"
#include "http/request_body.hpp"
#include "http/response_head.hpp"
#include "json/document.hpp"
#include "mcp/exchange.hpp"

namespace sluice::http {

/// One client connection: reads requests one after the other (RFC 9112), checks what is HTTP's
/// business, hands them to the service, and sends the answers.
///
/// Ownership: its loop owns it, until run() has ended.
/// Threads:   the loop.
/// Bounds:    one request body (`limits.request_body`), 64 KiB of bytes read ahead, the writer's
///            window; while idle none of these.
/// Time:      tick() enforces all timeouts; operations themselves have none.
class Connection final : public mcp::Exchange,
                         private mcp::EventSource::Stream,
                         private Transport,
                         private HeadWriter {
 public:
  Connection(Loop& loop, boost::asio::ip::tcp::socket socket);
  ~Connection() override;

  static constexpr std::size_t kReadSmall =
      16 * 1024;  ///< A small request, head and body, in one read.
  static constexpr std::size_t kReadLarge = 64 * 1024;

  /// Serves until the connection ends.
  [[nodiscard]] Awaitable<void> run();

  void tick(std::chrono::steady_clock::time_point now);
  /// No further request after the one in progress; event streams end.
  void drain();
  /// Tells the running call that the server shuts down.
  void end_call();
  /// Cuts the connection off.
  void abort() noexcept override;
  void end() noexcept override;

  // mcp::Exchange
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) override;
  [[nodiscard]] std::string_view group() const noexcept override { return group_; }
  [[nodiscard]] std::string_view body() const noexcept override;
  [[nodiscard]] std::size_t body_capacity() const noexcept override;
  [[nodiscard]] json::Document& document() noexcept override { return *document_; }
  [[nodiscard]] bool takes_json() const noexcept override { return accept_.json; }
  [[nodiscard]] bool takes_events() const noexcept override { return accept_.events; }
  [[nodiscard]] bool takes_chunks() const noexcept override { return !http10_; }
  [[nodiscard]] ContentCoding accepted_coding() override {
    return choose_coding(header("Accept-Encoding"));
  }
  [[nodiscard]] mcp::LoopServices& loop() noexcept override { return loop_.services(); }
  [[nodiscard]] boost::asio::any_io_executor executor() override { return socket_.get_executor(); }
  void set_session_id(std::string id) override { session_id_ = std::move(id); }
  [[nodiscard]] Awaitable<void> reply(unsigned status, std::string_view message) override;
  [[nodiscard]] FrameWriter& writer() noexcept override { return writer_; }
  [[nodiscard]] Awaitable<void> reply_empty_stream() override;
  void hold_event_stream(std::unique_ptr<mcp::EventSource> source) override {
    source_ = std::move(source);
  }
  void listen(Listener* listener) override;
  /// Its slot belongs to the coroutine of run().
  [[nodiscard]] boost::asio::cancellation_signal& cancellation() noexcept override {
    return cancellation_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Parser = boost::beast::http::request_parser<RequestBody>;

  static constexpr std::size_t kMaxField = 256;  // of what is echoed in a response head

  enum class Phase : std::uint8_t { idle, head, body, handling, replying, streaming, lingering };
  enum class Read : std::uint8_t { request, refused, closed };

  using Resume = boost::asio::async_result<boost::asio::use_awaitable_t<>, void()>::handler_type;

  // Transport and HeadWriter, for the frame writer.
  [[nodiscard]] std::size_t write_now(std::span<const boost::asio::const_buffer> buffers) override;
  void write_some(std::span<const boost::asio::const_buffer> buffers, Done done,
                  void* self) override;
  [[nodiscard]] std::size_t write_head(std::span<char, kMaxHead> out,
                                       const BodyDecision& body) override;

  [[nodiscard]] Awaitable<void> serve_requests();
  [[nodiscard]] Awaitable<Read> read_request();
  [[nodiscard]] Awaitable<bool> fill();
  [[nodiscard]] Awaitable<void> serve();
  [[nodiscard]] Awaitable<void> refuse(unsigned status, std::string_view text);
  [[nodiscard]] Awaitable<void> refuse_unreadable(boost::system::error_code ec);
  [[nodiscard]] Awaitable<bool> send(std::span<const boost::asio::const_buffer> buffers);
  /// Holds the event stream of `source_` to its end.
  [[nodiscard]] Awaitable<void> hold();
  // False where the stream is over.
  [[nodiscard]] Awaitable<bool> open_event_stream();
  [[nodiscard]] Awaitable<bool> send_events();
  /// Part of an open event stream, behind `head`.
  [[nodiscard]] Awaitable<bool> send_piece(std::string_view head, std::string_view body);
  // mcp::EventSource::Stream
  void wake() override;
  void end_event_stream();
  [[nodiscard]] Awaitable<void> linger();
  /// What is wrong with the head: status and text, or status 0.
  struct Objection {
    unsigned status = 0;
    std::string_view text;
    bool closes = false;  ///< Where the body ends is not to be known.
  };
  [[nodiscard]] Objection object_to_head();
  /// The kernel's memory for a result: one that is ready has no second leg, and gets half as much
  /// again.
  void size_send_buffer(bool is_ready);
  [[nodiscard]] ResponseHead head_of(unsigned status) const noexcept;
  void set_phase(Phase phase, std::chrono::milliseconds time);
  /// Until there is something to read.
  [[nodiscard]] Awaitable<boost::system::error_code> wait_readable();
  [[nodiscard]] boost::asio::mutable_buffer room_to_read(std::size_t most);
  /// Nothing is held for a connection that waits between requests, or whose stream is silent.
  void give_read_buffer() noexcept;
  void watch();
  void on_readable(boost::system::error_code ec);
  void peer_is_gone();

  Loop& loop_;
  ServerContext& server_;
  boost::asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::unique_ptr<json::Document> document_;  // while a POST is served
  FrameWriter writer_;
  std::unique_ptr<mcp::EventSource> source_;  // of an event stream that stays open
  boost::asio::steady_timer stream_timer_;
  boost::asio::cancellation_signal cancellation_;
  std::string header_scratch_;
  std::string session_id_;
  std::string origin_;  // of the request, where it is allowed and there is one
  std::string requested_headers_;
  std::string_view allow_;
  std::string_view group_;  // in the request
  Acceptable accept_;
  Listener* listener_ = nullptr;
  std::optional<Resume> reader_;  // of the coroutine in wait_readable()
  boost::system::error_code read_error_;
  Clock::time_point deadline_{Clock::time_point::max()};
  Clock::time_point last_activity_{};  // of the response: a write begun or ended, a heartbeat
  Clock::time_point not_before_{};     // the source of the stream is asked again
  Phase phase_ = Phase::idle;
  bool http10_ = false;
  bool keep_alive_ = true;
  bool watching_ = false;  // a wait is under way: one at a time, whoever wants to know
  bool gone_ = false;
  bool timed_out_ = false;
  bool stream_over_ = false;
  bool woken_ = false;  // the source has something
  bool has_large_send_buffer_ = false;
};

}  // namespace sluice::http
