// Event streams that stay open: the connection sends what their source gives, and signs of life.

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>

#include "base/await.hpp"
#include "http/connection.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;

constexpr std::string_view kComment = ": keep-alive\n\n";

}  // namespace

Awaitable<bool> Connection::send_piece(std::string_view head, std::string_view body) {
  char line[20];
  std::size_t line_size = 0;
  if (!http10_) {
    const auto end = std::to_chars(line, line + 16, body.size(), 16).ptr;
    line_size = static_cast<std::size_t>(std::copy_n("\r\n", 2, end) - line);
  }
  const std::array<asio::const_buffer, 4> parts{
      asio::buffer(head.data(), head.size()), asio::buffer(line, line_size),
      asio::buffer(body.data(), body.size()), asio::buffer("\r\n", http10_ ? 0u : 2u)};
  const bool sent = co_await send(parts);
  if (!sent) gone_ = true;
  co_return sent;
}

// Apart, so that the stream does not keep the room for a head.
Awaitable<bool> Connection::open_event_stream() {
  auto head = head_of(200);
  head.content_type = "text/event-stream";
  char text[kMaxHead];
  const std::size_t n = write_response_head(text, head);
  std::string events;
  const auto state = source_->next(events);
  // So that proxies and clients see the stream open.
  if (events.empty()) events = kComment;
  const bool sent = co_await send_piece({text, n}, events);
  co_return sent&& state == mcp::EventSource::State::open;
}

Awaitable<bool> Connection::send_events() {
  std::string events;
  for (;;) {
    events.clear();
    const auto state = source_->next(events);
    if (!events.empty()) {
      const bool sent = co_await send_piece({}, events);
      if (!sent) co_return false;
    }
    if (state == mcp::EventSource::State::over) co_return false;
    if (events.empty() || gone_ || stream_over_) break;
  }
  not_before_ = Clock::now() + source_->interval();
  co_return true;
}

Awaitable<void> Connection::hold() {
  struct Gone final : Listener {
    explicit Gone(Connection& c) : connection(c) {}
    void on_peer_gone() override { connection.wake(); }
    void on_shutdown() override { connection.end_event_stream(); }
    Connection& connection;
  } gone(*this);

  // Nothing more is expected, and the stream may stay for hours.
  parser_.reset();
  group_ = {};
  give_read_buffer();
  if (http10_) keep_alive_ = false;
  stream_over_ = false;
  source_->feed(this);
  bool is_open = co_await open_event_stream();
  session_id_ = {};
  listen(&gone);
  woken_ = is_open;  // the first piece may not have been all
  not_before_ = {};
  bool is_drained = false;
  while (is_open && !gone_ && !stream_over_) {
    phase_ = Phase::streaming;
    deadline_ = Clock::time_point::max();
    if (loop_.is_draining() && !is_drained) {
      is_drained = woken_ = true;
      not_before_ = {};
      source_->on_drain();
    }
    const auto now = Clock::now();
    if (woken_ && now >= not_before_) {
      woken_ = false;
      is_open = co_await send_events();
      continue;
    }
    const auto heartbeat = now + server_.config->timeouts.heartbeat;
    stream_timer_.expires_at(woken_ ? std::min(not_before_, heartbeat) : heartbeat);
    const auto waited = co_await stream_timer_.async_wait(kAwaitTuple);
    const auto& [cancelled] = waited;
    if (cancelled || woken_ || gone_ || stream_over_ || source_->is_amid_event()) continue;
    is_open = co_await send_piece({}, kComment);
  }
  listen(nullptr);
  source_.reset();
  if (!gone_ && !http10_) {
    const asio::const_buffer last = asio::buffer("0\r\n\r\n", 5);
    const bool sent = co_await send({&last, 1});
    if (!sent) gone_ = true;
  }
}

void Connection::wake() {
  woken_ = true;
  stream_timer_.cancel();
}

void Connection::end_event_stream() {
  stream_over_ = true;
  stream_timer_.cancel();
}

}  // namespace sluice::http
