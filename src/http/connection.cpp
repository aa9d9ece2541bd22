#include "http/connection.hpp"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>

#include "base/await.hpp"
#include "mcp/errors.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;

constexpr std::size_t kReadSmall = 16 * 1024;  // a small request, head and body, in one read
constexpr std::size_t kReadLarge = 64 * 1024;
constexpr int kSendBuffer = 256 * 1024;
constexpr std::size_t kMaxField = 256;         // of what is echoed in a response head
constexpr std::size_t kMaxLinger = 16 * 1024 * 1024;

/// The buffers of one write. Asio keeps a copy of the sequence until the write is done, and a span's copy would point to
/// what its owner may have dropped by then.
class Gather {
 public:
  explicit Gather(std::span<const asio::const_buffer> buffers) : size_(std::min(buffers.size(), parts_.size())) {
    std::copy_n(buffers.begin(), size_, parts_.begin());
  }
  [[nodiscard]] const asio::const_buffer* begin() const noexcept { return parts_.data(); }
  [[nodiscard]] const asio::const_buffer* end() const noexcept { return parts_.data() + size_; }

 private:
  std::array<asio::const_buffer, 8> parts_;
  std::size_t size_;
};

/// Drops empty lines before a request (RFC 9112 section 2.2); false while what is left may be half of one.
bool skip_empty_lines(beast::flat_buffer& buffer) {
  while (buffer.size() > 0) {
    const auto* bytes = static_cast<const char*>(buffer.data().data());
    if (bytes[0] != '\r') return true;
    if (buffer.size() == 1) return false;
    if (bytes[1] != '\n') return true;
    buffer.consume(2);
  }
  return false;
}

}  // namespace

Connection::Connection(Loop& loop, asio::ip::tcp::socket socket)
    : loop_(loop),
      server_(loop.server()),
      socket_(std::move(socket)),
      buffer_(kReadLarge + server_.config->limits.request_head),
      writer_(*this, loop.frames(), *this),
      stream_timer_(socket_.get_executor()) {
  document_.set_max_values(server_.config->limits.values);
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  // Kernel memory counts as memory: left to itself a slow reader's buffer grows to megabytes.
  socket_.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ignored);
}

Connection::~Connection() = default;

void Connection::set_phase(Phase phase, std::chrono::milliseconds time) {
  phase_ = phase;
  deadline_ = Clock::now() + time;
}

Awaitable<void> Connection::run() {
  try {
    co_await serve_requests();
  } catch (const std::exception& e) {
    spdlog::error("connection ended: {}", e.what());
  }
  boost::system::error_code ignored;
  socket_.close(ignored);
  co_await writer_.settle();
  while (watching_) {
    // The wait that was cancelled still has to be called back before this object may die.
    asio::steady_timer turn(socket_.get_executor(), Clock::now());
    const auto turned = co_await turn.async_wait(kAwaitTuple);
    static_cast<void>(turned);
  }
}

Awaitable<void> Connection::serve_requests() {
  while (keep_alive_ && !gone_) {
    const Read read = co_await read_request();
    if (read == Read::closed) break;
    if (read == Read::request) co_await serve();
    co_await writer_.settle();
    if (writer_.error()) break;  // bytes are missing: no further answer can follow
    document_.clear();
    parser_.reset();
  }
}

Awaitable<bool> Connection::fill() {
  if (buffer_.size() == buffer_.max_size()) co_return false;
  const bool small = phase_ != Phase::body;
  for (;;) {
    boost::system::error_code ec;
    if (phase_ != Phase::idle) {
      const auto room = buffer_.prepare(
          std::min(small ? kReadSmall : kReadLarge, buffer_.max_size() - buffer_.size()));
      const std::size_t n = socket_.read_some(room, ec);
      if (!ec) {
        buffer_.commit(n);
        co_return true;
      }
      if (ec != asio::error::would_block && ec != asio::error::try_again) co_return false;
    }
    // Nothing is allocated for a connection that waits between requests.
    if (buffer_.size() == 0) buffer_.shrink_to_fit();
    const auto waited = co_await socket_.async_wait(asio::socket_base::wait_read, kAwaitTuple);
    const auto& [failed] = waited;
    if (failed) co_return false;
    if (phase_ == Phase::idle) set_phase(Phase::head, server_.config->timeouts.header);
  }
}

Awaitable<Connection::Read> Connection::read_request() {
  const auto& limits = server_.config->limits;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limits.request_head));
  parser_->body_limit(limits.request_body);
  session_id_.clear();
  origin_.clear();
  requested_headers_.clear();
  allow_ = {};
  accept_ = {};
  http10_ = false;
  timed_out_ = false;
  if (buffer_.size() > 0)
    set_phase(Phase::head, server_.config->timeouts.header);
  else
    set_phase(Phase::idle, server_.config->timeouts.idle);

  boost::system::error_code ec;
  bool head_seen = false;
  Objection objection;
  std::ptrdiff_t fields = 0;
  while (!parser_->is_done()) {
    ec = bhttp::error::need_more;
    const bool begun = parser_->got_some() || skip_empty_lines(buffer_);
    if (!begun && buffer_.size() == 0) set_phase(Phase::idle, server_.config->timeouts.idle);
    if (begun && buffer_.size() > 0) {
      const std::size_t n = parser_->put(buffer_.data(), ec);
      buffer_.consume(n);
    }
    if (ec && ec != bhttp::error::need_more) {
      co_await refuse_unreadable(ec);
      co_return Read::refused;
    }
    if (parser_->is_header_done() && !head_seen) {
      head_seen = true;
      parser_->eager(true);
      set_phase(Phase::body, server_.config->timeouts.body);
      http10_ = parser_->get().version() < 11;
      objection = object_to_head();
      fields = std::distance(parser_->get().begin(), parser_->get().end());
      parser_->get().body().drop = objection.status != 0;
      parser_->get().body().charge = BodyCharge(server_.bodies);
      if (objection.closes) {
        keep_alive_ = false;
        co_await refuse(objection.status, objection.text);
        co_return Read::refused;
      }
      if (!parser_->is_done() && buffer_.size() == 0 && !http10_ &&
          iequals(parser_->get()[bhttp::field::expect], "100-continue")) {
        if (objection.status != 0) {
          keep_alive_ = false;  // the body will not come, or will: nobody can tell
          co_await refuse(objection.status, objection.text);
          co_return Read::refused;
        }
        const asio::const_buffer go_on = asio::buffer("HTTP/1.1 100 Continue\r\n\r\n", 25);
        const bool sent = co_await send({&go_on, 1});
        if (!sent) co_return Read::closed;
        set_phase(Phase::body, server_.config->timeouts.body);
      }
      continue;
    }
    if (!ec || parser_->is_done()) continue;
    const bool more = co_await fill();
    if (more) continue;
    if (timed_out_ && phase_ != Phase::idle) {
      keep_alive_ = false;
      co_await refuse(408, phase_ == Phase::body ? "the request took longer than timeouts.body allows"
                                                 : "the request took longer than timeouts.header allows");
      co_return Read::refused;
    }
    if (buffer_.size() == buffer_.max_size()) {
      co_await refuse_unreadable(bhttp::error::header_limit);
      co_return Read::refused;
    }
    co_return Read::closed;
  }
  // Trailer fields are not header fields (RFC 9110 section 6.5.1): what was checked on the way may not change behind it.
  auto& request = parser_->get();
  for (auto it = std::next(request.begin(), fields); it != request.end();) it = request.erase(it);
  keep_alive_ = request.keep_alive() && !loop_.is_draining();
  if (objection.status != 0) {
    co_await refuse(objection.status, objection.text);
    co_return Read::refused;
  }
  co_return Read::request;
}

Awaitable<void> Connection::refuse_unreadable(boost::system::error_code ec) {
  keep_alive_ = false;
  unsigned status = 400;
  std::string_view text = "the request is not well-formed HTTP/1.1";
  if (ec == bhttp::error::body_limit) {
    status = 413;
    text = "the body is larger than limits.request_body allows";
  } else if (ec == bhttp::error::header_limit || ec == bhttp::error::buffer_overflow) {
    status = 431;
    text = "the head is larger than limits.request_head allows";
  } else if (ec == make_error_code(Errc::busy)) {
    status = 503;
    text = "limits.request_bodies is used up";
  } else if (ec == bhttp::error::bad_version) {
    status = 505;
    text = "HTTP/1.1 is spoken here";
  } else if (ec == bhttp::error::bad_content_length) {
    text = "Content-Length is no number that could be";
  }
  spdlog::debug("unreadable request: {}", ec.message());
  co_await refuse(status, text);
}

Connection::Objection Connection::object_to_head() {
  const auto& request = parser_->get();
  // A coding that we do not take away would leave its bytes to be read as the next request (RFC 9112 section 6.3).
  if (request.count(bhttp::field::transfer_encoding) != 0 &&
      (http10_ || !iequals(header("Transfer-Encoding").value_or(""), "chunked")))
    return {400, "Transfer-Encoding must be chunked", true};
  // The authority of an absolute-form target outranks the field (RFC 9112 section 3.2.2).
  std::string_view target = request.target();
  std::string_view host = request[bhttp::field::host];
  if (request.count(bhttp::field::host) > 1 || (request.version() >= 11 && request.count(bhttp::field::host) == 0))
    return {400, "a request has one Host field"};
  if (const auto scheme = target.find("://"); scheme != std::string_view::npos && target.front() != '/') {
    target.remove_prefix(scheme + 3);
    const auto slash = target.find('/');
    const auto authority = target.substr(0, slash);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
    if (!server_.origins.is_host_allowed(authority)) return {403, "this host is not served here; see server.allowed_hosts"};
  }
  if (!host.empty() && !server_.origins.is_host_allowed(host))
    return {403, "this host is not served here; see server.allowed_hosts"};
  if (const auto origin = request.find(bhttp::field::origin); origin != request.end()) {
    if (!server_.origins.is_origin_allowed(origin->value()) || origin->value().size() > kMaxField)
      return {403, "this origin is not served here; see server.allowed_origins"};
    origin_ = origin->value();
  }
  if (target.substr(0, target.find('?')) != server_.config->server.path)
    return {404, "there is nothing here; the endpoint is at server.path"};

  switch (request.method()) {
    case bhttp::verb::get:
    case bhttp::verb::delete_:
    case bhttp::verb::options:
      break;
    case bhttp::verb::post:
      if (!is_json_media_type(request[bhttp::field::content_type]))
        return {415, "Content-Type must be application/json"};
      if (const auto coding = request[bhttp::field::content_encoding];
          !coding.empty() && !iequals(coding, "identity"))
        return {415, "Content-Encoding must be identity"};
      break;
    default:
      allow_ = "GET, POST, DELETE, OPTIONS";
      return {405, "the endpoint takes GET, POST and DELETE"};
  }
  accept_ = parse_accept(header("Accept"));
  if (!accept_.json && !accept_.events && request.method() == bhttp::verb::post)
    return {406, "answers are application/json or text/event-stream"};
  return {};
}

Awaitable<void> Connection::serve() {
  set_phase(Phase::handling, std::chrono::hours(24 * 365));
  last_activity_ = Clock::now();
  switch (parser_->get().method()) {
    case bhttp::verb::post:
      co_await server_.service->post(*this);
      break;
    case bhttp::verb::get:
      co_await server_.service->get(*this);
      break;
    case bhttp::verb::delete_:
      co_await server_.service->erase(*this);
      break;
    default: {
      allow_ = "GET, POST, DELETE, OPTIONS";
      const auto asked = parser_->get()[bhttp::field::access_control_request_headers];
      requested_headers_ = asked.size() <= kMaxField && !asked.empty() ? std::string(asked) : "Content-Type";
      co_await reply(204, {});
    }
  }
  listener_ = nullptr;
}

ResponseHead Connection::head_of(unsigned status) const noexcept {
  ResponseHead head;
  head.status = status;
  head.http10 = http10_;
  head.chunked = !http10_;
  head.keep_alive = keep_alive_;
  head.date = loop_.date();
  head.session_id = session_id_;
  head.origin = origin_;
  head.allow = allow_;
  head.allow_headers = origin_.empty() ? std::string_view() : std::string_view(requested_headers_);
  if (status == 503) head.retry_after = "1";
  return head;
}

Awaitable<void> Connection::reply(unsigned status, std::string_view message) {
  if (status == 405 && allow_.empty()) allow_ = "POST, OPTIONS";
  const bool as_event = status == 200 && !accept_.json;
  auto head = head_of(status);
  head.length = message.size();
  if (!message.empty()) head.content_type = "application/json";
  if (as_event) {
    head.content_type = "text/event-stream";
    *head.length += 8;  // "data: " and the blank line
  }
  char text[kMaxHead];
  const std::size_t n = write_response_head(text, head);
  const bool is_head = parser_ && parser_->get().method() == bhttp::verb::head;
  std::array<asio::const_buffer, 4> parts{
      asio::buffer(text, n), asio::buffer("data: ", as_event ? 6u : 0u),
      asio::buffer(message.data(), is_head ? 0 : message.size()), asio::buffer("\n\n", as_event ? 2u : 0u)};
  const bool sent = co_await send(parts);
  if (!sent) {
    gone_ = true;
  } else if (!keep_alive_) {
    co_await linger();
  }
}

Awaitable<void> Connection::refuse(unsigned status, std::string_view text) {
  const std::string message =
      mcp::render({mcp::rpc::kInvalidRequest, status, std::string(text), {}}, {});
  co_await reply(status, message);
}

Awaitable<bool> Connection::send(std::span<const asio::const_buffer> buffers) {
  const Phase before = phase_;
  set_phase(Phase::replying, server_.config->timeouts.stall);
  const auto written = co_await asio::async_write(socket_, buffers, kAwaitTuple);
  const auto& [ec, n] = written;
  phase_ = before;
  co_return !ec;
}

Awaitable<void> Connection::linger() {
  // Closing with unread bytes would reset the connection and could take the answer with it (RFC 9112 section 9.6).
  boost::system::error_code ec;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ec);
  set_phase(Phase::lingering, std::chrono::seconds(2));
  buffer_.clear();
  std::size_t dropped = 0;
  while (!ec && dropped < kMaxLinger) {
    const auto room = buffer_.prepare(kReadSmall);
    const std::size_t n = socket_.read_some(room, ec);
    dropped += n;
    if (ec != asio::error::would_block && ec != asio::error::try_again) continue;
    const auto waited = co_await socket_.async_wait(asio::socket_base::wait_read, kAwaitTuple);
    ec = std::get<0>(waited);
  }
  gone_ = true;
}

void Connection::write_some(std::span<const asio::const_buffer> buffers, Done done, void* self) {
  last_activity_ = Clock::now();
  socket_.async_write_some(Gather(buffers), [this, done, self](boost::system::error_code ec, std::size_t n) {
    if (!ec) last_activity_ = Clock::now();
    done(self, ec, n);
    if (ec) peer_is_gone();
  });
}

std::size_t Connection::write_head(std::span<char, kMaxHead> out, BodyForm form,
                                   std::optional<std::uint64_t> length) {
  if (http10_ && !length) keep_alive_ = false;
  auto head = head_of(200);
  head.content_type = form == BodyForm::json ? "application/json" : "text/event-stream";
  head.length = length;
  return write_response_head(out, head);
}

Awaitable<void> Connection::reply_empty_stream() {
  if (!accept_.events) {
    co_await reply(204, {});
    co_return;
  }
  auto head = head_of(200);
  head.content_type = "text/event-stream";
  head.length = 0;
  char text[kMaxHead];
  const asio::const_buffer all = asio::buffer(text, write_response_head(text, head));
  const bool sent = co_await send({&all, 1});
  if (!sent) gone_ = true;
}

Awaitable<void> Connection::hold_event_stream() {
  struct Gone final : Listener {
    explicit Gone(Connection& c) : connection(c) {}
    void on_peer_gone() override { connection.end_event_stream(); }
    void on_shutdown() override { connection.end_event_stream(); }
    Connection& connection;
  } gone(*this);

  stream_over_ = loop_.is_draining();
  if (http10_) keep_alive_ = false;
  auto head = head_of(200);
  head.content_type = "text/event-stream";
  char text[kMaxHead];
  std::array<asio::const_buffer, 2> opening{asio::buffer(text, write_response_head(text, head)),
                                            asio::const_buffer()};
  // A first comment, so that proxies and clients see the stream open.
  constexpr std::string_view kChunk = "e\r\n: keep-alive\n\n\r\n";
  constexpr std::string_view kBare = ": keep-alive\n\n";
  const std::string_view comment = http10_ ? kBare : kChunk;
  opening[1] = asio::buffer(comment.data(), comment.size());
  bool alive = co_await send(opening);
  listen(&gone);
  phase_ = Phase::streaming;
  deadline_ = Clock::time_point::max();
  // drain() sees the stream only while it waits here, not while something is being sent.
  while (alive && !stream_over_ && !gone_ && !loop_.is_draining()) {
    stream_timer_.expires_after(server_.config->timeouts.heartbeat);
    const auto waited = co_await stream_timer_.async_wait(kAwaitTuple);
    static_cast<void>(waited);
    if (stream_over_ || gone_) break;
    const asio::const_buffer again = asio::buffer(comment.data(), comment.size());
    alive = co_await send({&again, 1});
    phase_ = Phase::streaming;
    deadline_ = Clock::time_point::max();
  }
  listen(nullptr);
  if (!alive) gone_ = true;
  if (!gone_ && !http10_) {
    const asio::const_buffer last = asio::buffer("0\r\n\r\n", 5);
    const bool sent = co_await send({&last, 1});
    if (!sent) gone_ = true;
  }
}

void Connection::end_event_stream() {
  stream_over_ = true;
  stream_timer_.cancel();
}

std::optional<std::string_view> Connection::header(std::string_view name) {
  const auto range = parser_->get().equal_range(name);
  if (range.first == range.second) return std::nullopt;
  auto it = range.first;
  const std::string_view first = it->value();
  if (++it == range.second) return first;
  header_scratch_ = first;
  for (; it != range.second; ++it) {
    header_scratch_ += ", ";
    header_scratch_ += it->value();
  }
  return header_scratch_;
}

std::string_view Connection::body() const noexcept { return parser_->get().body().bytes; }

std::size_t Connection::body_capacity() const noexcept {
  return parser_->get().body().bytes.capacity();
}

void Connection::listen(Listener* listener) {
  listener_ = listener;
  if (listener_ == nullptr) return;
  if (gone_) {
    peer_is_gone();
    return;
  }
  watch();
}

void Connection::watch() {
  if (watching_) return;
  watching_ = true;
  socket_.async_wait(asio::socket_base::wait_read,
                     [this](boost::system::error_code ec) { on_readable(ec); });
}

void Connection::on_readable(boost::system::error_code ec) {
  watching_ = false;
  if (listener_ == nullptr) return;  // between requests fill() reads
  if (ec) return;
  // Pipelined requests are read ahead up to the buffer's size; beyond that we no longer see the peer go.
  const std::size_t room = std::min(kReadSmall, buffer_.max_size() - buffer_.size());
  if (room == 0) return;
  const std::size_t n = socket_.read_some(buffer_.prepare(room), ec);
  if (!ec) {
    buffer_.commit(n);
    watch();
    return;
  }
  if (ec == asio::error::would_block || ec == asio::error::try_again) {
    watch();
    return;
  }
  peer_is_gone();
}

void Connection::peer_is_gone() {
  gone_ = true;
  if (listener_ != nullptr) listener_->on_peer_gone();
}

void Connection::tick(Clock::time_point now) {
  if (phase_ == Phase::handling) {
    const auto silent = now - last_activity_;
    if (writer_.is_writing()) {
      if (silent < server_.config->timeouts.stall) return;
      spdlog::info("a client took nothing for timeouts.stall; connection closed");
      abort();
      peer_is_gone();
    } else if (listener_ != nullptr && silent >= server_.config->timeouts.heartbeat) {
      last_activity_ = now;
      writer_.heartbeat();
    }
    return;
  }
  if (now < deadline_) return;
  deadline_ = Clock::time_point::max();
  timed_out_ = true;
  boost::system::error_code ignored;
  switch (phase_) {
    case Phase::idle:
    case Phase::replying:
    case Phase::lingering:
      socket_.close(ignored);
      break;
    case Phase::head:
    case Phase::body:
      socket_.cancel(ignored);  // fill() ends and the request is answered with 408
      break;
    case Phase::handling:
    case Phase::streaming:
      break;
  }
}

void Connection::drain() {
  keep_alive_ = false;
  if (phase_ == Phase::idle) {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }
  if (phase_ == Phase::streaming) end_event_stream();
}

void Connection::end_call() {
  if (listener_ != nullptr) listener_->on_shutdown();
}

void Connection::abort() noexcept {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

}  // namespace sluice::http
