#include "http/upstream_connection.hpp"

#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <cerrno>

#include "base/await.hpp"

namespace sluice::http {

namespace asio = boost::asio;
using boost::system::error_code;

Awaitable<error_code> UpstreamConnection::connect(asio::ip::tcp::endpoint to,
                                                  const config::HttpSource& source) {
  error_code ec;
  close();
  socket_.open(to.protocol(), ec);
  if (ec) co_return ec;
  // Before connect(), so that the window offered is the one meant.
  error_code ignored;
  socket_.set_option(
      asio::socket_base::receive_buffer_size(static_cast<int>(source.receive_buffer)), ignored);
  socket_.set_option(asio::socket_base::send_buffer_size(static_cast<int>(source.send_buffer)),
                     ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  const auto connected = co_await socket_.async_connect(to, kAwaitTuple);
  co_return std::get<0>(connected);
}

Awaitable<error_code> UpstreamConnection::start_tls(asio::ssl::context& context, std::string host,
                                                    bool verify, std::string& failure) {
  tls_.emplace(socket_, context);
  if (!prepare_tls(*tls_, host, verify)) {
    failure = "the host name cannot be used";
    co_return make_error_code(Errc::source_failed);
  }
  const auto shaken = co_await tls_->async_handshake(asio::ssl::stream_base::client, kAwaitTuple);
  const error_code ec = std::get<0>(shaken);
  if (ec) failure = tls_failure(*tls_, ec);
  co_return ec;
}

Awaitable<error_code> UpstreamConnection::write(std::string_view head, std::string_view body) {
  const std::array<asio::const_buffer, 2> all{asio::buffer(head.data(), head.size()),
                                              asio::buffer(body.data(), body.size())};
  error_code ec;
  if (tls_) {
    const auto written = co_await asio::async_write(*tls_, all, kAwaitTuple);
    ec = std::get<0>(written);
  } else {
    const auto written = co_await asio::async_write(socket_, all, kAwaitTuple);
    ec = std::get<0>(written);
  }
  co_return ec;
}

Awaitable<error_code> UpstreamConnection::wait_readable() {
  const auto waited = co_await socket_.async_wait(asio::ip::tcp::socket::wait_read, kAwaitTuple);
  co_return std::get<0>(waited);
}

Awaitable<Result<std::size_t>> UpstreamConnection::read_some(asio::mutable_buffer into) {
  error_code ec;
  std::size_t n = 0;
  if (tls_) {
    const auto read = co_await tls_->async_read_some(into, kAwaitTuple);
    ec = std::get<0>(read);
    n = std::get<1>(read);
  } else {
    const auto read = co_await socket_.async_read_some(into, kAwaitTuple);
    ec = std::get<0>(read);
    n = std::get<1>(read);
  }
  if (ec) co_return ec;
  co_return n;
}

bool UpstreamConnection::is_quiet() noexcept {
  if (!socket_.is_open()) return false;
  char byte = 0;
  const auto got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void UpstreamConnection::close() noexcept {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace sluice::http
