#include "http/upstream_exchange.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <utility>

#include "base/units.hpp"
#include "http/content_decoder.hpp"

namespace sluice::http {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// RFC 9110 section 9.2.2.
bool is_idempotent(std::string_view method) noexcept {
  for (const std::string_view one : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
    if (method == one) return true;
  }
  return false;
}

// Requests of these say how long their body is even where there is none (RFC 9110 section 8.6).
bool expects_body(std::string_view method) noexcept {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

bool is_end(error_code ec) noexcept {
  return ec == asio::error::eof || ec == asio::ssl::error::stream_truncated ||
         ec == asio::error::connection_reset || ec == asio::error::broken_pipe;
}

std::string look_up_failure(error_code ec) {
  if (ec == asio::error::host_not_found || ec == asio::error::no_data) {
    return "its host name is not known";
  }
  return "its host name cannot be looked up: " + ec.message();
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

UpstreamExchange::UpstreamExchange(Upstream& upstream, std::size_t loop,
                                   const asio::any_io_executor& executor, FramePool& frames)
    : upstream_(upstream),
      pool_(upstream.pool(loop, executor)),
      frames_(frames),
      watch_(executor) {}

UpstreamExchange::~UpstreamExchange() { close(); }

Awaitable<Result<>> UpstreamExchange::send(const UpstreamRequest& request) {
  until_ = Clock::now() + upstream_.source().timeout;
  watch_.arm(until_);
  Hop hop{request.method, upstream_.url().prefix + request.target, request.has_body};
  while (true) {
    visited_.push_back(hop.method + ' ' + hop.target);
    const Result<> answered = co_await round_trip(hop, request);
    if (!answered) co_return answered;
    if (!next_hop(hop)) co_return answered;
    co_await drop_body();
  }
}

Awaitable<Result<>> UpstreamExchange::round_trip(const Hop& hop, const UpstreamRequest& request) {
  const std::string head_text = request_head(hop, request);
  if (!lease_) {
    const bool acquired = co_await pool_.acquire(lease_, watch_);
    if (!acquired) co_return fail("has all its connections in use; none became free in time");
  }
  const bool is_reused = lease_.connection != nullptr;
  Result<> answered = co_await attempt(hop, request, head_text);
  if (!answered && is_reused && is_lost_ && is_idempotent(hop.method)) {
    // The upstream closed it while it was idle and our request was on its way.
    watch_.guard({});
    response_.reset();
    lease_.connection.reset();
    answered = co_await attempt(hop, request, head_text);
  }
  if (!answered) close();
  co_return answered;
}

Awaitable<Result<>> UpstreamExchange::attempt(const Hop& hop, const UpstreamRequest& request,
                                              std::string_view head_text) {
  is_lost_ = false;
  if (lease_.connection == nullptr) {
    const Result<> opened = co_await open_connection();
    if (!opened) co_return opened;
  }
  UpstreamConnection& connection = *lease_.connection;
  watch_.guard([&connection] { connection.close(); });
  response_.emplace(frames_, connection, hop.method == "HEAD");
  const std::string_view body = hop.has_body ? std::string_view(request.body) : std::string_view();
  const error_code written = co_await connection.write(head_text, body);
  wrote_all_ = !written;
  // Read also where not all could be written: an upstream may refuse a body without reading it to
  // its end.
  const Result<> read = co_await response_->read_head();
  if (read) co_return read;
  co_return fail_head(read.error());
}

Awaitable<Result<>> UpstreamExchange::open_connection() {
  const auto& source = upstream_.source();
  const auto connect_until = std::min(until_, Clock::now() + source.connect_timeout);
  watch_.arm(connect_until);
  UpstreamResolver::Endpoints endpoints;
  const error_code resolved = co_await pool_.resolver().resolve(endpoints, watch_);
  if (resolved) co_return fail_unreachable(look_up_failure(resolved));

  error_code connected = asio::error::host_not_found;
  for (std::size_t i = 0; i < endpoints.size() && connected; ++i) {
    const auto now = Clock::now();
    if (i > 0 && now >= connect_until) break;
    // An address that swallows packets must not use up the time of the others.
    watch_.guard({});
    watch_.arm(now + (connect_until - now) / static_cast<int>(endpoints.size() - i));
    lease_.connection = std::make_unique<UpstreamConnection>(pool_.executor());
    UpstreamConnection& connection = *lease_.connection;
    watch_.guard([&connection] { connection.close(); });
    connected = co_await connection.connect(endpoints[i], source);
  }
  if (connected) co_return fail_unreachable(connected.message());

  if (upstream_.tls() != nullptr) {
    watch_.arm(connect_until);
    std::string failure;
    const error_code shaken = co_await lease_.connection->start_tls(
        *upstream_.tls(), upstream_.url().host, source.tls.verify, failure);
    if (shaken) co_return fail_unreachable("TLS: " + failure);
  }
  watch_.arm(until_);
  co_return Result<>();
}

std::string UpstreamExchange::request_head(const Hop& hop, const UpstreamRequest& request) const {
  FieldList fields;
  fields.set("Host", upstream_.url().host_field);
  fields.set("User-Agent", user_agent());
  fields.set("Accept", request.accept);
  fields.set("Accept-Encoding", kAcceptEncoding);
  if (hop.has_body) fields.set("Content-Type", request.content_type);
  for (const auto& [name, value] : upstream_.source().headers) fields.set(name, value);
  for (const auto& [name, value] : request.fields) fields.set(name, value);

  std::string out = hop.method + ' ' + hop.target + " HTTP/1.1\r\n";
  for (const auto& [name, value] : fields) append_field(out, name, value);
  if (hop.has_body || expects_body(hop.method)) {
    append_field(out, "Content-Length", std::to_string(hop.has_body ? request.body.size() : 0));
  }
  out += "\r\n";
  return out;
}

bool UpstreamExchange::next_hop(Hop& hop) {
  const UpstreamHead& answer = response_->head();
  const unsigned status = answer.status;
  if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308)
    return false;
  if (answer.location.empty()) {
    redirect_note_ = "it does not say where to";
    return false;
  }
  RedirectTarget to = resolve_redirect(upstream_.url(), hop.target, answer.location);
  switch (to.kind) {
    case RedirectTarget::Kind::unreadable:
      redirect_note_ = "where it points to is not a URL";
      return false;
    case RedirectTarget::Kind::other_origin:
      redirect_note_ = "it points to " + to.shown + ", another origin, which is not followed";
      return false;
    case RedirectTarget::Kind::other_scheme:
      redirect_note_ =
          "it points to " + to.shown + ", neither http nor https, which is not followed";
      return false;
    case RedirectTarget::Kind::same_origin:
      break;
  }
  Hop next{hop.method, std::move(to.target), hop.has_body};
  const bool to_get = (status == 303 && hop.method != "GET" && hop.method != "HEAD") ||
                      ((status == 301 || status == 302) && hop.method == "POST");
  if (to_get) {
    next.method = "GET";
    next.has_body = false;
  }
  if (std::find(visited_.begin(), visited_.end(), next.method + ' ' + next.target) !=
      visited_.end()) {
    redirect_note_ = "it points to " + to.shown + ", where it came from: a loop";
    return false;
  }
  if (visited_.size() > upstream_.source().redirects) {
    redirect_note_ = "it points to " + to.shown + ", one redirect more than the " +
                     std::to_string(upstream_.source().redirects) + " that are followed";
    return false;
  }
  hop = std::move(next);
  return true;
}

// The rest of an answer that nobody reads: a little is read to keep the connection, more is not
// worth it.
Awaitable<void> UpstreamExchange::drop_body() {
  std::uint64_t dropped = 0;
  while (dropped <= kFrameBytes) {
    const Result<std::string_view> piece = co_await response_->read_body();
    if (!piece) break;
    if (piece->empty()) {
      body_ended();
      co_return;
    }
    dropped += piece->size();
  }
  close();
}

std::string UpstreamExchange::status_line() const {
  const UpstreamHead& answer = response_->head();
  std::string out = std::to_string(answer.status);
  if (!answer.reason.empty()) out += ' ' + answer.reason;
  return out;
}

Result<> UpstreamExchange::open_body(BodyAs as) {
  if (response_->is_complete()) return {};
  const UpstreamHead& answer = response_->head();
  std::string problem;
  const Result<> added = add_content_decoders(filters_, answer.content_encoding, problem);
  if (!added) {
    close();
    return fail("cannot be read: " + problem);
  }
  is_text_ = as == BodyAs::text;
  const std::string_view charset = charset_of(answer.content_type);
  if (!is_text_ || is_utf8_charset(charset)) return {};
  auto converter = make_charset_converter(charset);
  if (converter == nullptr) {
    std::string name(charset.substr(0, 40));
    std::replace_if(name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    close();
    return fail("cannot be read: the body is in a charset that is not known: " + name);
  }
  filters_.add(std::move(converter));
  return {};
}

Awaitable<Result<std::string_view>> UpstreamExchange::read() {
  while (true) {
    const Result<std::string_view> piece = next_piece();
    if (!piece) {
      close();
      co_return piece.error();
    }
    if (!piece->empty()) {
      handed_on_ += piece->size();
      co_return *piece;
    }
    if (raw_ended_) co_return std::string_view();
    const Result<std::string_view> raw = co_await response_->read_body();
    if (!raw) {
      const error_code ec = fail_body(raw.error());
      close();
      co_return ec;
    }
    raw_ = *raw;
    if (raw_.empty()) {
      raw_ended_ = true;
      body_ended();
    }
  }
}

// What can be made of the bytes at hand; empty where more are needed or, after the last ones, at
// the end.
Result<std::string_view> UpstreamExchange::next_piece() {
  while (true) {
    if (!held_back_.empty()) return std::exchange(held_back_, {});
    Result<std::string_view> piece = std::string_view();
    if (filters_.empty()) {
      piece = std::exchange(raw_, {});
    } else {
      piece = filters_.next(raw_, raw_ended_);
      if (!piece) {
        return fail("sent a body that cannot be decoded: " + filters_.problem() + " (after " +
                    std::to_string(handed_on_) + " bytes)");
      }
    }
    if (!is_text_) return piece;
    if (piece->empty()) return raw_ended_ ? mark_.finish() : std::string_view();
    std::string_view held;
    const std::string_view text = mark_.strip(*piece, held);
    if (!held.empty()) {
      held_back_ = text;
      return held;
    }
    if (!text.empty()) return text;
  }
}

void UpstreamExchange::body_ended() {
  watch_.guard({});
  if (wrote_all_ && response_->keeps_connection() && lease_.connection != nullptr) {
    lease_.keep();
  } else {
    lease_.reset();
  }
}

void UpstreamExchange::close() noexcept {
  watch_.guard({});
  if (response_) response_->release();
  raw_ = {};
  lease_.reset();
}

error_code UpstreamExchange::fail(std::string_view what) {
  problem_ = "upstream " + upstream_.source().name + ' ';
  problem_ += what;
  return make_error_code(Errc::source_failed);
}

error_code UpstreamExchange::fail_unreachable(std::string_view why) {
  if (watch_.is_expired()) {
    return fail(
        "cannot be reached: no connection within its " +
        (Clock::now() >= until_
             ? "timeout of " + format_duration(upstream_.source().timeout)
             : "connect_timeout of " + format_duration(upstream_.source().connect_timeout)));
  }
  return fail("cannot be reached: " + std::string(why));
}

error_code UpstreamExchange::fail_head(error_code ec) {
  if (watch_.is_expired())
    return fail("did not answer within its timeout of " +
                format_duration(upstream_.source().timeout));
  if (ec == Errc::frames_exhausted) {
    static_cast<void>(fail("cannot be read: " + response_->problem()));
    return ec;
  }
  if (ec == Errc::source_failed) {
    return fail("sent something that is not an HTTP response: " + response_->problem());
  }
  is_lost_ = !response_->has_begun();
  if (is_end(ec)) return fail("closed the connection without an answer");
  return fail("did not answer: " + ec.message());
}

error_code UpstreamExchange::fail_body(error_code ec) {
  std::string received = "; " + std::to_string(response_->body_bytes());
  if (const auto length = response_->head().content_length)
    received += " of " + std::to_string(*length);
  received += " bytes came";
  if (watch_.is_expired()) {
    return fail("did not finish within its timeout of " +
                format_duration(upstream_.source().timeout) + received);
  }
  if (ec == Errc::source_failed)
    return fail("sent a body that is not framed as HTTP asks: " + response_->problem() + received);
  if (is_end(ec)) return fail("closed the connection in the middle of the body" + received);
  return fail("stopped in the middle of the body: " + ec.message() + received);
}

}  // namespace sluice::http
