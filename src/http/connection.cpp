#include "http/connection.hpp"

#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_suffix.hpp>
#include <boost/beast/http/error.hpp>

#include "base/ascii.hpp"
#include "base/await.hpp"
#include "mcp/errors.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;

constexpr std::size_t kAtOnce = 32 * 1024;
constexpr std::size_t kMaxLinger = 16 * 1024 * 1024;

/// The buffers of one write. Asio keeps a copy of the sequence until the write is done, and a
/// span's copy would point to what its owner may have dropped by then.
class Gather {
 public:
  explicit Gather(std::span<const asio::const_buffer> buffers)
      : size_(std::min(buffers.size(), parts_.size())) {
    std::copy_n(buffers.begin(), size_, parts_.begin());
  }
  [[nodiscard]] const asio::const_buffer* begin() const noexcept { return parts_.data(); }
  [[nodiscard]] const asio::const_buffer* end() const noexcept { return parts_.data() + size_; }

 private:
  std::array<asio::const_buffer, Transport::kMaxBuffers> parts_;
  std::size_t size_;
};

}  // namespace

Connection::Connection(Loop& loop, asio::ip::tcp::socket socket)
    : loop_(loop),
      server_(loop.server()),
      socket_(std::move(socket)),
      buffer_(loop.take_read_buffer()),
      writer_(*this, loop.frames(), *this),
      stream_timer_(socket_.get_executor()) {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
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
  // Whatever ended it, this object lives until all that it began has been called back.
  co_await asio::this_coro::throw_if_cancelled(false);
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
    if (read == Read::request) {
      co_await serve();
    }
    co_await writer_.settle();
    if (writer_.error()) break;  // bytes are missing: no further answer can follow
    parser_.reset();
    if (buffer_.size() > 0) {
      // A client that never lets us wait must not have the loop for itself.
      co_await asio::post(socket_.get_executor(), asio::use_awaitable);
    }
  }
}

Awaitable<void> Connection::serve() {
  set_phase(Phase::handling, std::chrono::hours(24 * 365));
  last_activity_ = Clock::now();
  switch (parser_->get().method()) {
    case bhttp::verb::post:
      document_ = loop_.take_document();
      co_await server_.service->post(*this);
      loop_.give(std::move(document_));
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
      requested_headers_ =
          asked.size() <= kMaxField && !asked.empty() ? std::string(asked) : "Content-Type";
      co_await reply(204, {});
    }
  }
  listener_ = nullptr;
  if (source_) {
    co_await hold();
  }
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
      asio::buffer(message.data(), is_head ? 0 : message.size()),
      asio::buffer("\n\n", as_event ? 2u : 0u)};
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
  // The kernel takes nearly all of these at once.
  const Gather all(buffers);
  boost::system::error_code ec;
  const std::size_t sent = socket_.write_some(all, ec);
  if (ec == asio::error::would_block || ec == asio::error::try_again) ec = {};
  if (!ec && sent < asio::buffer_size(all)) {
    beast::buffers_suffix<Gather> rest(all);
    rest.consume(sent);
    const auto written = co_await asio::async_write(socket_, rest, kAwaitTuple);
    ec = std::get<0>(written);
  }
  phase_ = before;
  co_return !ec;
}

Awaitable<void> Connection::linger() {
  // Closing with unread bytes would reset the connection and could take the answer with it (RFC
  // 9112 section 9.6).
  boost::system::error_code ec;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ec);
  set_phase(Phase::lingering, std::chrono::seconds(2));
  buffer_.clear();
  std::size_t dropped = 0;
  while (!ec && dropped < kMaxLinger) {
    const std::size_t n = socket_.read_some(room_to_read(kReadSmall), ec);
    dropped += n;
    if (ec != asio::error::would_block && ec != asio::error::try_again) continue;
    ec = co_await wait_readable();
  }
  gone_ = true;
}

std::size_t Connection::write_now(std::span<const asio::const_buffer> buffers) {
  // A small response costs one send and no turn of the loop; a large one lets others have theirs.
  const Gather all(buffers);
  if (asio::buffer_size(all) > kAtOnce) return 0;
  boost::system::error_code ec;
  const std::size_t n = socket_.write_some(all, ec);
  if (ec) return 0;
  last_activity_ = Clock::now();
  return n;
}

void Connection::write_some(std::span<const asio::const_buffer> buffers, Done done, void* self) {
  last_activity_ = Clock::now();
  socket_.async_write_some(Gather(buffers),
                           [this, done, self](boost::system::error_code ec, std::size_t n) {
                             if (!ec) last_activity_ = Clock::now();
                             done(self, ec, n);
                             if (ec) peer_is_gone();
                           });
}

void Connection::size_send_buffer(bool is_ready) {
  if (is_ready == has_large_send_buffer_) return;
  has_large_send_buffer_ = is_ready;
  const auto& limits = server_.config->limits;
  const std::uint64_t bytes = is_ready ? limits.send_buffer / 2 * 3 : limits.send_buffer;
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::send_buffer_size(static_cast<int>(bytes)), ignored);
}

std::size_t Connection::write_head(std::span<char, kMaxHead> out, const BodyDecision& body) {
  constexpr std::size_t kWindowBytes = FrameWriter::kWindow * kFrameBytes;
  if (!body.length)
    size_send_buffer(false);
  else if (*body.length > kWindowBytes)
    size_send_buffer(true);
  if (http10_ && !body.length) keep_alive_ = false;
  auto head = head_of(200);
  head.content_type = body.form == BodyForm::json ? "application/json" : "text/event-stream";
  head.length = body.length;
  head.coding = body.coding;
  head.varies = body.varies;
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

std::optional<std::string_view> Connection::header(std::string_view name) {
  // A request has a dozen fields: to go through them costs a fifth of a search in their tree.
  std::string_view value;
  std::size_t lines = 0;
  for (const auto& field : parser_->get()) {
    if (!ascii::iequals(field.name_string(), name)) continue;
    if (++lines == 1) {
      value = field.value();
      continue;
    }
    if (lines == 2) header_scratch_ = value;
    header_scratch_ += ", ";
    header_scratch_ += field.value();
  }
  if (lines == 0) return std::nullopt;
  return lines == 1 ? value : std::string_view(header_scratch_);
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

Awaitable<boost::system::error_code> Connection::wait_readable() {
  struct Keep {
    std::optional<Resume>& reader;
    void operator()(Resume handler) { reader.emplace(std::move(handler)); }
  };
  watch();
  auto readable = asio::async_initiate<const asio::use_awaitable_t<>, void()>(Keep{reader_},
                                                                              asio::use_awaitable);
  co_await std::move(readable);
  co_return read_error_;
}

asio::mutable_buffer Connection::room_to_read(std::size_t most) {
  if (buffer_.capacity() == 0) buffer_ = loop_.take_read_buffer();
  return buffer_.prepare(std::min(most, buffer_.max_size() - buffer_.size()));
}

void Connection::give_read_buffer() noexcept {
  if (buffer_.size() == 0 && buffer_.capacity() > 0) loop_.give(std::move(buffer_));
}

void Connection::watch() {
  if (watching_) return;
  watching_ = true;
  socket_.async_wait(asio::socket_base::wait_read,
                     [this](boost::system::error_code ec) { on_readable(ec); });
}

void Connection::on_readable(boost::system::error_code ec) {
  watching_ = false;
  if (reader_) {
    read_error_ = ec;
    auto resume = std::move(*reader_);
    reader_.reset();
    std::move(resume)();  // may have destroyed this
    return;
  }
  if (listener_ == nullptr) return;  // between requests fill() reads
  if (ec) return;
  // Pipelined requests are read ahead up to the buffer's size; beyond that we no longer see the
  // peer go.
  const std::size_t room = std::min(kReadSmall, buffer_.max_size() - buffer_.size());
  if (room == 0) return;
  const std::size_t n = socket_.read_some(room_to_read(room), ec);
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
    if (listener_ != nullptr && now >= listener_->deadline) {
      listener_->deadline = Clock::time_point::max();
      listener_->on_deadline();
    }
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
  // A stream that is just being sent something sees it afterwards.
  if (phase_ == Phase::streaming) wake();
}

void Connection::end_call() {
  if (listener_ != nullptr) listener_->on_shutdown();
}

void Connection::abort() noexcept {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

void Connection::end() noexcept {
  // Else the client might send its next request behind a call that may go on for long.
  keep_alive_ = false;
  boost::system::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

}  // namespace sluice::http
