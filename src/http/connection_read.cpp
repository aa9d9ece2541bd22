// How a connection takes a request in, and what it finds wrong with its head.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <iterator>
#include <vector>

#include "base/ascii.hpp"
#include "base/await.hpp"
#include "http/connection.hpp"

namespace sluice::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;

/// Drops empty lines before a request (RFC 9112 section 2.2); false while what is left may be half
/// of one.
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

/// What follows the endpoint in a path: nothing, or one segment; none where the path leads elsewhere.
std::optional<std::string_view> below_endpoint(std::string_view path, std::string_view endpoint) {
  if (path == endpoint) return std::string_view();
  if (!path.starts_with(endpoint)) return std::nullopt;
  path.remove_prefix(endpoint.size());
  if (!endpoint.ends_with('/')) {
    if (!path.starts_with('/')) return std::nullopt;
    path.remove_prefix(1);
  }
  if (path.empty() || path.find('/') != std::string_view::npos) return std::nullopt;
  return path;
}

}  // namespace

Awaitable<bool> Connection::fill() {
  if (buffer_.size() == buffer_.max_size()) co_return false;
  const bool small = phase_ != Phase::body;
  for (;;) {
    boost::system::error_code ec;
    if (phase_ != Phase::idle) {
      const auto room = room_to_read(small ? kReadSmall : kReadLarge);
      const std::size_t n = socket_.read_some(room, ec);
      if (!ec) {
        buffer_.commit(n);
        co_return true;
      }
      if (ec != asio::error::would_block && ec != asio::error::try_again) co_return false;
    }
    give_read_buffer();
    const auto failed = co_await wait_readable();
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
  group_ = {};
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
  std::vector<const void*> fields;  // of the head, where a trailer may follow
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
      if (parser_->chunked())
        for (const auto& field : parser_->get()) fields.push_back(&field);
      parser_->get().body().drop = objection.status != 0;
      parser_->get().body().charge = BodyCharge(server_.bodies);
      if (objection.closes) {
        keep_alive_ = false;
        co_await refuse(objection.status, objection.text);
        co_return Read::refused;
      }
      if (!parser_->is_done() && buffer_.size() == 0 && !http10_ &&
          ascii::iequals(parser_->get()[bhttp::field::expect], "100-continue")) {
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
      co_await refuse(408, phase_ == Phase::body
                               ? "the request took longer than timeouts.body allows"
                               : "the request took longer than timeouts.header allows");
      co_return Read::refused;
    }
    if (buffer_.size() == buffer_.max_size()) {
      co_await refuse_unreadable(bhttp::error::header_limit);
      co_return Read::refused;
    }
    co_return Read::closed;
  }
  // Trailer fields are not header fields (RFC 9110 section 6.5.1): what was checked on the way may
  // not change behind it.
  auto& request = parser_->get();
  if (parser_->chunked())
    for (auto it = request.begin(); it != request.end();)
      it = std::find(fields.begin(), fields.end(), &*it) == fields.end() ? request.erase(it)
                                                                         : std::next(it);
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
  struct Field {
    std::string_view value;
    std::size_t lines = 0;
    void see(std::string_view v) noexcept {
      if (lines++ == 0) value = v;
    }
  };
  Field transfer_coding, host_field, origin, media_type, coding;
  for (const auto& field : request) {
    switch (field.name()) {
      case bhttp::field::transfer_encoding:
        transfer_coding.see(field.value());
        break;
      case bhttp::field::host:
        host_field.see(field.value());
        break;
      case bhttp::field::origin:
        origin.see(field.value());
        break;
      case bhttp::field::content_type:
        media_type.see(field.value());
        break;
      case bhttp::field::content_encoding:
        coding.see(field.value());
        break;
      default:
        break;
    }
  }
  // A coding that we do not take away would leave its bytes to be read as the next request (RFC
  // 9112 section 6.3).
  if (transfer_coding.lines != 0 &&
      (http10_ || transfer_coding.lines > 1 || !ascii::iequals(transfer_coding.value, "chunked")))
    return {400, "Transfer-Encoding must be chunked", true};
  // The authority of an absolute-form target outranks the field (RFC 9112 section 3.2.2).
  std::string_view target = request.target();
  std::string_view host = host_field.value;
  if (host_field.lines > 1 || (request.version() >= 11 && host_field.lines == 0))
    return {400, "a request has one Host field"};
  if (const auto scheme = target.find("://");
      scheme != std::string_view::npos && target.front() != '/') {
    target.remove_prefix(scheme + 3);
    const auto slash = target.find('/');
    const auto authority = target.substr(0, slash);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
    if (!server_.origins.is_host_allowed(authority))
      return {403, "this host is not served here; see server.allowed_hosts"};
  }
  if (!host.empty() && !server_.origins.is_host_allowed(host))
    return {403, "this host is not served here; see server.allowed_hosts"};
  if (origin.lines != 0) {
    if (!server_.origins.is_origin_allowed(origin.value) || origin.value.size() > kMaxField)
      return {403, "this origin is not served here; see server.allowed_origins"};
    origin_ = origin.value;
  }
  const auto below =
      below_endpoint(target.substr(0, target.find('?')), server_.config->server.path);
  if (!below) return {404, "there is nothing here; the endpoint is at server.path"};
  group_ = *below;

  switch (request.method()) {
    case bhttp::verb::get:
    case bhttp::verb::delete_:
    case bhttp::verb::options:
      break;
    case bhttp::verb::post:
      if (!is_json_media_type(media_type.value))
        return {415, "Content-Type must be application/json"};
      if (!coding.value.empty() && !ascii::iequals(coding.value, "identity"))
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

}  // namespace sluice::http
